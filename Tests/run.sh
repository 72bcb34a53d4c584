#!/usr/bin/env bash
# Runs everything there is to test, or some of it, and ends with `N passed, N failed` alone on a line.
#
#   Tests/run.sh                  WORLDS=500 STATES=500 SPARK_WORLDS=200 SPARK_CASES=24 NIGHTS=4000 WAYS=all Tests/run.sh for more
#   Tests/run.sh lint results     these steps alone, built first where they need it
#   Tests/run.sh --list           the steps' names, with what each is
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
# Else all two thousand begin at once and wait for each other: twice the processor's time, six times the memory.
some_at_once=(--experimental-maximum-parallelization-width "$((2 * $(nproc)))")
report=$(mktemp -d)
trap 'rm -rf "$report"' EXIT

# finish: the closing line, and the exit code, once nothing runs any more.
finish() {
  wait
  printf '%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
  exit
}

# heading NAME: what comes next, and how many seconds the steps before it took together.
heading() { printf '== %s (after %s s)\n' "$1" "$SECONDS"; }

# step NAME COMMAND…: one thing that passes or fails as a whole.
step() {
  local name=$1
  shift
  heading "$name"
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
  heading "$name"
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
  local lists=(Tests/Worlds/requirements.txt Tests/Results/requirements.txt Tests/Spark/requirements.txt
    Tests/Parquet/requirements.txt)
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
  swift test --skip-build "${scratch[@]}" "${some_at_once[@]}" --xunit-output "$report/xunit.xml" || code=$?
  python3 Tests/count_xunit.py "$report"/xunit*.xml
  return "$code"
}

# fuzz_tests: a minute or two of made up inputs, from a seed of the day's; FUZZ_SEED says another.
fuzz_tests() {
  export FUZZ_SECONDS=${FUZZ_SECONDS:-2} FUZZ_SEED=${FUZZ_SEED:-$(date +%Y%m%d000000)} FUZZ_FOLDER=$report
  printf 'seed %s\n' "$FUZZ_SEED"
  local code=0
  swift test --skip-build "${scratch[@]}" --filter 'ReaderFuzzTests|BlockMutationTests' \
    --xunit-output "$report/fuzz.xml" || code=$?
  # What is left there ended the process.
  head -qn 1 "$report"/*.input 2>/dev/null
  python3 Tests/count_xunit.py "$report"/fuzz*.xml
  return "$code"
}

# made_venv: whether make_venv, which was begun before, has made it; says what it said.
made_venv() {
  local code=0
  wait "$venv" || code=$?
  cat "$report/venv" >&2
  return "$code"
}

# before_the_build VERB, without_the_build VERB, after_the_build VERB: call VERB NAME RUNNER TITLE COMMAND… for each step
# there is, in order; those of after_the_build need the program and its tests, and all but the first ones need Python.
before_the_build() {
  "$1" lint step "how the Swift code is laid out" swift format lint --strict --parallel -r Sources Tests Benchmarks Package.swift
  "$1" shell step "the scripts' syntax" bash -n jobs/nightly.sh jobs/setup.sh jobs/package.sh jobs/release.sh Tests/run.sh Tests/Install/check_roots.sh Tests/fuzz.sh Benchmarks/run.sh
}
without_the_build() {
  "$1" benchmark counted "the benchmark's tables and answers" "$python" Tests/count_unittests.py Tests/Benchmarks
  "$1" model counted "the model of the worlds" "$python" Tests/count_unittests.py Tests/Worlds
}
after_the_build() {
  "$1" swift counted "the tests in Swift" swift_tests
  "$1" fuzz counted "made up inputs of every reader" fuzz_tests
  "$1" results counted "the results as people open them" \
    env OFFERLIFT="$binary" "$python" Tests/count_unittests.py Tests/Results
  "$1" cases counted "what people have" env OFFERLIFT="$binary" "$python" Tests/count_unittests.py Tests/Cases
  "$1" strangers counted "strangers' data sets" \
    env OFFERLIFT="$binary" "$python" Tests/count_unittests.py Tests/Strangers
  "$1" parquet counted "Parquet files of other programs" "$python" Tests/Parquet/check_parquet.py --binary "$binary" \
    --count "${PARQUET:-20}" --cells "${binary%/*}/parquet-cells" --files "${FILES:-40}" --damaged "${DAMAGED:-200}"
  "$1" worlds counted "random worlds" "$python" Tests/Worlds/check_worlds.py --binary "$binary" \
    --count "${WORLDS:-60}" --lives "${LIVES:-20}"
  "$1" changes counted "changes since the night before" \
    "$python" Tests/Worlds/changes.py --binary "$binary" --count "${CHANGES:-20}"
  "$1" state counted "nights with state: and without" \
    "$python" Tests/Worlds/check_state.py --binary "$binary" --count "${STATES:-20}"
  "$1" spark counted "nights on Apache Spark" \
    "$python" Tests/Spark/check_spark.py --binary "$binary" --worlds "${SPARK_WORLDS:-10}" --cases "${SPARK_CASES:-4}"
  "$1" rubbish counted "files that hold rubbish" "$python" Tests/Worlds/check_rubbish.py --binary "$binary"
  "$1" nights counted "an operator's year" \
    "$python" Tests/Nights/check_nights.py --binary "$binary" --nights "${NIGHTS:-120}" --year "${YEAR:-60}" --found
}
python=$root/.build-venv/bin/python3
binary=$root/.build-tests/debug/offerlift

# What may be done with a step.
tell() { printf '%-10s %s\n' "$1" "$3"; }
name() { printf '%s\n' "$1"; }
is_chosen() { [[ " ${chosen[*]} " == *" $1 "* ]]; }
name_if_chosen() { ! is_chosen "$1" || name "$1"; }
run_if_chosen() { ! is_chosen "$1" || "${@:2}"; }

if [ "${1-}" = --list ]; then
  before_the_build tell
  without_the_build tell
  after_the_build tell
  exit
fi
mapfile -t names < <(before_the_build name; without_the_build name; after_the_build name)
chosen=("$@")
[ $# -gt 0 ] || chosen=("${names[@]}")
for wanted in "${chosen[@]}"; do
  if [[ " ${names[*]} " != *" $wanted "* ]]; then
    say "There is no step \"$wanted\"; there are ${names[*]}."
    exit 64
  fi
done

step "toolchain" need_swift || finish
step "packages" install_missing \
  "${build_needs[@]}" "${install_needs[@]}" "${shell_needs[@]}" "${test_needs[@]}" || finish
# Beside what needs no Python: packages are waited for, and the build leaves a core idle now and then.
make_venv >"$report/venv" 2>&1 &
venv=$!
before_the_build run_if_chosen
if [ -n "$(after_the_build name_if_chosen)" ]; then
  step "build, warnings as errors" swift build --build-tests "${scratch[@]}" || finish
fi
step "Python packages" made_venv || finish
without_the_build run_if_chosen
after_the_build run_if_chosen
finish
