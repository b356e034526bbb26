#!/bin/sh
# What is installed is enough: a program that digs with the libraries is built from the installed tree alone, by pkg-config,
# and runs with the installed data.
#   BUILD_DIR  the build folder (default: build/release)
. "$(dirname "$0")/common.inc"

build=${BUILD_DIR:-$root/build/release}
cmake --install "$build" --prefix "$work/usr" >installed 2>&1 || wrong "cmake --install: $(tail -n 3 installed)"
export PKG_CONFIG_PATH="$work/usr/lib/pkgconfig"
flags=$(pkg-config --cflags --libs spadework-soil spadework-machine) || wrong "pkg-config does not find the libraries"
# A user has no source tree: only the program itself is taken from it.
cp "$root/tests/e2e/library_user.c" .
# shellcheck disable=SC2086 # a list of words
cc -std=c17 -Wall -Wextra -Werror library_user.c $flags -o user 2>err || wrong "cc: $(head -n 5 err)"
./user "$work/usr/share/spadework/data" >out 2>err || wrong "exit $?: $(cat err)"
grep -q '^soil mass constant, machine at rest$' out || wrong "says: $(cat out)"
# Each header can be included alone.
(cd "$work/usr/include/spadework" && find . -name '*.h') | while IFS= read -r header; do
    printf '#include "%s"\n' "${header#./}" >alone.c
    # shellcheck disable=SC2086
    cc -std=c17 -Wall -Wextra -Werror -fsyntax-only alone.c $flags 2>err || echo "${header#./}: $(head -n 2 err)"
done >alone
[ ! -s alone ] || wrong "headers that need another one before them: $(cat alone)"
exit $result
