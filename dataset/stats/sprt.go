package stats

import (
	"fmt"
	"math"
)

// An SPRT is a sequential test of H0, that the normalized Elo is Elo0, against H1, that
// it is Elo1. Alpha is the probability of accepting H1 if H0 is true, and Beta that of
// accepting H0 if H1 is true.
//
// It is the generalised sequential probability ratio test of Van den Bergh, as in
// fishtest, with Wald's bounds (Wald 1945, "Sequential Tests of Statistical Hypotheses").
// The ratio is that of the likelihoods of the most likely distributions of pairs with
// Elo1 and with Elo0.
type SPRT struct {
	Elo0  float64 `json:"elo0"`
	Elo1  float64 `json:"elo1"`
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
}

// MaxSPRTElo is the greatest absolute value of Elo0 and Elo1. Beyond it a sequential test
// is of no use.
const MaxSPRTElo = 200

// Validate checks the numbers of the test.
func (s *SPRT) Validate() error {
	switch {
	case !(math.Abs(s.Elo0) <= MaxSPRTElo && math.Abs(s.Elo1) <= MaxSPRTElo):
		return fmt.Errorf("elo0 is %v and elo1 is %v, must be −%d to %d normalized Elo", s.Elo0, s.Elo1, MaxSPRTElo, MaxSPRTElo)
	case !(s.Elo0 < s.Elo1):
		return fmt.Errorf("elo0 is %v, must be less than elo1, %v", s.Elo0, s.Elo1)
	case !(s.Alpha > 0 && s.Alpha < 0.5):
		return fmt.Errorf("alpha is %v, must be more than 0 and less than 0.5", s.Alpha)
	case !(s.Beta > 0 && s.Beta < 0.5):
		return fmt.Errorf("beta is %v, must be more than 0 and less than 0.5", s.Beta)
	}
	return nil
}

// Bounds returns the log-likelihood ratios at which H0 and H1 are accepted.
func (s *SPRT) Bounds() (lower, upper float64) {
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// A Verdict is the decision of a test.
type Verdict int8

const (
	AcceptH0  Verdict = -1
	Undecided Verdict = 0
	AcceptH1  Verdict = 1
)

func (v Verdict) String() string {
	switch v {
	case AcceptH0:
		return "H0"
	case AcceptH1:
		return "H1"
	}
	return "undecided"
}

// Verdict returns the decision after these pairs. Call it after each pair; the first
// decision ends the test.
func (s *SPRT) Verdict(p *Pentanomial) Verdict {
	lower, upper := s.Bounds()
	switch llr := s.LLR(p); {
	case llr <= lower:
		return AcceptH0
	case llr >= upper:
		return AcceptH1
	}
	return Undecided
}

// LLR returns the log-likelihood ratio of H1 to H0, or 0 without pairs. A class without
// pairs counts as a thousandth of a pair, as in fishtest.
func (s *SPRT) LLR(p *Pentanomial) float64 {
	if p.Pairs() == 0 {
		return 0
	}
	shares, total := p.regular()
	h0, _ := likeliest(shares, s.Elo0*math.Sqrt2/eloPerSigma, even())
	h1, _ := likeliest(shares, s.Elo1*math.Sqrt2/eloPerSigma, even())
	return total * shares.likelihoodRatio(h1, h0)
}
