package grafana

import (
	"bytes"
	"encoding/json"
)

// schemaVersion is LATEST_VERSION in Grafana's
// apps/dashboard/pkg/migration/schemaversion/migrations.go.
const schemaVersion = 42

// Dashboard is a Grafana dashboard.
type Dashboard struct {
	UID           string      `json:"uid"`
	Title         string      `json:"title"`
	Description   string      `json:"description"`
	Tags          []string    `json:"tags"`
	Timezone      string      `json:"timezone"`
	SchemaVersion int         `json:"schemaVersion"`
	Editable      bool        `json:"editable"`
	GraphTooltip  int         `json:"graphTooltip"` // 1 means a crosshair shared by all panels
	Refresh       string      `json:"refresh"`
	Time          TimeRange   `json:"time"`
	Annotations   Annotations `json:"annotations"`
	Templating    Templating  `json:"templating"`
	Panels        []Panel     `json:"panels"`
}

// JSON returns the dashboard as indented JSON that ends with a newline.
func (d Dashboard) JSON() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// TimeRange is the initial time range.
type TimeRange struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Annotations mark times in all graphs.
type Annotations struct {
	List []Annotation `json:"list"`
}

// Annotation marks the times at which a query has a value.
type Annotation struct {
	Name        string     `json:"name"`
	Datasource  Datasource `json:"datasource"`
	Enable      bool       `json:"enable"`
	IconColor   string     `json:"iconColor"`
	Expr        string     `json:"expr"`
	TitleFormat string     `json:"titleFormat"`
	TextFormat  string     `json:"textFormat"`
}

// Datasource names a data source.
type Datasource struct {
	Type string `json:"type"`
	UID  string `json:"uid"`
}

// Templating lists the variables of a dashboard.
type Templating struct {
	List []Variable `json:"list"`
}

// Variable is a drop-down list at the top of a dashboard.
type Variable struct {
	Name       string      `json:"name"`
	Label      string      `json:"label"`
	Type       string      `json:"type"` // datasource or query
	Datasource *Datasource `json:"datasource,omitempty"`
	Query      any         `json:"query"` // the name of the plugin or a VariableQuery
	Definition string      `json:"definition,omitempty"`
	Multi      bool        `json:"multi"`
	IncludeAll bool        `json:"includeAll"`
	AllValue   string      `json:"allValue,omitempty"`
	Current    *Choice     `json:"current,omitempty"`
	Refresh    int         `json:"refresh"` // 1 means when the dashboard is loaded, 2 when the time range changes
	Sort       int         `json:"sort"`    // 1 means alphabetical
}

// VariableQuery asks Prometheus for the values of a variable.
type VariableQuery struct {
	Query string `json:"query"`
	RefID string `json:"refId"`
}

// Choice is the current value of a variable.
type Choice struct {
	Text  []string `json:"text"`
	Value []string `json:"value"`
}

// Panel is a row header or a visualisation.
type Panel struct {
	ID              int              `json:"id"`
	Type            string           `json:"type"` // row, timeseries, stat, bargauge or table
	Title           string           `json:"title"`
	Description     string           `json:"description,omitempty"`
	GridPos         GridPos          `json:"gridPos"`
	Datasource      *Datasource      `json:"datasource,omitempty"`
	Targets         []Target         `json:"targets,omitempty"`
	FieldConfig     *FieldConfig     `json:"fieldConfig,omitempty"`
	Options         any              `json:"options,omitempty"` // by Type: TimeSeries, Stat, BarGauge, Table
	Transformations []Transformation `json:"transformations,omitempty"`
	Collapsed       *bool            `json:"collapsed,omitempty"` // of a row
	Panels          *[]Panel         `json:"panels,omitempty"`    // of a collapsed row
}

// GridPos is the position and size of a panel on a grid of 24 columns.
type GridPos struct {
	X int `json:"x"`
	Y int `json:"y"`
	W int `json:"w"`
	H int `json:"h"`
}

// Target is one query of a panel.
type Target struct {
	RefID        string     `json:"refId"`
	Datasource   Datasource `json:"datasource"`
	EditorMode   string     `json:"editorMode"`
	Expr         string     `json:"expr"`
	LegendFormat string     `json:"legendFormat,omitempty"`
	Format       string     `json:"format"` // time_series or table
	Range        bool       `json:"range"`
	Instant      bool       `json:"instant"`
}

// FieldConfig configures the appearance of values.
type FieldConfig struct {
	Defaults  FieldDefaults `json:"defaults"`
	Overrides []Override    `json:"overrides"`
}

// FieldDefaults is the appearance of all values of a panel.
type FieldDefaults struct {
	Unit     string    `json:"unit"`
	Min      *float64  `json:"min,omitempty"`
	Color    Color     `json:"color"`
	Mappings []Mapping `json:"mappings"`
	Custom   any       `json:"custom,omitempty"` // Lines in a time series
}

// Color selects a colour scheme.
type Color struct {
	Mode       string `json:"mode"`
	FixedColor string `json:"fixedColor,omitempty"`
}

// Mapping displays values as text.
type Mapping struct {
	Type    string          `json:"type"`
	Options map[string]Word `json:"options"`
}

// Word is the text and the colour for one value.
type Word struct {
	Index int    `json:"index"`
	Text  string `json:"text"`
	Color string `json:"color"`
}

// Override changes the appearance of the matching fields.
type Override struct {
	Matcher    Matcher    `json:"matcher"`
	Properties []Property `json:"properties"`
}

// Matcher selects fields.
type Matcher struct {
	ID      string `json:"id"`
	Options string `json:"options"`
}

// Property is one changed setting.
type Property struct {
	ID    string `json:"id"`
	Value any    `json:"value"`
}

// Lines configures the drawing of a time series.
type Lines struct {
	DrawStyle         string   `json:"drawStyle"`
	LineInterpolation string   `json:"lineInterpolation"`
	LineWidth         int      `json:"lineWidth"`
	FillOpacity       int      `json:"fillOpacity"`
	ShowPoints        string   `json:"showPoints"`
	Stacking          Stacking `json:"stacking"`
}

// Stacking configures the stacking of series.
type Stacking struct {
	Mode  string `json:"mode"` // none, normal or percent
	Group string `json:"group"`
}

// TimeSeries has the options of a time series panel.
type TimeSeries struct {
	Legend  Legend  `json:"legend"`
	Tooltip Tooltip `json:"tooltip"`
}

// Legend lists the series of a panel with statistics of each.
type Legend struct {
	ShowLegend  bool     `json:"showLegend"`
	DisplayMode string   `json:"displayMode"`
	Placement   string   `json:"placement"`
	Calcs       []string `json:"calcs"`
}

// Tooltip shows the values at the pointer.
type Tooltip struct {
	Mode string `json:"mode"`
	Sort string `json:"sort"`
}

// Reduce reduces a series to one number.
type Reduce struct {
	Calcs  []string `json:"calcs"`
	Fields string   `json:"fields"`
	Values bool     `json:"values"`
}

// Stat has the options of a stat panel.
type Stat struct {
	ReduceOptions Reduce `json:"reduceOptions"`
	Orientation   string `json:"orientation"`
	TextMode      string `json:"textMode"`
	ColorMode     string `json:"colorMode"`
	GraphMode     string `json:"graphMode"`
	JustifyMode   string `json:"justifyMode"`
	WideLayout    bool   `json:"wideLayout"`
}

// BarGauge has the options of a bar gauge panel.
type BarGauge struct {
	ReduceOptions Reduce `json:"reduceOptions"`
	Orientation   string `json:"orientation"`
	DisplayMode   string `json:"displayMode"`
	ValueMode     string `json:"valueMode"`
	NamePlacement string `json:"namePlacement"`
	ShowUnfilled  bool   `json:"showUnfilled"`
	Sizing        string `json:"sizing"`
}

// Table has the options of a table panel.
type Table struct {
	ShowHeader bool   `json:"showHeader"`
	CellHeight string `json:"cellHeight"`
}

// Transformation transforms the result of a query before it is displayed.
type Transformation struct {
	ID      string   `json:"id"`
	Options Organize `json:"options"`
}

// Organize has the options of the transformation organize.
type Organize struct {
	ExcludeByName map[string]bool   `json:"excludeByName"`
	IndexByName   map[string]int    `json:"indexByName"`
	RenameByName  map[string]string `json:"renameByName"`
}
