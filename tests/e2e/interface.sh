#!/bin/sh
# The interface for programs as it is installed: libspadework shows its own names alone, links neither SDL nor OpenGL nor SQLite,
# and a C program that is built with its header and pkg-config steps, records, saves and restores; the recording verifies.
#   BUILD_DIR  the build folder (default: build/release)
. "$(dirname "$0")/common.inc"
build=${BUILD_DIR:-$root/build/release}
unset SPADEWORK_DATA
for component in data runtime library; do
    cmake --install "$build" --prefix "$work/usr" --component $component >installed 2>&1 || wrong "cmake --install: $(tail -n 3 installed)"
done
library=$work/usr/lib/libspadework.so.0

# Every name is in the header, and the list is this one: a name that goes or changes its version breaks programs.
nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' | sort >names
sort >wanted <<'LIST'
spadework_abi@@SPADEWORK_0
spadework_close@@SPADEWORK_0
spadework_create@@SPADEWORK_0
spadework_error@@SPADEWORK_0
spadework_events@@SPADEWORK_0
spadework_exercise@@SPADEWORK_0
spadework_file@@SPADEWORK_0
spadework_hash@@SPADEWORK_0
spadework_heights@@SPADEWORK_0
spadework_info@@SPADEWORK_0
spadework_observe@@SPADEWORK_0
spadework_order@@SPADEWORK_0
spadework_particles@@SPADEWORK_0
spadework_record@@SPADEWORK_0
spadework_record_end@@SPADEWORK_0
spadework_render@@SPADEWORK_0
spadework_reset@@SPADEWORK_0
spadework_restore@@SPADEWORK_0
spadework_save@@SPADEWORK_0
spadework_step@@SPADEWORK_0
spadework_step_many@@SPADEWORK_0
spadework_tick@@SPADEWORK_0
LIST
cmp -s names wanted || wrong "names of the library: $(diff wanted names)"
for name in $(sed 's/@.*//' wanted); do
    grep -q "SPADEWORK_API .*$name(" "$work/usr/include/spadework.h" || wrong "the header lacks $name"
done
objdump -p "$library" | awk '$1 == "NEEDED" { print $2 }' >needed
! grep -E 'SDL|GL|epoxy|sqlite|cairo|pango|mosquitto|pq' needed >outside || wrong "links $(cat outside)"
objdump -p "$library" | grep -q 'SONAME *libspadework.so.0' || wrong "another SONAME"
# Nothing that a host has a right to: no exit, no signal handler, no change of its environment or locale.
nm -D --undefined-only "$library" | awk '{ print $2 }' | sed 's/@.*//' |
    grep -xE 'exit|_exit|_Exit|quick_exit|setenv|putenv|unsetenv|setlocale|signal|sigaction|atexit|chdir|fork|system' >outside
[ ! -s outside ] || wrong "calls $(tr '\n' ' ' <outside)"

export PKG_CONFIG_PATH="$work/usr/lib/pkgconfig"
flags=$(pkg-config --cflags --libs spadework) || wrong "pkg-config does not find the library"
cp "$root/tests/e2e/interface_user.c" .
for standard in c99 c17; do
    # shellcheck disable=SC2086 # a list of words
    cc -std=$standard -Wall -Wextra -Wpedantic -Werror interface_user.c $flags -Wl,-rpath,"$work/usr/lib" -o user 2>err ||
        wrong "cc -std=$standard: $(head -n 5 err)"
done
if command -v c++ >/dev/null 2>&1; then
    printf '#include <spadework.h>\nint main() { return static_cast<int>(spadework_abi() >> 16); }\n' >plus.cc
    # shellcheck disable=SC2086
    c++ -Wall -Wextra -Wpedantic -Werror plus.cc $flags -o plus 2>err || wrong "c++: $(head -n 5 err)"
fi
./user "$work/episode.spade" >out 2>err || wrong "exit $?: $(cat out err)"
hash=$(sed -n 's/^hash //p' out)
run replay episode.spade --verify
[ $code -eq 0 ] || wrong "the recording: $(cat err)"
sqlite3 episode.spade 'select printf("%016x", hash) from state order by tick desc limit 1' >last 2>err ||
    wrong "sqlite3: $(cat err)"
[ "$(cat last)" = "$hash" ] || wrong "the recording's last state is $(cat last), the program's $hash"
# What is not there is named.
mv "$work/usr/lib/libspadework-record.so.0" "$work/gone"
if ldconfig -p 2>/dev/null | grep -q libspadework-record; then :; else
    ./user "$work/other.spade" >out 2>err && wrong "records without the library that records"
    grep -q 'libspadework-record.so.0' err || wrong "does not name the library that lacks: $(cat err)"
fi
exit $result
