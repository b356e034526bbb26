#!/bin/sh
# Each door header begins with what the library is for and an example: the example is compiled as it stands there, behind
# declarations of what it takes as given.
#   SOURCE_DIR  repository (default: this one)
# First it checks itself: an example that calls what is not there must be refused.
set -u
here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
cd "${SOURCE_DIR:-$here/../..}" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
flags="-std=c17 -D_XOPEN_SOURCE=700 -I. -I$work $(pkg-config --cflags sdl2 epoxy jansson sqlite3 pangocairo ode)" || exit 1

# example HEADER: the first indented paragraph of its head that holds statements.
example() {
    awk '/^#ifndef/ { exit }
        /^\/\/\/     / { block = block substr($0, 5) "\n"; next }
        { if (block ~ /;( \/\/[^\n]*)?\n/) exit; block = "" }
        END { printf "%s", block }' "$1"
}

# faults HEADER GIVEN [INCLUDE]: what is wrong with the example of a header; GIVEN are declarations.
faults() {
    body=$(example "$([ -e "$1" ] && echo "$1" || echo "$work/$1")")
    [ -n "$body" ] || { echo "$1: no example in its head" && return; }
    {
        printf '#include <stdio.h>\n#include "%s"\n' "$1" ${3:+"$3"} | sed '/^#include <stdio.h>$/d; 1i #include <stdio.h>'
        printf 'int example(int argc, char **argv);\nint example(int argc, char **argv)\n{\n(void)argc;\n(void)argv;\n%s\n' "$2"
        printf '%s\nreturn 0;\n}\n' "$body"
    } >"$work/example.c"
    # shellcheck disable=SC2086 # a list of flags
    cc $flags -fsyntax-only -Wall -Werror -Wno-unused -Wno-uninitialized -Wno-maybe-uninitialized "$work/example.c" 2>&1
}

printf '/// Example.\n///\n///     int x = 1;\n///     use(x);\nvoid use(int x);\n' >"$work/good.h"
printf '/// Example.\n///\n///     no_such_function(1);\nvoid use(int x);\n' >"$work/bad.h"
[ -z "$(faults good.h '')" ] || { echo "doors.sh itself is broken: it refuses a good example" && exit 1; }
[ -n "$(faults bad.h '')" ] || { echo "doors.sh itself is broken: it accepts a bad example" && exit 1; }

{
    faults data/files/files.h ''
    faults data/schema/schema.h '' stdlib.h
    faults trainer/sim/sim.h ''
    faults trainer/record/record.h 'Session *session; Status status; OperatorControls levers; bool drives(void);'
    faults trainer/results/results.h 'Session *session; Status status; Credit credit;'
    faults trainer/report/report.h ''
    faults trainer/pilot/pilot.h 'Status status; DriveHost host;'
    faults trainer/remote/remote.h 'RunOptions options; int drive(const RunOptions *, const DriveGuide *, Status *);'
    faults trainer/app/app.h 'RunOptions options; Session *session;'
    faults trainer/cli/cli.h ''
    faults soil/soil.h 'SceneParams scene; SoilTool tool; Status status;'
    faults machine/machine.h 'MachineParams params; OperatorControls controls; Status status; Vec3 places[99]; MachineGround ground[99];'
    faults input/input.h 'ControlsParams params; SDL_Event event; double dt; InputMemory memory; OperatorControls controls; Status status;' SDL.h
    faults render/render.h 'RenderParams params; RenderView view; Status status;'
} >"$work/found"
[ ! -s "$work/found" ] || { cat "$work/found" && exit 1; }
