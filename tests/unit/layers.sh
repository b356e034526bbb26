#!/bin/sh
# Which room may know which: checks every #include against house/layers.txt, looks for circles of rooms, of files and of calls, and
# for symbols of a window that the headless libraries leave undefined.
#   SOURCE_DIR  repository (default: this one)   BUILD_DIR  a build folder; without it symbols and calls are not checked
# First it checks itself: it must refuse one example of each kind of fault.
set -u
here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
source_dir=${SOURCE_DIR:-$here/../..}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# faults FOLDER [LAYERS]: prints the wrong includes and circles of a tree.
faults() {
    (cd "$1" && find data soil machine input render trainer packaging tests -name '*.[ch]' 2>/dev/null | sort |
        xargs awk -f "$here/house/circles.awk" -f "$here/house/layers.awk" "${2:-$here/house/layers.txt}")
}

# call_circles BUILD_DIR SOURCE_DIR: prints the files of the product that call each other in a circle, through whatever header.
# Which objects belong to the build CMake writes into compile_commands.json; others may be left from before a file moved.
call_circles() {
    (cd "$1" && {
        if [ -e compile_commands.json ]; then
            grep -o ' -o CMakeFiles/[^ ]*\.c\.o' compile_commands.json | cut -d ' ' -f 3
        else
            find CMakeFiles -name '*.c.o'
        fi
    } | sort -u | while IFS= read -r object; do
        source=${object#CMakeFiles/*.dir/}
        case $source in
        data/* | soil/* | machine/* | input/* | render/* | trainer/*) [ ! -e "$2/${source%.o}" ] || printf '%s\n' "$object" ;;
        esac
    done | xargs nm -A -P -g 2>/dev/null | awk -f "$here/house/circles.awk" -f "$here/house/calls.awk")
}

# wrong_symbols LIBRARY: prints the undefined symbols that tie a headless library to a window.
wrong_symbols() {
    nm --undefined-only "$1" 2>/dev/null | awk '$1 == "U" { print $2 }' | sort -u |
        grep -E '^(SDL_|gl[A-Z]|epoxy_|egl[A-Z])'
}

# put FILE LINE...: a source of the example tree.
put() {
    mkdir -p "$work/house/${1%/*}"
    printf '%s\n' "$@" | sed '1s,.*,/// Example.,' >"$work/house/$1"
}

# compile_examples: the example tree's sources, where CMake would put their objects.
compile_examples() {
    (cd "$work/house" && find . -name '*.c' | while IFS= read -r file; do
        object=$work/build/CMakeFiles/example.dir/${file#./}.o
        mkdir -p "${object%/*}" && cc -I. -c "$file" -o "$object"
    done) || broken "examples do not compile"
}

broken() {
    echo "layers.sh itself is broken: $1"
    exit 1
}

# refuses FILE LINE, accepts FILE LINE: that include in that file.
refuses() {
    put "$@"
    [ -n "$(faults "$work/house")" ] || broken "it accepts $2 in $1"
    rm -r "$work/house"
}
accepts() {
    put "$@"
    found=$(faults "$work/house")
    [ -z "$found" ] || broken "it refuses $2 in $1: $found"
    rm -r "$work/house"
}

check_itself() {
    for floor in soil machine input render trainer; do
        refuses data/core/example.c "#include \"$floor/example.h\""
    done
    refuses soil/example.c '#include "machine/machine.h"'
    refuses machine/example.h '  #  include "soil/soil.h"'
    refuses machine/example.c '#include <soil/soil.h>'
    refuses input/example.c '#include "trainer/sim/sim.h"'
    refuses render/example.c '#include "soil/soil.h"'
    refuses soil/example.c '#include "../machine/machine.h"'
    refuses trainer/sim/session.c '#include "render/render.h"'
    refuses trainer/sim/session.c '#include "trainer/app/app.h"'
    refuses trainer/record/example.c '#include "trainer/sim/session.h"' # past the door
    accepts trainer/record/example.c '#include "trainer/sim/sim.h"'
    accepts trainer/sim/example.c '#include "trainer/sim/session.h"'
    accepts tests/unit/record/example.c '#include "trainer/sim/session.h"'
    refuses input/mapping.c '#include <SDL2/SDL.h>'
    refuses trainer/sim/session.c '#include <SDL.h>'
    refuses trainer/sim/coupling.c '#include <ode/ode.h>'
    refuses soil/example.c '#include <epoxy/gl.h>'
    accepts input/devices/devices.c '#include <SDL.h>'
    accepts trainer/cli/graphics.c '#include <epoxy/gl.h>'
    accepts trainer/app/window.h '#include "render/render.h"'
    accepts machine/body/ode_world.c '#include <ode/ode.h>'
    accepts soil/soil.c '#include "data/core/vec.h"'
    accepts soil/soil.c '#include "data/schema/scene_params.h"' # plain values
    refuses soil/soil.c '#include "data/schema/load.h"'
    refuses trainer/cli/example.c '#include "data/schema/authoring.h"'
    refuses input/script.c '#include "data/files/csv_file.h"'
    accepts trainer/cli/example.c '#include "data/schema/schema.h"'
    accepts data/schema/example.c '#include "data/files/key_table.h"'

    # A circle of files: sand.c knows water, water.h knows sand.
    put soil/contact/sand.h
    put soil/contact/sand.c '#include "soil/contact/sand.h"' '#include "soil/contact/water.h"'
    put soil/contact/water.h
    [ -z "$(faults "$work/house")" ] || broken "it refuses files without a circle"
    put soil/contact/water.h '#include "soil/contact/sand.h"'
    faults "$work/house" | grep -q '^circle of 2 files' || broken "it does not see a circle of files"
    rm -r "$work/house"

    # A circle of rooms, over three arrows.
    put a/a.c
    printf '%s\n' 'a -> b' 'b -> c' 'c ->' >"$work/layers.txt"
    [ -z "$(faults "$work/house" "$work/layers.txt")" ] || broken "it refuses rooms without a circle"
    printf '%s\n' 'a -> b' 'b -> c' 'c -> a' >"$work/layers.txt"
    faults "$work/house" "$work/layers.txt" | grep -q '^circle of 3 rooms' || broken "it does not see a circle of rooms"
    printf '%s\n' 'a -> nowhere' >"$work/layers.txt"
    [ -n "$(faults "$work/house" "$work/layers.txt")" ] || broken "it accepts an arrow to a room that is none"
    rm -r "$work/house"

    # A circle of calls behind an internal header, which a circle of includes does not show.
    put soil/contact/sand_internal.h 'void sand_settle(int depth);' 'void sand_wet(int depth);'
    put soil/contact/sand.c '#include "soil/contact/sand_internal.h"' 'void sand_settle(int depth) { sand_wet(depth); }'
    put soil/contact/sand_water.c '#include "soil/contact/sand_internal.h"' 'void sand_wet(int depth) { (void)depth; }'
    compile_examples
    [ -z "$(call_circles "$work/build" "$work/house")" ] || broken "it refuses calls without a circle"
    put soil/contact/sand_water.c '#include "soil/contact/sand_internal.h"' 'void sand_wet(int depth) { if (depth) sand_settle(depth - 1); }'
    compile_examples
    [ -z "$(faults "$work/house")" ] || broken "the example's includes are at fault"
    call_circles "$work/build" "$work/house" | grep -q '^circle of 2 files that call each other' || broken "it does not see a circle of calls"
    rm -r "$work/house" "$work/build"

    printf 'void SDL_Init(void);\nvoid example(void);\nvoid example(void)\n{\n    SDL_Init();\n}\n' >"$work/example.c"
    if cc -c "$work/example.c" -o "$work/example.o"; then
        [ -n "$(wrong_symbols "$work/example.o")" ] || broken "it does not see an undefined SDL_Init"
    fi
}

check_itself
[ "${1-}" != --self-check ] || exit 0
result=0
wrong=$(faults "$source_dir")
if [ -n "$wrong" ]; then
    printf '%s\n' "$wrong"
    result=1
fi
if [ -n "${BUILD_DIR-}" ]; then
    for library in data soil machine sim record results report pilot remote; do
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
    circles=$(call_circles "$BUILD_DIR" "$source_dir")
    if [ -n "$circles" ]; then
        printf '%s\n' "$circles"
        result=1
    fi
fi
exit $result
