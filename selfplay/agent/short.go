package agent

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sandtable-farm/sandtable/dataset"
)

// Short returns a recorded agent string for display: without the options that have
// their default values, and with digests cut to eight digits. Parse cannot read it back
// if it has a digest.
func Short(recorded string) string {
	name, rest, ok := strings.Cut(recorded, ":")
	all := kinds()
	i := slices.IndexFunc(all, func(k kind) bool { return k.name == name })
	if !ok || i < 0 {
		return recorded
	}
	var items []string
	for item := range strings.SplitSeq(rest, ",") {
		isDefault := slices.ContainsFunc(all[i].options, func(o option) bool { return item == o.name+"="+cmp.Or(o.value, "0") })
		if !isDefault {
			items = append(items, shortDigest(item))
		}
	}
	for _, o := range all[i].options {
		if o.before != "" && !strings.Contains(rest, o.name+"=") && strings.Count(rest, "=") == len(all[i].options)-1 {
			items = append(items, o.name+"="+o.before)
		}
	}
	if len(items) == 0 {
		return name
	}
	return name + ":" + strings.Join(items, ",")
}

// shortDigest cuts the digest that ends an option.
func shortDigest(item string) string {
	const digits = 8
	end := strings.Index(item, dataset.FileDigestPrefix) + len(dataset.FileDigestPrefix) + digits
	if !strings.Contains(item, dataset.FileDigestPrefix) || end >= len(item) {
		return item
	}
	return item[:end] + "…"
}
