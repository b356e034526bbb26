#!/bin/sh
# Runs the tests under tools that see wrong accesses, undefined behaviour, races and leaks: sh tests/sanitize.sh [--all] [PART...]
#   asan      unit tests with the address and undefined behaviour sanitizers (gcc); without --all, those named below
#   tsan      tests of threads with the thread sanitizer (clang-14)
#   valgrind  memcheck of a short session without a window, recorded (SECONDS_DRIVEN=1.5)
# Without a PART, all three. Prints how long each took; ends with 1 when one found something.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"

# What reads files of strangers, writes, allocates or goes along arrays: the short ones of each floor.
short='^test_(data|input|machine)_|^test_soil_(memory|ground|views|tray|absorb|pair_update|team|turns)$|^test_trainer_(found_by_fuzzing|fault_disk|state_io|bookmarks|results|results_output|company|session|cli|metrics)$'
threads='^test_soil_(team|turns|solver|paper)$|^test_trainer_(recording|session)$'
parts= all=no
for argument in "$@"; do
    case $argument in
    --all) all=yes ;;
    asan | tsan | valgrind) parts="$parts $argument" ;;
    *) fail 2 "tests/sanitize.sh: unknown $argument; known: --all, asan, tsan, valgrind" ;;
    esac
done
install_packages run test fuzz
jobs=$(nproc 2>/dev/null || echo 2)

# names PRESET PATTERN: the test programs of a configured build that fit.
names() {
    (cd "$root" && find tests/unit -name 'test_*.c') | sed 's,.*/,,; s,\.c$,,' | grep -E "$1" | sort
}

# run_tests PRESET PATTERN: builds the programs and runs them.
run_tests() {
    configure_preset "$1" || return 1
    # shellcheck disable=SC2046 # names of programs
    build_preset "$1" $(names "$2") || return 1
    ctest --test-dir "$root/build/$1" --output-on-failure --no-tests=error --timeout 400 --parallel "$jobs" -R "$2"
}

part_asan() {
    pattern=$short
    [ "$all" = no ] || pattern='^test_'
    # Drivers of OpenGL keep what they took; so do fontconfig and pango.
    printf 'leak:%s\n' swrast_dri libGLX libEGL libLLVM libgallium libfontconfig libpango libSDL2 >"$root/build/lsan.txt"
    ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
        LSAN_OPTIONS=suppressions=$root/build/lsan.txt:print_suppressions=0 run_tests asan "$pattern"
}

# ignore_noninstrumented_modules: SQLite and the C library are not built with it.
part_tsan() {
    TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1 run_tests tsan "$threads"
}

# Valgrind knows no AVX-512; the program chooses its kernels by what the processor says, which valgrind answers.
part_valgrind() {
    build_preset release spadework texts || return 1
    folder=$(mktemp -d) || return 1
    valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
        "$root/build/release/bin/spadework" run "$root/tests/support/small.yaml" --headless --operator auto \
        --seconds "${SECONDS_DRIVEN:-1.5}" --record "$folder/short.spade"
    code=$?
    rm -rf "$folder"
    return $code
}

result=0
mkdir -p "$root/build"
for part in ${parts:-asan tsan valgrind}; do
    begun=$(date +%s)
    if "part_$part"; then verdict="found nothing"; else verdict="FOUND FAULTS" result=1; fi
    say "$part $verdict, $(($(date +%s) - begun)) s with building"
done
exit $result
