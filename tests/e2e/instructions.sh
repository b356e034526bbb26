#!/bin/sh
# test: long
# The instructions of a tick of five scenes are those of tests/bench/instructions, within 2 % (tests/bench/stages.sh). Fewer are
# wrong, too: the file is to say what the program takes. It has rows of one compiler and of processors with AVX2: with others this
# ends with 77 (skipped).
. "$(dirname "$0")/common.inc"
command -v valgrind >/dev/null || { echo "$script: valgrind is missing; tests/run.sh installs it" && exit 1; }
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "${BUILD_DIR:-$root/build/release}/CMakeCache.txt")
version=$($compiler -dumpversion)
case $($compiler --version | head -n 1) in *gcc*|*GCC*|cc\ *) ;; *) version=none ;; esac
grep -q avx2 /proc/cpuinfo || version=none
grep -q "^$version " "$root/tests/bench/instructions" ||
    { echo "$script: skipped: tests/bench/instructions has no row of this compiler and processor" && exit 77; }
cp "$root/tests/bench/instructions" expected
sh "$root/tests/bench/stages.sh" --count >counted || wrong "stages.sh --count: exit $?"
[ "$(wc -l <counted)" -eq 5 ] || wrong "not five scenes: $(cat counted)"
# differs: the scenes of `counted` that differ from `expected`.
differs() {
    awk -v version="$version" '
        NR == FNR { if ($1 == version) expected[$2] = $3; next }
        !($1 in expected) { print $1 ": no row"; next }
        { ratio = $2 / expected[$1] }
        ratio < 0.98 || ratio > 1.02 { printf "%s: %d instructions a tick, expected %d (%.3f)\n", $1, $2, expected[$1], ratio }
    ' expected counted
}
[ -z "$(differs)" ] || wrong "not within 2 %, write them into tests/bench/instructions if they are meant: $(differs)"
# It finds what it looks for.
awk '{ $3 = int($3 * (NR % 2 == 0 ? 1.03 : 0.97)); print }' "$root/tests/bench/instructions" >expected
[ "$(differs | wc -l)" -eq 5 ] || wrong "three per cent more or less are not found: $(differs)"
echo "$script: $(tr '\n' ',' <counted)"
exit $result
