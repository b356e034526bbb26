"""Which stage of a tick takes what, from callgrind's profiles: stages.py [--count] PROGRAM SCENE=FILE...

PROGRAM is the program that was profiled, whose functions the stages are. FILE is an output of callgrind that was collected in
session_tick alone. Prints a table of instructions a tick (thousands), and where the caches were simulated one of the bytes that came
from beyond the first cache (64 for each miss). --count prints `SCENE INSTRUCTIONS` instead, of a tick."""

import re
import subprocess
import sys

# A stage: name, functions whose costs with all that they call it is, stages below it. What those leave of it is its rest.
TICK = ("a tick", ["session_tick"], [
    ("machine and rocks: rigid bodies, hydraulics, engine", ["step_machine"], [
        ("ODE's multibody solver", ["dWorldStep"], []),
    ]),
    ("soil, at the tick's start", ["soil_begin_tick"], [
        ("ground that an edge cuts becomes grains", ["spawn_ahead"], []),
        ("settled load that is dug or slides", ["tray_unload"], []),
        ("patches of tools on the ground are found", ["bearing_find_patches"], []),
        ("list of pairs, made anew", ["pair_list_build", "neighbours_sort"], []),
        ("list of pairs, brought up to date", ["pair_list_update"], []),
        ("list of grains at the ground", ["ground_contacts_list"], []),
        ("list of grains at tools", ["body_contacts_find"], []),
    ]),
    ("soil, 8 substeps", ["soil_substep"], [
        ("pairs of grains: visits", ["sweep_pairs"], []),
        ("grains at the ground: visits", ["sweep_ground"], []),
        ("grains at tools: where the steel is", ["body_contacts_begin"], []),
        ("grains at tools: visits", ["body_contacts_visit", "body_contacts_warm", "body_contacts_finish"], []),
        ("grains that left their way", ["follow_deviating"], []),
        ("patches of tools on the ground press", ["bearing_press"], []),
    ]),
    ("soil, at the tick's end", ["soil_end_tick"], [
        ("ground under tools gives way", ["bearing_fail"], []),
        ("grains at rest become ground", ["absorb_resting"], []),
        ("loose slopes slide", ["ground_slide"], []),
        ("faces that cannot stand", ["face_failure_step"], []),
    ]),
    ("tracks and wheels press the ground", ["soil_press"], []),
    ("steel beside the tools meets the soil", ["coupling_hull_begin_tick", "coupling_hull_tools"], []),
    ("readings, exercise and score", ["update_frame"], []),
])


class Profile:
    """Costs of each function, with what it calls, and how often it was called."""

    def __init__(self, path):
        self.events, self.names = [], {}
        self.costs, self.calls = {}, {}
        of, called = None, None
        for line in open(path, encoding="utf-8", errors="replace"):
            key, _, text = line.rstrip("\n").partition("=")
            if line.startswith("events: "):
                self.events = line.split()[1:]
            elif key == "fn":
                of = self.name_of(text)
                self.costs.setdefault(of, [0] * len(self.events))
            elif key == "cfn":
                called = self.name_of(text)
            elif key == "calls":
                self.calls[called] = self.calls.get(called, 0) + int(text.split()[0])
            elif of is not None and re.match(r"[+\-*\d]", line):
                for k, number in enumerate(line.split()[1:]):
                    self.costs[of][k] += int(number)

    def name_of(self, text):
        """`(12) name` names function 12, `(12)` is it."""
        number, _, name = text.partition(" ")
        if name:
            self.names[number] = name
        return self.names[number]

    def cost(self, functions, events):
        """Of all that the compiler made of one function (name.isra.0, name.part.0), which call each other: the most."""
        columns = [self.events.index(event) for event in events]
        of_each = [[sum(costs[k] for k in columns) for name, costs in self.costs.items() if plain(name) == function]
                   for function in functions]
        return sum(max(costs or [0]) for costs in of_each)

    def ticks(self):
        return self.calls["session_tick"]


def plain(name):
    return re.sub(r"['.].*", "", name)


def functions_of(program):
    lines = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout.splitlines()
    return {plain(line.split()[-1]) for line in lines if " t " in line.lower()}


def rows_of(stage, profile, events, depth=0):
    """(depth, name, cost) of a stage, of those below it, and of what they leave."""
    name, functions, below = stage
    cost = profile.cost(functions, events)
    rows = [(depth, name, cost)]
    for part in below:
        rows += rows_of(part, profile, events, depth + 1)
    if below:
        rows.append((depth + 1, "the rest", cost - sum(row[2] for row in rows if row[0] == depth + 1)))
    return rows


def print_table(profiles, events, unit, title):
    columns = [rows_of(TICK, profile, events) for profile in profiles.values()]
    print(f"| {title} | " + " | ".join(profiles) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for row in zip(*columns):
        cells = []
        for column, profile, (depth, _, cost) in zip(columns, profiles.values(), row):
            share = f" ({100 * cost / column[0][2]:.1f} %)" if depth > 0 else ""
            cells.append(f"{cost * unit / profile.ticks():.0f}{share}")
        print("| " + "&nbsp;&nbsp;" * row[0][0] + row[0][1] + " | " + " | ".join(cells) + " |")


def check_functions(stage, known):
    name, functions, below = stage
    for function in functions:
        if function not in known and function != "dWorldStep":
            sys.exit(f"stages.py: {name}: the program has no function {function}")
    for part in below:
        check_functions(part, known)


def main(arguments):
    count = arguments[:1] == ["--count"]
    program, *files = arguments[1 if count else 0:]
    check_functions(TICK, functions_of(program))
    profiles = {scene: Profile(path) for scene, path in (text.split("=", 1) for text in files)}
    if count:
        for scene, profile in profiles.items():
            print(scene, profile.cost(["session_tick"], ["Ir"]) // profile.ticks())
        return
    print_table(profiles, ["Ir"], 1e-3, "thousands of instructions a tick")
    if all("D1mr" in profile.events for profile in profiles.values()):
        print()
        print_table(profiles, ["D1mr", "D1mw"], 64e-3, "kB a tick from beyond the first cache")


if __name__ == "__main__":
    main(sys.argv[1:])
