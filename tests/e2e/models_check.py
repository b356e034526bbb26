#!/usr/bin/env python3
"""Checks the models of a machine that `spadework model` has written; run by models.sh.

    models_check.py DATA MACHINE ATTACHMENT FOLDER FILE.glb TELEMETRY.csv

The URDF is read by the means of Python alone. Its masses are those of the YAML files, its meshes are there, convex
pieces are closed and convex, and forward kinematics with the angles of each row of the telemetry gives the row's tip
within a millimetre. The glTF file is held to the specification (chunks, accessors, bounds, normals, indices), and its
nodes to the URDF: the same joints in the same places, turned into the start pose.
"""
import csv
import json
import math
import os
import re
import struct
import sys
import xml.etree.ElementTree as ElementTree

FAULTS = []


def wrong(text):
    if text not in FAULTS:
        FAULTS.append(text)


def near(a, b, most=1e-6):
    return len(a) == len(b) and all(abs(x - y) <= most for x, y in zip(a, b))


# ---- turns and places ------------------------------------------------------------------------------------------------

def turn(axis, angle):
    """Rotation matrix about a unit axis (Rodrigues)."""
    x, y, z = axis
    c, s = math.cos(angle), math.sin(angle)
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def apply(pose, p):
    place, r = pose
    return [place[i] + sum(r[i][k] * p[k] for k in range(3)) for i in range(3)]


def inside(parent, child):
    """A pose that is given in another one's frame, in that one's own."""
    return apply(parent, child[0]), times(parent[1], child[1])


def of_quaternion(q):
    x, y, z, w = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


IDENTITY = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


# ---- URDF ------------------------------------------------------------------------------------------------------------

def numbers(element, name):
    return [float(word) for word in element.get(name).split()]


class Robot:
    def __init__(self, path):
        self.folder = os.path.dirname(path)
        root = ElementTree.parse(path).getroot()
        self.links = {link.get("name"): link for link in root.findall("link")}
        self.joints = {joint.get("name"): joint for joint in root.findall("joint")}
        self.materials = {one.get("name") for one in root.findall("material")}
        self.above = {joint.find("child").get("link"): joint for joint in self.joints.values()}

    def moving(self):
        return [name for name, joint in self.joints.items() if joint.get("type") != "fixed"]

    def pose(self, link, angles, base):
        """Place of a link's frame in the world."""
        joint = self.above.get(link)
        if joint is None:
            return base
        origin = joint.find("origin")
        if numbers(origin, "rpy") != [0.0, 0.0, 0.0]:
            wrong(f"{joint.get('name')}: its origin is turned")
        r = IDENTITY
        if joint.get("type") != "fixed":
            r = turn(numbers(joint.find("axis"), "xyz"), angles[joint.get("name")])
        return inside(self.pose(joint.find("parent").get("link"), angles, base), (numbers(origin, "xyz"), r))


def read_obj(path):
    points, faces = [], []
    for line in open(path):
        words = line.split()
        if words[0] == "v":
            points.append(tuple(float(word) for word in words[1:]))
        elif words[0] == "f":
            faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    if not points or not faces or min(min(f) for f in faces) < 0 or max(max(f) for f in faces) >= len(points):
        wrong(f"{path}: no mesh")
    return points, faces


def volume_of(points, faces):
    total = 0.0
    for a, b, c in faces:
        p, q, r = points[a], points[b], points[c]
        total += (p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
                  p[2] * (q[0] * r[1] - q[1] * r[0])) / 6
    return total


def check_hull(path):
    points, faces = read_obj(path)
    edges = {}
    for face in faces:
        for k in range(3):
            edges[face[k], face[(k + 1) % 3]] = edges.get((face[k], face[(k + 1) % 3]), 0) + 1
        a, b, c = (points[k] for k in face)
        u, v = [b[k] - a[k] for k in range(3)], [c[k] - a[k] for k in range(3)]
        n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        size = math.sqrt(sum(x * x for x in n))
        if size == 0 or max(sum(n[k] * (p[k] - a[k]) for k in range(3)) for p in points) > 1e-6 * size:
            wrong(f"{path}: not convex, or inside out")
    if any(count != 1 or (b, a) not in edges for (a, b), count in edges.items()):
        wrong(f"{path}: not closed")
    if volume_of(points, faces) <= 0.0:
        wrong(f"{path}: it has no volume")


def bodies_of(path):
    """Masses, centres and boxes of a YAML file of a machine or an attachment, by name; the attachment's is '', those of
    the jaws of a grab are numbered: body, body2."""
    pattern = r"^ +(?:- )?(?:(\w+): )?\{mass: ([^,]+), center: \[([^]]+)\], inertia_size: \[([^]]+)\]\}"
    found = {}
    for match in re.finditer(pattern, open(path).read(), re.M):
        name = match[1] or ""
        found[name if name not in found else name + "2"] = float(match[2]), *([float(x) for x in match[k].split(",")] for k in (3, 4))
    return found


def check_link(robot, link, body):
    mass, center, (x, y, z) = body
    inertial = robot.links[link].find("inertial")
    moments = [mass / 12 * (y * y + z * z), mass / 12 * (x * x + z * z), mass / 12 * (x * x + y * y)]
    inertia = inertial.find("inertia")
    got = [float(inertia.get(key)) for key in ("ixx", "iyy", "izz")]
    if float(inertial.find("mass").get("value")) != mass or not near(numbers(inertial.find("origin"), "xyz"), center, 1e-9):
        wrong(f"{link}: mass or centre are not those of the file")
    if not all(abs(a - b) <= 1e-6 * b for a, b in zip(got, moments)):
        wrong(f"{link}: moments of inertia {got}, expected {moments}")


def hung_parts(data, attachment):
    """Parts of an attachment that move by themselves, by its file: jaws, counted by their pins, a thumb, a rotator; and
    how far below the pin what a rotator turns has its frame."""
    path = os.path.join(data, "attachments", (attachment or "") + ".yaml")
    text = open(path).read() if attachment else ""
    jaws = len(re.findall(r"^    pin: ", text, re.M)) if "\njaws:" in text else 0
    thumb = int("\nthumb:" in text)
    down = re.search(r"^rotator:\n  height: ([0-9.]+)", text, re.M)
    return jaws, thumb, float(down[1]) if down else 0.0


def check_robot(robot, data, machine, attachment):
    bodies = bodies_of(os.path.join(data, "machines", machine + ".yaml"))
    jaws, thumb, down = hung_parts(data, attachment)
    if attachment:
        hung = bodies_of(os.path.join(data, "attachments", attachment + ".yaml"))
        mass, center, size = hung[""]
        bodies["bucket"] = mass, [center[0] - down, center[1], center[2]], size
        rows = ("thumb", "body"), ("rotator", "bracket")
        rows = rows if thumb else (("outer_jaw", "body"), ("inner_jaw", "body2"), rows[1])
        bodies.update({name: hung[row] for name, row in rows if row in hung})
    massive = {name for name, link in robot.links.items() if link.find("inertial") is not None}
    if massive != {name + "_link" for name in bodies} or len(bodies) != 5 + jaws + thumb + (down > 0.0):
        wrong(f"links {sorted(massive)}, bodies {sorted(bodies)}")
    for name, body in bodies.items():
        check_link(robot, name + "_link", body)
    for link in robot.links.values():
        for visual in link.findall("visual"):
            points, faces = read_obj(os.path.join(robot.folder, visual.find("geometry/mesh").get("filename")))
            if visual.find("material").get("name") not in robot.materials:
                wrong(f"{visual.get('name')}: its material is not there")
            # What is taken for a solid must have a volume (MuJoCo).
            if len(faces) < 4 or abs(volume_of(points, faces)) < 1e-9:
                wrong(f"{visual.get('name')}: flat")
        for collision in link.findall("collision"):
            check_hull(os.path.join(robot.folder, collision.find("geometry/mesh").get("filename")))
    files = {mesh.get("filename") for link in robot.links.values() for mesh in link.iter("mesh")}
    if files != {"meshes/" + name for name in os.listdir(os.path.join(robot.folder, "meshes"))}:
        wrong("meshes that no link has, or the other way round")
    for name in robot.moving():
        limit = robot.joints[name].find("limit")
        if not (float(limit.get("effort")) > 0 and float(limit.get("velocity")) > 0):
            wrong(f"{name}: no effort or velocity")
        if robot.joints[name].get("type") == "revolute" and not float(limit.get("lower")) < float(limit.get("upper")):
            wrong(f"{name}: limits")


# ---- telemetry -------------------------------------------------------------------------------------------------------

def base_of(row):
    yaw, pitch, roll = turn((0, 0, 1), row["yaw"]), turn((0, -1, 0), row["pitch"]), turn((1, 0, 0), row["roll"])
    return [row["base_x"], row["base_y"], row["base_z"]], times(times(yaw, pitch), roll)


def check_drive(robot, path):
    joints = robot.moving()
    names = joints + "t tip_x tip_y tip_z base_x base_y base_z yaw pitch roll".split()
    rows = [{name: float(row[name]) for name in names} for row in csv.DictReader(open(path))]
    worst, fastest, way = 0.0, {}, {}
    for k, row in enumerate(rows):
        tip = robot.pose("tip_link", row, base_of(row))[0]
        worst = max(worst, math.dist(tip, [row["tip_x"], row["tip_y"], row["tip_z"]]))
        for name in joints:
            if k > 0:
                step = math.remainder(row[name] - rows[k - 1][name], 2 * math.pi)
                fastest[name] = max(fastest.get(name, 0.0), abs(step) / (row["t"] - rows[k - 1]["t"]))
            way.setdefault(name, [row[name], row[name]])
            way[name] = [min(way[name][0], row[name]), max(way[name][1], row[name])]
    if worst > 1e-3 or len(rows) < 100:
        wrong(f"the tip is off by {1000 * worst:.3f} mm in {len(rows)} rows")
    for name in joints:
        limit = robot.joints[name].find("limit")
        if way[name][1] - way[name][0] < 0.05:
            wrong(f"{name}: the drive does not turn it ({way[name]})")
        if fastest[name] > 1.02 * float(limit.get("velocity")):
            wrong(f"{name}: {fastest[name]:.3f} rad/s, faster than its limit {limit.get('velocity')}")
        if robot.joints[name].get("type") == "revolute":
            low, high = float(limit.get("lower")) - 0.01, float(limit.get("upper")) + 0.01
            if not low <= way[name][0] <= way[name][1] <= high:
                wrong(f"{name}: {way[name]} is outside its limits")
    return worst


# ---- glTF ------------------------------------------------------------------------------------------------------------

def read_gltf(path):
    data = open(path, "rb").read()
    magic, version, length, size, kind = struct.unpack_from("<4sIII4s", data)
    if (magic, version, length, kind) != (b"glTF", 2, len(data), b"JSON") or size % 4:
        wrong("glTF: header")
    numbers_at = 20 + size
    more, kind = struct.unpack_from("<I4s", data, numbers_at)
    if kind != b"BIN\0" or more % 4 or numbers_at + 8 + more != len(data):
        wrong("glTF: chunk of numbers")
    return json.loads(data[20:numbers_at]), data[numbers_at + 8:]


def accessor_values(scene, numbers_, index, target):
    accessor = scene["accessors"][index]
    view = scene["bufferViews"][accessor["bufferView"]]
    width, letter = {"VEC3": (3, "f"), "SCALAR": (1, "I")}[accessor["type"]]
    if accessor["componentType"] != {"f": 5126, "I": 5125}[letter] or view["target"] != target:
        wrong(f"glTF: accessor {index}: type or target")
    first = accessor.get("byteOffset", 0)
    if first % 4 or first + 4 * width * accessor["count"] > view["byteLength"] or accessor["count"] < 3:
        wrong(f"glTF: accessor {index}: outside its view")
    if view.get("byteStride", 4 * width) != 4 * width:
        wrong(f"glTF: accessor {index}: stride")
    if view.get("byteOffset", 0) + view["byteLength"] > len(numbers_):
        wrong(f"glTF: view of accessor {index}: outside the buffer")
    values = struct.unpack_from(f"<{width * accessor['count']}{letter}", numbers_, view.get("byteOffset", 0) + first)
    return [values[k::width] for k in range(width)]


def check_primitive(scene, numbers_, primitive):
    at = accessor_values(scene, numbers_, primitive["attributes"]["POSITION"], 34962)
    normal = accessor_values(scene, numbers_, primitive["attributes"]["NORMAL"], 34962)
    index = accessor_values(scene, numbers_, primitive["indices"], 34963)[0]
    bounds = scene["accessors"][primitive["attributes"]["POSITION"]]
    told = struct.unpack("<6f", struct.pack("<6f", *bounds["min"], *bounds["max"]))
    if told != tuple(min(axis) for axis in at) + tuple(max(axis) for axis in at):
        wrong("glTF: bounds of a mesh")
    if len(normal[0]) != len(at[0]) or len(index) % 3 or max(index) >= len(at[0]) or len(set(index)) != len(at[0]):
        wrong("glTF: indices of a mesh")
    if any(abs(x * x + y * y + z * z - 1) > 1e-4 for x, y, z in zip(*normal)):
        wrong("glTF: a normal is not of length 1")
    if not 0 <= primitive["material"] < len(scene["materials"]):
        wrong("glTF: material")
    return len(index) // 3


def places_of(scene):
    """Poses of the nodes by name, below the first one."""
    poses, seen, waiting = {}, {0}, [(0, ([0.0, 0.0, 0.0], IDENTITY))]
    while waiting:
        k, pose = waiting.pop()
        for child in scene["nodes"][k].get("children", []):
            node = scene["nodes"][child]
            if child in seen:
                wrong("glTF: the nodes are no tree")
                continue
            seen.add(child)
            q = node["rotation"]
            if abs(sum(x * x for x in q) - 1) > 1e-6:
                wrong(f"glTF: {node['name']}: rotation")
            poses[node["name"]] = inside(pose, (node["translation"], of_quaternion(q)))
            waiting.append((child, poses[node["name"]]))
    if len(seen) != len(scene["nodes"]) or len(poses) + 1 != len(seen):
        wrong("glTF: nodes that lie nowhere, or twice")
    return poses


def check_gltf(path, robot, mass):
    scene, numbers_ = read_gltf(path)
    if scene["buffers"] != [{"byteLength": len(numbers_)}]:
        wrong("glTF: buffer")
    triangles = sum(check_primitive(scene, numbers_, one) for mesh in scene["meshes"] for one in mesh["primitives"])
    meshes = [node["mesh"] for node in scene["nodes"] if "mesh" in node]
    if sorted(meshes) != list(range(len(scene["meshes"]))) or not 10000 < triangles < 100000:
        wrong(f"glTF: {triangles} triangles in {len(meshes)} meshes")
    nodes = {node["name"]: node for node in scene["nodes"]}
    poses, angles = places_of(scene), {}
    for name in robot.moving():
        extras, limit = nodes[name]["extras"], robot.joints[name].find("limit")
        angles[name] = extras["angle"]
        q = nodes[name]["rotation"]
        if not near([x * math.sin(extras["angle"] / 2) for x in extras["axis"]], q[:3]):
            wrong(f"glTF: {name}: not turned by its angle")
        wanted = [float(limit.get(key)) for key in ("lower", "upper") if limit.get(key)]
        most = [float(limit.get("effort")), float(limit.get("velocity"))]
        if extras.get("limits", []) != wanted or [extras["effort"], extras["velocity"]] != most:
            wrong(f"glTF: {name}: limits")
    if sum(node.get("extras", {}).get("mass", 0.0) for node in scene["nodes"]) != mass:
        wrong("glTF: masses")
    for link in robot.links:
        place, r = robot.pose(link, angles, ([0.0, 0.0, 0.0], IDENTITY))
        got = poses[link if link != "tip_link" else "tip"]
        if not near(place, got[0]) or not all(near(a, b) for a, b in zip(r, got[1])):
            wrong(f"glTF: {link} lies elsewhere than in the URDF")
    up = apply(([0.0, 0.0, 0.0], of_quaternion(scene["nodes"][0]["rotation"])), [0.0, 0.0, 1.0])
    ahead = apply(([0.0, 0.0, 0.0], of_quaternion(scene["nodes"][0]["rotation"])), [1.0, 0.0, 0.0])
    if not near(up, [0.0, 1.0, 0.0]) or not near(ahead, [0.0, 0.0, 1.0]):
        wrong("glTF: y is not up, or z not ahead")
    check_struts(nodes, poses)


def check_struts(nodes, poses):
    """Barrels and rods, rocker and bar point at each other; the rod ends in its barrel."""
    pairs = {name: node["extras"]["aims_at"] for name, node in nodes.items() if "aims_at" in node.get("extras", {})}
    if len(pairs) < 7:
        wrong(f"glTF: cylinders: {sorted(pairs)}")
    for name, other in pairs.items():
        (a, r), (b, _) = poses[name], poses[other]
        to = [b[k] - a[k] for k in range(3)]
        if "linkage" in name: # the rocker's pin is not its end
            continue
        length = math.sqrt(sum(x * x for x in to))
        if not near([row[0] for row in r], [x / length for x in to], 1e-4):
            wrong(f"glTF: {name} does not point at {other}")
        extras = nodes[name]["extras"]
        if "closed" in extras and not extras["closed"] - 0.01 < length < extras["closed"] + extras["stroke"] + 0.01:
            wrong(f"glTF: {name}: {length} m between its pins")


def main():
    data, machine, attachment, folder, gltf, telemetry = sys.argv[1:]
    robot = Robot(os.path.join(folder, os.path.basename(folder) + ".urdf"))
    check_robot(robot, data, machine, attachment)
    worst = check_drive(robot, telemetry)
    mass = sum(float(one.get("value")) for link in robot.links.values() for one in link.iter("mass"))
    check_gltf(gltf, robot, mass)
    for text in FAULTS:
        print(f"{folder}: {text}")
    print(f"{folder}: tip within {1000 * worst:.4f} mm")
    return 1 if FAULTS else 0


sys.exit(main())
