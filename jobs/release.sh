#!/usr/bin/env bash
# Makes a release of a tagged commit: packages built in a clean Debian 12, their checksums, and the notes of CHANGELOG.md.
#
#   jobs/release.sh                     as root: makes a clean Debian 12, has jobs/package.sh work there
#   jobs/release.sh --packages FOLDER   takes the packages that jobs/package.sh has made of this commit in FOLDER
#   jobs/release.sh --sign              signs the checksums, too (gpg, by your key): SHA256SUMS.asc
#   jobs/release.sh --output FOLDER     puts everything there (default: .build-package/release)
#
# The commit has to be the version's tag, v0.2.0 say, with nothing changed beside it. Whoever downloads a package checks it with
#
#   gpg --verify SHA256SUMS.asc && sha256sum --check SHA256SUMS
#
# The files' paths go to stdout, everything else to stderr.
set -uo pipefail
umask 022
export LC_ALL=C.UTF-8
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/jobs/setup.sh"

version=$(sed -n 's/.*static let version = "\(.*\)"/\1/p' "$root/Sources/Domain/Product.swift")

# refuse_untagged: what is released is what the tag names, and nothing beside it.
refuse_untagged() {
  local changes
  changes=$(git -C "$root" status --porcelain) || { say "$root is no checkout of git."; return 65; }
  [ -z "$changes" ] || { say "Files are changed that no commit has; commit them, or put them away: git stash -u"; return 65; }
  git -C "$root" tag --points-at HEAD | grep -qxF "v$version" ||
    { say "This commit is not tagged v$version. Type: git tag -s v$version"; return 65; }
}

# notes: the version's section of CHANGELOG.md; nothing where it has none.
notes() { awk -v head="## $version " 'index($0, "## ") == 1 { found = index($0 " ", head) == 1; next } found' "$root/CHANGELOG.md"; }

# build_in_root FOLDER: has jobs/package.sh of the tagged commit work in a clean Debian 12, with this machine's Swift.
build_in_root() {
  local place=$root/.build-package/root swift
  [ "$(id -u)" -eq 0 ] || { say "A clean system is made by root; or build on Debian 12 and type: jobs/release.sh --packages FOLDER"; return 77; }
  install_missing "command debootstrap debootstrap" || return
  need_swift || return
  swift=$(realpath "$(dirname "$(realpath "$(command -v swift)")")/..")
  rm -rf --one-file-system "$place" && mkdir -p "$place" || return 73
  say "making a clean Debian 12 in $place"
  # Of this machine's own mirror; where it has none, debootstrap knows one. The last three are what Swift's own tools need.
  # shellcheck disable=SC2046 # no mirror is no word
  debootstrap --variant=minbase --include=ca-certificates,git,libcurl4,libncurses6,libxml2 bookworm "$place" $(apt_source bookworm REPO_URI) >&2 || return 69
  # This machine's proxies and mirrors, of apt and of git.
  apt-config dump Acquire::http Acquire::https >"$place/etc/apt/apt.conf.d/90machine"
  git config --get-regexp '^(url|http)\.' | while read -r key value; do
    git config --file "$place/etc/gitconfig" --add "$key" "$value"
  done
  # Of mirrors those that are folders of this machine lie where they lie here.
  mapfile -t mirrors < <(git config --name-only --get-regexp '^url\./' | sed 's/^url\.//; s/\.[^.]*$//' | sort -u)
  git clone --quiet "$root" "$place/src" && git -C "$place/src" checkout --quiet "v$version" || return 65
  # What is mounted goes with the process that mounted it.
  unshare --mount bash -c '
    place=$1
    bind() { mkdir -p "$place/$2" && mount --bind --options ro "$1" "$place/$2"; }
    bind "$2" opt/swift && mount -t proc proc "$place/proc" || exit
    for mirror in "${@:3}"; do bind "$mirror" "$mirror" || exit; done
    exec chroot "$place" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 PATH=/opt/swift/bin:/usr/bin:/bin:/usr/sbin:/sbin \
        bash /src/jobs/package.sh --output /packages' _ "$place" "$swift" "${mirrors[@]}" >&2 || return 70
  cp "$place"/packages/* "$1"
}

# take_packages FROM TO: packages and their checksums, which have to hold.
take_packages() {
  (cd "$1" && sha256sum --quiet --check SHA256SUMS >&2) || { say "$1: the packages are not those of its SHA256SUMS."; return 65; }
  grep -qF "offerlift_${version}_" "$1/SHA256SUMS" || { say "$1 holds no packages of $version."; return 65; }
  (cd "$1" && cut -c 67- SHA256SUMS | xargs -d '\n' cp -t "$2" SHA256SUMS --)
}

output=$root/.build-package/release
packages=
is_signed=
while [ $# -gt 0 ]; do
  case $1 in
    --output) output=$(realpath -m -- "${2?--output wants a folder}"); shift 2 ;;
    --packages) packages=$(realpath -e -- "${2?--packages wants a folder}") || exit 66; shift 2 ;;
    --sign) is_signed=yes; shift ;;
    -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) say "Unknown option $1; see jobs/release.sh --help."; exit 64 ;;
  esac
done
refuse_untagged || exit
[ -n "$(notes)" ] || { say "CHANGELOG.md has no section of $version; write what it brings."; exit 65; }
rm -rf "$output" && mkdir -p "$output" || { say "$output: this folder cannot be made; choose another with --output."; exit 73; }
if [ -n "$packages" ]; then take_packages "$packages" "$output"; else build_in_root "$output"; fi || exit
notes >"$output/NOTES.md" || exit 73
if [ -n "$is_signed" ]; then
  gpg --armor --detach-sign --output "$output/SHA256SUMS.asc" "$output/SHA256SUMS" >&2 || { say "gpg could not sign; its message is above."; exit 69; }
fi
printf '%s\n' "$output"/*
