#!/bin/sh
# The sources look as .clang-format says and are written as house/style.awk says: lines, files and functions of a
# size to be read, a comment at the head of each file, units in the public headers.
#   SOURCE_DIR  repository (default: this one)
# First it checks itself: it must refuse one example of each kind of fault.
set -u
here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
cd "${SOURCE_DIR:-$here/../..}" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Tracked sources that are there; all sources where there is no git.
sources() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -- '*.c' '*.h'
    else
        find data soil machine input render trainer packaging tests -name '*.[ch]'
    fi | while IFS= read -r file; do
        [ ! -e "$file" ] || printf '%s\n' "$file"
    done
}

# Public headers: those in a floor's own folder, what each kind of file may say, and those behind a door of the trainer.
public_headers() {
    {
        sources | grep -E '^((soil|machine|input|render)/[a-z_]*|data/schema/([a-z_]*_params|load))\.h$' |
            grep -vE '_(internal|parts)\.h$'
        sources | awk -F/ 'NF == 3 && $1 == "trainer" && $3 == $2 ".h"' |
            xargs sed -n 's,^#include "\(trainer/.*\)"$,\1,p'
    } | tr '\n' ','
}

# faults PUBLIC: prints what style.awk finds in the files named on standard input.
faults() {
    xargs awk -v public="$1" -f "$here/house/style.awk"
}

broken() {
    echo "style.sh itself is broken: $1"
    exit 1
}

# refuses WHAT FILE, accepts FILE: the text on standard input, as a public header when it is a .h.
accepts() {
    cat >"$work/$1"
    found=$(echo "$work/$1" | faults "$work/$1")
    [ -z "$found" ] || broken "it refuses $found"
}
refuses() {
    cat >"$work/$2"
    [ -n "$(echo "$work/$2" | faults "$work/$2")" ] || broken "it does not see $1"
}

# repeat COUNT TEXT: TEXT as often, a line each.
repeat() {
    awk -v count="$1" -v text="$2" 'BEGIN { for (k = 0; k < count; k++) print text }'
}

check_itself() {
    printf '/// Example.\nint example;\n' | accepts a.c
    printf 'int example;\n' | refuses "a file without a head comment" a.c
    { printf '/// Example.\n// '; repeat 118 x | tr -d '\n'; echo; } | refuses "a comment of 121 columns" a.c
    { printf '/// Example.\n// '; repeat 117 '°' | tr -d '\n'; echo; } | accepts a.c
    { echo '/// Example.'; repeat 1500 ''; } | refuses "a file of 1501 lines" a.c
    { printf '/// Example.\nvoid f(void)\n{\n'; repeat 60 '    g();'; echo '}'; } | accepts a.c
    { printf '/// Example.\nvoid f(void)\n{\n'; repeat 61 '    g();'; echo '}'; } | refuses "a function of 61 lines" a.c
    printf '/// Example.\nstruct s {\n    double depth; ///< m\n    /// Pa, of the bank\n    double cohesion;\n};\n' | accepts a.h
    printf '/// Example.\nstruct s {\n    double depth; ///< how deep\n};\n' | refuses "a member without a unit" a.h
    printf '/// Example.\n/// Digs `depth` m deep.\nvoid f(double depth);\n' | accepts a.h
    printf '/// Example.\n/// Digs deep.\nvoid f(double depth);\n' | refuses "a parameter without a unit" a.h
    printf '/// Example.\n/// Digs 2 m deep.\nvoid f(\n    double depth);\n' | refuses "a parameter that is not named" a.h
    printf '/// Example.\n/// Asks for the depth.\ndouble f(int k);\n' | refuses "a result without a unit" a.h
    printf '/// Example.\n/// Whoever waits sleeps.\nint k;\n' | refuses "a comment about nobody" a.c
    printf '/// Example.\n// The fault is told.\nint k;\n' | refuses "a comment that tells" a.c
    printf '/// Example.\nint k; ///< rooms are told apart\n' | refuses "another comment that tells" a.c
    printf '/// Example.\n/// Tools cut.\nint told = 1; // told is a name\n' | accepts a.c
}

check_itself
[ "${1-}" != --self-check ] || exit 0
result=0
wrong=$(sources | faults "$(public_headers)")
if [ -n "$wrong" ]; then
    printf '%s\n' "$wrong"
    result=1
fi
if ! sources | xargs clang-format --dry-run --Werror >"$work/format" 2>&1; then
    grep error: "$work/format" | sed 's/:.*//' | sort -u | while IFS= read -r file; do
        echo "$file: not formatted; run: clang-format -i $file"
    done
    result=1
fi
exit $result
