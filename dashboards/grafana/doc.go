// Package grafana is the Grafana dashboard of a farm. [Farm] builds it from Go
// values, and farm.json is what it renders to, written anew by
//
//	go test ./dashboards/grafana -rewrite
//
// The types are the part of Grafana's dashboard schema that is in use: version 42,
// which Grafana 12 and 13 read as it is and older ones as far as they know it.
// The data source is a variable of the dashboard, so the file fits any Grafana.
package grafana
