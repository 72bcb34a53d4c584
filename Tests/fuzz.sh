#!/usr/bin/env bash
# Makes up inputs of every reader for some hours, on a machine of one's own: seed after seed, in what Tests/run.sh has built.
#
#   Tests/fuzz.sh HOURS              FUZZ_SEED=N Tests/fuzz.sh 1 begins with that seed
#   Tests/fuzz.sh --coverage HOURS   the readers of files alone, by libFuzzer and with addresses checked: inputs that reach
#                                    code which none before has reached are kept and changed again
#
# Prints how many inputs of which seeds each target was given, and each that ended the process or was not read as it
# should be; the input itself, behind a line with its target and seed, is kept in Tests/Fuzz/found. Exits non-zero
# if there was one. --coverage builds the readers once more, into .build-fuzz, and keeps its inputs there.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit
usage='Tests/fuzz.sh [--coverage] HOURS'
by_coverage=
[ "${1-}" != --coverage ] || { by_coverage=yes; shift; }
hours=${1:?$usage}
end=$(awk -v now="$(date +%s)" -v hours="$hours" 'BEGIN { print int(now + hours * 3600) }')

# build_readers: with libFuzzer in them; says where they lie.
build_readers() {
  local build=(env OFFERLIFT_TESTED=1 OFFERLIFT_FUZZED=1 swift build --product fuzzed-readers --scratch-path .build-fuzz
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld -Xcc -fsanitize=fuzzer-no-link,address
    -Xcxx -fsanitize=fuzzer-no-link,address)
  "${build[@]}" >&2 && printf '%s/fuzzed-readers\n' "$("${build[@]}" --show-bin-path)"
}

# fuzz_reader READERS FILE: tries inputs of one reader for as long as a target has.
fuzz_reader() {
  local inputs=.build-fuzz/inputs/$2 found=Tests/Fuzz/found
  mkdir -p "$inputs" "$found"
  ASAN_OPTIONS=detect_leaks=0 FUZZ_FILE=$2 "$1" "$inputs" -max_total_time="${FUZZ_SECONDS:-60}" -max_len=65536 -timeout=60 -rss_limit_mb=4096 \
    -detect_leaks=0 -print_final_stats=1 -artifact_prefix="$found/$2-" >"$inputs.log" 2>&1
  local code=$?
  printf 'fuzz: %s: %s inputs, %s\n' "$2" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$inputs.log")" \
    "$(grep -o 'cov: [0-9]* ft: [0-9]*' "$inputs.log" | tail -n 1)"
  [ "$code" -eq 0 ] || { grep -m 3 -E 'ERROR|Fatal error|Test unit written' "$inputs.log" || tail "$inputs.log"; return 1; }
}

# fuzz_by_coverage: reader after reader, each from what the corpus has of it.
fuzz_by_coverage() {
  local readers file name found=0
  readers=$(build_readers) || exit 70
  for file in Tests/Fuzz/corpus/* jobs/free-trial.yml; do
    name=${file##*/}
    [ "$name" != free-trial.yml ] || name=job.yml
    mkdir -p ".build-fuzz/inputs/$name"
    cp "$file" ".build-fuzz/inputs/$name/"
  done
  python3 Tests/Fuzz/packed_samples.py .build-fuzz/inputs || exit 70
  while [ "$(date +%s)" -lt "$end" ]; do
    for file in .build-fuzz/inputs/*/; do
      [ "$(date +%s)" -lt "$end" ] || break
      fuzz_reader "$readers" "$(basename "$file")" || found=$((found + 1))
    done
  done
  printf '%s found\n' "$found"
  [ "$found" -eq 0 ]
  exit
}
[ -z "$by_coverage" ] || fuzz_by_coverage
export OFFERLIFT_TESTED=1 FUZZ_SECONDS=${FUZZ_SECONDS:-60} FUZZ_SEED=${FUZZ_SEED:-$(date +%s000000)} FUZZ_FOLDER FUZZ_SKIP=
FUZZ_FOLDER=$(mktemp -d)
trap 'rm -rf "$FUZZ_FOLDER"' EXIT
found=0
while [ "$(date +%s)" -lt "$end" ]; do
  rm -f "$FUZZ_FOLDER"/*
  if swift test --skip-build --scratch-path .build-tests --filter 'ReaderFuzzTests|BlockMutationTests' \
    >"$FUZZ_FOLDER/log" 2>&1; then code=0; else code=$?; fi
  grep '^fuzz: ' "$FUZZ_FOLDER/log"
  grep -A3 'recorded an issue' "$FUZZ_FOLDER/log" && found=$((found + 1))
  crashed=
  for input in "$FUZZ_FOLDER"/*.input; do
    [ -e "$input" ] || continue
    mkdir -p Tests/Fuzz/found
    cp "$input" "Tests/Fuzz/found/$(basename "$input" .input)-$FUZZ_SEED.input"
    crashed=$(basename "$input" .input)
    printf 'ENDED THE PROCESS: %s\n' "$(head -n 1 "$input")"
    found=$((found + 1))
  done
  if [ "$code" -ne 0 ] && [ -z "$crashed" ] && ! grep -q 'Test run with' "$FUZZ_FOLDER/log"; then
    tail "$FUZZ_FOLDER/log"
    exit 1
  fi
  # A target that ends the process is left out from here on, so that the others have their time.
  if [ -n "$crashed" ]; then FUZZ_SKIP="$FUZZ_SKIP $crashed"; else FUZZ_SEED=$((FUZZ_SEED + 1000000)); fi
done
printf '%s found\n' "$found"
[ "$found" -eq 0 ]
