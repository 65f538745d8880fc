"""Reads a data set with DuckDB, pyarrow and polars, without Sandtable.

    pip install duckdb pyarrow polars
    python check.py DIR

Checks in each of them that the columns have the documented names and types,
that nulls stand exactly where they may, that lists are as long as they must be,
that rows are sorted, that the two tables agree, and that the metadata hold the
rules. Exits with 1 and says what is wrong otherwise.
"""

import json
import pathlib
import sys

import duckdb
import polars
import pyarrow
import pyarrow.compute
import pyarrow.parquet

EPISODES = {
    "run": "string", "episode": "int64", "pair": "int64", "seed": "uint64", "agent_0": "string", "agent_1": "string",
    "start": "string", "opening_plies": "int32", "resign_ply": "int32", "plies": "int32", "result": "int8", "reason": "string",
    "terminated": "bool", "truncated": "bool", "points_0": "int32", "points_1": "int32", "actions": "list<int32>",
    "final_hash": "uint64", "worker": "string",
}
STEPS = {
    "run": "string", "episode": "int64", "ply": "int32", "player": "int8", "action": "int32", "legal_count": "int32",
    "hash": "uint64", "source": "string", "value": "float", "score": "int32", "nodes": "int64", "depth": "int32",
    "visit_actions": "list<int32>", "visit_counts": "list<int32>", "fast": "bool",
}
NULLABLE = {"pair", "resign_ply", "result", "value", "score", "nodes", "depth", "visit_actions", "visit_counts", "fast", "worker"}
LATER = {"worker"}  # absent from files of earlier builds

POLARS = {
    "string": polars.String, "int64": polars.Int64, "int32": polars.Int32, "int8": polars.Int8, "uint64": polars.UInt64,
    "bool": polars.Boolean, "float": polars.Float32, "list<int32>": polars.List(polars.Int32),
}
DUCKDB = {
    "string": "VARCHAR", "int64": "BIGINT", "int32": "INTEGER", "int8": "TINYINT", "uint64": "UBIGINT", "bool": "BOOLEAN",
    "float": "FLOAT", "list<int32>": "INTEGER[]",
}


def check(ok, what):
    if not ok:
        sys.exit(f"check.py: {what}")


def with_pyarrow(files, columns, manifest):
    tables = []
    for path in files:
        file = pyarrow.parquet.ParquetFile(path)
        meta = file.schema_arrow.metadata
        check(meta[b"sandtable.schema_version"] == b"2", f"{path}: schema version")
        check(meta[b"sandtable.run"].decode() == manifest["run"], f"{path}: run")
        settings = json.loads(meta[b"sandtable.settings"])
        check(settings == manifest["settings"], f"{path}: settings differ from the manifest's")
        check(settings["digest"].startswith("sha256:") and settings["rules"], f"{path}: no rules")
        got = {}
        for field in file.schema_arrow:
            kind = field.type
            if pyarrow.types.is_list(kind):
                check(kind.value_field.nullable is False, f"{path}: elements of {field.name} may be null")
                got[field.name] = f"list<{kind.value_type}>"
            else:
                got[field.name] = str(kind)
            check(field.nullable == (field.name in NULLABLE), f"{path}: nullability of {field.name}")
        want = {name: kind for name, kind in columns.items() if name in got or name not in LATER}
        check(list(got.items()) == list(want.items()), f"{path}: columns are {got}")
        for i in range(file.metadata.num_row_groups):
            group = file.metadata.row_group(i)
            check(group.num_rows <= 1 << 18, f"{path}: row group of {group.num_rows} rows")
            for j in range(group.num_columns):
                check(group.column(j).compression == "ZSTD", f"{path}: compression of column {j}")
        tables.append(file.read())
    table = pyarrow.concat_tables(tables, promote_options="default")
    table.validate(full=True)
    return table


def with_polars(files, columns):
    frame = polars.concat([polars.read_parquet(path) for path in files], how="diagonal")
    want = {name: POLARS[kind] for name, kind in columns.items() if name in frame.columns or name not in LATER}
    check(dict(frame.schema) == want, f"polars reads columns {frame.schema}")
    return frame


def with_duckdb(db, view, files, columns):
    names = ", ".join("'" + str(path).replace("'", "''") + "'" for path in files)
    db.execute(f"CREATE VIEW {view} AS SELECT * FROM read_parquet([{names}], filename=false, union_by_name=true)")
    got = {row[0]: row[1] for row in db.execute(f"DESCRIBE {view}").fetchall()}
    want = {name: DUCKDB[kind] for name, kind in columns.items() if name in got or name not in LATER}
    check(got == want, f"DuckDB reads columns {got}")


def none(db, what, query):
    rows = db.execute(query).fetchall()
    check(not rows, f"{what}: {rows[:3]}")


def main(folder):
    folder = pathlib.Path(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    files = {table: [folder / shard[table]["file"] for shard in manifest["shards"]] for table in ("episodes", "steps")}
    columns = {"episodes": EPISODES, "steps": STEPS}
    check(files["episodes"], "the data set is empty")
    db = duckdb.connect()
    arrow, frame = {}, {}
    for table in files:
        arrow[table] = with_pyarrow(files[table], columns[table], manifest)
        frame[table] = with_polars(files[table], columns[table])
        with_duckdb(db, table, files[table], columns[table])
        rows = sum(int(shard[table]["rows"]) for shard in manifest["shards"])
        counts = {
            "pyarrow": arrow[table].num_rows, "polars": frame[table].height,
            "DuckDB": db.execute(f"SELECT count(*) FROM {table}").fetchone()[0],
        }
        check(set(counts.values()) == {rows}, f"{table} has {counts} rows, the manifest says {rows}")
        for name in frame[table].columns:
            nulls = {
                arrow[table][name].null_count, frame[table][name].null_count(),
                db.execute(f"SELECT count(*) FROM {table} WHERE {name} IS NULL").fetchone()[0],
            }
            check(len(nulls) == 1, f"{table}.{name}: nulls are counted as {nulls}")
            check(name in NULLABLE or nulls == {0}, f"{table}.{name} has {nulls} nulls")
        hashed = "final_hash" if table == "episodes" else "hash"
        # DuckDB adds exactly, the others modulo 2^64.
        sums = {
            pyarrow.compute.sum(arrow[table][hashed]).as_py() or 0, frame[table][hashed].sum(),
            int(db.execute(f"SELECT coalesce(sum({hashed}::HUGEINT), 0) FROM {table}").fetchone()[0]) % 2**64,
        }
        check(len(sums) == 1, f"{table}.{hashed} sums up to {sums}")
        check(polars.from_arrow(arrow[table]).equals(frame[table]), f"pyarrow and polars disagree on {table}")

    for shard in manifest["shards"]:
        path = folder / shard["steps"]["file"]
        keys = polars.read_parquet(path, columns=["episode", "ply"])
        check(keys.equals(keys.unique().sort("episode", "ply")), f"{path} is not sorted by episode and ply")
        path = folder / shard["episodes"]["file"]
        keys = polars.read_parquet(path, columns=["episode"])
        check(keys.equals(keys.unique().sort("episode")), f"{path} is not sorted by episode")

    none(db, "a game is there twice", "SELECT episode FROM episodes GROUP BY episode HAVING count(*) > 1")
    none(db, "result must be null exactly in truncated games", "SELECT episode FROM episodes WHERE (result IS NULL) <> truncated")
    none(db, "a game is either terminated or truncated", "SELECT episode FROM episodes WHERE terminated = truncated")
    none(db, "a truncated game has the reason max_plies", "SELECT episode FROM episodes WHERE (reason = 'max_plies') <> truncated")
    none(db, "the resignation rule holds within the game", "SELECT episode FROM episodes WHERE resign_ply NOT BETWEEN 0 AND plies")
    none(db, "actions are as many as plies", "SELECT episode FROM episodes WHERE len(actions) <> plies")
    none(db, "the tables disagree", """
        SELECT episode FROM episodes LEFT JOIN (
            SELECT episode, list(action ORDER BY ply) AS played FROM steps GROUP BY episode
        ) USING (episode) WHERE coalesce(played, []) <> actions""")
    none(db, "plies count from 0", "SELECT episode FROM steps GROUP BY episode HAVING min(ply) <> 0 OR max(ply) <> count(*) - 1")
    none(db, "source", "SELECT source FROM steps WHERE source NOT IN ('opening', 'agent')")
    none(db, "an opening tells nothing", """
        SELECT episode, ply FROM steps WHERE source = 'opening'
        AND (value IS NOT NULL OR score IS NOT NULL OR nodes IS NOT NULL OR depth IS NOT NULL OR visit_counts IS NOT NULL OR fast IS NOT NULL)""")
    none(db, "visits come in two lists of one length", """
        SELECT episode, ply FROM steps WHERE coalesce(len(visit_actions), -1) <> coalesce(len(visit_counts), -1)""")
    print(f"{folder}: {arrow['episodes'].num_rows} games of {arrow['steps'].num_rows} plies read alike by "
          f"DuckDB {duckdb.__version__}, pyarrow {pyarrow.__version__} and polars {polars.__version__}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python check.py DIR")
    main(sys.argv[1])
