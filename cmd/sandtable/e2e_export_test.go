//go:build e2e

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// NumPy, PyArrow and DuckDB read every format and find the same rows in all of them. The
// hashes of the positions are those of the data set, whose verification replays the games.
func TestOtherProgramsReadExports(t *testing.T) {
	dir := smallFarm(t, "trench/standard", "--agent", "mcts:sims=16,fast-sims=4")
	done(t, "", "dataset", "verify", dir)
	root := t.TempDir()
	for _, format := range []string{"npz", "parquet", "csv", "jsonl"} {
		done(t, "", "dataset", "export", dir, "--out", filepath.Join(root, format), "--format", format, "--legal", "list", "--rows", "500")
	}
	done(t, "", "dataset", "export", dir, "--out", filepath.Join(root, "planes"), "--observations", "planes", "--compress")
	const script = `
import base64, glob, json, sys
import duckdb, numpy as np, pyarrow.parquet as pq
data, root = sys.argv[1:]
about = json.load(open(f"{root}/npz/export.json"))
blobs = [c["name"] for c in about["columns"] if c.get("shape")]
lists = [c["name"] for c in about["columns"] if c.get("list")]
def files(kind): return sorted(glob.glob(f"{root}/{kind}/*.{kind}"))
rows = []
for name in files("npz"):
    with np.load(name) as archive:
        z = dict(archive)
        for i in range(len(z["episode"])):
            row = {}
            for c in about["columns"]:
                k = c["name"]
                if k in lists: v = z[k][z[k + "_offsets"][i]:z[k + "_offsets"][i + 1]].tolist()
                elif k in blobs: v = z[k][i].tobytes()
                else: v = z[k][i].item()
                row[k] = None if v != v else v
            rows.append(row)
assert len(rows) > 500 and len(files("npz")) > 1
table = [r for f in files("parquet") for r in pq.read_table(f).to_pylist()]
assert table == rows, (table[0], rows[0])
q = duckdb.sql(f"select * from read_parquet('{root}/parquet/*.parquet')")
assert q.columns == [c["name"] for c in about["columns"]]
assert sorted(r[:4] for r in q.fetchall()) == sorted(tuple(r.values())[:4] for r in rows)
def plain(row):
    row = dict(row)
    for k in blobs: row[k] = base64.b64encode(row[k]).decode()
    return row
texts = [json.loads(line) for f in files("jsonl") for line in open(f)]
for r in texts:
    r["hash"] = int(r["hash"])
    if r["value"] is not None: r["value"] = float(np.float32(r["value"]))
assert texts == [plain(r) for r in rows], (texts[0], plain(rows[0]))
lines = duckdb.sql(f"select episode, ply, hash, action, result, value, legal from read_csv('{root}/csv/*.csv', header = true, types = {{'hash': 'UBIGINT', 'legal': 'VARCHAR'}})").fetchall()
want = [(r["episode"], r["ply"], r["hash"], r["action"], r["result"], " ".join(map(str, r["legal"]))) for r in rows]
assert sorted((*l[:5], l[6]) for l in lines) == sorted(want), (lines[0], want[0])
steps = duckdb.sql(f"select episode, ply, hash, action, player from '{data}/steps/*.parquet'").fetchall()
assert sorted(steps) == sorted((r["episode"], r["ply"], r["hash"], r["action"], r["player"]) for r in rows)
# The packed bits are the planes.
planes = json.load(open(f"{root}/planes/export.json"))
z = dict(np.load(f"{root}/planes/" + planes["files"][0]["file"]))
got = {(e, p): o for e, p, o in zip(z["episode"].tolist(), z["ply"].tolist(), z["observation"])}
w, h = planes["width"], planes["height"]
for r in rows[:300]:
    words = np.frombuffer(r["observation_bits"], np.uint8).reshape(-1, (w * h + 63) // 64 * 8)
    bits, scalars = np.unpackbits(words, axis=1, bitorder="little")[:, :w * h].reshape(-1, h, w), list(r["observation_scalars"])
    want, at = got[r["episode"], r["ply"]], 0
    for i, p in enumerate(planes["planes"]):
        if p["uniform"]:
            assert (want[i] == scalars.pop(0)).all()
            continue
        n = int(p["max"]).bit_length()
        assert (want[i] == sum(bits[at + b] << b for b in range(n))).all(), p
        at += n
print(len(rows))
`
	path := filepath.Join(root, "check.py")
	if err := os.WriteFile(path, []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("python3", path, dir, root).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
