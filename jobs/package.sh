#!/usr/bin/env bash
# Makes what people install without a compiler: a Debian package, an archive and a Python wheel, and their checksums.
#
#   jobs/package.sh                   builds offerlift and packs it into .build-package/packages
#   jobs/package.sh --output FOLDER   puts the packages there
#   jobs/package.sh --binary FILE     packs that program and builds none
#
# The libraries that the program needs are linked into it, but for the C library's own: it runs wherever glibc is as
# new as that of the machine it was built on, Debian 12 say. The same commit gives the same bytes: the program is built from
# nothing in one folder, /var/tmp/offerlift-package, whatever folder the checkout is in.
# The packages' paths go to stdout, everything else to stderr.
set -uo pipefail
umask 022
export LC_ALL=C.UTF-8
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/jobs/setup.sh"

# What the program is linked with, and where Debian has no archive of it, what it is made of.
archive_needs=("command make make" "command g++ g++" "command nasm nasm" "command xz xz-utils")
# What packs it.
package_needs=("command objdump binutils" "command python3 python3" "command dpkg-deb dpkg")
archives=(z minizip snappy zstd lz4 crypto sqlite3 stdc++)
# What pkg-config calls those that Package.swift asks it for: it names the folder to look in first.
described=(zlib minizip libzstd liblz4 libcrypto libisal)
# The newest C library that a package may ask for: Debian 12's.
newest_glibc=2.36

version=$(sed -n 's/.*static let version = "\(.*\)"/\1/p' "$root/Sources/Domain/Product.swift")
architecture=$(uname -m)
work=$root/.build-package
# Where the program is built, whatever folder the checkout is in.
place=/var/tmp/offerlift-package

# write_sources FOLDER: where Debian's sources are, by this machine's own apt configuration, a company's mirror included: the
# entry that its packages come from, asked for sources. Prints the file.
write_sources() {
  local release entry file
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  entry=$(apt_source "$release" SOURCESENTRY)
  [ -n "$entry" ] || { say "apt on this machine has no source of $release. Add one to /etc/apt/sources.list, and type: apt-get update"; return 69; }
  case $entry in
    *.sources:*)
      file=$1/debian.sources
      grep -v '^#' "${entry%:*}" | awk -v RS= -v at="${entry##*:}" 'NR == at' | sed 's/^Types:.*/Types: deb-src/' >"$file" ;;
    *)
      file=$1/debian.list
      sed -n "${entry##*:}s/^[[:space:]]*deb[[:space:]]/deb-src /p" "${entry%:*}" >"$file" ;;
  esac
  [ -s "$file" ] && printf '%s\n' "$file"
}

# fetch_sources FOLDER PACKAGE…: Debian's sources of packages, at the versions of this Debian, their signatures checked.
fetch_sources() {
  local folder=$1 list options
  shift
  mkdir -p "$folder/lists/partial"
  list=$(write_sources "$folder") || return
  options=(-o "Dir::Etc::SourceList=$list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$folder/lists" -o APT::Sandbox::User=root -qq)
  (cd "$folder" && apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only "$@") >&2
}

# unpack_source NAME: the source of that name, as its authors released it, into a folder of the name.
unpack_source() {
  rm -rf "$1" && mkdir "$1" && tar -xf "$1"_*.orig.tar.* -C "$1" --strip-components=1
}

# build_archive FOLDER: an archive of ISA-L, of which Debian has a shared object only.
build_archive() {
  local folder=$1
  [ -f "$folder/libisal.a" ] && return 0
  say "building an archive of ISA-L from Debian's source"
  fetch_sources "$work/sources" libisal || { say "The source could not be fetched; apt's message is above."; return 69; }
  (cd "$work/sources" && unpack_source libisal &&
    make -s -C libisal -f Makefile.unx units="crc igzip" lib >&2 &&
    cp libisal/bin/isa-l.a "$folder/libisal.a") || { say "ISA-L could not be built."; return 70; }
}

# gather_archives FOLDER: a folder that holds archives alone, so that a linker that looks here first finds no shared object,
# and tells pkg-config so.
gather_archives() {
  local folder=$1 name path
  mkdir -p "$folder" "$work/archives"
  for name in "${archives[@]}"; do
    path=$(g++ -print-file-name="lib$name.a")
    [ -f "$path" ] || { say "There is no lib$name.a on this machine to link with."; return 69; }
    ln -sf "$(realpath "$path")" "$folder/lib$name.a"
  done
  for name in "${described[@]}"; do
    sed "s,^libdir=.*,libdir=$folder," "$(pkg-config --variable=pcfiledir "$name")/$name.pc" >"$folder/$name.pc" || return 69
  done
  build_archive "$work/archives" && cp "$work/archives/libisal.a" "$folder"
}

# take_place: an empty folder at `place`, this process' alone until it ends.
take_place() {
  (umask 077 && mkdir -p "$place") && [ -O "$place" ] && [ ! -L "$place" ] ||
    { say "$place is where offerlift is built for packages, and belongs to somebody else. Remove it, then run this again."; return 73; }
  exec 9<"$place" && flock --nonblock 9 ||
    { say "Another jobs/package.sh builds in $place. Wait for it, then run this again."; return 75; }
  find "$place" -mindepth 1 -delete
}

# build_program: the program with everything linked in; says where it lies.
build_program() {
  need_swift && install_missing "${build_needs[@]}" "${archive_needs[@]}" || return
  gather_archives "$place/archives" || return
  tar -C "$root" --exclude='./.build*' --exclude=./.git --exclude=./Package.resolved -cf - . | tar -C "$place" -xf - || return 73
  local -x PKG_CONFIG_PATH=$place/archives
  local built
  built=$(build_release_in "$place" -Xswiftc -L -Xswiftc "$place/archives" -Xswiftc -file-prefix-map -Xswiftc "$place=offerlift" \
    -Xcc "-ffile-prefix-map=$place=offerlift" -Xcxx "-ffile-prefix-map=$place=offerlift") ||
    { say "The build failed."; return 70; }
  # What the compiler notes for its next build is another one each time, and with it the build's id.
  objcopy --remove-section=.swift_modhash --remove-section=.note.gnu.build-id "$built" "$place/offerlift" &&
    printf '%s\n' "$place/offerlift"
}

# glibc_of PROGRAM: the oldest version of the C library that has all that a program asks for.
glibc_of() {
  objdump -T "$1" | grep -o 'GLIBC_2\.[0-9]*' | sort -uV | tail -n 1 | cut -d _ -f 2
}

# further_libraries PROGRAM: the libraries that a program needs beyond the C library's own and libgcc_s, which the packages ask
# for; a package brings none.
further_libraries() {
  objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }' |
    grep -Ev '^(lib(c|m|dl|pthread|rt|util|resolv|gcc_s)\.so\.[0-9]+|ld-linux.*)$'
}

# licences: those of everything that is in the program; none may be missing of a library that it is built with.
licences() {
  local need name folder file checkouts=$place/.build/checkouts
  [ -d "$checkouts" ] || checkouts=$root/.build/checkouts
  cat "$root/LICENSE" || return
  for need in "${build_needs[@]}" "runtime stdc++ libstdc++6"; do
    [[ $need != command\ * ]] || continue
    name=${need##* }
    printf '\n\n==== %s, as Debian tells it\n\n' "$name"
    cat "/usr/share/doc/$name/copyright" || { say "The licence of $name is not on this machine."; return 69; }
  done
  # Swift's runtime, its Foundation and ICU's data are in the program, too.
  file=$(dirname "$(realpath "$(command -v swift || echo /)")")/../share/swift/LICENSE.txt
  if [ -f "$file" ]; then
    printf '\n\n==== Swift\n\n'
    cat "$file"
  fi
  for folder in "$checkouts"/*/; do
    for file in "$folder"LICENSE* "$folder"NOTICE*; do
      [ -f "$file" ] || continue
      printf '\n\n==== %s, %s\n\n' "$(basename "$folder")" "$(basename "$file")"
      cat "$file"
    done
  done
}

# stage PROGRAM PREFIX: everything that is installed, below PREFIX.
stage() {
  local prefix=$2 doc=$2/share/doc/offerlift
  rm -rf "$prefix" && install_files "$1" "$prefix" || return
  mkdir -p "$doc/examples/jobs/reference" || return 73
  licences >"$doc/copyright" || return
  install -m 644 "$root/CHANGELOG.md" "$root/README.md" "$doc" &&
    install -m 644 "$root"/jobs/*.{md,yml,options,service,timer,example,ipynb} "$doc/examples/jobs" &&
    install -m 644 "$root"/jobs/reference/*.md "$doc/examples/jobs/reference" &&
    cp -r "$root/sample-data" "$doc/examples/sample-data" || return 73
  # What was made beside it is no part of a package, and folders and files are everybody's to read.
  find "$doc" -name __pycache__ -prune -exec rm -rf {} + && chmod -R u=rwX,go=rX "$doc"
}

# set_times FOLDER: everything in it is as old as the commit.
set_times() { find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }

# make_archive STAGE FILE
make_archive() {
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu \
    --transform "s,^\.,offerlift-$version," -C "$1" -cf - . | gzip -9n >"$2"
}

# make_deb STAGE FILE GLIBC
make_deb() {
  local tree=$work/deb
  rm -rf "$tree" && mkdir -p "$tree/DEBIAN" && cp -a "$1" "$tree/usr" || return 73
  # Where Debian's zsh looks, and how its manual pages lie.
  mv "$tree/usr/share/zsh/site-functions" "$tree/usr/share/zsh/vendor-completions"
  gzip -9n "$tree/usr/share/man/man1/offerlift.1"
  (cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
  cat >"$tree/DEBIAN/control" <<CONTROL
Package: offerlift
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: Offerlift <noreply@offerlift.invalid>
Installed-Size: $(find "$tree/usr" -type f -printf '%s\n' | awk '{kilobytes += int(($1 + 1023) / 1024)} END {print kilobytes}')
Depends: libc6 (>= $3), libgcc-s1, tzdata
Section: science
Priority: optional
Description: answers from paywall A/B tests
 Joins purchase logs to the assignment tables of paywall tests and computes
 conversion, revenue and statistical significance for each group, into CSV,
 SQLite and a report. Needs no server and no network.
CONTROL
  set_times "$tree"
  dpkg-deb --root-owner-group -Zxz --build "$tree" "$2" >&2
}

# checksums FOLDER NAME…: as sha256sum writes and checks them.
checksums() { (cd "$1" && shift && sha256sum "$@" >SHA256SUMS); }

# make_packages PROGRAM FOLDER
make_packages() {
  local program=$1 output=$2 glibc names libraries
  glibc=$(glibc_of "$program")
  [ -n "$glibc" ] || { say "$program is no program that offerlift's packages could be made of."; return 65; }
  if libraries=$(further_libraries "$program"); then
    say "$program needs libraries that no package brings: ${libraries//$'\n'/, }. Leave --binary out, and it is built with them in it."
    return 65
  fi
  if [ "$(printf '%s\n' "$glibc" "$newest_glibc" | sort -V | tail -n 1)" != "$newest_glibc" ]; then
    say "note: the program asks for glibc $glibc; Debian 12 has $newest_glibc. Build on Debian 12 for packages that run there."
  fi
  mkdir -p "$work" "$output" || { say "$output: this folder cannot be made; choose another with --output."; return 73; }
  stage "$program" "$work/stage" && set_times "$work/stage" || { say "The files could not be put together."; return 73; }
  names=("offerlift_${version}_$(dpkg --print-architecture).deb" "offerlift-$version-linux-$architecture.tar.gz"
    "offerlift-$version-py3-none-manylinux_${glibc/./_}_$architecture.whl")
  make_deb "$work/stage" "$output/${names[0]}" "$glibc" &&
    make_archive "$work/stage" "$output/${names[1]}" &&
    python3 "$root/jobs/wheel.py" --stage "$work/stage" --version "$version" --output "$output/${names[2]}" >&2 &&
    checksums "$output" "${names[@]}" || { say "The packages could not be written."; return 73; }
  printf '%s\n' "${names[@]/#/$output/}"
}

output=$work/packages
program=
while [ $# -gt 0 ]; do
  case $1 in
    --output) output=$(realpath -m -- "${2?--output wants a folder}"); shift 2 ;;
    --binary) program=$(realpath -e -- "${2?--binary wants a program}") || exit 66; shift 2 ;;
    -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) say "Unknown option $1; see jobs/package.sh --help."; exit 64 ;;
  esac
done
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct 2>/dev/null) || SOURCE_DATE_EPOCH=$(stat -c %Y "$root/CHANGELOG.md")
export SOURCE_DATE_EPOCH
install_missing "${install_needs[@]}" "${package_needs[@]}" || exit
if [ -z "$program" ]; then
  take_place || exit
  trap 'find "$place" -mindepth 1 -delete' EXIT
  program=$(build_program) || exit
fi
make_packages "$program" "$output"
