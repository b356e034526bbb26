#!/bin/sh
# The Python package, with its own bases and with those of Gymnasium, or of a stand-in where that is not installed.
#   BUILD_DIR  the build folder (default: build/release)
. "$(dirname "$0")/common.inc"

export SPADEWORK="$spadework" SOURCE_DIR="$root" PYTHONDONTWRITEBYTECODE=1
export SPADEWORK_LIBRARY="${BUILD_DIR:-$root/build/release}/lib/libspadework.so.0"
python=python3 # Debian's, where another one is before it that has no numpy
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3

# tests PATH MODULE...: runs them with PATH before the package.
tests() {
    path=$1
    shift
    PYTHONPATH="$path:$root/trainer/python:$root/tests/python" "$python" -W error::ResourceWarning -m unittest "$@" >out 2>err ||
        wrong "$*: $(tail -n 40 err)"
}

tests "" test_spaces test_session test_env test_vector test_documents
standin=$root/tests/python/standin
! "$python" -c 'import gymnasium' 2>/dev/null || standin=
tests "$standin" test_gymnasium
PYTHONPATH="$root/trainer/python" "$python" "$root/tests/python/gymnasium_real.py" >out 2>err
code=$?
[ $code -eq 0 ] || [ $code -eq 77 ] || wrong "gymnasium_real.py: $(tail -n 5 out err)"
exit $result
