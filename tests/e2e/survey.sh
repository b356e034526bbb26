#!/bin/sh
# Surveys as offices write them: what `check` says of a file, where a scene may put it, a part of a large one, and that a recording
# keeps what the scene took.
. "$(dirname "$0")/common.inc"
pad=$root/data/surfaces/house-pad.xml

good check "$pad"
for line in 'LandXML in meter: surface "house pad" with 31 points, 40 faces$' \
    'east 412356.00 to 412368.00 m, north 5653477.00 to 5653483.00 m, height 147.15 to 147.35 m$' \
    'east: 412362.00, north: 5653480.00, elevation: 147.25}$'; do
    grep -q "$line" out || wrong "check does not say '$line': $(cat out)"
done
good check --json "$pad"
python3 -c 'import json, sys
survey = json.load(sys.stdin)[0]["survey"]
pad = survey["surfaces"][0]
told = survey["format"], survey["unit"], pad["points"], pad["faces"], pad["loops"], pad["middle"]
sys.exit(told != ("LandXML", "meter", 31, 40, 1, [412362.0, 5653480.0, 147.25]))' <out || wrong "check --json: $(cat out)"

# An ending in capitals; a hole; a face that stands there twice is a warning.
sed 's|<F>3 12 13</F>||' "$pad" >hole.XML
good check hole.XML
grep -q '39 faces, a boundary of 2 loops' out || wrong "a survey with a hole: $(cat out)"
sed 's|<F>3 12 13</F>|&<F>12 13 3</F>|' "$pad" >twice.xml
good check twice.xml
grep -q '^warning: twice.xml:55:25: 1 face stands there twice and is taken once$' err || wrong "a face twice: $(cat err)"
run check --strict twice.xml
[ $code -eq 1 ] || wrong "--strict passes a warning"

# scene FILE KEYS: the pad's scene with another survey.
scene() {
    sed "s|^    file: house-pad|    file: $1|; s|expert: ./|expert: $root/tests/support/|; /^    \(east\|north\|elevation\):/d" \
        "$root/tests/support/house-pad.yaml" | sed "s|^    tolerance: 0.03|&\n$2|" >mine.yaml
}
keys() { printf '    %s\\n' "$@"; }
scene ./hole.XML "$(keys 'east: 412360' 'north: 5653480' 'elevation: 147.35')"
good check mine.yaml
scene ./twice.xml "$(keys 'east: 412360' 'north: 5653480' 'elevation: 147.35')"
good check mine.yaml
grep -q 'exercise.surface.file: ./twice.xml:55:25: 1 face stands there twice' err || wrong "a scene's warning: $(cat err)"

# What cannot be meant is refused with the numbers that put it right.
scene ./hole.XML "$(keys 'east: 412360' 'north: 5653480')"
bad 1 'allowed 10 over the level of the site (elevation: 147.25 would put its middle at z)' check mine.yaml
scene ./hole.XML "$(keys 'east: 412360' 'north: 5653480' 'elevation: 350')"
bad 1 'elevation: 147.25 would put its middle at z' check mine.yaml
scene ./hole.XML "$(keys 'east: 5653480' 'north: 412360' 'elevation: 147.35')"
bad 1 'east: 412362.00 and north: 5653480.00 would put its middle at x, y: are the two exchanged' check mine.yaml
scene ./hole.XML "$(keys 'east: 412360' 'north: 5653480' 'elevation: 147.35' 'crop_length: 6')"
bad 1 'exercise.surface.crop_length: stands alone' check mine.yaml
scene ./hole.XML "$(keys 'east: 412460' 'north: 5653480' 'elevation: 147.35' 'crop_length: 6' 'crop_width: 6')"
bad 1 'nothing of the surface lies in the crop' check mine.yaml

# Places in the units of the survey; what is no length is refused with those that are.
scene ./hole.XML "$(keys 'east: 1352884.433 ft_us' 'north: 18548162.729 ft' 'elevation: 14735 cm')"
good check mine.yaml
scene ./hole.XML "$(keys 'east: 412360' 'north: 5653.480 km' 'elevation: 147.35 m')"
good check mine.yaml
good run mine.yaml --set exercise.surface.east='1352884.433 ft_us' --headless --seconds 0.2 --record units.spade
good replay units.spade --verify
scene ./hole.XML "$(keys 'east: 412360 yd' 'north: 5653480' 'elevation: 147.35')"
bad 1 'exercise.surface.east: read 412360 yd, allowed a number, -100000000 to 100000000 m, or one with a unit (m, mm, cm, km, in, ft, ft_us, mile)' \
    check mine.yaml
scene ./hole.XML "$(keys 'east: 412360' 'north: 5653480' 'elevation: 147.35' 'crop_length: 2 km' 'crop_width: 5 ft')"
bad 1 'exercise.surface.crop_length: read 2 km, allowed 1 to 1000 m' check mine.yaml
scene ./hole.XML "$(keys 'east: 412360' 'north: 5653480' 'elevation: 147.35' 'z: 1 ft')"
bad 1 'exercise.surface.z: read 1 ft, allowed a number, -100 to 100' check mine.yaml

# A ground of 100,000 faces, larger than a scene keeps; a part of it, by a plane whose heights are known.
awk 'BEGIN {
    n = 224
    print "<?xml version=\"1.0\"?>\n<LandXML version=\"1.2\"><Units><Metric linearUnit=\"meter\"/></Units><Surfaces>"
    print "<Surface name=\"hill\"><Definition surfType=\"TIN\"><Pnts>"
    for (i = 0; i < n * n; i++) printf "<P id=\"%d\">%.3f %.3f %.4f</P>\n", i + 1, 5650000 + int(i / n), 412000 + i % n, 100 + 0.01 * (i % n)
    print "</Pnts><Faces>"
    for (i = 0; i < n - 1; i++) for (j = 0; j < n - 1; j++) {
        a = i * n + j + 1
        printf "<F>%d %d %d</F><F>%d %d %d</F>\n", a, a + 1, a + n + 1, a, a + n + 1, a + n
    }
    print "</Faces></Definition></Surface></Surfaces></LandXML>"
}' >hill.xml
good check hill.xml
grep -q '50176 points, 99458 faces$' out || wrong "a large survey: $(cat out)"
scene ./hill.xml "$(keys 'east: 412100' 'north: 5650100' 'elevation: 101')"
bad 1 'the surface reaches from -100, -100' check mine.yaml
scene ./hill.xml "$(keys 'east: 412100' 'north: 5650100' 'elevation: 101' 'crop_length: 6.5' 'crop_width: 5')"
good check mine.yaml
[ ! -s err ] || wrong "a crop warns: $(cat err)"
good run mine.yaml --headless --seconds 0.5 --record crop.spade
mv hill.xml elsewhere.xml
good replay crop.spade --verify
[ "$(stat -c %s crop.spade)" -lt 2000000 ] || wrong "the recording keeps all of the survey: $(stat -c %s crop.spade) bytes"

# A grid and a drawing as the pad's design, each a plane that rises by 1 cm a metre; their recordings keep them.
awk 'BEGIN {
    print "ncols 13\nnrows 7\nxllcenter 412356\nyllcenter 5653477\ncellsize 1\nNODATA_value -9999"
    for (row = 0; row < 7; row++) for (column = 0; column < 13; column++) printf "%.3f%s", 147.2 + 0.01 * column, column < 12 ? " " : "\n"
}' >pad.asc
awk 'BEGIN {
    print "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nENTITIES"
    for (column = 0; column < 12; column += 4) {
        print "0\n3DFACE\n8\nDESIGN"
        for (corner = 0; corner < 4; corner++) {
            x = column + (corner == 1 || corner == 2 ? 4 : 0)
            printf "%d\n%d\n%d\n%d\n%d\n%.2f\n", 10 + corner, 412356 + x, 20 + corner, 5653477 + (corner > 1 ? 6 : 0), 30 + corner, 147.2 + 0.01 * x
        }
    }
    print "0\nENDSEC\n0\nEOF"
}' >pad.DXF
for file in pad.asc pad.DXF; do
    good check $file
    grep -q 'east 412356.00 to 412368.00 m, north 5653477.00 to 5653483.00 m, height 147.20 to 147.32 m$' out || wrong "$file: $(cat out)"
    scene $file "$(keys 'east: 412360' 'north: 5653480' 'elevation: 147.35')"
    good check mine.yaml
    good run mine.yaml --headless --seconds 0.5 --record $file.spade
    mv $file elsewhere
    good replay $file.spade --verify
done
bad 1 'pad.DXF: ' check mine.yaml

# Lists of points, with columns by name and in the order of a grid; what numbers its points and does not say so is refused.
awk 'BEGIN {
    print "Punkt;Rechtswert;Hochwert;H\303\266he;Code"
    for (k = 0; k < 400; k++) {
        x = (k * 0.7548776662) % 1 * 14; y = (k * 0.5698402910) % 1 * 8
        line = sprintf("P%d;%.3f;%.3f;%.3f;GOK", k, 412355 + x, 5653476 + y, 147.2 + 0.01 * x)
        gsub(/[.]/, ",", line)
        print line
    }
}' >points.csv
awk 'BEGIN { for (row = 0; row < 7; row++) for (column = 0; column < 13; column++) print 412356 + column, 5653477 + row, 147.2 + 0.01 * column }' >points.xyz
sed '1d; s/;/ /g; s/,/./g; s/P//' points.csv >points.txt
bad 1 'points.txt:1:1: the first column seems to number the points: name the columns in a first line' check points.txt
good check points.xyz
grep -q 'points in metres, which the format does not say: surface "" with 91 points, 144 faces$' out || wrong "points on a grid: $(cat out)"
good check points.csv
grep -q 'surface "" with 400 points, 7[0-9][0-9] faces$' out || wrong "points: $(cat out)"
grep -q '    the points are joined to triangles; [0-9]* with an edge of more than 3.00 m are left out$' out || wrong "points: $(cat out)"
good check --json points.csv
python3 -c 'import json, sys
surface = json.load(sys.stdin)[0]["survey"]["surfaces"][0]
sys.exit(not (2.9 < surface["longest_edge"] < 3.1 and surface["long_faces"] > 0))' <out || wrong "check --json: $(cat out)"
for file in points.csv points.xyz; do
    scene $file "$(keys 'east: 412360' 'north: 5653480' 'elevation: 147.35')"
    good check mine.yaml
    good run mine.yaml --headless --seconds 0.5 --record $file.spade
    mv $file gone
    good replay $file.spade --verify
    mv gone $file
done
scene points.csv "$(keys 'east: 412360' 'north: 5653480' 'elevation: 147.35' 'longest_edge: 0.05')"
bad 1 'no triangle between the points has edges of at most 0.05 m: state a larger longest_edge' check mine.yaml
scene points.csv "$(keys 'east: 412360' 'north: 5653480' 'elevation: 147.35' 'longest_edge: 0')"
bad 1 'exercise.surface.longest_edge: ' check mine.yaml
scene "$pad" "$(keys 'east: 412360' 'north: 5653480' 'elevation: 147.35' 'longest_edge: 4')"
bad 1 'longest_edge: read 4 for a surface of LandXML, allowed for a list of points or lines' check mine.yaml

# Break lines of a drawing without faces: a crest across the pad, whose heights the joined surface keeps; a recording, too.
lines() {
    printf '0\nSECTION\n2\nENTITIES\n'
    for line in "412355 5653476 147.2 412369 5653476 147.2" "412355 5653484 147.2 412369 5653484 147.2" "$1" "$2"; do
        # shellcheck disable=SC2086 # six numbers
        printf '0\nLINE\n8\nCREST\n10\n%s\n20\n%s\n30\n%s\n11\n%s\n21\n%s\n31\n%s\n' $line
    done
    printf '0\nENDSEC\n0\nEOF\n'
}
lines "412355 5653480 147.4 412369 5653480 147.4" "412360 5653477 147.25 412360 5653483 147.25" >lines.dxf
bad 1 'the line meets that of line 37 at 412360.000, 5653480.000 with another height (147.250, 147.400)' check lines.dxf
lines "412355 5653480 147.4 412369 5653480 147.4" "412360 5653477 147.4 412360 5653483 147.4" >lines.dxf
good check lines.dxf
grep -q 'surface "CREST" with [0-9]* points, [0-9]* faces$' out || wrong "break lines: $(cat out)"
grep -q 'height 147.20 to 147.40 m$' out || wrong "break lines: $(cat out)"
scene lines.dxf "$(keys 'east: 412360' 'north: 5653480' 'elevation: 147.35' 'longest_edge: 20')"
good check mine.yaml
good run mine.yaml --headless --seconds 0.5 --record lines.spade
rm lines.dxf
good replay lines.spade --verify

# What a file is, its text says, whatever its name; names of layers in the drawing's own code page.
scene ./grid.xml "$(keys 'east: 412360' 'north: 5653480' 'elevation: 147.35')"
cp elsewhere grid.xml
good check grid.xml
good check mine.yaml
good run mine.yaml --headless --seconds 0.2 --record named.spade
good replay named.spade --verify
printf '0\nSECTION\n2\nHEADER\n9\n$DWGCODEPAGE\n3\nANSI_1252\n0\nENDSEC\n' >latin.dxf
sed 's/DESIGN/Gel\xe4nde/' elsewhere >>latin.dxf
scene ./latin.dxf "$(keys 'east: 412360' 'north: 5653480' 'elevation: 147.35' 'surface: Gelände')"
good check latin.dxf
grep -q 'surface "Gelände"' out || wrong "a layer of another code page: $(cat out)"
good check mine.yaml
good run mine.yaml --headless --seconds 0.2 --record latin.spade
good replay latin.spade --verify
# Volumes: a level ground and a plane that rises by 1 dm a metre through it, over 10 x 6 m: 7.5 m3 each of cut and fill.
for plane in 0 0.1; do
    awk -v rise=$plane 'BEGIN {
        print "ncols 21\nnrows 13\nxllcenter 412360\nyllcenter 5653480\ncellsize 0.5"
        for (row = 0; row < 13; row++) for (column = 0; column < 21; column++) printf "%.4f%s", 147 + rise * (0.5 * column - 5), column < 20 ? " " : "\n"
    }' >plane$plane.asc
done
good volume plane0.asc plane0.1.asc --json -o volume.pdf
python3 -c 'import json, sys
volume = json.load(sys.stdin)
told = [round(volume[key], 2) for key in ("area_m2", "cut_m3", "fill_m3", "lowest_m", "highest_m", "equal_share")]
sys.exit(told != [60, 7.5, 7.5, -0.5, 0.5, 0.06])' <out || wrong "volumes: $(cat out)"
[ "$(head -c 4 volume.pdf)" = %PDF ] || wrong "volume.pdf is no PDF"
good volume plane0.asc plane0.1.asc --cell 0.05 --tolerance 0.1 -o volume.png
grep -q '^equal         20.00 % of the area, within 0.1 m$' out || wrong "volumes: $(cat out)"
good volume plane0.asc plane0.asc
grep -q '^cut           0.000 m3$' out || wrong "no change: $(cat out)"
bad 2 'needs two survey files' volume plane0.asc
bad 2 'is one too many' volume plane0.asc plane0.asc plane0.asc
bad 2 'a name that ends in .pdf, .svg or .png is expected' volume plane0.asc plane0.1.asc -o volume.txt
cp volume.png picture.pdf
bad 4 'picture.pdf: exists and is not a PDF file' volume plane0.asc plane0.1.asc -o picture.pdf
bad 2 '0.01 to 10' volume plane0.asc plane0.1.asc --cell 0.001
sed 's/^xllcenter.*/xllcenter 1000/' plane0.asc >elsewhere.asc
bad 1 'have no place in common: east' volume plane0.asc elsewhere.asc
bad 1 'no surface named X' volume 'plane0.asc#X' plane0.asc

[ $result -eq 0 ] && echo "survey.sh: files are told, placed, cropped and kept"
exit $result
