#!/bin/sh
# Builds, tests and drives on systems that have nothing yet: sh tests/fresh.sh [--quick] [--keep] [SUITE...]
#   SUITE    release of Debian: bookworm, trixie (both when none is named); or of Ubuntu: noble (24.04)
#   --quick  `tests/run.sh --quick` in place of all tests
#   --keep   leaves the system of a suite with a fault where it is, and prints where
#   MIRROR=URL         of Debian's packages (default: the one that apt of this computer reads)
#   UBUNTU_MIRROR=URL  of Ubuntu's packages (default: the public archive)
# debootstrap installs each suite (variant minbase) into a temporary folder; proxy and mirror are those of this computer's
# apt. A clone of HEAD goes there; what is not committed is not in it. In the root, which has no display, no /sys and no
# variables but PATH, HOME and TERM, a newcomer's first commands run: trainer/run.sh, a short drive that is verified, the
# doctor, tests/run.sh, and the Debian package, which is installed in a second root that has no compiler.
# Prints a table of the steps and the tests that failed; the logs lie in build/fresh/SUITE. Ends with 1 when a step failed.
# Needs root (chroot and mounts), 8 GB in TMPDIR and no network beyond the mirror. Mounts live in a namespace of their own
# and end with it.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"

known='bookworm trixie'
suites='' tests='' keep=no
for argument in "$@"; do
    case $argument in
    --quick) tests=--quick ;;
    --keep) keep=yes ;;
    bookworm | trixie | noble) suites="$suites $argument" ;;
    *) fail 2 "tests/fresh.sh: unknown $argument; known: --quick, --keep, $known, noble" ;;
    esac
done
[ "$(id -u)" -eq 0 ] || fail 4 "tests/fresh.sh: only root may change the root folder and mount; run it as root"
install_packages fresh
command -v debootstrap >/dev/null || fail 4 "tests/fresh.sh: debootstrap is missing: this is not a Debian system"
unshare --mount --pid --fork true 2>/dev/null ||
    fail 4 "tests/fresh.sh: this computer allows no mount namespaces (a container without CAP_SYS_ADMIN?)"

work=$(mktemp -d "${TMPDIR:-/tmp}/spadework-fresh.XXXXXX") || exit 4
free=$(df -Pk "$work" | awk 'NR == 2 { print int($4 / 1048576) }')
inside=
# Every process of a root dies with the first one of its namespace, and so do the mounts.
tidy() {
    [ -z "$inside" ] || { kill -KILL "$inside" 2>/dev/null && wait "$inside" 2>/dev/null; }
    [ "$keep" = kept ] || rm -rf --one-file-system "$work"
}
trap tidy EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
[ "$free" -ge 8 ] || fail 4 "tests/fresh.sh: $work has $free GB, 8 are needed: set TMPDIR to a folder with more room"

# What this computer's apt reads Debian's packages from, and how.
mirror=${MIRROR:-$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    sed -n 's/^Debian \(http.*\)/\1/p' | head -n 1)}
mirror=${mirror:-http://deb.debian.org/debian}
mirror=${mirror%/}
apt_config() {
    apt-config dump | grep -E '^Acquire::(http|https|Retries|Check-|ForceIPv|Languages)' | grep -v ' "";$'
}

# make_root SUITE FOLDER: a minimal system, with this computer's way to the mirror. A debootstrap that is older than the suite
# takes the script of the release before it; without Ubuntu's keyring only apt inside the root checks signatures.
make_root() {
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    source=$mirror script='' components=main keyring=''
    if [ "$1" = noble ]; then
        source=${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu} components=main,universe
        [ -e /usr/share/debootstrap/scripts/noble ] || script=jammy
        [ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || keyring=--no-check-gpg
    fi
    # shellcheck disable=SC2154,SC2086 # set by apt-config; an option or nothing
    ${proxy:+env http_proxy="$proxy" https_proxy="$proxy"} debootstrap --variant=minbase --components="$components" $keyring \
        --include="$(case $source in https:*) echo ca-certificates ;; *) echo apt ;; esac)" "$1" "$2" "$source" \
        ${script:+"/usr/share/debootstrap/scripts/$script"} || return 1
    apt_config >"$2/etc/apt/apt.conf.d/90host"
    for file in resolv.conf hosts ssl/certs/ca-certificates.crt; do
        [ ! -e "/etc/$file" ] || { mkdir -p "$2/etc/$(dirname $file)" && cp -L "/etc/$file" "$2/etc/$file"; }
    done
}

# within FOLDER COMMAND...: runs the command in the root, in /srv/spadework, with devices and /proc, without /sys.
within() {
    # shellcheck disable=SC2016 # variables of the inner shell
    unshare --mount --pid --fork --kill-child sh -c '
        root=$1
        shift
        mount -t proc proc "$root/proc" && mount -t tmpfs -o mode=755 tmpfs "$root/dev" || exit 99
        for device in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
            numbers=${device#*:}
            mknod -m 666 "$root/dev/${device%%:*}" c "${numbers%:*}" "${numbers#*:}" || exit 99
        done
        mkdir "$root/dev/pts" "$root/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts" || exit 99
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" || exit 99
        ln -s pts/ptmx "$root/dev/ptmx"
        ln -s /proc/self/fd "$root/dev/fd"
        for stream in stdin:0 stdout:1 stderr:2; do
            ln -s "fd/${stream#*:}" "$root/dev/${stream%:*}"
        done
        exec chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
            sh -c "mkdir -p /srv/spadework && cd /srv/spadework && exec \"\$@\"" sh "$@"' sh "$@" </dev/null &
    inside=$!
    wait "$inside"
    code=$?
    inside=
    return $code
}

# step NAME COMMAND...: runs it with its output in NAME.log, and notes how it went.
step() {
    name=$1
    shift
    begun=$(date +%s)
    if "$@" >"$logs/$name.log" 2>&1; then verdict=good; else verdict=FAILED; fi
    say "$suite: $(printf '%-10s %s, %d s' "$name" "$verdict" $(($(date +%s) - begun)))"
    [ "$verdict" = good ] && return 0
    result=1
    failed="$failed $suite/$name"
    return 1
}

# What a newcomer runs, in the root. `git` is not there before the tests install it.
# shellcheck disable=SC2016 # variables of the root's shell
drive='program=build/release/bin/spadework
"$program" run trench --headless --operator auto --seconds 5 --record /tmp/drive.spade || exit
"$program" replay /tmp/drive.spade --verify || exit
"$program" run haul --headless --operator auto --seconds 2 --shot /tmp/picture.png --quality low || exit
[ -s /tmp/picture.png ] || exit'
# Without a display the doctor ends with 4; every part of it must have answered.
# shellcheck disable=SC2016
doctor='build/release/bin/spadework doctor --quality low >/tmp/doctor.txt
[ $? -eq 4 ] || exit
cat /tmp/doctor.txt
! grep -E "crashed|not looked" /tmp/doctor.txt'
# shellcheck disable=SC2016
pack='cpack --config build/release/CPackConfig.cmake -B /tmp/deb && ls -l /tmp/deb/spadework_*.deb'
# shellcheck disable=SC2016
install='apt-get update && apt-get install -y --no-install-recommends /tmp/deb/spadework_*.deb /tmp/deb/spadework-data_*.deb && cd /tmp &&
spadework run trench --headless --operator auto --seconds 2 --record installed.spade --shot installed.png --quality low &&
spadework replay installed.spade --verify && [ -s installed.png ]'
# Programs and examples of the interface, with nothing that they do not depend on.
# shellcheck disable=SC2016
interface='apt-get install -y --no-install-recommends /tmp/deb/libspadework0_*.deb /tmp/deb/python3-spadework_*.deb && cd /tmp &&
for example in random_agent plan_by_saving clone_expert force_plot; do
    echo "$example" && python3 /usr/share/doc/python3-spadework/examples/"$example".py --quick || exit
done'

# Newer compilers warn of more; only the dev build stops at a warning.
has_no_warnings() {
    ! grep -h -A 3 'warning:' "$system"/srv/spadework/build/*/build.log
}

# What git would call changed or new, which a clone must not have after its first start. Run outside: the root has no git.
is_clean() {
    git -C "$system/srv/spadework" status --porcelain >"$work/status"
    cat "$work/status"
    [ ! -s "$work/status" ]
}

# The package is installed where there is nothing that the build needed.
try_package() {
    within "$system" sh -c "$pack" && cp -r "$system/tmp/deb" "$plain/tmp/" &&
        within "$plain" sh -c "$install" && within "$plain" sh -c "$interface"
}

run_suite() {
    system=$work/$suite plain=$work/$suite-plain logs=$root/build/fresh/$suite
    rm -rf "$logs" && mkdir -p "$logs" || fail 4 "cannot write to $logs"
    say "$suite"
    step debootstrap make_root "$suite" "$system" || return
    cp -a "$system" "$plain"
    step clone git clone -q --no-hardlinks "$root" "$system/srv/spadework" || return
    step start within "$system" sh trainer/run.sh || return
    step warnings has_no_warnings
    step clean is_clean
    step drive within "$system" sh -c "$drive"
    step doctor within "$system" sh -c "$doctor"
    # shellcheck disable=SC2086 # an option or nothing
    step tests within "$system" sh tests/run.sh $tests ||
        sed -n '/^The following tests FAILED/,$p' "$logs/tests.log" | grep -E '^[[:space:]]*[0-9]+ - ' >&2
    step package try_package
}

result=0 failed=''
[ -z "$(git -C "$root" status --porcelain 2>/dev/null)" ] || say "what is not committed is not tested"
for suite in ${suites:-$known}; do
    run_suite
    if [ "$keep" = yes ] && case $failed in *" $suite/"*) true ;; *) false ;; esac; then
        say "$suite: the system is left in $work/$suite"
        kept=yes
    else
        rm -rf --one-file-system "$work/$suite" "$work/$suite-plain"
    fi
done
[ -z "${kept-}" ] || keep=kept
[ $result -eq 0 ] && say "fresh systems: all is good" || say "fresh systems: FAILED:$failed; logs in $root/build/fresh"
exit $result
