#!/bin/sh
# What goes into the state of a session calls no function whose last bit the C library or the processor decides: those of
# data/core instead. Looks at the sources of the rooms that a session is made of, and of those that drive it.
#   SOURCE_DIR  repository (default: this one)
# First it checks itself: it must see such a call, and none in comments, members and other names.
set -u
here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
cd "${SOURCE_DIR:-$here/../..}" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Quantities in texts (data/core/quantity.c) are rounded by pow and go nowhere but to the screen.
rooms='data soil machine trainer/sim trainer/pilot'
functions='(sin|cos|tan|sincos|asin|acos|atan|atan2|sinh|cosh|tanh|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|fma|erf|tgamma|lgamma)[fl]?'

# calls FILE...: prints file, line and text of each call of such a function.
calls() {
    awk -v functions="(^|[^_a-zA-Z0-9.>])$functions\\\\(" '
        { code = $0; sub(/\/\/.*/, "", code) }
        code ~ functions { print FILENAME ":" FNR ": " $0 }' "$@"
}

printf '%s\n' 'y = sin(x);' 'y = -expf(x);' 'f(atan2(y, x))' 'y = 2.0*hypot(x, y);' >"$work/bad.c"
[ "$(calls "$work/bad.c" | wc -l)" -eq 4 ] || { echo "bits.sh itself is broken: it does not see a call" && exit 1; }
printf '%s\n' 'y = same_sin(x); // not sin(x)' 'at->log(x);' 'cosine(x)' '/// exp(x)' 'sqrt(x) + remainder(x, y)' >"$work/good.c"
[ -z "$(calls "$work/good.c")" ] || { echo "bits.sh itself is broken: it sees $(calls "$work/good.c")" && exit 1; }

# shellcheck disable=SC2046,SC2086 # lists of words
calls $(find $rooms -name '*.[ch]' ! -path data/core/quantity.c | sort) >"$work/found"
if [ -s "$work/found" ]; then
    echo "bits.sh: the C library decides the last bit; call same_... of data/core/elementary.h:"
    cat "$work/found"
    exit 1
fi
grep -q -e '-ffp-contract=off' CMakeLists.txt || { echo "bits.sh: CMakeLists.txt lacks -ffp-contract=off" && exit 1; }
echo "bits.sh: no room of a session calls what the C library rounds"
