package main

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
)

func TestVersionNamesTheBuild(t *testing.T) {
	out := done(t, "", "version")
	if !strings.HasPrefix(out, "sandtable "+version()+", "+runtime.Version()) || !strings.Contains(out, runtime.GOOS+"/"+runtime.GOARCH) {
		t.Errorf("version prints %q", out)
	}
	if flag := done(t, "", "--version"); flag != version()+"\n" {
		t.Errorf("--version prints %q, must be %q", flag, version())
	}
	var v versionJSON
	if err := json.Unmarshal([]byte(done(t, "", "version", "--json")), &v); err != nil || v.Version != version() || v.Arch != runtime.GOARCH {
		t.Errorf("version --json gives %+v, %v", v, err)
	}
}
