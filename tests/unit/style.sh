#!/bin/sh
# The sources look as .clang-format says, and no source file is longer than 600 lines.
set -u
cd "${SOURCE_DIR:-$(dirname "$0")/../..}" || exit 1
longest=600
result=0

sources() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -- '*.c' '*.h'
    else
        find data soil machine input render trainer tests -name '*.[ch]'
    fi
}

for file in $(sources); do
    [ -e "$file" ] || continue # removed, not yet committed
    lines=$(wc -l <"$file")
    if [ "$lines" -gt $longest ]; then
        echo "$file: $lines lines; allowed are $longest: one concept a file"
        result=1
    fi
    if ! clang-format --dry-run --Werror "$file" >/dev/null 2>&1; then
        echo "$file: not formatted; run: clang-format -i $file"
        result=1
    fi
done
exit $result
