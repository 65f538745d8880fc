package learn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/selfplay/arena"
)

// A Report is the outcome of one iteration.
type Report struct {
	Iteration int    `json:"iteration"` // from 1
	Player    string `json:"player"`    // the agent of the self-play games: the best so far
	Episodes  int64  `json:"episodes"`
	Plies     int64  `json:"plies"`
	Fit       *Fit   `json:"fit"`
	Candidate string `json:"candidate"` // the agent with the fitted weights
	Weights   string `json:"weights"`   // digest of weights.json
	// Gate is the match of the candidate against the player; nil if they are the same agent.
	Gate     *arena.Report `json:"gate"`
	Accepted bool          `json:"accepted"`
}

// An Outcome is the state of a run after its completed iterations.
type Outcome struct {
	Dir        string    `json:"dir"`
	Variant    string    `json:"variant"`
	Digest     string    `json:"digest"`
	Best       string    `json:"best"`              // agent string
	Weights    string    `json:"weights,omitempty"` // file of the best agent's weights; empty if none were accepted
	Iterations []*Report `json:"iterations"`        // completed
	Curve      []Point   `json:"curve"`
}

// Files and folders of an iteration.
const (
	dataFolder  = "data"
	fitName     = "fit.json"
	weightsName = "weights.json"
	gateFolder  = "gate"
	reportName  = "report.json"
)

// Files of the run folder.
const (
	bestName  = "best.json"
	curveName = "curve.json"
)

// iterationFolder returns the folder of an iteration.
func iterationFolder(dir string, number int) string {
	return filepath.Join(dir, "iterations", fmt.Sprintf("%04d", number))
}

// readReports reads the reports of the completed iterations.
func readReports(dir string) ([]*Report, error) {
	reports := []*Report{}
	for {
		number := len(reports) + 1
		path := filepath.Join(iterationFolder(dir, number), reportName)
		r := new(Report)
		switch err := readReport(path, r); {
		case errors.Is(err, fs.ErrNotExist):
			return reports, nil
		case err != nil:
			return nil, err
		case r.Iteration != number:
			return nil, fmt.Errorf("%s: iteration is %d, must be %d", path, r.Iteration, number)
		}
		reports = append(reports, r)
	}
}

// readWeights reads the weights file of an iteration and checks its digest against the report.
func readWeights(dir string, r *Report) (string, error) {
	path := filepath.Join(iterationFolder(dir, r.Iteration), weightsName)
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if digest := dataset.FileDigest(string(data)); digest != r.Weights {
		return "", fmt.Errorf("%s: digest is %s, must be %s as in %s", path, digest, r.Weights, reportName)
	}
	return string(data), nil
}
