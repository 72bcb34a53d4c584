"""The purchase log in every container that it may come in: the same rows, packed anew from the simulation's gzip files."""

import gzip
import lzma
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

CONTAINERS = {
    "gzip": "gzip, as it is every night",
    "plain": "not packed",
    "zstd": "zstd",
    "zip": "members of one zip archive",
    "parquet": "Parquet of DuckDB, zstd, all columns text",
    "parquet-one": "the same in one file",
    "utf-16": "text in UTF-16",
    "xz": "xz, unpacked by a program (command:)",
}


def contained(folder: Path, container: str) -> str:
    """Packs the log below `folder`, unless it is there, and returns what a job says of where it lies; of gzip nothing."""
    if container == "gzip":
        return ""
    place = folder / container
    logs = sorted(folder.glob("purchases-*.jsonl.gz"))
    made = place / "made"
    if not made.exists():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        PACKERS[container](logs, place)
        made.touch()
    files = sorted(path for path in place.iterdir() if path != made)
    if container == "xz":
        words = ", ".join(f'"{file.relative_to(folder)}"' for file in files)
        return f'command: ["xz", "-dc", {words}]'
    return f"path: {container}/purchases*"


def each(ending: str, pack: Callable[[bytes], bytes]) -> Callable[[list[Path], Path], None]:
    """Packs file by file."""

    def write(logs: list[Path], place: Path) -> None:
        for log in logs:
            (place / log.name.replace(".jsonl.gz", ending)).write_bytes(pack(gzip.decompress(log.read_bytes())))

    return write


def zstd(data: bytes) -> bytes:
    """As `zstd -3` packs."""
    import zstandard

    return zstandard.ZstdCompressor(level=3, write_checksum=True).compress(data)


def archive(logs: list[Path], place: Path) -> None:
    """One zip archive."""
    with zipfile.ZipFile(place / "purchases.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        for log in logs:
            packed.writestr(log.name.removesuffix(".gz"), gzip.decompress(log.read_bytes()))


def parquet(logs: list[Path], place: Path) -> None:
    """A Parquet file a log."""
    for log in logs:
        as_parquet([log], place / log.name.replace(".jsonl.gz", ".parquet"))


def one_parquet(logs: list[Path], place: Path) -> None:
    """One Parquet file of many row groups."""
    as_parquet(logs, place / "purchases.parquet")


def as_parquet(logs: list[Path], path: Path) -> None:
    """What the lines say, a column a member, by DuckDB: as texts, so that nothing is another than it was."""
    import duckdb

    files = "[" + ", ".join(f"'{log}'" for log in logs) + "]"
    with duckdb.connect() as base:
        lines = f"read_json_objects({files}, format = 'newline_delimited', ignore_errors = true)"
        names = base.execute(f"SELECT DISTINCT unnest(json_keys(json)) FROM {lines} ORDER BY 1").fetchall()
        columns = ", ".join(f"json ->> '$.\"{name}\"' AS \"{name}\"" for (name,) in names)
        base.execute(f"COPY (SELECT {columns} FROM {lines}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")


PACKERS = {
    "plain": each(".jsonl", bytes),
    "zstd": each(".jsonl.zst", zstd),
    "zip": archive,
    "parquet": parquet,
    "parquet-one": one_parquet,
    "utf-16": each(".jsonl", lambda data: b"\xff\xfe" + data.decode().encode("utf-16-le")),
    "xz": each(".jsonl.xz", lambda data: lzma.compress(data, preset=1)),
}
