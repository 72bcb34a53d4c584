#!/usr/bin/env bash
# Measures `offerlift run` against merely unpacking the same files, and prints the ratio.
#
#   Benchmarks/run.sh                    1 million users, 5 million rows
#   Benchmarks/run.sh --scale 0.1        a tenth of the users; 4 for four times as many
#   Benchmarks/run.sh --repeat 9         medians of nine instead of five
#   Benchmarks/run.sh -- --threads 1     what follows -- goes to `offerlift run`
#
# The data is made once by `offerlift simulate` and kept in .build-bench.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/jobs/setup.sh"
cd "$root"

scale=1
repeat=5
while [ $# -gt 0 ]; do
  case $1 in
    --scale) scale=$2; shift 2 ;;
    --repeat) repeat=$2; shift 2 ;;
    --) shift; break ;;
    *) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"; exit 64 ;;
  esac
done

need_swift
install_missing "${build_needs[@]}" "command python3 python3"
swift build -c release --product offerlift >&2
binary=$(swift build -c release --show-bin-path)/offerlift

# The scenario at this scale, and its data: made again when the scenario has changed. truth.csv comes last.
data=$root/.build-bench/scale-$scale
mkdir -p "$data"
users=$(awk -v scale="$scale" '/^users:/ { printf "%d", $2 * scale }' Benchmarks/nightly-5m.yml)
sed "s/^users: .*/users: $users/" Benchmarks/nightly-5m.yml >"$data/scenario.new"
if [ ! -f "$data/truth.csv" ] || ! cmp -s "$data/scenario.new" "$data/scenario.yml"; then
  rm -f "$data"/*.gz "$data/truth.csv"
  mv "$data/scenario.new" "$data/scenario.yml"
  "$binary" simulate "$data/scenario.yml" --output "$data" >&2
fi
rm -f "$data/scenario.new"
cp Benchmarks/nightly.job.yml "$data/job.yml"

exec python3 Benchmarks/measure.py --binary "$binary" --data "$data" --repeat "$repeat" -- "$@"
