#!/bin/sh
# The Functional Mock-up Unit: the zip has the layout of FMI 3.0, its XML is checked by fmu_check.py, and an importer in C
# (fmu_importer.c) runs it beside the C library, with nothing of Spadework but what is in the zip.
#   BUILD_DIR  the build folder (default: build/release)
. "$(dirname "$0")/common.inc"
build=${BUILD_DIR:-$root/build/release}
[ -e "$build/spadework.fmu" ] || { echo "$script: $build/spadework.fmu is missing: build the target fmu" && exit 1; }
mkdir "un packed" && cd "un packed" || exit 1
cmake -E tar xf "$build/spadework.fmu" || wrong "the FMU is no archive"
library=$(find "$PWD/binaries" -name '*.so')
case $library in
*/binaries/x86_64-linux/spadework.so | */binaries/aarch64-linux/spadework.so) ;;
*) wrong "libraries: $library" ;;
esac
for file in documentation/index.html documentation/licenses/license.txt documentation/externalDependencies.txt resources/session.txt; do
    [ -s $file ] || wrong "$file is missing"
done
# All importers can unzip it: deflated or stored, version 2.0, no data behind a stored file.
python3 - "$build/spadework.fmu" <<'PYTHON' || wrong "the zip"
import sys, zipfile
for entry in zipfile.ZipFile(sys.argv[1]).infolist():
    if entry.compress_type not in (0, 8) or entry.extract_version > 20 or entry.flag_bits & 1 or (
            entry.compress_type == 0 and entry.flag_bits & 8):
        sys.exit(f'{entry.filename}: {entry}')
PYTHON
xmllint --html --noout documentation/index.html 2>err && [ ! -s err ] || wrong "index.html: $(head -n 3 err)"

# The library shows the standard's functions alone, and needs what its list says.
nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' | sort >../names
[ "$(grep -c '^fmi3[A-Z]' ../names)" -eq 75 ] && [ "$(wc -l <../names)" -eq 75 ] || wrong "names of the library: $(tr '\n' ' ' <../names)"
objdump -p "$library" | sed -n 's/^ *NEEDED *//p' | cmp -s - documentation/externalDependencies.txt || wrong "externalDependencies.txt"
grep -E 'SDL|GL|epoxy|sqlite' documentation/externalDependencies.txt && wrong "links more than it needs"
objdump -p "$library" | grep -q 'RUNPATH *\$ORIGIN' || wrong "no RUNPATH"

python3 "$root/tests/e2e/fmu_check.py" modelDescription.xml --itself >../variables || wrong "modelDescription.xml"
grep -q '^Float64 output 10[0-9][0-9] observation.boom_angle$' ../variables || wrong "no angle of the boom"
scene=$(sed -n 's/^scenes //p' resources/session.txt)
# The C library beside it gets the data; the FMU has its own, and finds none elsewhere.
export SPADEWORK_DATA=/nowhere
"$build/bin/fmu_importer" "$library" "$PWD/resources/" "$scene" "$root/data" <../variables >../out 2>&1 || wrong "$(head -n 12 ../out)"
grep -q '^good$' ../out || wrong "the importer: $(head -n 12 ../out)"
printf 'x\n' >resources/session.txt
"$build/bin/fmu_importer" "$library" "$PWD/resources" "$scene" "$root/data" <../variables >../out 2>&1 && wrong "runs without its resources"
grep -q "session.txt: 'x' is no line" ../out || wrong "says of damaged resources: $(cat ../out)"
exit $result
