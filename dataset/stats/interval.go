package stats

import (
	"encoding/json"
	"fmt"
	"math"
)

// An Interval is an estimate with a confidence interval.
type Interval struct {
	Estimate float64 `json:"estimate"` // may be ±Inf, which JSON shows as null, where a bound is
	Low      float64 `json:"low"`      // may be −Inf, likewise
	High     float64 `json:"high"`     // may be +Inf, likewise
	Level    float64 `json:"level"`    // of confidence: 0.95
	N        int64   `json:"n"`        // observations
	Method   string  `json:"method"`
}

// Level is the usual level of confidence.
const Level = 0.95

// MarshalJSON writes what is not finite as null, which JSON has no number for,
// and n as a string, as all 64-bit integers are.
func (i Interval) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Estimate *float64 `json:"estimate"`
		Low      *float64 `json:"low"`
		High     *float64 `json:"high"`
		Level    float64  `json:"level"`
		N        int64    `json:"n,string"`
		Method   string   `json:"method"`
	}{finite(i.Estimate), finite(i.Low), finite(i.High), i.Level, i.N, i.Method})
}

func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// UnmarshalJSON reads what MarshalJSON writes.
func (i *Interval) UnmarshalJSON(data []byte) error {
	var in struct {
		Estimate *float64 `json:"estimate"`
		Low      *float64 `json:"low"`
		High     *float64 `json:"high"`
		Level    float64  `json:"level"`
		N        int64    `json:"n,string"`
		Method   string   `json:"method"`
	}
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

// Plus returns the sum of two independent estimates with an interval at the level
// of i, which both have: an end is as far from the estimate as the square root of
// the sum of the squares of both distances (Zou and Donner 2008, "Construction of
// confidence limits about effect measures: a general approach", equation 7, of the
// method of variance estimates recovery). The estimates must be finite.
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
