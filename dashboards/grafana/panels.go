package grafana

import "strings"

// columns is the width of Grafana's grid.
const columns = 24

// source is the data source that the user chooses in the dashboard.
func source() Datasource { return Datasource{Type: "prometheus", UID: "${datasource}"} }

// A grid places panels from left to right and numbers them.
type grid struct {
	panels  []Panel
	x, y, h int // the next position, and the height of the current line
}

// section starts a new line with a row header.
func (g *grid) section(title string) {
	collapsed := false
	g.wrap()
	g.place(columns, 1, Panel{Type: "row", Title: title, Collapsed: &collapsed, Panels: &[]Panel{}})
	g.wrap()
}

func (g *grid) wrap() { g.x, g.y, g.h = 0, g.y+g.h, 0 }

// place puts a panel at the next position with enough width.
func (g *grid) place(w, h int, p Panel) {
	if g.x+w > columns {
		g.wrap()
	}
	p.ID = len(g.panels) + 1
	p.GridPos = GridPos{X: g.x, Y: g.y, W: w, H: h}
	g.panels = append(g.panels, p)
	g.x += w
	g.h = max(g.h, h)
}

// A query is a PromQL expression with the legend of its series.
type query struct{ expr, legend string }

func newPanel(kind, title, description, unit string, queries []query) Panel {
	from := source()
	p := Panel{Type: kind, Title: title, Description: description, Datasource: &from}
	for i, q := range queries {
		p.Targets = append(p.Targets, Target{RefID: string(rune('A' + i)), Datasource: from, EditorMode: "code",
			Expr: q.expr, LegendFormat: q.legend, Format: "time_series", Range: true})
	}
	p.FieldConfig = &FieldConfig{
		Defaults:  FieldDefaults{Unit: unit, Color: Color{Mode: "palette-classic"}, Mappings: []Mapping{}},
		Overrides: []Override{},
	}
	return p
}

// series returns a time series panel whose axis starts at 0.
func series(title, description, unit string, queries ...query) Panel {
	p := newPanel("timeseries", title, description, unit, queries)
	p.FieldConfig.Defaults.Min = new(float64)
	p.FieldConfig.Defaults.Custom = Lines{DrawStyle: "line", LineInterpolation: "linear", LineWidth: 1, FillOpacity: 10,
		ShowPoints: "never", Stacking: Stacking{Mode: "none", Group: "A"}}
	p.Options = TimeSeries{
		Legend:  Legend{ShowLegend: true, DisplayMode: "table", Placement: "bottom", Calcs: []string{"mean", "lastNotNull"}},
		Tooltip: Tooltip{Mode: "multi", Sort: "desc"},
	}
	return p
}

// stacked changes a time series panel to stacked series. mode is normal or percent.
func stacked(p Panel, mode string) Panel {
	p.FieldConfig.Defaults.Custom = Lines{DrawStyle: "line", LineInterpolation: "linear", LineWidth: 1, FillOpacity: 60,
		ShowPoints: "never", Stacking: Stacking{Mode: mode, Group: "A"}}
	return p
}

func last() Reduce { return Reduce{Calcs: []string{"lastNotNull"}} }

// number returns a panel with the latest value in large digits, in front of its history.
func number(title, description, unit string, q query) Panel {
	p := newPanel("stat", title, description, unit, []query{q})
	p.FieldConfig.Defaults.Color = Color{Mode: "fixed", FixedColor: "blue"}
	p.Options = Stat{ReduceOptions: last(), Orientation: "auto", TextMode: "auto", ColorMode: "value",
		GraphMode: "area", JustifyMode: "auto", WideLayout: true}
	return p
}

// bars returns a panel with a bar for the current value of each series.
func bars(title, description, unit string, q query) Panel {
	p := newPanel("bargauge", title, description, unit, []query{q})
	p.Targets[0].Range, p.Targets[0].Instant = false, true
	p.FieldConfig.Defaults.Min = new(float64)
	p.Options = BarGauge{ReduceOptions: last(), Orientation: "horizontal", DisplayMode: "basic",
		ValueMode: "color", NamePlacement: "auto", ShowUnfilled: true, Sizing: "auto"}
	return p
}

// table returns a panel with a row for each series and a column for each label.
func table(title, description, unit, expr string, columns Organize) Panel {
	p := newPanel("table", title, description, unit, []query{{expr: expr}})
	p.Targets[0].Format, p.Targets[0].Range, p.Targets[0].Instant = "table", false, true
	p.Options = Table{ShowHeader: true, CellHeight: "sm"}
	p.Transformations = []Transformation{{ID: "organize", Options: columns}}
	return p
}

// Queries returns the distinct PromQL expressions of a dashboard, with every job and
// instance chosen and rates over one minute.
func (d Dashboard) Queries() []string {
	chosen := strings.NewReplacer("$job", ".+", "$instance", ".+", "$__rate_interval", "1m", "$__range", "15m")
	var all []string
	seen := map[string]bool{}
	add := func(expr string) {
		if expr = chosen.Replace(expr); !seen[expr] {
			seen[expr] = true
			all = append(all, expr)
		}
	}
	for _, p := range d.Panels {
		for _, t := range p.Targets {
			add(t.Expr)
		}
	}
	for _, v := range d.Templating.List {
		if inner, ok := strings.CutPrefix(v.Definition, "label_values("); ok {
			add(inner[:strings.LastIndex(inner, ",")])
		}
	}
	return all
}
