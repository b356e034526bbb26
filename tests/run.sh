#!/bin/sh
# Installs what is missing, builds and runs the tests: sh tests/run.sh [--quick | --all | --after-sanitize]
#   (nothing)          unit tests of the dev build (asserts, warnings are errors), then the program itself in the release build
#   --quick            the unit tests of the dev build alone
#   --all              every unit test in both builds, whole drives too, and the window in three languages
#   --after-sanitize   without the tests that `tests/sanitize.sh asan` runs
# Whole drives (label `long`) are left to --all and to tests/long.sh.
# Ends with 0 only when everything was built and every test passed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"

dev='all unit sanitized' release='e2e'
for argument in "$@"; do
    case $argument in
    --quick) release= ;;
    --all)
        dev='all unit sanitized long' release='unit sanitized long e2e'
        export LANGUAGES='en de es' # walk.sh
        ;;
    --after-sanitize) dev='all unit' ;;
    *) fail 2 "tests/run.sh: unknown option $argument; known: --quick, --all, --after-sanitize" ;;
    esac
done
install_packages program run test

result=0
jobs=$(nproc 2>/dev/null || echo 2)

# run_tests PRESET JOBS LABEL...: `all` builds everything.
run_tests() {
    preset=$1 at_once=$2
    shift 2
    targets=$(printf ' tests-%s' "$@" | sed 's/ tests-all/ all/')
    labels=$(printf '|%s' "$@")
    # shellcheck disable=SC2086 # a list of words
    build_preset "$preset" $targets && ctest --test-dir "$root/build/$preset" --output-on-failure --no-tests=error \
        --timeout 400 --parallel "$at_once" -L "^(${labels#|})\$" || result=1
}

# shellcheck disable=SC2086 # lists of words
run_tests dev "$((jobs + 1))" $dev # some wait for a broker, a database or a picture
# shellcheck disable=SC2086 # lists of words
[ -z "$release" ] || run_tests release "$((3 * jobs))" $release
[ $result -eq 0 ] && say "all tests passed" || say "tests failed"
exit $result
