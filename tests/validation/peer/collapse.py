"""Prepares and measures the column collapse that collapse.in runs in LIGGGHTS, and compares it with the project's own.

    collapse.py variables SOIL RATIO ASPECT       the variables of collapse.in, as arguments of LIGGGHTS
    collapse.py grains RATIO ASPECT SEED DENSITY BATCH OUT [BELOW]
                                                  writes the data file of a batch, above the grains of the dump BELOW
    collapse.py front RATIO SETTLED COLLAPSE      prints grains, a as it settled and run-out, read from two dumps
    collapse.py header                            prints the head of the table
    collapse.py row ASPECT SEED OURS PEER         prints a row, from the JSON of validate and from what `front` printed
    collapse.py means TABLE                       prints the mean ratio of each a; ends with 3 when one is out of bounds

RATIO is R0 over the mean diameter of the grains, ASPECT is h0 / R0 as asked for. Lengths are in m, densities in kg/m3.
"""

import collections
import itertools
import json
import math
import statistics
import sys

SOIL_KEYS = ("contact_stiffness", "contact_friction", "contact_damping", "steel_friction_angle_deg", "bank_density")

# As data/core/constants.h.
GRAVITY = 9.81  # m/s2
REFERENCE_RADIUS = 0.05  # m: of the particle that a soil's contact_stiffness is given for

# As soil/law/contact_law.h.
SHEAR_STIFFNESS = 0.8  # over the normal stiffness

# As tests/validation/soil/collapse.c.
RADIUS = 0.05  # m: mean of the grains
TICK_RATE = 60  # 1/s

# As tests/validation/rigs/soil/packing.c.
SPREAD = 0.08  # of the radii, to both sides of the mean
SOLID_LATTICE = 0.74048  # solid share of the lattice that ground turns into particles on
SOLID_POURED = 0.6  # solid share of poured equal spheres
LATTICE_GAP = 0.05  # between the largest grains on the starting lattice, in diameters
POUR = 5.0  # depth of a batch, in grains
BATCH_SEED = 1000  # from the seed of a batch to that of the next
FRONT_STEPS = 4096  # of half a radius each
STRIP = 8  # steps a strip: two grains wide
COVERED = 0.5  # share of a strip that the outlines of the grains cover at the front
FRONT_START = 0.8  # R0: where the search for the front begins
MAX_TICKS = 1500
LEAST_TICKS = 20
MOST_TIME = 8.0  # sqrt(h0 / g), of a collapse, and a second
REST = 0.01  # sqrt(g d): root mean square of the speeds of grains at rest

LOOSEST = 1.2  # h0 over the height asked for, at most
LEAST_RATIO, MOST_RATIO = 0.9, 1.1  # allowed mean of ours over the peer's
OUT_OF_BOUNDS = 3  # exit status, as validate's

COLUMNS = ("id", "x", "y", "z", "vx", "vy", "vz", "radius", "mass")  # of the dumps
Grain = collections.namedtuple("Grain", COLUMNS)


def sphere_volume(radius):
    """Volume of a sphere, m3."""
    return 4.0 / 3.0 * math.pi * radius**3


def mean_volume():
    """Mean volume of the grains, m3; their radii are spread evenly."""
    return sphere_volume(RADIUS) * (1.0 + SPREAD**2)


def grain_count(volume):
    """Number of grains that fill a volume, as packing_count()."""
    return int(SOLID_POURED * volume / mean_volume()) + 1


def tube_radius(ratio):
    """R0, m."""
    return ratio * 2.0 * RADIUS


def column_count(ratio, aspect):
    """Number of grains of the whole column."""
    radius = tube_radius(ratio)
    return grain_count(math.pi * radius**2 * aspect * radius)


def batch_count(ratio):
    """Number of grains of a full batch."""
    return grain_count(math.pi * tube_radius(ratio) ** 2 * POUR * 2.0 * RADIUS)


def last_tick(height):
    """Tick at which the measurement ends even where the grains still move, as packing_run_out()."""
    return int(min(MAX_TICKS, (MOST_TIME * math.sqrt(height / GRAVITY) + 1.0) * TICK_RATE))


def read_soil(path):
    """The values of SOIL_KEYS in a soil's file."""
    soil = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            key, _, value = line.partition("#")[0].partition(":")
            if key in SOIL_KEYS:
                soil[key] = float(value)
    for key in SOIL_KEYS:
        if key not in soil:
            sys.exit(f"{path}: {key} is missing")
    return soil


def grain_density(soil):
    """Density of the grains, so that the lattice of undisturbed ground has the soil's bank density."""
    return soil["bank_density"] / SOLID_LATTICE


def contact(name, stiffness, mass, friction, soil):
    """Variables of one kind of contact: kt = 0.8 k, c = 2 zeta sqrt(k m) with the effective mass m of both sides."""
    return {
        name + "_stiffness": stiffness,
        name + "_shear_stiffness": SHEAR_STIFFNESS * stiffness,
        name + "_damping": 2.0 * soil["contact_damping"] * math.sqrt(stiffness * mass),
        name + "_friction": friction,
    }


def contacts(soil):
    """Variables of all contacts, by soil/law/contact_law.h without hardening.

    Two grains of REFERENCE_RADIUS have k = contact_stiffness, a grain on a wall 2 k: stiffness grows with
    ri rj / (ri + rj), and a plane is a sphere without curvature. The effective masses are m / 2 and m. Friction is
    contact_friction between grains and tan(steel_friction_angle_deg) on walls. All sizes have the k and c of the mean.
    """
    stiffness = soil["contact_stiffness"] * RADIUS / REFERENCE_RADIUS
    mass = mean_volume() * grain_density(soil)
    steel = math.tan(math.radians(soil["steel_friction_angle_deg"]))
    return {
        **contact("grain", stiffness, mass / 2.0, soil["contact_friction"], soil),
        **contact("wall", 2.0 * stiffness, mass, steel, soil),
    }


def variables(soil_path, ratio, aspect):
    """Prints the variables of collapse.in."""
    ratio, aspect = float(ratio), float(aspect)
    soil = read_soil(soil_path)
    values = {
        "tube": tube_radius(ratio),
        "gravity": GRAVITY,
        "density": grain_density(soil),
        "batches": math.ceil(column_count(ratio, aspect) / batch_count(ratio)),
        "ticks": last_tick(LOOSEST * aspect * tube_radius(ratio)),
        **contacts(soil),
    }
    print(" ".join(f"-var {name} {value:.9g}" for name, value in values.items()))


def random_sign(seed, stream, index):
    """Uniform in -1..1, as random_sign() of packing.c: splitmix64's finaliser, twice."""
    whole = (1 << 64) - 1
    bits = ((seed * 8 + stream) * 0x9E3779B97F4A7C15 + index * 0xD1342543DE82EF95) & whole
    for _ in range(2):
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & whole
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & whole
        bits ^= bits >> 31
    return (bits >> 11) * (2.0 / (1 << 53)) - 1.0


def lattice(radius, bottom, seed):
    """Places (x, y, z) and radii of grains in a tube, layer by layer without end, as packing_fill()."""
    largest = RADIUS * (1.0 + SPREAD)
    step = 2.0 * largest * (1.0 + LATTICE_GAP)
    jitter = LATTICE_GAP * largest
    side = int(2.0 * radius / step) + 2
    for layer in itertools.count():
        # Each layer is shifted as a whole, so that no grain stands on the one below like in a tower.
        shift_x = 0.5 * step * random_sign(seed, 4, layer)
        shift_y = 0.5 * step * random_sign(seed, 5, layer)
        for cell_y, cell_x in itertools.product(range(side), repeat=2):
            index = (layer * side + cell_y) * side + cell_x
            x = (cell_x - 0.5 * (side - 1)) * step + shift_x + jitter * random_sign(seed, 0, index)
            y = (cell_y - 0.5 * (side - 1)) * step + shift_y + jitter * random_sign(seed, 1, index)
            z = bottom + largest + jitter + layer * step + jitter * random_sign(seed, 2, index)
            if math.hypot(x, y) <= radius - largest:
                yield x, y, z, RADIUS * (1.0 + SPREAD * random_sign(seed, 3, index))


def frames(path):
    """Steps and grains of a dump, one frame after another."""
    with open(path, encoding="ascii") as dump:
        while dump.readline():  # ITEM: TIMESTEP
            step = int(dump.readline())
            dump.readline()  # ITEM: NUMBER OF ATOMS
            count = int(dump.readline())
            for _ in range(4):  # ITEM: BOX BOUNDS, and three lines of them
                dump.readline()
            if tuple(dump.readline().split()[2:]) != COLUMNS:  # ITEM: ATOMS, and their columns
                sys.exit(f"{path}: the columns are not {' '.join(COLUMNS)}")
            yield step, [Grain(*map(float, dump.readline().split())) for _ in range(count)]


def grains(ratio, aspect, seed, density, batch, out_path, below_path=None):
    """Writes the data file of a batch, counted from 0."""
    ratio, aspect, batch = float(ratio), float(aspect), int(batch)
    radius = tube_radius(ratio)
    poured = batch * batch_count(ratio)
    count = min(batch_count(ratio), column_count(ratio, aspect) - poured)
    bottom = 0.0
    if below_path is not None:
        _, below = next(frames(below_path))
        bottom = max(grain.z for grain in below) + RADIUS
    reach = 3.0 * radius * (1.0 + 2.0 * math.sqrt(aspect))
    with open(out_path, "w", encoding="ascii") as out:
        out.write(f"grains\n\n{count} atoms\n2 atom types\n\n{-reach} {reach} xlo xhi\n{-reach} {reach} ylo yhi\n")
        out.write(f"-0.5 {8.0 * aspect * radius + 3.0} zlo zhi\n\nAtoms\n\n")
        places = lattice(radius, bottom, int(seed) + BATCH_SEED * batch)
        for number, (x, y, z, size) in enumerate(itertools.islice(places, count), poured + 1):
            out.write(f"{number} 1 {2.0 * size:.9g} {density} {x:.9g} {y:.9g} {z:.9g}\n")


def speed(column):
    """Root mean square of the speeds, m/s, as packing_speed()."""
    return math.sqrt(sum(grain.vx**2 + grain.vy**2 + grain.vz**2 for grain in column) / len(column))


def height_of(column):
    """h0, m: twice the height of the centre of mass, as packing_height()."""
    return 2.0 * sum(grain.mass * grain.z for grain in column) / sum(grain.mass for grain in column)


def front_of(deposit, start):
    """R, m: where the outlines of the grains cover half of a ring two grains wide, as packing_front()."""
    step = 0.5 * RADIUS
    covered = [0.0] * FRONT_STEPS
    for grain in deposit:
        place = int(math.hypot(grain.x, grain.y) / step)
        if place < FRONT_STEPS:
            covered[place] += math.pi * grain.radius**2
    before = 1.0
    for first in range(int(start / step), FRONT_STEPS - STRIP + 1):
        low, high = first * step, (first + STRIP) * step
        share = sum(covered[first:first + STRIP]) / (math.pi * (high**2 - low**2))
        if share < COVERED:
            past = (before - COVERED) / (before - share) if before > share else 1.0
            return 0.5 * (low + high) - (1.0 - min(past, 1.0)) * step
        before = share
    return FRONT_STEPS * step


def at_rest(path, since, last):
    """Grains of the frame in which the collapse ends, as packing_run_out(): at rest, or at the last tick."""
    rest = REST * math.sqrt(GRAVITY * 2.0 * RADIUS)
    ticks = 0
    for step, deposit in frames(path):
        if step <= since:
            continue
        ticks += 1
        if ticks >= LEAST_TICKS and (ticks >= last or speed(deposit) <= rest):
            return deposit
    sys.exit(f"{path}: ends after {ticks} ticks, before the grains rest")


def front(ratio, settled_path, collapse_path):
    """Prints the number of grains, a as it settled and the run-out (R - R0) / R0."""
    radius = tube_radius(float(ratio))
    since, column = next(frames(settled_path))
    height = height_of(column)
    deposit = at_rest(collapse_path, since, last_tick(height))
    print(len(deposit), height / radius, (front_of(deposit, FRONT_START * radius) - radius) / radius)


def measured(results, quantity):
    """The one result of validate whose name begins with a text."""
    (value,) = (result["measured"] for result in results if result["quantity"].startswith(quantity))
    return value


def header():
    """Prints the head of the table."""
    print("                     a settled           run-out / a")
    print("   a  seed  grains   ours  LIGGGHTS      ours  LIGGGHTS   ratio")


def row(aspect, seed, ours_path, peer_path):
    """Prints a row of the table."""
    with open(ours_path, encoding="utf-8") as ours:
        results = json.load(ours)["results"]
    with open(peer_path, encoding="ascii") as peer:
        count, peer_aspect, peer_runout = map(float, peer.read().split())
    our_aspect = measured(results, "a as it settled")
    ours, peers = measured(results, "run-out (R - R0)/R0") / our_aspect, peer_runout / peer_aspect
    print(
        f"{aspect:>4} {seed:>5} {count:>7.0f}  {our_aspect:5.3f}  {peer_aspect:8.3f}     {ours:5.3f}  {peers:8.3f}"
        f"   {ours / peers:5.3f}"
    )


def means(table_path):
    """Prints the mean ratio of each a, with its standard error."""
    ratios = collections.defaultdict(list)
    with open(table_path, encoding="ascii") as table:
        for line in table:
            words = line.split()
            ratios[words[0]].append(float(words[-1]))
    status = 0
    for aspect, values in ratios.items():
        mean = statistics.fmean(values)
        error = f" +- {statistics.stdev(values) / math.sqrt(len(values)):.3f}" if len(values) > 1 else ""
        allowed = LEAST_RATIO <= mean <= MOST_RATIO
        verdict = "" if allowed else f", outside {LEAST_RATIO} to {MOST_RATIO}"
        print(f"a = {aspect}: mean ratio {mean:.3f}{error}{verdict}")
        if not allowed:
            status = OUT_OF_BOUNDS
    sys.exit(status)


COMMANDS = {command.__name__: command for command in (variables, grains, front, header, row, means)}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]](*sys.argv[2:])
