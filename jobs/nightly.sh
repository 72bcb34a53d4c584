#!/usr/bin/env bash
# Builds offerlift if need be, runs every job, and ends with one line a job.
#
#   jobs/nightly.sh                      every jobs/*.yml
#   jobs/nightly.sh --date 2026-04-29    the same for another night; options go to `offerlift run`
#   jobs/nightly.sh /srv/tests/a.yml     these jobs only
#
# A job's night is the last whole day in its timezone, unless a file NAME.options beside NAME.yml, or the
# command line, says otherwise. Results go to stdout, everything else to stderr.
#
# Exit code: 0 all published; 69 something could not be installed; 75 another nightly.sh, or another run of a
# job, is at work, or a program that changes its results.sqlite; else the first failure's, and the other jobs
# have run all the same. Whoever watches takes everything but 0 for a night that may be missing, 75 too.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/jobs/setup.sh"

jobs=()
options=()
for argument in "$@"; do
  case $argument in
    -h | --help)
      sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
      exit 0
      ;;
    *.yml | *.yaml) jobs+=("$(realpath -- "$argument")") ;;
    *) options+=("$argument") ;;
  esac
done
[ ${#jobs[@]} -gt 0 ] || mapfile -t jobs < <(realpath -- "$root"/jobs/*.yml)

mkdir -p "$root/.build"
exec 9>"$root/.build/nightly.lock"
if ! flock -n 9; then
  say "Another nightly.sh is at work here; try again when it has ended."
  exit 75
fi

need_swift && install_missing "${build_needs[@]}" || exit
# The jobs run where the caller stands: what paths on the command line are relative to.
binary=$(build_release) || { say "The build failed; nothing was run."; exit 70; }

# options_of JOB: the command line's options, else those in the file beside the job, one or more a line.
options_of() {
  if [ ${#options[@]} -gt 0 ]; then
    printf '%s\n' "${options[@]}"
  elif [ -f "${1%.y*ml}.options" ]; then
    sed 's/#.*//' "${1%.y*ml}.options" | xargs -r -n 1 printf '%s\n'
  fi
}

lines=()
status=0
for job in "${jobs[@]}"; do
  name=$(basename "${job%.y*ml}")
  chosen=()
  if options_text=$(options_of "$job"); then
    [ -z "$options_text" ] || mapfile -t chosen <<<"$options_text"
    line=$("$binary" run "$job" "${chosen[@]}")
    code=$?
  else
    say "$name: ${job%.y*ml}.options cannot be taken apart into options; look for a quote without its fellow."
    line=
    code=64
  fi
  how="not"
  [ -z "$line" ] || { lines+=("$line"); how="not all"; }
  case $code in
    0 | 3) ;;
    *) lines+=("$name: $how published (exit $code); the message is above, older results stand") ;;
  esac
  if [ $code -ne 0 ] && { [ $status -eq 0 ] || [ $status -eq 75 ]; }; then status=$code; fi
done
printf '%s\n' "${lines[@]}"
exit $status
