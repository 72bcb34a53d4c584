#!/usr/bin/env bash
# Installs the packages in clean systems that have nothing of this machine, and uses them there.
#
#   Tests/Install/check_roots.sh .build-package/packages               Debian 12 and 13, Ubuntu 22.04 and 24.04
#   Tests/Install/check_roots.sh .build-package/packages debian-12     some of them
#   Tests/Install/check_roots.sh .build-package/packages ubuntu-24.04=http://mirror.example.org/ubuntu   from that mirror
#
# A system's packages come from this machine's own mirror of it, by apt's configuration, else from the one debootstrap knows.
# Wants root, debootstrap and the network. The systems are made anew in .build-roots, a minute each. Ends with
# `N passed, N failed`, and with how long it took from the package to the first page.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/jobs/setup.sh"
packages=$(realpath -e -- "${1?the folder that jobs/package.sh made}") || exit 66
shift
systems=("$@")
[ $# -gt 0 ] || systems=(debian-12 debian-13 ubuntu-22.04 ubuntu-24.04)
declare -A releases=([debian-12]=bookworm [debian-13]=trixie [ubuntu-22.04]=jammy [ubuntu-24.04]=noble)
passed=0
failed=0

# attempt NAME COMMAND…: one thing that passes or fails; what it said is shown where it fails.
attempt() {
  local name=$1 said
  shift
  if said=$("$@" 2>&1); then
    passed=$((passed + 1))
    printf 'ok      %s\n' "$name"
  else
    failed=$((failed + 1))
    printf 'FAILED  %s\n%s\n' "$name" "$said"
  fi
}

# mirror_of SYSTEM: where its packages come from: this machine's source of its release, or of another one of the same kind;
# nothing where debootstrap has to know.
mirror_of() {
  local system mirror
  for system in "$1" "${!releases[@]}"; do
    [ "${system%%-*}" = "${1%%-*}" ] || continue
    mirror=$(apt_source "${releases[$system]}" REPO_URI)
    [ -z "$mirror" ] || { printf '%s\n' "$mirror"; return; }
  done
}

# make_root SYSTEM MIRROR: a system with nothing but what every one of its kind has.
make_root() {
  local place=$root/.build-roots/$1 release
  [ -x "$place/bin/sh" ] && return 0
  release=${releases[$1]?there is no system $1}
  mkdir -p "$root/.build-roots"
  # What Debian's debootstrap does not know by name is made as its predecessors were.
  local script=/usr/share/debootstrap/scripts/$release
  [ -e "$script" ] || script=/usr/share/debootstrap/scripts/jammy
  local components=main
  [[ $1 != ubuntu-* ]] || components=main,universe
  debootstrap --variant=minbase --no-check-gpg --components="$components" "$release" "$place" "$2" "$script" >"$place.log" 2>&1
}

# within SYSTEM SCRIPT: a script inside of the system, in a folder of its own, with the packages in /packages.
within() {
  local place=$root/.build-roots/$1
  mkdir -p "$place/packages" "$place/try"
  cp "$packages"/* "$place/packages"
  chroot "$place" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \
    DEBIAN_FRONTEND=noninteractive sh -c "set -e; cd /try; $2"
}

# The first page: made, and complete.
first_page='rm -rf first-test; offerlift init --example first-test >said; $(tail -n 1 said) | grep "^offering-price-test 2026-04-30: "
grep -q "</html>" first-test/reports/offering-price-test/latest/report.html'
for named in "${systems[@]}"; do
  system=${named%%=*}
  mirror=$(mirror_of "$system")
  [ "$named" = "$system" ] || mirror=${named#*=}
  attempt "$system: is made" make_root "$system" "$mirror"
  mountpoint -q "$root/.build-roots/$system/proc" || mount -t proc proc "$root/.build-roots/$system/proc"
  attempt "$system: nothing is there of the last time" within "$system" \
    'rm -rf /try/* /usr/local/bin/offerlift; ! command -v offerlift'
  before=$SECONDS
  attempt "$system: the Debian package installs" within "$system" \
    'apt-get update -qq; apt-get install -y -qq /packages/*.deb; offerlift --version | grep "(commit "'
  attempt "$system: a first page" within "$system" "$first_page"
  printf '        %s s from the package to the first page\n' $((SECONDS - before))
  attempt "$system: selftest" within "$system" 'offerlift selftest'
  attempt "$system: a flipped bit is found" within "$system" \
    'rm -rf bent; mkdir bent; cp /usr/bin/offerlift bent; cp /usr/share/offerlift/offerlift.sha256 bent
     printf "\001" | dd of=bent/offerlift bs=1 seek=$(($(stat -c %s bent/offerlift) - 3)) conv=notrunc 2>/dev/null
     bent/offerlift selftest && exit 1 || [ $? -eq 70 ]'
  attempt "$system: the examples run" within "$system" \
    'rm -rf examples; cp -r /usr/share/doc/offerlift/examples .
     offerlift run examples/jobs/tiers-and-credits.yml $(grep -v "^#" examples/jobs/tiers-and-credits.options)'
  attempt "$system: the line of the crontab runs" within "$system" \
    'rm -rf /srv/offerlift; mkdir -p /srv/offerlift; cp -r first-test/jobs first-test/sample-data /srv/offerlift
     grep -E "^[0-9]" /usr/share/doc/offerlift/examples/jobs/crontab.example | cut -d " " -f 6- |
       sed "s,run ,run --date 2026-04-30 ," >line; sh line; test -e /srv/offerlift/reports/offering-price-test/latest/report.html'
  attempt "$system: its manual page is there" within "$system" 'zcat /usr/share/man/man1/offerlift.1.gz 2>/dev/null | grep -q "offerlift run"'
  attempt "$system: the Debian package goes" within "$system" 'apt-get remove -y -qq offerlift; ! command -v offerlift'
  attempt "$system: the archive" within "$system" \
    "tar -xzf /packages/*.tar.gz -C /usr/local --strip-components=1; $first_page; rm -rf /usr/local/bin/offerlift"
  attempt "$system: the wheel" within "$system" \
    "apt-get install -y -qq --no-install-recommends python3-venv; python3 -m venv venv; venv/bin/pip install --quiet --no-index /packages/*.whl
     PATH=/try/venv/bin:\$PATH; $first_page; offerlift selftest"
  umount "$root/.build-roots/$system/proc"
done
printf '%s passed, %s failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
