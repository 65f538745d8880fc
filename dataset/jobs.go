package dataset

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Jobs is a set of job numbers. Its text form is the ascending list of its ranges, such as
// "0-3,7", or "" for the empty set. The zero value is empty.
type Jobs struct {
	ranges []jobRange // ascending, with gaps between them
}

type jobRange struct{ first, last int64 }

// JobsOf returns the set of the given numbers. A negative or repeated number is an error.
func JobsOf(numbers ...int64) (Jobs, error) {
	sorted := slices.Clone(numbers)
	slices.Sort(sorted)
	var jobs Jobs
	for i, n := range sorted {
		if n < 0 {
			return Jobs{}, fmt.Errorf("job number is %d, must be 0 or more", n)
		}
		if i > 0 && sorted[i-1] == n {
			return Jobs{}, fmt.Errorf("job %d occurs twice", n)
		}
		jobs.append(jobRange{n, n})
	}
	return jobs, nil
}

// append adds a range above all others.
func (j *Jobs) append(r jobRange) {
	if last := len(j.ranges) - 1; last >= 0 && j.ranges[last].last+1 == r.first {
		j.ranges[last].last = r.last
		return
	}
	j.ranges = append(j.ranges, r)
}

// Append adds a job that is greater than all others, and reports whether it is.
func (j *Jobs) Append(number int64) bool {
	if number <= j.Max() {
		return false
	}
	j.append(jobRange{number, number})
	return true
}

// Without returns the jobs that other does not contain.
func (j Jobs) Without(other Jobs) Jobs {
	var rest Jobs
	for first, last := range j.Ranges() {
		for _, r := range other.ranges {
			if r.last < first || r.first > last {
				continue
			}
			if r.first > first {
				rest.append(jobRange{first, r.first - 1})
			}
			first = r.last + 1
		}
		if first <= last {
			rest.append(jobRange{first, last})
		}
	}
	return rest
}

// JobsBelow returns the set of all jobs that are less than number.
func JobsBelow(number int64) Jobs {
	if number <= 0 {
		return Jobs{}
	}
	return Jobs{[]jobRange{{0, number - 1}}}
}

// Has reports whether the set contains a job.
func (j Jobs) Has(number int64) bool {
	_, found := slices.BinarySearchFunc(j.ranges, number, func(r jobRange, n int64) int {
		switch {
		case r.last < n:
			return -1
		case r.first > n:
			return 1
		}
		return 0
	})
	return found
}

// Len returns the number of jobs.
func (j Jobs) Len() int64 {
	var n int64
	for _, r := range j.ranges {
		n += r.last - r.first + 1
	}
	return n
}

// Below returns the number of jobs in the set that are less than number.
func (j Jobs) Below(number int64) int64 {
	var n int64
	for _, r := range j.ranges {
		if r.first < number {
			n += min(r.last, number-1) - r.first + 1
		}
	}
	return n
}

// All yields the job numbers in ascending order.
func (j Jobs) All() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for first, last := range j.Ranges() {
			for n := first; ; n++ {
				if !yield(n) {
					return
				}
				if n == last {
					break
				}
			}
		}
	}
}

// Ranges yields the first and the last job of each range in ascending order.
func (j Jobs) Ranges() iter.Seq2[int64, int64] {
	return func(yield func(int64, int64) bool) {
		for _, r := range j.ranges {
			if !yield(r.first, r.last) {
				return
			}
		}
	}
}

// Max returns the greatest job number, or −1 for the empty set.
func (j Jobs) Max() int64 {
	if len(j.ranges) == 0 {
		return -1
	}
	return j.ranges[len(j.ranges)-1].last
}

// Union returns the union of both sets. A job that is in both is an error.
func (j Jobs) Union(other Jobs) (Jobs, error) {
	for first, last := range other.Ranges() {
		for _, r := range j.ranges {
			if r.first <= last && first <= r.last {
				return Jobs{}, fmt.Errorf("job %d occurs twice", max(first, r.first))
			}
		}
	}
	return j.union(other), nil
}

// union is Union for disjoint sets.
func (j Jobs) union(other Jobs) Jobs {
	all := slices.Concat(j.ranges, other.ranges)
	slices.SortFunc(all, func(a, b jobRange) int { return cmp.Compare(a.first, b.first) })
	var union Jobs
	for _, r := range all {
		union.append(r)
	}
	return union
}

func (j Jobs) String() string {
	var out []byte
	for i, r := range j.ranges {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, r.first, 10)
		if r.last > r.first {
			out = append(out, '-')
			out = strconv.AppendInt(out, r.last, 10)
		}
	}
	return string(out)
}

// MarshalText implements encoding.TextMarshaler.
func (j Jobs) MarshalText() ([]byte, error) { return []byte(j.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. It accepts only the form that
// MarshalText writes.
func (j *Jobs) UnmarshalText(text []byte) error {
	var jobs Jobs
	if len(text) > 0 {
		for item := range strings.SplitSeq(string(text), ",") {
			first, last, isRange := strings.Cut(item, "-")
			if !isRange {
				last = first
			}
			r := jobRange{}
			var err1, err2 error
			r.first, err1 = strconv.ParseInt(first, 10, 64)
			r.last, err2 = strconv.ParseInt(last, 10, 64)
			if err1 != nil || err2 != nil || r.first > r.last || r.first <= jobs.Max() {
				return fmt.Errorf("jobs are %q, must be ascending numbers and ranges such as 0-3,7", text)
			}
			jobs.append(r)
		}
	}
	if jobs.String() != string(text) {
		return fmt.Errorf("jobs are %q, must be written as %q", text, jobs)
	}
	*j = jobs
	return nil
}
