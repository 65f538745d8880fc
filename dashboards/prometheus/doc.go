// Package prometheus contains the Prometheus configuration that monitors a farm: a scrape
// configuration, recording rules and alert rules.
//
// The rules are Go values. The following command writes the rule files recording.yml and
// alerts.yml from [Recording] and [Alerts]:
//
//	go test ./dashboards/prometheus -rewrite
//
// testdata/alerts_test.yml is a promtool test of when each alert fires.
//
// A farm is one Prometheus job, whose name begins with "sandtable". The rules aggregate
// its processes by the label "job".
package prometheus
