package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/selfplay/agent"
)

// agentLabels are the names that the command line gives to agents, by recorded agent
// string. An agent without one is shown by its short string.
type agentLabels map[string]string

// name returns the name of an agent for display.
func (l agentLabels) name(recorded string) string {
	if label := l[recorded]; label != "" {
		return label
	}
	return agent.Short(recorded)
}

// parse parses AGENT or NAME=AGENT with parse, and keeps the name. An agent string such as
// "best" that stands for a longer one is its own name.
func (l agentLabels) parse(text string, parse func(text string) (agent.Spec, error)) (agent.Spec, error) {
	label, rest, err := cutLabel(text)
	if err != nil {
		return agent.Spec{}, err
	}
	spec, err := parse(rest)
	if err != nil {
		return spec, err
	}
	recorded := spec.String()
	if kind, _, _ := strings.Cut(recorded, ":"); label == "" && rest != kind && !strings.Contains(rest, ":") {
		label = rest
	}
	if label == "" {
		return spec, nil
	}
	for other, taken := range l {
		if taken == label && other != recorded {
			return spec, fmt.Errorf("%s: the name %s is that of another agent, %s", text, label, agent.Short(other))
		}
	}
	if earlier := l[recorded]; earlier != "" && earlier != label {
		return spec, fmt.Errorf("%s: the agent is the same as %s", text, earlier)
	}
	l[recorded] = label
	return spec, nil
}

// cutLabel cuts the name from NAME=AGENT. Without a name it returns "". It refuses a name
// that is easily taken for something else.
func cutLabel(text string) (label, rest string, err error) {
	head, _, _ := strings.Cut(text, ":")
	label, _, ok := strings.Cut(head, "=")
	if !ok {
		return "", text, nil
	}
	const most = 40
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
	switch {
	case label == "" || len(label) > most || strings.Trim(label, plain) != "":
		return "", "", fmt.Errorf("the name in %q must be 1 to %d letters, digits, dots, hyphens and underscores", text, most)
	case slices.Contains(agent.Names(), label):
		return "", "", fmt.Errorf("the name in %q is that of an agent, must be another", text)
	}
	return label, text[len(label)+1:], nil
}

// legend describes the agents that have a name, one line each.
func (l agentLabels) legend(recorded ...string) []string {
	var lines []string
	for _, text := range recorded {
		if label := l[text]; label != "" {
			lines = append(lines, fmt.Sprintf("%s is %s", label, agent.Short(text)))
		}
	}
	return lines
}

// byLabel returns the recorded agent strings by name, for the output of --json.
func (l agentLabels) byLabel() map[string]string {
	agents := make(map[string]string, len(l))
	for recorded, label := range l {
		agents[label] = recorded
	}
	return agents
}
