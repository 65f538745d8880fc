package dataset_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtable-farm/sandtable/dataset"
)

func TestASecondWriterIsRefusedAndToldByWhom(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "run")
	first, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = dataset.AcquireLock(dir)
	if want := fmt.Sprintf("another sandtable (process %d) is writing %s", os.Getpid(), dir); !errors.Is(err, dataset.ErrLocked) || !strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, want it to say %q", err, want)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	second, err := dataset.AcquireLock(dir)
	if err != nil {
		t.Fatalf("after the first released it: %v", err)
	}
	if second.Dir() != dir {
		t.Errorf("the lock is of %s, want %s", second.Dir(), dir)
	}
	if err := second.Release(); err != nil {
		t.Fatal(err)
	}
}

func TestAFileIsNoPlaceForADataSet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := dataset.AcquireLock(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error is %v, want one that names %s", err, path)
	}
}
