#!/usr/bin/env bash
# Measures `offerlift run` and others on the same files, and prints tables of ratios to merely unpacking them.
#
#   Benchmarks/run.sh                         1 million users, 5 million rows, against all peers
#   Benchmarks/run.sh --scalings              also rows, users, metrics, threads, formats, one at a time
#   Benchmarks/run.sh --peers none --scale 4  what else there is to ask: --help
#   Benchmarks/run.sh --quick                 everything once, at a fiftieth, to see that it works
#   Benchmarks/run.sh --binary PATH           measures that offerlift; without it, this checkout is built
#   Benchmarks/run.sh -- --strict             what follows -- goes to `offerlift run`
#
# The data is made by `offerlift simulate` and kept in .build-bench; the peers come from PyPI into .build-bench/venv.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/jobs/setup.sh"
cd "$root"

# make_venv: Python with the peers of requirements.txt; made again when the list changes.
make_venv() {
  local list=Benchmarks/requirements.txt venv=.build-bench/venv
  cmp -s "$list" "$venv/requirements.txt" && return 0
  say "making $venv with $(grep -v '^#' "$list" | xargs) (PyPI)"
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$list" >&2
  cp "$list" "$venv/requirements.txt"
}

binary=()
case " $* " in
  *" --binary "* | *" --help "* | *" -h "*) ;;
  *)
    need_swift
    install_missing "${build_needs[@]}"
    swift build -c release --product offerlift >&2
    binary=(--binary "$(swift build -c release --show-bin-path)/offerlift")
    ;;
esac
install_missing "command python3 python3" "python ensurepip python3-venv" "command igzip isal"
make_venv
exec .build-bench/venv/bin/python3 Benchmarks/benchmark.py "${binary[@]}" "$@"
