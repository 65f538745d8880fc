package stats

import (
	"encoding/json"
	"fmt"
	"math"
)

// An Interval is an estimate with a confidence interval.
type Interval struct {
	Estimate float64 `json:"estimate"` // ±Inf if a bound is; JSON has null for infinities
	Low      float64 `json:"low"`      // may be −Inf
	High     float64 `json:"high"`     // may be +Inf
	Level    float64 `json:"level"`    // of confidence, such as 0.95
	N        int64   `json:"n"`        // observations
	Method   string  `json:"method"`
}

// Level is the default level of confidence.
const Level = 0.95

// An intervalJSON is an Interval in JSON, with nil for infinities.
type intervalJSON struct {
	Estimate *float64 `json:"estimate"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	Level    float64  `json:"level"`
	N        int64    `json:"n,string"`
	Method   string   `json:"method"`
}

// MarshalJSON encodes numbers that are not finite as null, and n as a string, like all
// 64-bit integers.
func (i Interval) MarshalJSON() ([]byte, error) {
	return json.Marshal(intervalJSON{finite(i.Estimate), finite(i.Low), finite(i.High), i.Level, i.N, i.Method})
}

func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// UnmarshalJSON decodes the form that MarshalJSON writes.
func (i *Interval) UnmarshalJSON(data []byte) error {
	var in intervalJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("interval: %w", err)
	}
	estimate := math.Inf(1)
	if in.High != nil {
		estimate = math.Inf(-1)
	}
	*i = Interval{
		Estimate: orElse(in.Estimate, estimate), Low: orElse(in.Low, math.Inf(-1)), High: orElse(in.High, math.Inf(1)),
		Level: in.Level, N: in.N, Method: in.Method,
	}
	return nil
}

// Plus returns the sum of two independent estimates, which must be finite, with an
// interval at their common level. The distance of a bound from the estimate is the root
// of the sum of both squared distances (Zou and Donner 2008, "Construction of confidence
// limits about effect measures: a general approach", equation 7; the method of variance
// estimates recovery).
func (i Interval) Plus(j Interval) Interval {
	sum := i.Estimate + j.Estimate
	return Interval{
		Estimate: sum, Low: sum - math.Hypot(i.Estimate-i.Low, j.Estimate-j.Low), High: sum + math.Hypot(i.High-i.Estimate, j.High-j.Estimate),
		Level: i.Level, N: i.N + j.N, Method: "sum",
	}
}

func orElse(x *float64, other float64) float64 {
	if x == nil {
		return other
	}
	return *x
}
