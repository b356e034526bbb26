#!/bin/sh
# Runs the tests under tools that see wrong accesses, undefined behaviour, races and leaks: sh tests/sanitize.sh [--all] [PART...]
#   asan      unit tests with the address and undefined behaviour sanitizers (clang): those with the label `sanitized`
#             (tests/CMakeLists.txt), with --all all
#   tsan      tests of threads with the thread sanitizer (clang)
#   valgrind  memcheck of a short session without a window, recorded (SECONDS_DRIVEN=1.5), with the dev build
# Without a PART, all three. Prints how long each took; ends with 1 when one found something.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"

threads='soil_team soil_turns soil_solver soil_paper record_recording sim_session sim_threads api_threads'
parts='' all=no kept_loaded=''
for argument in "$@"; do
    case $argument in
    --all) all=yes ;;
    asan | tsan | valgrind) parts="$parts $argument" ;;
    *) fail 2 "tests/sanitize.sh: unknown $argument; known: --all, asan, tsan, valgrind" ;;
    esac
done
install_packages run test fuzz
parts=${parts:-' asan tsan valgrind'}
jobs=$(nproc 2>/dev/null || echo 2)

# run_tests PRESET TARGETS OPTIONS...: builds the targets and runs the unit tests that ctest's options choose.
run_tests() {
    preset=$1 targets=$2
    shift 2
    # shellcheck disable=SC2086 # a list of words
    build_preset "$preset" $targets || return 1
    env LD_PRELOAD="$kept_loaded" ctest --test-dir "$root/build/$preset" --output-on-failure --no-tests=error --parallel "$jobs" "$@"
}

# What a driver of OpenGL keeps has no name once the driver is unloaded, and could then not be told from what is lost here.
keep_loaded() {
    kept_loaded=$root/build/keep_loaded.so
    printf 'int dlclose(void *handle) { return handle == 0; }\n' |
        "$(find_clang)" -shared -fPIC -x c - -o "$kept_loaded"
}

part_asan() {
    # Drivers of OpenGL keep what they took; so do fontconfig and pango.
    keep_loaded || return 1
    printf 'leak:%s\n' swrast_dri libGLX libEGL libLLVM libgallium libfontconfig libpango libSDL2 >"$root/build/lsan.txt"
    export ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
        LSAN_OPTIONS="suppressions=$root/build/lsan.txt:print_suppressions=0"
    if [ "$all" = yes ]; then
        run_tests asan "spadework texts tests-sanitized tests-unit tests-long" -L '^(sanitized|unit|long)$'
    else
        run_tests asan tests-sanitized -L '^sanitized$'
    fi
}

# ignore_noninstrumented_modules: SQLite and the C library are not built with it.
part_tsan() {
    export TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1
    run_tests tsan "unit_soil short_soil unit_record unit_sim short_sim short_api" -R "^test_($(echo $threads | tr ' ' '|'))\$"
}

# Valgrind knows no AVX-512; the program chooses its kernels by what the processor says, which valgrind answers.
part_valgrind() {
    build_preset dev spadework texts || return 1
    folder=$(mktemp -d) || return 1
    valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
        "$root/build/dev/bin/spadework" run "$root/tests/support/small.yaml" --headless --operator auto \
        --seconds "${SECONDS_DRIVEN:-1.5}" --record "$folder/short.spade"
    code=$?
    rm -rf "$folder"
    return $code
}

# run_part PART: says what it found and how long it took.
run_part() {
    begun=$(date +%s)
    if "part_$1"; then verdict="found nothing" found=0; else verdict="FOUND FAULTS" found=1; fi
    say "$1 $verdict, $(($(date +%s) - begun)) s with building"
    return $found
}

result=0
mkdir -p "$root/build"
# Valgrind runs one thread at a time, so the other parts go on beside it.
beside=
case $parts in
*valgrind*)
    run_part valgrind >"$root/build/valgrind.log" 2>&1 &
    beside=$!
    ;;
esac
for part in $parts; do
    [ "$part" = valgrind ] || run_part "$part" || result=1
done
if [ -n "$beside" ]; then
    wait "$beside" || result=1
    cat "$root/build/valgrind.log"
fi
exit $result
