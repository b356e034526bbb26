#!/bin/sh
# GeoTIFF files that GDAL writes, as an office delivers them: `check` says the same of them as of the grid of text that GDAL makes of
# each, which another reader reads; a scene takes one, or a part of a large one, and its recording replays without the file.
. "$(dirname "$0")/common.inc"

# A hill on 24 x 14 cells of 0.5 m with two cells without a height, and a plane that rises by 1 cm a metre.
awk 'BEGIN {
    print "ncols 24\nnrows 14\nxllcorner 412356\nyllcorner 5653477\ncellsize 0.5\nNODATA_value -9999"
    for (row = 0; row < 14; row++) for (column = 0; column < 24; column++)
        printf "%s%s", row == 4 && (column == 7 || column == 8) ? -9999 : sprintf("%.3f", 147.2 + 0.1 * sin(0.4 * column) * cos(0.3 * row)), column < 23 ? " " : "\n"
}' >hill.asc
awk 'BEGIN {
    print "ncols 1500\nnrows 1200\nxllcorner 412000\nyllcorner 5653000\ncellsize 1\nNODATA_value -9999"
    for (row = 0; row < 1200; row++) { line = ""; for (column = 0; column < 1500; column++) line = line " " 140 + 0.01 * column; print line }
}' >plane.asc
gdal() { gdal_translate -q --config GDAL_PAM_ENABLED NO "$@" 2>gdal.err || wrong "gdal_translate $*: $(cat gdal.err)"; }
gdal -a_srs EPSG:25832 hill.asc float.tif
gdal -co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16 -co COMPRESS=DEFLATE -co PREDICTOR=3 float.tif tiled.tif
gdal -co COMPRESS=LZW -co BLOCKYSIZE=5 -ot Float64 -co ENDIANNESS=BIG -co BIGTIFF=YES float.tif big.tif
gdal -co COMPRESS=ZSTD -mo AREA_OR_POINT=Point float.tif point.TIFF
grep -q 'PixelIsPoint\|AREA_OR_POINT=Point' <<IN || wrong "GDAL wrote no point file"
$(gdalinfo point.TIFF)
IN

# survey FILE: what check says of it, without names; heights to the millimetre.
survey() {
    good check --json "$1"
    python3 -c 'import json, sys
surface = json.load(sys.stdin)[0]["survey"]["surfaces"][0]
print(surface["points"], surface["faces"], surface["loops"],
      *(f"{v:.3f}" for key in ("east", "north", "height", "middle") for v in surface[key]))' <out
}
expected=$(survey hill.asc)
for file in float.tif tiled.tif big.tif point.TIFF; do
    found=$(survey $file)
    [ "$found" = "$expected" ] || wrong "$file: read $found, the text has $expected"
done
good check float.tif
grep -q 'GeoTIFF in metre: surface "" with 334 points, 590 faces, a boundary of 2 loops$' out || wrong "check: $(cat out)"

# Whole numbers with a scale; GDAL's own rounding apart, heights are those that it says at the place.
gdal -ot Int16 -a_nodata -32768 -scale 147 148 -5000 5000 -a_scale 0.0001 -a_offset 147.5 float.tif whole.tif
good check --json whole.tif
python3 - whole.tif out >told <<'IN' || wrong "scaled heights are not those of GDAL: $(cat told)"
import json, subprocess, sys
surface = json.load(open(sys.argv[2]))[0]["survey"]["surfaces"][0]
heights = []
for row in range(14):
    for column in range(24):
        place = f"{412356.25 + 0.5 * column} {5653483.75 - 0.5 * row}"
        heights.append(place)
told = subprocess.run(["gdallocationinfo", "-geoloc", sys.argv[1]], input="\n".join(heights), capture_output=True, text=True).stdout
values = [float(line.split(":")[1]) for line in told.splitlines() if "Descaled Value" in line]
values = [v for v in values if v > 145]
low, high = surface["height"]
print(low, high, min(values), max(values), len(values))
sys.exit(not (len(values) >= 334 and abs(low - min(values)) < 1e-4 and abs(high - max(values)) < 1e-4))
IN

# Feet: plan and heights in US survey feet by the codes of their systems alone; heights of no unit are refused.
gdal -a_srs EPSG:2229+6360 hill.asc feet.tif
good check feet.tif
grep -q 'GeoTIFF in US survey foot' out || wrong "feet: $(cat out)"
grep -q 'east 125686.4[0-9] to 125689.9[0-9] m, north 1723183.3[0-9] to 1723185.2[0-9] m, height 44.8[0-9] to 44.9[0-9] m$' out || wrong "feet: $(cat out)"
gdal -a_srs EPSG:2229 hill.asc feet.tif
bad 1 'nothing states the unit of heights: state it, for example by gdal_translate -a_srs EPSG:2229+6360' check feet.tif
gdal -a_srs EPSG:4326 -a_ullr 9 50 9.001 49.999 hill.asc degrees.tif
bad 1 'degrees.tif: it is in degrees, allowed metres or feet: project it, for example by gdalwarp' check degrees.tif
gdal -a_srs EPSG:25832 -b 1 -b 1 float.tif bands.tif
bad 1 'bands.tif: read 2 bands, allowed one' check bands.tif
gdal -b 1 -mask 1 --config GDAL_TIFF_INTERNAL_MASK YES float.tif mask.tif
bad 1 'mask.tif: a mask hides some of its pixels' check mask.tif
head -c 700 float.tif >half.tif
bad 1 'half.tif: ' check half.tif
gdal -a_srs EPSG:25832 -of GTiff -co PROFILE=BASELINE float.tif plain.tif
bad 1 'plain.tif: it does not say where its pixels lie' check plain.tif

# What the libraries say of keys that are not well formed is not printed beside it.
python3 -c 'data = open("float.tif", "rb").read()
key = bytes([0, 4, 0, 0, 1, 0, 1, 0]) # GTModelTypeGeoKey in a tag that there is not
assert key in data
open("keys.tif", "wb").write(data.replace(key, bytes([0, 4, 0x61, 0x1e, 1, 0, 1, 0])))'
run check keys.tif
[ "$(wc -l <err)" -le 1 ] || wrong "more than one line on stderr: $(cat err)"

# A scene takes a file by its path; a large one only in part.
scene() {
    sed "s|^    file: house-pad|    file: $1|; s|expert: ./|expert: $root/tests/support/|; /^    \(east\|north\|elevation\):/d" \
        "$root/tests/support/house-pad.yaml" |
        sed "s|^    tolerance: 0.03|&\n    east: 412360\n    north: 5653480\n    elevation: $2\n$3|" >mine.yaml
}
gdal -oo DATATYPE=Float64 -a_srs EPSG:25832 -co COMPRESS=DEFLATE -co TILED=YES plane.asc large.tif
good check large.tif
grep -q 'with 1800000 points, 3594602 faces$' out || wrong "a large grid: $(cat out)"
grep -q 'with a part around its middle at x, y, z: .*, crop_length: 50, crop_width: 50}$' out || wrong "a large grid: $(cat out)"
scene large.tif 143.6 ''
bad 1 'the grid has 1500 x 1200 cells, which are more than 2000000 faces: state crop_length and crop_width' check mine.yaml
for file in large.tif plane.asc; do
    scene $file 143.6 '    crop_length: 12\n    crop_width: 8'
    good check mine.yaml
    good run mine.yaml --headless --seconds 0.5 --record $file.spade
    good export $file.spade --csv $file.csv
done
python3 -c 'import csv, sys
drives = [[{k: v for k, v in row.items() if not k.endswith("_ms")} for row in csv.DictReader(open(f))] for f in sys.argv[1:]]
sys.exit(drives[0] != drives[1])' large.tif.csv plane.asc.csv || wrong "a drive differs between a GeoTIFF and the same grid as text"
scene float.tif 147.35 ''
good check mine.yaml
good run mine.yaml --headless --seconds 0.5 --record float.spade
rm ./*.tif
good replay float.spade --verify
good replay large.tif.spade --verify
[ $result -eq 0 ] && echo "geotiff.sh: what GDAL writes is read as GDAL reads it"
exit $result
