#!/usr/bin/env bash
# Measures `offerlift run` and others on the same files, and prints tables of ratios to merely unpacking them.
#
#   Benchmarks/run.sh                         1 million users, 5 million rows, against all peers
#   Benchmarks/run.sh --scalings              also rows, users, metrics, threads, formats, one at a time
#   Benchmarks/run.sh --containers            also the log in gzip, plain, zstd, zip, Parquet, UTF-16 and xz
#   Benchmarks/run.sh --waits                 also what people wait for: a late file, the next night, a thousand tests
#   Benchmarks/run.sh --peers none --scale 4  what else there is to ask: --help
#   Benchmarks/run.sh --quick                 everything once, at a fiftieth, to see that it works
#   Benchmarks/run.sh --binary PATH           measures that offerlift; without it, this checkout is built
#   Benchmarks/run.sh -- --strict             what follows -- goes to `offerlift run`
#   Benchmarks/run.sh --stages                single stages of a run, to see where one became slower
#
# The data is made by `offerlift simulate` and kept in .build-bench; the peers come from PyPI into .build-bench/venv.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/jobs/setup.sh"
cd "$root"

# measure_stages ARGUMENT...: builds and runs Benchmarks/Stages; nothing else needs its library, or what it is built with.
measure_stages() {
  need_swift
  install_missing "${build_needs[@]}"
  mkdir -p .build-stages
  # What the benchmarks need beside is not to be fetched by every build that follows.
  cp Package.resolved .build-stages/Package.resolved.before 2>/dev/null || true
  trap 'mv .build-stages/Package.resolved.before Package.resolved 2>/dev/null || rm -f Package.resolved' EXIT
  OFFERLIFT_STAGES=1 swift package --scratch-path .build-stages --allow-writing-to-package-directory \
    benchmark "$@" --target stages --grouping metric
}

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

if [ "${1:-}" = --stages ]; then
  shift
  measure_stages "$@"
  exit
fi

binary=()
case " $* " in
  *" --binary "* | *" --help "* | *" -h "*) ;;
  *)
    need_swift
    install_missing "${build_needs[@]}"
    built=$(build_release)
    binary=(--binary "$built")
    ;;
esac
install_missing "command python3 python3" "python ensurepip python3-venv" "command igzip isal" "command xz xz-utils"
make_venv
exec .build-bench/venv/bin/python3 Benchmarks/benchmark.py "${binary[@]}" "$@"
