// Package dashboards is the folder of the views of a farm and of what it made. The
// first two of its packages show what package workers/metrics counts:
//
//	dashboards/prometheus  scrape configuration, recording rules, alerts
//	dashboards/grafana     the dashboard
//	dashboards/plot        figures of results
//	dashboards/report      reports with figures, as one file
//
// Three commands show a farm that runs on this machine and listens on its
// default address, from the root of the repository:
//
//	sandtable farm
//	prometheus --config.file dashboards/prometheus/prometheus.yml --storage.tsdb.path /tmp/sandtable-prometheus
//	jq '{dashboard: ., overwrite: true}' dashboards/grafana/farm.json |
//	  curl -fsS -H 'Content-Type: application/json' -d @- http://admin:admin@127.0.0.1:3000/api/dashboards/db
//
// The last one needs a Grafana with that Prometheus as a data source; importing
// farm.json by hand (Dashboards, New, Import) does the same.
//
// The test of this package parses every query with Prometheus's own parser and
// holds its metrics and labels against those that a farm registers.
package dashboards
