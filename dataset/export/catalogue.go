package export

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/sandtable-farm/sandtable/dataset"
	"github.com/sandtable-farm/sandtable/env"
)

// CatalogueName is the name of the catalogue within the folder.
const CatalogueName = "export.json"

// catalogueVersion is the version of the catalogue and of the files that it lists.
const catalogueVersion = 1

// A Catalogue describes an export: what its files contain, and which are finished. Files
// that it does not list do not belong to the export.
type Catalogue struct {
	Version int     `json:"version"`
	Variant string  `json:"variant"`
	Digest  string  `json:"digest"` // of the rules
	Options Options `json:"options"`

	Width    int      `json:"width"`
	Height   int      `json:"height"`
	Actions  int      `json:"actions"` // action numbers are 0 to Actions−1
	Encoding string   `json:"encoding"`
	Planes   []Plane  `json:"planes"`
	Columns  []Column `json:"columns,omitempty"` // none in Text

	Complete bool     `json:"complete"` // every shard of the data sets of the last export is done
	Sources  []Source `json:"sources"`  // in order of run and number
	Files    []File   `json:"files"`    // in order of name
}

// A Plane describes an observation plane. A plane that is not uniform is Bits bit planes, the
// least significant bit first; a uniform plane is one of the scalars.
type Plane struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Max         uint8  `json:"max"`
	Uniform     bool   `json:"uniform"`
}

// A Source is a shard of a data set whose games are in the export.
type Source struct {
	Run    string `json:"run"`
	Shard  int64  `json:"shard"`
	SHA256 string `json:"sha256"` // of the file of its plies
}

// A File is a finished file.
type File struct {
	Name  string `json:"file"` // path relative to the folder, with slashes
	Run   string `json:"run"`
	Shard int64  `json:"shard"`
	Part  string `json:"part,omitempty"`
	Games int64  `json:"games"`
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
}

func newCatalogue(settings *dataset.Settings, spec *env.Spec, o *Options) *Catalogue {
	c := &Catalogue{
		Version: catalogueVersion, Variant: settings.Variant, Digest: settings.Digest, Options: *o,
		Width: spec.Width, Height: spec.Height, Actions: spec.Actions, Encoding: spec.Encoding,
		Sources: []Source{}, Files: []File{},
	}
	for _, p := range spec.Planes {
		c.Planes = append(c.Planes, Plane{p.Name, p.Description, p.Max, p.Uniform})
	}
	if o.Format != Text {
		c.Columns = Columns(spec, o)
	}
	return c
}

// ErrDifferent is wrapped by the error of Run for a folder with an export of another game or
// with other options.
var ErrDifferent = errors.New("the folder has another export")

// load reads the catalogue of a folder and checks that it describes the same export. A
// folder without one gets c.
func (c *Catalogue) load(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, CatalogueName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var old Catalogue
	if err := json.Unmarshal(data, &old); err != nil {
		return fmt.Errorf("%s: invalid JSON: %w", filepath.Join(dir, CatalogueName), err)
	}
	if old.Version != c.Version {
		return fmt.Errorf("%s: %w: version is %d, must be %d", dir, ErrDifferent, old.Version, c.Version)
	}
	if old.Digest != c.Digest {
		return fmt.Errorf("%s: %w: its rules are those of %s with digest %s, these are %s with digest %s", dir, ErrDifferent, old.Variant, old.Digest, c.Variant, c.Digest)
	}
	if err := dataset.Difference(&old.Options, &c.Options); err != nil {
		return fmt.Errorf("%s: %w: %w", dir, ErrDifferent, err)
	}
	c.Sources, c.Files = old.Sources, old.Files
	return nil
}

func (c *Catalogue) has(s Source) bool { return slices.Contains(c.Sources, s) }

// drop takes out the shards of a run that its data set does not have, because they were
// dropped or repaired, and returns the names of their files.
func (c *Catalogue) drop(run string, has func(Source) bool) (files []string) {
	gone := func(s Source) bool { return s.Run == run && !has(s) }
	for _, s := range c.Sources {
		if gone(s) {
			c.Files = slices.DeleteFunc(c.Files, func(f File) bool {
				if f.Run != s.Run || f.Shard != s.Shard {
					return false
				}
				files = append(files, f.Name)
				return true
			})
		}
	}
	c.Sources = slices.DeleteFunc(c.Sources, gone)
	return files
}

// add lists a finished shard with its files.
func (c *Catalogue) add(s Source, files []File) {
	c.Sources = append(c.Sources, s)
	slices.SortFunc(c.Sources, func(a, b Source) int { return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Shard, b.Shard)) })
	c.Files = append(c.Files, files...)
	slices.SortFunc(c.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
}

func (c *Catalogue) save(dir string) error {
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return dataset.WriteFile(filepath.Join(dir, CatalogueName), append(data, '\n'))
}

// Size returns the numbers of games, rows and bytes of a part, or of all parts for "".
func (c *Catalogue) Size(part string) (games, rows, bytes int64) {
	for _, f := range c.Files {
		if part == "" || f.Part == part {
			games, rows, bytes = games+f.Games, rows+f.Rows, bytes+f.Bytes
		}
	}
	return games, rows, bytes
}
