#!/usr/bin/env bash
# Makes up inputs of every reader for some hours, on a machine of one's own: seed after seed, in what Tests/run.sh has built.
#
#   Tests/fuzz.sh HOURS           FUZZ_SEED=N Tests/fuzz.sh 1 begins with that seed
#
# Prints how many inputs of which seeds each target was given, and each that ended the process or was not read as it
# should be; the input itself, behind a line with its target and seed, is kept in Tests/Fuzz/found. Exits non-zero
# if there was one.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit
hours=${1:?Tests/fuzz.sh HOURS}
export OFFERLIFT_TESTED=1 FUZZ_SECONDS=${FUZZ_SECONDS:-60} FUZZ_SEED=${FUZZ_SEED:-$(date +%s000000)} FUZZ_FOLDER FUZZ_SKIP=
FUZZ_FOLDER=$(mktemp -d)
trap 'rm -rf "$FUZZ_FOLDER"' EXIT
found=0
end=$(awk -v now="$(date +%s)" -v hours="$hours" 'BEGIN { print int(now + hours * 3600) }')
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
