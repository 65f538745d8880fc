package dataset_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
)

func jobs(t *testing.T, numbers ...int64) dataset.Jobs {
	t.Helper()
	j, err := dataset.JobsOf(numbers...)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestJobsAreWrittenAsAscendingRanges(t *testing.T) {
	for _, c := range []struct {
		numbers []int64
		text    string
	}{
		{nil, ""}, {[]int64{5}, "5"}, {[]int64{2, 0, 1}, "0-2"}, {[]int64{9, 3, 0, 1, 7, 8}, "0-1,3,7-9"},
	} {
		j := jobs(t, c.numbers...)
		if j.String() != c.text {
			t.Errorf("%v is written %q, want %q", c.numbers, j, c.text)
		}
		var back dataset.Jobs
		if err := back.UnmarshalText([]byte(c.text)); err != nil {
			t.Fatal(err)
		}
		sorted := slices.Sorted(slices.Values(c.numbers))
		if got := slices.Collect(back.All()); !slices.Equal(got, sorted) || back.Len() != int64(len(sorted)) {
			t.Errorf("%q reads as %d jobs %v, want %v", c.text, back.Len(), got, sorted)
		}
		below := int64(0)
		for n := range int64(12) {
			if back.Has(n) != slices.Contains(c.numbers, n) {
				t.Errorf("%q: Has(%d) is %v", c.text, n, back.Has(n))
			}
			if back.Below(n) != below {
				t.Errorf("%q: Below(%d) is %d, want %d", c.text, n, back.Below(n), below)
			}
			if back.Has(n) {
				below++
			}
		}
	}
}

func TestOnlyTheTextOfJobsIsAccepted(t *testing.T) {
	for _, text := range []string{",", "1,", "-1", "2-1", "1-1", "0,1", "1,0", "0-3,3", "0-3,2-5", "a", "1-", "01", "+1", " 1", "1-2-3", "9223372036854775808"} {
		var j dataset.Jobs
		if err := j.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was read as %q", text, j)
		}
	}
}

func TestNoJobTwice(t *testing.T) {
	if _, err := dataset.JobsOf(1, 2, 1); err == nil {
		t.Error("job 1 was taken twice")
	}
	if _, err := dataset.JobsOf(-1); err == nil {
		t.Error("job -1 was taken")
	}
	a, b := jobs(t, 0, 1, 5), jobs(t, 2, 3, 7)
	union, err := a.Union(b)
	if err != nil || union.String() != "0-3,5,7" {
		t.Errorf("union is %q, %v", union, err)
	}
	if _, err := union.Union(jobs(t, 3)); err == nil {
		t.Error("job 3 was united twice")
	}
	if a.String() != "0-1,5" || b.String() != "2-3,7" {
		t.Errorf("uniting changed the sets to %q and %q", a, b)
	}
}

func FuzzJobs(f *testing.F) {
	for _, text := range []string{"", "0", "0-3,7", "5,4", "9223372036854775806-9223372036854775807"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var j dataset.Jobs
		if err := j.UnmarshalText([]byte(text)); err == nil && j.String() != text {
			t.Errorf("%q reads as %q", text, j)
		}
	})
}

func TestJobsWithout(t *testing.T) {
	for _, c := range []struct{ of, without, want string }{
		{"0-9", "3-5", "0-2,6-9"}, {"0-9", "0-9", ""}, {"0-9", "", "0-9"}, {"", "1", ""}, {"2,4,6-8", "4-7", "2,8"},
		{"3-5", "0-3,5-9", "4"}, {"0-2,5-9", "3-4", "0-2,5-9"}, {"0-9", "0,9", "1-8"},
	} {
		var of, without dataset.Jobs
		if err := errors.Join(of.UnmarshalText([]byte(c.of)), without.UnmarshalText([]byte(c.without))); err != nil {
			t.Fatal(err)
		}
		if got := of.Without(without).String(); got != c.want {
			t.Errorf("%q without %q is %q, want %q", c.of, c.without, got, c.want)
		}
	}
	if all, none := dataset.JobsBelow(5), dataset.JobsBelow(-1); all.String() != "0-4" || none.String() != "" {
		t.Errorf("jobs below 5 are %q, and below -1 %q", all, none)
	}
}

func TestAppendKeepsTheOrder(t *testing.T) {
	var jobs dataset.Jobs
	for _, c := range []struct {
		number int64
		ok     bool
		all    string
	}{{-1, false, ""}, {4, true, "4"}, {5, true, "4-5"}, {5, false, "4-5"}, {2, false, "4-5"}, {7, true, "4-5,7"}} {
		if ok := jobs.Append(c.number); ok != c.ok || jobs.String() != c.all {
			t.Errorf("appending %d: %v, jobs %q, want %v, %q", c.number, ok, jobs, c.ok, c.all)
		}
	}
}
