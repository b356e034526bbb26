#!/bin/sh
# Installs what is missing, builds and runs the tests: sh tests/run.sh [--quick | --all | --after-sanitize]
#   (nothing)          unit tests, and the program as a user drives it, all with the dev build (asserts, warnings are errors)
#   --quick            the unit tests alone
#   --all              everything in both builds: whole drives, the long ways through the window, and these in three languages
#   --after-sanitize   without the tests that `tests/sanitize.sh asan` runs
# Whole drives and long ways through the window (labels `long`, `long_e2e`) are left to --all, which tests/long.sh runs.
# Ends with 0 only when everything was built and every test passed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"

dev='unit sanitized e2e' release=
for argument in "$@"; do
    case $argument in
    --quick) dev='unit sanitized' ;;
    --all)
        release='unit sanitized long e2e long_e2e'
        export LANGUAGES='en de es' # walk.sh
        ;;
    --after-sanitize) dev='unit e2e' ;;
    *) fail 2 "tests/run.sh: unknown option $argument; known: --quick, --all, --after-sanitize" ;;
    esac
done
install_packages program run test

result=0
jobs=$(nproc 2>/dev/null || echo 2)

# run_tests PRESET LABEL...: builds everything and runs the tests with these labels. A test that works all the time counts for two
# (tests/CMakeLists.txt), others wait for a window or another process more than they work.
run_tests() {
    preset=$1
    shift
    labels=$(printf '|%s' "$@")
    build_preset "$preset" && ctest --test-dir "$root/build/$preset" --output-on-failure --no-tests=error \
        --timeout 400 --parallel "$((3 * jobs))" -L "^(${labels#|})\$" || result=1
}

# shellcheck disable=SC2086 # lists of words
run_tests dev $dev
# shellcheck disable=SC2086 # lists of words
[ -z "$release" ] || run_tests release $release
[ $result -eq 0 ] && say "all tests passed" || say "tests failed"
exit $result
