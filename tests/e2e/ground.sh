#!/bin/sh
# The ground that a drive leaves, written for survey programs and read by theirs: GDAL (GeoTIFF, ASCII grid, XYZ), ezdxf, and an XML
# parser for LandXML; in the survey's coordinates on a site that is turned, and in the site's own.
. "$(dirname "$0")/common.inc"
python=/usr/bin/python3
"$python" -c 'import ezdxf' 2>/dev/null || { echo "ground.sh: python3-ezdxf is missing; tests/run.sh installs it" && exit 1; }

sed "s|expert: ./|expert: $root/tests/support/|; s|column_spacing: 0.1|column_spacing: 0.25|" "$root/tests/support/house-pad.yaml" >pad.yaml
good run pad.yaml --headless --operator auto --seconds 8 --set exercise.surface.heading_deg=30 --record pad.spade
good export pad.spade --ground g.tif@8 --ground g.xml@8 --ground g.dxf@8 --ground g.xyz@8 --ground start.tif@0,start \
    --ground design.tif@8,design --ground firm.xyz@8,firm --ground site.asc@8,site --ground site.tif@8,site --json
cp out told.json
bad 2 'turned against its survey' export pad.spade --ground g.asc@8
bad 2 'read chalk, allowed start, design, firm, site or a soil of the scene (' export pad.spade --ground n.tif@8,chalk
bad 2 'its ending is to be .tif' export pad.spade --ground n.png@8
bad 2 'FILE@S, FILE@S,WHAT or FILE@S,site is expected' export pad.spade --ground n.tif
bad 2 'one of start, design, firm and a soil' export pad.spade --ground n.tif@8,start,firm
bad 2 'which holds seconds 0 to 8' export pad.spade --ground n.tif@9
echo text >n.tif
bad 4 'n.tif: exists and is not a TIFF file' export pad.spade --ground n.tif@8
echo words >n.xyz
bad 4 'n.xyz: exists and is not a list of points' export pad.spade --ground n.xyz@8
good export pad.spade --ground g.tif@8 --ground g.xyz@8

# GDAL's heights at the places of the list of points, which another writer wrote, every 97th one.
awk 'NR % 97 == 1' g.xyz >some.xyz
cut -d ' ' -f 1,2 some.xyz | gdallocationinfo -valonly -geoloc g.tif >read 2>err || wrong "gdallocationinfo: $(cat err)"
paste -d ' ' some.xyz read | awk '{ off = $3 - $4; if (off < 0) off = -off; if (NF < 4 || off > 1e-4) bad++ } END { exit bad > 0 || NR < 100 }' ||
    wrong "GDAL reads other heights of g.tif: $(paste -d ' ' some.xyz read | head -3)"
gdalinfo g.tif >info
grep -q 'AREA_OR_POINT=Area' info && grep -q 'NoData Value=-9999' info && grep -q 'Unit Type: metre' info || wrong "gdalinfo g.tif: $(cat info)"
for at in '0.1 0.1' '-3.3 2.6' '7.9 -4.4'; do
    # shellcheck disable=SC2086
    a=$(gdallocationinfo -valonly -geoloc site.asc $at) b=$(gdallocationinfo -valonly -geoloc site.tif $at)
    awk -v a="$a" -v b="$b" 'BEGIN { exit !(a != "" && a - b < 1e-4 && b - a < 1e-4) }' || wrong "site.asc at $at: $a, site.tif: $b"
done
gdal_translate -q -of XYZ site.tif gdal.xyz && gdal_translate -q site.tif copy.tif || wrong "gdal_translate of site.tif"
gdalinfo -stats design.tif | grep -q 'STATISTICS_VALID_PERCENT=100' && wrong "the design covers the whole site"

"$python" - <<'END' || wrong "ezdxf or an XML parser read other triangles"
import json, sys, xml.etree.ElementTree as xml
import ezdxf
points = [tuple(map(float, line.split())) for line in open("g.xyz")]
height = {(round(p[0], 3), round(p[1], 3)): p[2] for p in points}
faces = ezdxf.readfile("g.dxf").modelspace().query("3DFACE")
root = xml.parse("g.xml").getroot()
space = {"x": "http://www.landxml.org/schema/LandXML-1.2"}
corners = {p.get("id"): tuple(map(float, p.text.split())) for p in root.iterfind(".//x:P", space)}
triangles = [f.text.split() for f in root.iterfind(".//x:F", space)]
told = json.load(open("told.json"))["grounds"]
cells = (told[0]["rows"] - 1) * (told[0]["columns"] - 1)
assert len(points) == told[0]["rows"] * told[0]["columns"] and len(faces) == len(triangles) == 2 * cells, (len(faces), len(triangles))
def near(x, y, z):
    for dx in (0, 1e-3, -1e-3):
        for dy in (0, 1e-3, -1e-3):
            known = height.get((round(x + dx, 3), round(y + dy, 3)))
            if known is not None:
                return abs(known - z) < 2e-4
    return False
assert all(near(*v) for face in faces for v in face.wcs_vertices())
assert all(near(east, north, z) for north, east, z in corners.values())
assert told[0]["below_start_m3"] > 0 and told[4]["below_start_m3"] == 0 and told[4]["above_start_m3"] == 0, told
END
# In again as the start of another exercise, layers as they were: the same heights to 0.1 mm, from each format, also with the file
# gone. What a drive dug is open, what it tipped is fill.
place='east: 412360, north: 5653480, elevation: 147.35, heading_deg: 30'
for format in tif xml dxf xyz; do
    sed "s|^ground:|&\n  surface: {file: ./g.$format, $place, layers: stay, fill: loam}|; s|roughness: 0.05|roughness: 0|; s|^    elevation: 147.35|&\n    heading_deg: 30|" \
        pad.yaml >next.yaml
    good check next.yaml
    [ ! -s err ] || wrong "$format: a ground that covers the site warns: $(cat err)"
    good run next.yaml --headless --seconds 0.1 --record next.spade
    mv g.$format gone.$format
    good replay next.spade --verify
    good export next.spade --ground back.xyz@0,start
    mv gone.$format g.$format
    paste -d ' ' g.xyz back.xyz | awk '{ off = $3 - $6; if (off < 0) off = -off; if (off > 2.5e-4) bad++ } END { exit bad > 0 || NR < 10000 }' ||
        wrong "$format: other heights came in again: $(paste -d ' ' g.xyz back.xyz | head -2)"
    rm -f back.xyz next.spade
done
# Heights and volume of designs by a program of its own, on a site that is turned.
for kind in hills feet hole pieces; do
    "$python" "$root/tests/e2e/survey_check.py" make $kind.xml $kind
    sed "s|file: house-pad|file: ./$kind.xml|; s|elevation: 147.35|elevation: 147.4\n    heading_deg: -20|" pad.yaml >own.yaml
    good run own.yaml --headless --seconds 0.1 --record own.spade
    good export own.spade --ground design.xyz@0,design --ground start.xyz@0,start
    "$python" "$root/tests/e2e/survey_check.py" heights $kind.xml design.xyz 2>err || wrong "heights of $kind: $(tail -n 2 err)"
    "$python" "$root/tests/e2e/survey_check.py" volume $kind.xml design.xyz start.xyz 0.25 2>err || wrong "volume of $kind: $(tail -n 2 err)"
    rm -f own.spade design.xyz start.xyz
done

scene() {
    sed "s|^ground:|&\n  surface: {$1}|" pad.yaml >next.yaml
}
scene 'file: ./g.xml, heading_deg: 30, east: 412360, north: 5653480'
bad 1 'ground.surface.file: the surface reaches up to 148.' check next.yaml
scene "file: ./g.xml, $place, fill: loam"
bad 1 'ground.surface.fill: the key belongs to layers: stay' check next.yaml
scene "file: ./g.xml, heights: swale, $place"
bad 1 'ground.surface: read several of file and heights, allowed one of them' check next.yaml
scene 'file: ./g.xml, east: 400000, north: 5653480, elevation: 147.35'
bad 1 'nothing of the surface lies in the site, east' check next.yaml
scene 'heights: swale, x: 6.5, y: -5, heading_deg: 90, length: 10, width: 4, low: -0.35, high: 0'
good check next.yaml
grep -q 'of the site have no height in .*swale.png and take the nearest one' err || wrong "a ground that covers a part does not warn: $(cat err)"

[ $result -eq 0 ] && echo "ground.sh: ground is read by GDAL, ezdxf and an XML parser"
exit $result
