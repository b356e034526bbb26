#!/bin/sh
# Builds Spadework, with everything it needs, and runs it: sh trainer/run.sh [--build-only] [ARGS...]
# ARGS are those of the program; relative paths among them count from the folder this is called in.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"

build_only=no
if [ "${1-}" = --build-only ]; then
    build_only=yes
    shift
fi
install_packages program run
targets=spadework
[ ! -e "$root/tests/bench/main.c" ] || targets="$targets bench"
[ ! -e "$root/tests/validation/command/main.c" ] || targets="$targets validate"
# shellcheck disable=SC2086 # a list of words
build_preset release $targets || exit 4
[ "$build_only" = no ] || exit 0
# A look at a station has a broker and a database with it, unless it is told of others.
case " $* " in
*' --broker '* | *' --results '*) ;;
*' serve '*'--demo '*) exec sh "$root/trainer/serve_demo.sh" "$root/build/release/bin/spadework" "$@" ;;
esac
exec "$root/build/release/bin/spadework" "$@"
