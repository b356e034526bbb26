"""Evaluates triangles of LandXML without any code of the program, and compares what the program made of them.

    survey_check.py make FILE KIND          writes a surface: hills, feet, hole or pieces
    survey_check.py heights FILE LIST       heights of LIST (easting, northing, elevation a line) against the file's triangles: at
                                            least 100 places, none off by more than 5 mm, and none missing but beside the surface
    survey_check.py volume FILE LIST START CELL   the volume between the two lists, which hold the same places, against that of the
                                            triangles over START, cells of CELL m: within 0.5 %
"""
import math
import sys
import xml.etree.ElementTree as xml

EAST, NORTH = 412360.0, 5653480.0
FOOT = 1200 / 3937


def hill(x, y):
    return 147.0 + 0.4 * math.sin(0.7 * x) + 0.3 * math.cos(0.9 * y + 0.3 * x) + 0.02 * x


def make(path, kind):
    unit = FOOT if kind == "feet" else 1.0
    columns, rows, step = 25, 17, 0.5
    names, faces = [], []
    for row in range(rows):
        for column in range(columns):
            x, y = (column - 12) * step, (row - 8) * step
            x += 0.2 * step * math.sin(3 * row + column)  # no triangle is like another
            names.append(((NORTH + y) / unit, (EAST + x) / unit, hill(x, y) / unit))
    for row in range(rows - 1):
        for column in range(columns - 1):
            if kind == "hole" and 6 <= row < 10 and 9 <= column < 14:
                continue
            if kind == "pieces" and column in (11, 12):
                continue
            a = row * columns + column + 1
            faces += [(a, a + 1, a + columns), (a + 1, a + columns + 1, a + columns)]
    units = '<Imperial linearUnit="USSurveyFoot"/>' if kind == "feet" else '<Metric linearUnit="meter"/>'
    with open(path, "w") as file:
        file.write(f'<?xml version="1.0"?><LandXML xmlns="http://www.landxml.org/schema/LandXML-1.2" version="1.2"><Units>{units}</Units>')
        file.write('<Surfaces><Surface name="s"><Definition surfType="TIN"><Pnts>')
        file.writelines(f'<P id="{k + 1}">{n:.6f} {e:.6f} {z:.6f}</P>' for k, (n, e, z) in enumerate(names))
        file.write("</Pnts><Faces>")
        file.writelines(f"<F>{a} {b} {c}</F>" for a, b, c in faces)
        file.write("</Faces></Definition></Surface></Surfaces></LandXML>")


class Triangles:
    def __init__(self, path):
        root = xml.parse(path).getroot()
        units = {"ussurveyfoot": FOOT, "foot": 0.3048, "meter": 1.0}
        unit = units[root.find(".//{*}Units")[0].get("linearUnit").lower()]
        points = {}
        for p in root.iterfind(".//{*}P"):
            north, east, height = (unit * float(word) for word in p.text.split())
            points[p.get("id")] = (east, north, height)
        self.faces = [tuple(points[name] for name in f.text.split()) for f in root.iterfind(".//{*}F") if f.get("i") is None]

    def height(self, east, north):
        """None beside the surface."""
        for a, b, c in self.faces:
            area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
            if abs(area) < 1e-9:
                continue
            u = ((b[0] - east) * (c[1] - north) - (c[0] - east) * (b[1] - north)) / area
            v = ((c[0] - east) * (a[1] - north) - (a[0] - east) * (c[1] - north)) / area
            if u >= 0 and v >= 0 and u + v <= 1:
                return u * a[2] + v * b[2] + (1 - u - v) * c[2]
        return None


def read(path):
    with open(path) as file:
        return [tuple(map(float, line.split())) for line in file]


def heights(path, told):
    triangles = Triangles(path)
    worst, compared = 0.0, 0
    for east, north, height in read(told)[:: max(1, len(read(told)) // 400)]:
        own = triangles.height(east, north)
        if own is None:
            # A column on the boundary may lie on either side of it by rounding.
            near = any(triangles.height(east + dx, north + dy) is not None for dx in (-1e-3, 1e-3) for dy in (-1e-3, 1e-3))
            assert near, f"{east} {north} lies beside the surface, the program has {height}"
            continue
        worst, compared = max(worst, abs(own - height)), compared + 1
    print(f"{path}: {compared} places, {1e3 * worst:.2f} mm at most")
    assert compared >= 100 and worst < 5e-3


def volume(path, told, start, cell):
    triangles = Triangles(path)
    design = {(east, north): height for east, north, height in read(told)}
    program = own = 0.0
    for east, north, ground in read(start):
        height = triangles.height(east, north)
        own += abs(height - ground) * cell * cell if height is not None else 0.0
        program += abs(design[east, north] - ground) * cell * cell if (east, north) in design else 0.0
    print(f"{path}: {program:.3f} m3, of the triangles {own:.3f} m3")
    assert own > 1 and abs(program / own - 1) < 5e-3


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(*sys.argv[2:])
    elif sys.argv[1] == "heights":
        heights(*sys.argv[2:])
    else:
        volume(*sys.argv[2:5], float(sys.argv[5]))
