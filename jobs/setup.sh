# Sourced by jobs/nightly.sh and Tests/run.sh: what has to be on the machine before `swift build`.
#
# Everything is looked for first, so a second run installs nothing and needs no network. What is done is said
# on stderr; stdout belongs to results.

say() { printf '%s\n' "$*" >&2; }

# Header or command → the Debian package that brings it.
build_needs=(
  "header sqlite3.h libsqlite3-dev"
  "header zlib.h zlib1g-dev"
  "header isa-l/igzip_lib.h libisal-dev"
  "header minizip/zip.h libminizip-dev"
  "header simdjson.h libsimdjson-dev"
  "command pkg-config pkg-config"
)
# The report's tests take its page apart with Foundation's XML parser, which wants libxml2; Tests/Results opens it in
# Chromium, and the workbook in LibreOffice.
test_needs=(
  "header libxml2/libxml/parser.h libxml2-dev"
  "command python3 python3"
  "python ensurepip python3-venv"
  "command chromium chromium"
  "command soffice libreoffice-calc-nogui"
)

# is_there KIND NAME: true when a header, a command or a Python module can be found.
is_there() {
  case $1 in
    header) compgen -G "/usr/include/$2" || compgen -G "/usr/include/*-linux-*/$2" || compgen -G "/usr/local/include/$2" ;;
    command) command -v "$2" ;;
    python) python3 -c "import $2" ;;
  esac >/dev/null 2>&1
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
