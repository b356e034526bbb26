#!/bin/sh
# Installs what is missing, builds and runs the tests: sh tests/run.sh [--quick]
#   (nothing)  unit tests of the dev build (asserts, warnings are errors), then every test of the release build
#   --quick    the unit tests of the dev build alone
# Ends with 0 only when everything was built and every test passed.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"

quick=no
for argument in "$@"; do
    case $argument in
    --quick) quick=yes ;;
    *) fail 2 "tests/run.sh: unknown option $argument; known: --quick" ;;
    esac
done
install_packages program run test

result=0
jobs=$(nproc 2>/dev/null || echo 2)

# run_tests PRESET [CTEST OPTIONS...]
run_tests() {
    folder=$root/build/$1
    shift
    ctest --test-dir "$folder" --output-on-failure --no-tests=error --timeout 400 --parallel "$jobs" "$@" || result=1
}

if build_preset dev; then
    run_tests dev -R '^test_'
else
    result=1
fi
if [ "$quick" = no ]; then
    if build_preset release; then
        run_tests release
    else
        result=1
    fi
fi
[ $result -eq 0 ] && say "all tests passed" || say "tests failed"
exit $result
