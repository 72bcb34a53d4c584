#!/usr/bin/env bash
# What has to be on the machine before `swift build`; sourced by jobs/nightly.sh and Tests/run.sh.
#
#   jobs/setup.sh --install ~/.local    builds offerlift; puts it, its completions (bash, zsh, fish) and its man page there
#
# Everything is looked for first, so a second run installs nothing and needs no network. Before sudo it asks; without a
# terminal it installs only where OFFERLIFT_YES=1 or CI is set. What is done is said on stderr; stdout belongs to results.

say() { printf '%s\n' "$*" >&2; }

# Header or command → the Debian package that brings it.
build_needs=(
  "header sqlite3.h libsqlite3-dev"
  "header zlib.h zlib1g-dev"
  "header isa-l/igzip_lib.h libisal-dev"
  "header minizip/zip.h libminizip-dev"
  "header snappy-c.h libsnappy-dev"
  "header zstd.h libzstd-dev"
  "header lz4.h liblz4-dev"
  "header openssl/ec.h libssl-dev"
  "command pkg-config pkg-config"
)
# What puts the program in its place.
install_needs=("command strip binutils")
# The report's tests take its page apart with Foundation's XML parser, which wants libxml2; Tests/Results opens it in
# Chromium, and the workbook in LibreOffice; Tests/Spark starts Apache Spark.
test_needs=(
  "header libxml2/libxml/parser.h libxml2-dev"
  "command python3 python3"
  "command groff groff-base"
  "command zsh zsh"
  "command fish fish"
  "python ensurepip python3-venv"
  "command chromium chromium"
  "command soffice libreoffice-calc-nogui"
  "command java openjdk-17-jre-headless"
)

# The lines that init and check say to type, to mend a stranger's files with.
shell_needs=(
  "command sqlite3 sqlite3"
  "command jq jq"
)

# is_there KIND NAME: true when a header, a command or a Python module can be found.
is_there() {
  case $1 in
    header) compgen -G "/usr/include/$2" || compgen -G "/usr/include/*-linux-*/$2" || compgen -G "/usr/local/include/$2" ;;
    command) command -v "$2" ;;
    python) python3 -c "import $2" ;;
  esac >/dev/null 2>&1
}

# may_use_sudo PACKAGE…: whether packages may be installed with sudo. OFFERLIFT_YES=1 and CI say yes; else a terminal is asked.
may_use_sudo() {
  local answer
  [ "${OFFERLIFT_YES:-}" = 1 ] || [ -n "${CI:-}" ] && return 0
  [ -t 0 ] && [ -t 2 ] || return 1
  printf 'Install %s with sudo apt-get? [y/N] ' "$*" >&2
  read -r answer && [[ $answer == [yY]* ]]
}

# apt_source RELEASE FIELD: what apt on this machine knows of its own source of that release's packages, REPO_URI or
# SOURCESENTRY; nothing where it has none.
apt_source() {
  apt-get indextargets --format "\$(ORIGIN) \$(CODENAME) \$($2)" 2>/dev/null |
    awk -v release="$1" '($1 == "Debian" || $1 == "Ubuntu") && $2 == release { print $3; exit }'
}

# install_missing NEED…: installs the packages of the needs that are not there, with sudo when not root.
install_missing() {
  local need kind name package missing=()
  for need in "$@"; do
    read -r kind name package <<<"$need"
    is_there "$kind" "$name" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if ! command -v apt-get >/dev/null; then
    say "offerlift needs these packages, and this machine has no apt-get to install them with: ${missing[*]}"
    say "Install what your system calls them, then run this again."
    return 69
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "offerlift needs ${missing[*]}. As root, run: apt-get install ${missing[*]}"
      return 69
    fi
    may_use_sudo "${missing[@]}" || {
      say "Nothing was installed. As root, run: apt-get install ${missing[*]}; or set OFFERLIFT_YES=1, then run this again."
      return 69
    }
    as_root=(sudo)
  fi
  say "installing ${missing[*]} (apt-get${as_root[0]:+ with sudo})"
  "${as_root[@]}" apt-get update -qq >&2 &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 ||
    { say "apt-get could not install ${missing[*]}; its message is above."; return 69; }
}

# need_swift: says where to get the toolchain when there is none.
need_swift() {
  command -v swift >/dev/null && return 0
  say "offerlift needs the Swift toolchain, 6.2 or later, with swift on the PATH: https://www.swift.org/install/linux"
  return 69
}

# build_label: what the program is built from, as `offerlift --version` tells it; nothing outside of a checkout.
build_label() {
  local root commit changes
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
  # Unpacked within another project's checkout it is none of that one's commits.
  [ "$(git -C "$root" rev-parse --show-toplevel 2>/dev/null)" = "$root" ] || return 0
  commit=$(git -C "$root" log -1 --format='commit %h of %cs' --abbrev=10 2>/dev/null) || return 0
  changes=$(git -C "$root" status --porcelain -- Sources Package.swift 2>/dev/null)
  printf '%s%s, %s\n' "$commit" "${changes:+ with changes}" \
    "$(swift --version 2>/dev/null | sed -n 's/.*\(Swift\) version \([0-9.]*[0-9]\).*/\1 \2/p')"
}

# build_release OPTION…: builds the program as it is used, and prints where it lies. Swift's runtime is in it, so that it runs
# on machines without Swift, too.
build_release() { build_release_in "$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)" "$@"; }

# build_release_in FOLDER OPTION…: the same of a copy of this checkout's files in that folder.
build_release_in() {
  local folder=$1 build
  shift
  build=(env "OFFERLIFT_BUILD=$(build_label)" swift build -c release --product offerlift --static-swift-stdlib
    -Xswiftc -use-ld=lld "$@")
  (cd "$folder" && "${build[@]}" >&2 && printf '%s/offerlift\n' "$("${build[@]}" --show-bin-path)")
}

# install_files BINARY PREFIX: puts the program without its symbols, its stamp for `offerlift selftest`, its completions and its
# man page below PREFIX.
install_files() {
  local binary=$1 prefix=$2 shell place
  install -D --strip -m 755 "$binary" "$prefix/bin/offerlift" || return 73
  # Where the stamp of an earlier program lay, which selftest would hold this one against.
  rm -f "$prefix/bin/offerlift.sha256"
  (cd "$prefix/bin" && sha256sum offerlift) | install -D -m 644 /dev/stdin "$prefix/share/offerlift/offerlift.sha256" ||
    return 73
  for shell in bash:bash-completion/completions/offerlift zsh:zsh/site-functions/_offerlift \
    fish:fish/vendor_completions.d/offerlift.fish; do
    place=$prefix/share/${shell#*:}
    "$binary" --generate-completion-script "${shell%%:*}" | install -D -m 644 /dev/stdin "$place" || return 73
  done
  "$binary" reference --manual | install -D -m 644 /dev/stdin "$prefix/share/man/man1/offerlift.1" || return 73
}

# install_program PREFIX: installs what is missing, builds, and installs what was built.
install_program() {
  local binary
  need_swift && install_missing "${build_needs[@]}" "${install_needs[@]}" "${shell_needs[@]}" || return
  binary=$(build_release) || { say "The build failed."; return 70; }
  install_files "$binary" "$1" || return
  say "offerlift is in $1/bin. A new shell completes its commands; man offerlift tells of them."
  case :$PATH: in *:"$1/bin":*) ;; *) say "$1/bin is not on your PATH yet: export PATH=\"$1/bin:\$PATH\"" ;; esac
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  if [ $# -ne 2 ] || [ "$1" != --install ]; then
    say "Usage: jobs/setup.sh --install PREFIX, ~/.local say."
    exit 64
  fi
  set -o pipefail
  install_program "$2"
fi
