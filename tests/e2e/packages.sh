#!/bin/sh
# What is installed runs alone: a prefix that was moved, without the variable that names the data; manual page, completion and menu
# entry are as their programs want them, and CPack makes packages that hold what is installed.
#   BUILD_DIR  the build folder (default: build/release)
. "$(dirname "$0")/common.inc"
build=${BUILD_DIR:-$root/build/release}
unset SPADEWORK_DATA

for component in program data; do
    cmake --install "$build" --prefix "$work/first" --component $component >installed 2>&1 ||
        wrong "cmake --install: $(tail -n 3 installed)"
done
mv first moved
spadework=$work/moved/bin/spadework
share=$work/moved/share
cd / && "$spadework" --version | grep -q '^spadework [0-9]' || wrong "no version"
cd "$work" || exit 1
# The data beside the program is read, not that of the sources: a scene that is only there is listed, one taken away is not.
mv "$share/spadework/data/scenes/trench.yaml" "$share/spadework/data/scenes/my-own-trench.yaml"
run list scenes
grep -q '^my-own-trench ' out || wrong "does not read the installed data: $(head -n 3 out)"
grep -q '^trench ' out && wrong "reads the data of the sources"
mv "$share/spadework/data/scenes/my-own-trench.yaml" "$share/spadework/data/scenes/trench.yaml"
run run trench --headless --operator auto --seconds 1 --record a.spade
[ $code -eq 0 ] || wrong "a headless run: exit $code: $(cat err)"
run replay a.spade --verify
[ $code -eq 0 ] || wrong "replay --verify: exit $code: $(cat err)"
# So are texts in other languages.
mkdir -p spoiled
run list scenes --language de
[ $code -eq 0 ] || wrong "no German: $(cat err)"
mv "$share/spadework/texts/de.mo" spoiled
run list scenes --language de
[ $code -ne 0 ] || wrong "reads the texts of the build"

# Every shipped file is there; what makes the pictures is not shipped.
(cd "$root/data" && find . -path ./pictures -prune -o -name '*.yaml' -o -name '*.glsl' -o -name '*.obj' -o -path './console/*.*' -o -path './classroom/*.*') | while IFS= read -r file; do
    [ -e "$share/spadework/data/$file" ] || echo "$file"
done >lacking
[ ! -s lacking ] || wrong "not installed: $(cat lacking)"

gzip -dc "$share/man/man1/spadework.1.gz" >spadework.1
for command in run replay results; do
    grep -q "^.SS \"spadework $command" spadework.1 || wrong "the manual page has no $command"
done
if command -v man >/dev/null 2>&1; then
    man --warnings -l spadework.1 >page 2>err && [ ! -s err ] || wrong "man: $(cat err)"
fi
if command -v desktop-file-validate >/dev/null 2>&1; then
    desktop-file-validate "$share/applications/spadework.desktop" >out 2>&1 || wrong "menu entry: $(cat out)"
fi
if command -v bash >/dev/null 2>&1; then
    # shellcheck disable=SC2016 # bash's own variables
    bash -c '. "$1"; COMP_WORDS=(spadework run tren); COMP_CWORD=2; _spadework "$2"; echo "${COMPREPLY[*]}"
        COMP_WORDS=(spadework run trench --head); COMP_CWORD=3; _spadework "$2"; echo "${COMPREPLY[*]}"' \
        bash "$share/bash-completion/completions/spadework" "$spadework" >out 2>err
    grep -qw trench out && grep -qx -e --headless out || wrong "completion: $(cat out err)"
fi

if command -v dpkg-deb >/dev/null 2>&1 && command -v dpkg-shlibdeps >/dev/null 2>&1; then
    (cd "$work" && cpack --config "$build/CPackConfig.cmake" -B "$work/deb") >packed 2>&1 || wrong "cpack: $(tail -n 5 packed)"
    dpkg-deb -c deb/spadework_*.deb >list || wrong "no package of the program"
    for file in bin/spadework share/man/man1/spadework.1.gz \
        share/applications/spadework.desktop share/doc/spadework/copyright; do
        grep -q " ./usr/$file\$" list || wrong "the package lacks $file"
    done
    dpkg-deb -f deb/spadework_*.deb Depends | grep -q 'libmicrohttpd12.*libmosquitto1.*libsdl2-2.0-0.*libsqlite3-0' || wrong "the package names no libraries"
    for held in spadework-data:share/spadework/data/scenes/trench.yaml spadework-dev:lib/spadework/libsoil.a \
        spadework-dev:include/spadework.h libspadework0:lib/libspadework.so.0.1.0 \
        python3-spadework:lib/python3/dist-packages/spadework/__init__.py; do
        dpkg-deb -c deb/"${held%%:*}"_*.deb >list && grep -q " ./usr/${held#*:}\$" list || wrong "package ${held%%:*} lacks ${held#*:}"
    done
    dpkg-deb -f deb/libspadework0_*.deb Depends >depends
    grep -q 'libode8.*libyaml-0-2' depends || wrong "libspadework0 names no libraries: $(cat depends)"
    ! grep -E 'libsdl|libgl|libepoxy' depends || wrong "libspadework0 needs a display"
fi
exit $result
