#!/bin/sh
# The arrows between the floors point down only: trainer -> {soil, machine, input, render} -> data.
# Checks every #include of the sources, and the symbols that the headless libraries leave undefined.
#   SOURCE_DIR  repository (default: this one)   BUILD_DIR  a build folder; without it symbols are not checked
# First it checks itself: it must refuse one example of each kind of wrong include and wrong symbol.
set -u
source_dir=${SOURCE_DIR:-$(dirname "$0")/../..}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# wrong_includes FOLDER: prints "file:line: reason" for each include that a floor may not have.
wrong_includes() {
    (cd "$1" && for floor in data soil machine input render trainer; do
        find "$floor" -name '*.[ch]' 2>/dev/null | sort | while IFS= read -r file; do
            awk -v floor="$floor" -v file="$file" '
                BEGIN {
                    allowed["data"] = " data "
                    allowed["soil"] = " soil data "
                    allowed["machine"] = " machine data "
                    allowed["input"] = " input data "
                    allowed["render"] = " render data "
                    allowed["trainer"] = " trainer soil machine input render data "
                    window = file ~ /^trainer\/((window|screens)\/.*|main)\.[ch]$/
                }
                function refuse(why) { printf "%s:%d: %s: %s\n", file, FNR, $0, why }
                /^[ \t]*#[ \t]*include[ \t]*["<]/ {
                    name = $0
                    sub(/^[^"<]*["<]/, "", name)
                    sub(/[">].*$/, "", name)
                    if (name ~ /\.\./) refuse("no way out of a folder by ..")
                    part = name
                    sub(/\/.*$/, "", part)
                    if (part != name && (part in allowed) && index(allowed[floor], " " part " ") == 0)
                        refuse(floor "/ may not know " part "/")
                    if (part != name && part == "render" && floor == "trainer" && !window)
                        refuse("only trainer/window and trainer/screens draw")
                    if (name ~ /^trainer\/(window|screens)\// && !window)
                        refuse("the headless trainer may not know its window")
                    if (name ~ /^(SDL|SDL2\/)/ && file != "input/devices.c" && !window)
                        refuse("SDL belongs in input/devices.c and trainer/window")
                    if (name ~ /^ode\// && floor != "machine")
                        refuse("ODE belongs in machine/")
                    if (name ~ /^(epoxy\/|GL\/|GLES|EGL\/|KHR\/)/ && floor != "render" && !window)
                        refuse("OpenGL belongs in render/ and trainer/window")
                }' "$file"
        done
    done)
}

# wrong_symbols LIBRARY: prints the undefined symbols that tie a headless library to a window.
wrong_symbols() {
    nm --undefined-only "$1" 2>/dev/null | awk '$1 == "U" { print $2 }' | sort -u |
        grep -E '^(SDL_|gl[A-Z]|epoxy_|egl[A-Z])'
}

# expect FILE LINE: the include must be refused in that file.
expect() {
    rm -rf "$work/house"
    mkdir -p "$work/house/${1%/*}"
    printf '/// Example.\n%s\n' "$2" >"$work/house/$1"
    if [ -z "$(wrong_includes "$work/house")" ]; then
        echo "layers.sh itself is broken: it accepts $2 in $1"
        exit 1
    fi
}

# accept FILE LINE: the include must pass in that file.
accept() {
    rm -rf "$work/house"
    mkdir -p "$work/house/${1%/*}"
    printf '/// Example.\n%s\n' "$2" >"$work/house/$1"
    if [ -n "$(wrong_includes "$work/house")" ]; then
        echo "layers.sh itself is broken: it refuses $2 in $1"
        exit 1
    fi
}

check_itself() {
    for floor in soil machine input render trainer; do
        expect data/example.c "#include \"$floor/example.h\""
    done
    expect soil/example.c '#include "machine/machine.h"'
    expect machine/example.h '  #  include "soil/soil.h"'
    expect machine/example.c '#include <soil/soil.h>'
    expect input/example.c '#include "trainer/session.h"'
    expect render/example.c '#include "soil/soil.h"'
    expect soil/example.c '#include "../machine/machine.h"'
    expect trainer/session.c '#include "render/render.h"'
    expect trainer/session.c '#include "trainer/window/window.h"'
    expect input/mapping.c '#include <SDL2/SDL.h>'
    expect trainer/session.c '#include <SDL.h>'
    expect trainer/coupling.c '#include <ode/ode.h>'
    expect soil/example.c '#include <epoxy/gl.h>'
    accept input/devices.c '#include <SDL.h>'
    accept trainer/window/window.c '#include <epoxy/gl.h>'
    accept trainer/window/window.c '#include "render/render.h"'
    accept trainer/window/window.h '#include "render/render.h"'
    accept machine/world.c '#include <ode/ode.h>'
    accept soil/example.c '#include "data/vec.h"'
    printf 'void SDL_Init(void);\nvoid example(void);\nvoid example(void)\n{\n    SDL_Init();\n}\n' >"$work/example.c"
    if cc -c "$work/example.c" -o "$work/example.o" && [ -z "$(wrong_symbols "$work/example.o")" ]; then
        echo "layers.sh itself is broken: it does not see an undefined SDL_Init"
        exit 1
    fi
}

check_itself
[ "${1-}" != --self-check ] || exit 0
result=0
wrong=$(wrong_includes "$source_dir")
if [ -n "$wrong" ]; then
    printf '%s\n' "$wrong"
    result=1
fi
if [ -n "${BUILD_DIR-}" ]; then
    for library in data soil machine trainer-core; do
        archive=$BUILD_DIR/lib$library.a
        if [ ! -e "$archive" ]; then
            echo "$archive is missing: build it first"
            result=1
            continue
        fi
        for symbol in $(wrong_symbols "$archive"); do
            echo "lib$library.a: undefined $symbol: this library must work without a window"
            result=1
        done
    done
fi
exit $result
