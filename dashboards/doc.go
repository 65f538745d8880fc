// Package dashboards is the folder of packages that show a farm and its results. The first
// two show the metrics of package workers/metrics:
//
//	dashboards/prometheus  scrape configuration, recording rules, alerts
//	dashboards/grafana     the dashboard
//	dashboards/plot        figures of results
//	dashboards/report      reports with figures, as one file
//
// These three commands, run in the root of the repository, show a farm that runs on this
// machine and serves its metrics at the default address:
//
//	sandtable farm
//	prometheus --config.file dashboards/prometheus/prometheus.yml --storage.tsdb.path /tmp/sandtable-prometheus
//	jq '{dashboard: ., overwrite: true}' dashboards/grafana/farm.json |
//	  curl -fsS -H 'Content-Type: application/json' -d @- http://admin:admin@127.0.0.1:3000/api/dashboards/db
//
// The last command needs a Grafana with this Prometheus as a data source. Importing
// farm.json by hand (Dashboards, New, Import) has the same effect.
//
// The test of this package parses every query with Prometheus's own parser and checks that
// a farm registers its metrics and labels.
package dashboards
