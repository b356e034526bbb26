#!/bin/sh
# Compares what differently built programs compute, to the last bit: sh tests/same_bits.sh [--all] [VARIANT...]
#   VARIANT   gcc-O0 .. gcc-O3, clang-O0 .. clang-O3 (clang), arm64 (gcc -O2 for another processor, in qemu)
#   --all     all of them; without it and a VARIANT, gcc-O0 and clang-O2
#   SECONDS_DRIVEN  simulated seconds of each scene (2)
#   ARM64_ODE       folder with a libode.so.8 for arm64 that is used instead of Debian's
# Each variant replays what the release build has recorded, and the other way round, and both must end in the same state; as
# the processor is, with the C library's functions for processors without FMA, and in qemu on one without AVX (Nehalem).
# Prints a table; ends with 1 when bits differ. Debian's ODE for arm64 is compiled with FMA: that it differs there is no
# fault, as long as it is told by name.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"

every='gcc-O0 gcc-O1 gcc-O2 gcc-O3 clang-O0 clang-O1 clang-O2 clang-O3 arm64'
variants=
for argument in "$@"; do
    case " $every " in
    *" $argument "*) variants="$variants $argument" ;;
    *)
        [ "$argument" = --all ] || fail 2 "tests/same_bits.sh: unknown $argument; known: --all, $every"
        variants=$every
        ;;
    esac
done
seconds=${SECONDS_DRIVEN:-2}
# An excavator that digs; rocks on soil in motion; a bulldozer; trucks. In qemu, what takes little of it.
scenes="$root/tests/support/small.yaml $root/tests/support/rocks.yaml ripping haul"
emulated="$root/tests/support/small.yaml ripping"
narrow=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX,-AVX2,-AVX512F
install_packages run bits
case " $variants " in *" arm64 "*) install_packages arm64 ;; esac

work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
result=0
export SPADEWORK_ARM64="$root/build/arm64"

# make_arm64: unpacks the packages of arm64 that the build needs, once; nothing of them is run or installed.
make_arm64() {
    [ ! -e "$SPADEWORK_ARM64/usr/lib/aarch64-linux-gnu/libode.so" ] || return 0
    say "fetching packages of arm64"
    wanted=$(packages_of run | grep -e '-dev$' | tr '\n' ,)
    suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    mmdebstrap --variant=extract --architectures=arm64 --include="libc6-dev,$wanted" "$suite" "$SPADEWORK_ARM64" \
        http://deb.debian.org/debian >"$root/build/arm64.log" 2>&1 || fail 4 "mmdebstrap failed, see $root/build/arm64.log"
}

# build_variant VARIANT: the program in build/bits-VARIANT. The type Debug, as Release has levels of its own for the soil.
build_variant() {
    folder=$root/build/bits-$1
    case $1 in
    arm64) set -- -O2 --toolchain "$root/tests/support/arm64.cmake" ;;
    clang-*) set -- "${1#clang}" -DCMAKE_C_COMPILER="$(find_clang)" ;;
    gcc-*) set -- "${1#gcc}" -DCMAKE_C_COMPILER=gcc ;;
    esac
    level=$1
    shift
    say "building ${folder##*/}"
    mkdir -p "$folder"
    { cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=$level -DNDEBUG" \
        -DSPADEWORK_TESTS=OFF "$@" && ninja -C "$folder" spadework; } >"$folder.log" 2>&1 ||
        fail 4 "$folder does not build, see $folder.log"
}

# program VARIANT COMPUTER ARGS...: runs that program there, output in out and err.
program() {
    at=$root/build/bits-$1/bin/spadework
    [ "$1" != release ] || at=$release
    computer=$2
    shift 2
    case $computer in
    arm64) set -- qemu-aarch64-static -L "$SPADEWORK_ARM64" ${ARM64_ODE:+-E LD_LIBRARY_PATH="$ARM64_ODE"} "$at" "$@" ;;
    no-AVX) set -- qemu-x86_64-static -cpu Nehalem "$at" "$@" ;;
    no-FMA) set -- env "GLIBC_TUNABLES=$narrow" "$at" "$@" ;;
    *) set -- "$at" "$@" ;;
    esac
    "$@" >"$work/out" 2>"$work/err"
}

# record VARIANT COMPUTER SCENE FILE: prints the hash of the last state.
record() {
    program "$1" "$2" run "$3" --headless --operator auto --seconds "$seconds" --record "$4" --json
    sed -n 's/.*"hash": "\(.*\)".*/\1/p' "$work/out"
}

# verify VARIANT COMPUTER FILE: prints "same", or where it differs.
verify() {
    if program "$1" "$2" replay "$3" --verify; then
        echo same
    elif grep -q 'another kind of computer' "$work/err"; then
        sed 's/.*first at tick \([0-9]*\) .*recorded on \([^;]*\)/tick \1, told/; s/, told.*/, told/' "$work/err"
    else
        sed 's/.*first at tick \([0-9]*\).* in \(.*\)/tick \1: \2/' "$work/err"
    fi
}

# compare VARIANT COMPUTER SCENE...: a line of the table for each scene.
compare() {
    variant=$1 computer=$2
    shift 2
    for scene in "$@"; do
        name=$(basename "$scene" .yaml)
        begun=$(date +%s)
        own=$work/own.spade
        rm -f "$own"
        there=$(verify "$variant" "$computer" "$work/$name.spade")
        hash=$(record "$variant" "$computer" "$scene" "$own")
        back=$(verify release here "$own")
        equal=same
        [ "$hash" = "$(cat "$work/$name.hash")" ] || equal=other
        printf '%-9s %-7s %-8s %-16s %-16s %-6s %4d\n' "$variant" "$computer" "$name" "$there" "$back" "$equal" \
            $(($(date +%s) - begun))
        case $there$back$equal in
        samesamesame | *told*told*) ;;
        *) result=1 ;;
        esac
    done
}

build_preset release spadework texts || exit 1
release=$root/build/release/bin/spadework
for scene in $scenes; do
    name=$(basename "$scene" .yaml)
    record release here "$scene" "$work/$name.spade" >"$work/$name.hash"
    [ -s "$work/$name.hash" ] || fail 1 "$scene cannot be recorded: $(cat "$work/err")"
done
printf '%-9s %-7s %-8s %-16s %-16s %-6s %4s\n' build runs scene 'replays release' 'release replays' state s
for variant in release ${variants:-gcc-O0 clang-O2}; do
    if [ "$variant" = arm64 ]; then
        make_arm64
        build_variant arm64
        # shellcheck disable=SC2086 # a list of scenes
        compare arm64 arm64 $emulated
        continue
    fi
    # shellcheck disable=SC2086
    if [ "$variant" != release ]; then
        build_variant "$variant"
        compare "$variant" here $scenes
    fi
    # shellcheck disable=SC2086
    compare "$variant" no-FMA $scenes
    # shellcheck disable=SC2086
    compare "$variant" no-AVX $emulated
done
[ $result -eq 0 ] && say "all of it has the same bits, or says why not"
exit $result
