package dataset

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Save writes the manifest into its folder, as WriteFile does.
func (m *Manifest) Save(dir string) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding %s: %w", ManifestName, err)
	}
	return WriteFile(filepath.Join(dir, ManifestName), append(data, '\n'))
}

// WriteFile writes a file whole and durably or not at all: to a temporary file
// beside it, which is synced and takes its place in one step.
func WriteFile(path string, data []byte) error {
	temp := path + TempSuffix
	if err := writeSynced(temp, data); err != nil {
		_ = os.Remove(temp)
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		_ = os.Remove(temp)
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// TempSuffix ends the names of files that are being written. What a crash left
// of them is worthless.
const TempSuffix = ".tmp"

func writeSynced(path string, data []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

// SyncDir makes the names in a folder durable, after files in it were created
// or renamed.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return fmt.Errorf("syncing %s: %w", dir, err)
	}
	return d.Close()
}
