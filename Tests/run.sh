#!/usr/bin/env bash
# Runs everything there is to test, and ends with `N passed, N failed` alone on a line.
#
#   Tests/run.sh             WORLDS=500 SPARK_WORLDS=200 Tests/run.sh for more random worlds
#
# Installs what it needs (see jobs/setup.sh; Python packages into .build-venv), skips nothing silently: a test
# that did not run, or a runner that said nothing, counts as failed. Exits non-zero if anything failed.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/jobs/setup.sh"
cd "$root" || exit
passed=0
failed=0
# What is tested is optimized, as what people use is, and the worlds run it some thousand times. In a folder of its own, so
# that `swift build` beside it begins nothing anew.
export OFFERLIFT_TESTED=1
scratch=(--scratch-path .build-tests)
report=$(mktemp -d)
trap 'rm -rf "$report"' EXIT

# finish: the closing line, and the exit code.
finish() {
  printf '%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
  exit
}

# step NAME COMMAND…: one thing that passes or fails as a whole.
step() {
  local name=$1
  shift
  printf '== %s\n' "$name"
  if "$@"; then
    passed=$((passed + 1))
  else
    printf 'FAILED: %s\n' "$name"
    failed=$((failed + 1))
    return 1
  fi
}

# counted NAME COMMAND…: a runner whose output ends with its own `N passed, N failed`.
counted() {
  local name=$1 line
  shift
  printf '== %s\n' "$name"
  # Only the last line of all may look like the closing line.
  "$@" 2>&1 | tee "$report/output" | sed -uE 's/^[0-9]+ passed, [0-9]+ failed$/-- &/'
  local code=${PIPESTATUS[0]}
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$report/output" | tail -n 1)
  if [ -z "$line" ]; then
    printf 'FAILED: %s ended with exit code %s and without "N passed, N failed"\n' "$name" "$code"
    failed=$((failed + 1))
    return
  fi
  read -r ok _ bad _ <<<"$line"
  if [ $((ok + bad)) -eq 0 ]; then
    printf 'FAILED: %s found nothing to run\n' "$name"
    bad=1
  fi
  if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then
    printf 'FAILED: %s ended with exit code %s\n' "$name" "$code"
    bad=1
  fi
  passed=$((passed + ok))
  failed=$((failed + bad))
}

# make_venv: Python with what the tests in Python want; made again when a list changes.
make_venv() {
  local lists=(Tests/Worlds/requirements.txt Tests/Results/requirements.txt Tests/Spark/requirements.txt)
  cmp -s <(cat "${lists[@]}") .build-venv/requirements.txt && return 0
  say "making .build-venv with $(cat "${lists[@]}" | grep -v '^#' | xargs)"
  rm -rf .build-venv &&
    python3 -m venv .build-venv &&
    .build-venv/bin/pip install --quiet --disable-pip-version-check setuptools wheel && # what pyspark is built with
    .build-venv/bin/pip install --quiet --disable-pip-version-check "${lists[@]/#/--requirement=}" &&
    cat "${lists[@]}" >.build-venv/requirements.txt
}

# swift_tests: `swift test`, then its own report turned into a closing line.
swift_tests() {
  local code=0
  swift test --skip-build "${scratch[@]}" --xunit-output "$report/xunit.xml" || code=$?
  python3 Tests/count_xunit.py "$report"/xunit*.xml
  return "$code"
}

step "toolchain" need_swift || finish
step "packages" install_missing "${build_needs[@]}" "${shell_needs[@]}" "${test_needs[@]}" || finish
step "Python packages" make_venv || finish
python=$root/.build-venv/bin/python3
step "lint" swift format lint --strict -r Sources Tests Benchmarks Package.swift
step "shell syntax" bash -n jobs/nightly.sh jobs/setup.sh Tests/run.sh Benchmarks/run.sh
step "build, warnings as errors" swift build --build-tests "${scratch[@]}" || finish
binary=$(swift build "${scratch[@]}" --show-bin-path)/offerlift
counted "swift test" swift_tests
counted "the benchmark's tables and answers" "$python" Tests/count_unittests.py Tests/Benchmarks
counted "the model of the worlds" "$python" Tests/count_unittests.py Tests/Worlds
counted "the results as people open them" env OFFERLIFT="$binary" "$python" Tests/count_unittests.py Tests/Results
counted "what people have" env OFFERLIFT="$binary" "$python" Tests/count_unittests.py Tests/Cases
counted "strangers' data sets" env OFFERLIFT="$binary" "$python" Tests/count_unittests.py Tests/Strangers
counted "random worlds" "$python" Tests/Worlds/check_worlds.py --binary "$binary" \
  --count "${WORLDS:-120}" --lives "${LIVES:-40}"
counted "changes since the night before" "$python" Tests/Worlds/changes.py --binary "$binary" --count "${CHANGES:-40}"
counted "Spark" "$python" Tests/Spark/check_spark.py --binary "$binary" --worlds "${SPARK_WORLDS:-50}"
counted "rubbish" "$python" Tests/Worlds/check_rubbish.py --binary "$binary"
finish
