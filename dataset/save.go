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

// WriteFile writes a file atomically and durably: it writes and syncs a temporary file in
// the same folder and renames it.
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

// TempSuffix is the suffix of the names of files that are being written. Files with this
// suffix that a crash has left can be deleted.
const TempSuffix = ".tmp"

// CreateTemp creates a temporary file. It replaces what a crash has left under that name,
// and never writes through a link. A folder of that name is an error.
func CreateTemp(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && !info.IsDir() {
		if err := removeIfThere(path); err != nil {
			return nil, err
		}
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

func writeSynced(path string, data []byte) error {
	f, err := CreateTemp(path)
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

// SyncDir makes the creation and renaming of files in a folder durable.
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
