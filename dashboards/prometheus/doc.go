// Package prometheus is what Prometheus needs to watch a farm: a scrape
// configuration, recording rules and alert rules.
//
// Rules are Go values here and YAML for Prometheus: recording.yml and alerts.yml
// are written from [Recording] and [Alerts] by
//
//	go test ./dashboards/prometheus -rewrite
//
// and testdata/alerts_test.yml tells promtool when each alert fires and when it
// does not.
//
// A farm is one Prometheus job: rules add up its processes by the label "job".
// Names of jobs begin with "sandtable".
package prometheus
