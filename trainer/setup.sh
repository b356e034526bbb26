# What trainer/run.sh and tests/run.sh have in common; sourced with `root` set to the repository's folder.
# Everything it says goes to stderr, so that the output of the program stays clean for other programs to read.

say() {
    printf 'spadework: %s\n' "$*" >&2
}

# fail CODE TEXT...: ends the script.
fail() {
    fail_code=$1
    shift
    say "$*"
    exit "$fail_code"
}

# Whether apt can install a package or it is installed: a name alone may stand for what other packages ask for.
has_candidate() {
    LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep -q '^  Candidate: [^(]'
}

# Packages of one section ("program", "run", "test") of trainer/packages.txt, one a line. Of alternatives ("A | B") the first
# that apt can install, and none where "-" comes first: names differ between releases of Debian and of systems made of it.
packages_of() {
    awk -v wanted="[$1]" '/^\[/ { section = $1; next } /^[^#]/ && NF && section == wanted' "$root/trainer/packages.txt" |
        while read -r first others; do
            chosen=$first
            for package in $first $others; do
                case $package in
                '|') continue ;;
                -) chosen='' && break ;;
                esac
                if [ -n "$others" ] && has_candidate "$package"; then
                    chosen=$package
                    break
                fi
            done
            [ -z "$chosen" ] || echo "$chosen"
        done
}

# The clang that sanitizers and fuzzing are built with: the one that the list names, or an alternative.
find_clang() {
    for clang in $(packages_of fuzz | grep '^clang-[0-9]') clang; do
        command -v "$clang" && return 0
    done
}

# Those of the named packages that are not installed, on one line.
missing_packages() {
    for package in "$@"; do
        case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
        *not-installed* | *config-files* | *half* | *unpacked* | '') printf '%s ' "$package" ;;
        esac
    done
}

# wanted_packages SECTION...: the packages of these sections.
wanted_packages() {
    for section in "$@"; do
        packages_of "$section"
    done
}

# install_packages SECTION...: installs what is missing of these sections by apt. Asks nothing when root, else uses sudo.
install_packages() {
    wanted=$(wanted_packages "$@")
    if ! command -v dpkg-query >/dev/null 2>&1; then
        say "this is not a Debian system; the build needs what trainer/packages.txt lists"
        return 0
    fi
    # shellcheck disable=SC2086 # a list of words
    missing=$(missing_packages $wanted)
    missing=${missing% }
    [ -n "$missing" ] || return 0
    say "installing missing packages: $missing"
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 ||
            fail 4 "packages are missing and this user can neither become root nor sudo; as root: apt-get install $missing"
        as_root=sudo
    fi
    mkdir -p "$root/build" || fail 4 "cannot write to $root/build"
    apt_log=$root/build/apt.log
    # An update without network may fail while the wanted packages are still in apt's cache: the install decides.
    $as_root apt-get update >"$apt_log" 2>&1 || say "apt-get update failed (see $apt_log); trying to install anyway"
    # Before the update apt knew fewer packages, or none.
    wanted=$(wanted_packages "$@")
    # shellcheck disable=SC2086
    missing=$(missing_packages $wanted)
    # shellcheck disable=SC2086
    if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install -y \
        --no-install-recommends $missing >>"$apt_log" 2>&1 </dev/null; then
        tail -n 15 "$apt_log" >&2
    fi
    # shellcheck disable=SC2086
    missing=$(missing_packages $wanted)
    [ -z "$missing" ] ||
        fail 4 "apt-get could not install: ${missing% } (whole output: $apt_log); check the network and the apt sources"
}

# configure_preset PRESET: makes build/PRESET ready for ninja; does nothing when it is.
configure_preset() {
    folder=$root/build/$1
    cache=$folder/CMakeCache.txt
    if [ -e "$folder/build.ninja" ] && [ "$folder/build.ninja" -nt "$root/CMakePresets.json" ] &&
        grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" 2>/dev/null; then
        return 0
    fi
    mkdir -p "$folder" || fail 4 "cannot write to $folder"
    say "configuring $1"
    # --fresh: a cache of a moved folder or of a configuration that failed for a missing package is of no use.
    compiler=
    case $1 in asan | tsan) compiler=$(find_clang) ;; esac
    if ! (cd "$root" && cmake --fresh --preset "$1" ${compiler:+"-DCMAKE_C_COMPILER=$compiler"}) >"$folder/configure.log" 2>&1; then
        tail -n 20 "$folder/configure.log" >&2
        say "cmake could not configure the $1 preset (whole output: $folder/configure.log)"
        return 1
    fi
}

# build_preset PRESET [TARGET...]: builds into build/PRESET.
build_preset() {
    folder=$root/build/$1
    configure_preset "$1" || return 1
    shift
    if [ -e "$folder/bin/spadework" ]; then
        say "building ${folder##*/}"
    else
        say "building ${folder##*/} (the first time takes some minutes)"
    fi
    [ $# -gt 0 ] || set -- all
    if ! ninja -C "$folder" "$@" >"$folder/build.log" 2>&1; then
        grep -v '^\[[0-9]*/[0-9]*\] [A-Z]' "$folder/build.log" | tail -n 40 >&2
        say "the build failed (whole output: $folder/build.log)"
        return 1
    fi
}
