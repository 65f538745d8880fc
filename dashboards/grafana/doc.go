// Package grafana defines the Grafana dashboard of a farm. [Farm] returns it as Go values.
// The following command writes it to farm.json:
//
//	go test ./dashboards/grafana -rewrite
//
// The types cover the part of Grafana's dashboard schema that the dashboard uses. The
// schema version is 42, that of Grafana 12 and 13; older versions ignore fields that
// they do not know. The data source is a dashboard variable, so the file works with any
// Grafana.
package grafana
