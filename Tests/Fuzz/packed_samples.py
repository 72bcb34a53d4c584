"""Packs the corpus' events as the readers of packed files take them, and lays Parquet files of other programs beside, for libFuzzer
to begin with: `packed_samples.py FOLDER`."""

import base64
import gzip
import json
import os
import subprocess
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def write(folder, reader, name, data):
    os.makedirs(os.path.join(folder, reader), exist_ok=True)
    with open(os.path.join(folder, reader, name), "wb") as file:
        file.write(data)


def main(folder):
    with open(os.path.join(HERE, "corpus", "events.jsonl"), "rb") as file:
        events = file.read()
    write(folder, "events.jsonl.gz", "whole", gzip.compress(events, mtime=0))
    write(folder, "events.jsonl.gz", "members", gzip.compress(events[:700], mtime=0) + gzip.compress(events[700:], mtime=0))
    for level in ("-1", "-19"):
        packed = subprocess.run(["zstd", level, "-c"], input=events, stdout=subprocess.PIPE, check=True).stdout
        write(folder, "events.jsonl.zst", "level" + level, packed)
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        path = os.path.join(folder, "events.zip", f"method-{method}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("a.jsonl", events)
            archive.writestr("b.jsonl", events[:300])
    with open(os.path.join(HERE, os.pardir, "RoomTests", "Parquet", "ParquetFiles.json"), encoding="utf-8") as file:
        for number, known in enumerate(json.load(file)):
            write(folder, "table.parquet", str(number), base64.b64decode(known["bytes"]))


main(sys.argv[1])
