"""A scripted operator as a policy: it plans a stroke, swings back, digs, lifts and dumps, as an excavator does.

    env = spadework.Env("dig")
    observation, info = env.reset(seed=1)
    expert = spadework.expert.Expert(env)
    over = False
    while not over:
        observation, reward, terminated, truncated, info = env.step(expert(observation))
        over = terminated or truncated

It reads the session, which knows more than the observation does: the exact angles, and the ground along the stroke.
Where it digs and dumps, its angles and its speeds are the task's table [expert]. It is steady, not quick. The simulator's
own operator digs and loads faster, and dozes: `spadework run SCENE --operator auto --record R.spade`, then
`spadework export R.spade --csv LEVERS.csv`.
"""

import math
import re
from dataclasses import dataclass
from typing import Any, Dict, List, Tuple

import numpy as np

from ._reader import BadTask, Table

PHASES = ("return", "lower", "dig", "curl", "lift", "dump")
PROBE = 0.1  # m between heights that a plan reads
AIR = 0.35  # m of the edge over the ground before it goes down


@dataclass(frozen=True)
class Plan:
    """What the task's table [expert] says."""

    lanes: Tuple[
        Tuple[float, float], ...
    ]  # m, world: far ends of the lines on which the bucket is drawn to the machine
    near: float  # m from the swing axis, where a stroke ends at the latest
    floor: float  # m, world z: nothing is dug below
    bite: float  # m: the deepest single stroke
    stroke: float  # m: the longest
    fill: float  # m3 that a stroke is to cut
    width: float  # m of the bucket
    dump: Tuple[float, float]  # m, world: where the bucket is opened
    dump_height: float  # m, world z: of the bucket's pin there
    travel_height: float  # m, world z: of the pin, at least, while it swings
    carry: float  # m of the pin from the swing axis, at most, while a load is lifted and swung
    clear_turn: float  # rad: the arm goes down once it has swung so far away from the dump
    enter: float  # rad: elevation of the line from pin to edge where the edge enters, as it is drawn, at the end ...
    drag: float
    end: float
    held: float  # ... with a load that is held, and when it falls out
    open: float
    speed: float  # m/s of the edge in the ground
    full: Dict[str, float]  # rad/s of a joint at full lever
    swing_braking: float  # rad/s2


def plan_of(task) -> Plan:
    """The task's [expert], checked. BadTask: there is none, or it is wrong."""
    if task.expert is None:
        raise BadTask(f"task {task.name}: it has no table [expert]; those of dig and load show one")
    table = Table(task.expert, f"task {task.name}: expert")
    lanes = table.take("lanes")
    if not isinstance(lanes, list) or not lanes or not all(_is_pair(lane) for lane in lanes):
        table.fail("lanes", f"{lanes!r}; allowed is a list of [X, Y]")
    dump = table.take("dump")
    if not _is_pair(dump):
        table.fail("dump", f"{dump!r}; allowed is [X, Y]")
    full = table.table("full")
    values: Dict[str, Any] = {
        name: table.number(name, low, high)
        for name, low, high in (
            ("near", 2.0, 20.0),
            ("floor", -10.0, 10.0),
            ("bite", 0.05, 2.0),
            ("stroke", 0.5, 6.0),
            ("fill", 0.05, 5.0),
            ("width", 0.2, 4.0),
            ("dump_height", -5.0, 10.0),
            ("travel_height", -5.0, 10.0),
            ("clear_turn", 0.0, 3.0),
            ("carry", 2.0, 20.0),
            ("speed", 0.1, 3.0),
            ("swing_braking", 0.05, 5.0),
        )
    }
    angles = {
        name: math.radians(table.number(name + "_deg", -270.0, 90.0))
        for name in ("enter", "drag", "end", "held", "open")
    }
    speeds = {name: full.number(name, 0.05, 5.0) for name in ("swing", "boom", "stick", "bucket")}
    full.finish()
    table.finish()
    return Plan(tuple(map(tuple, lanes)), dump=tuple(dump), full=speeds, **values, **angles)


def _is_pair(value):
    return isinstance(value, list) and len(value) == 2 and all(isinstance(n, (int, float)) for n in value)


class Arm:
    """Kinematics of an excavator's arm in the house's plane: m ahead of the swing axis, m above the tracks' plane."""

    def __init__(self, session):
        text = next(file.text.decode() for file in session.files() if file.kind == "machines")

        def numbers(key, count):
            found = re.search(rf"^{key}:\s*\[?([^\]#\n]*)", text, re.M)
            if found is None:
                raise BadTask(f"machine {session.info()['machine']}: it has no {key}: the expert moves excavators")
            return [float(number) for number in found.group(1).split(",")][:count]

        foot = numbers("boom_foot", 2)
        self.foot = (foot[0], foot[1] + numbers("swing_height", 1)[0])
        self.boom, self.stick, self.tip = (numbers(key, 1)[0] for key in ("boom_length", "stick_length", "tip_radius"))
        self.ranges = np.radians([numbers(key, 2) for key in ("boom_range_deg", "stick_range_deg", "bucket_range_deg")])

    def pin(self, angles) -> Tuple[float, float, float]:
        """x and z of the bucket's pin, and the elevation of the line from it to the edge."""
        boom, stick = angles[0], angles[0] + angles[1]
        x = self.foot[0] + self.boom * math.cos(boom) + self.stick * math.cos(stick)
        z = self.foot[1] + self.boom * math.sin(boom) + self.stick * math.sin(stick)
        return x, z, stick + angles[2]

    def angles(self, x, z, elevation) -> np.ndarray:
        """Angles that bring the pin to x, z and the edge to the elevation, as near as the joints allow."""
        dx, dz = x - self.foot[0], z - self.foot[1]
        reach = min(max(math.hypot(dx, dz), 0.5), self.boom + self.stick - 1e-3)
        inner = (self.boom**2 + reach**2 - self.stick**2) / (2.0 * self.boom * reach)
        bend = (self.boom**2 + self.stick**2 - reach**2) / (2.0 * self.boom * self.stick)
        boom = math.atan2(dz, dx) + math.acos(min(max(inner, -1.0), 1.0))
        boom = min(max(boom, self.ranges[0][0]), self.ranges[0][1])
        stick = -(math.pi - math.acos(min(max(bend, -1.0), 1.0)))
        stick = min(max(stick, self.ranges[1][0]), self.ranges[1][1])
        middle = 0.5 * (self.ranges[2][0] + self.ranges[2][1])
        bucket = elevation - boom - stick
        bucket -= 2.0 * math.pi * math.floor((bucket - middle + math.pi) / (2.0 * math.pi))
        return np.array([boom, stick, min(max(bucket, self.ranges[2][0]), self.ranges[2][1])])


@dataclass
class Stroke:
    """A pass that is planned."""

    direction: float  # rad, world, from the swing axis
    distance: np.ndarray  # m from the swing axis, falling: the way of the edge
    height: np.ndarray  # m, world z, of the edge there
    rim: float  # m, world z: the highest ground round it


class Expert:
    """A policy for tasks with a table [expert]: expert(observation) is the next action.

    env  an Env that has been reset. Call reset() whenever it is reset.
    """

    def __init__(self, env):
        self.env = env.unwrapped
        self.plan = plan_of(self.env.task)
        self.levers = [self.env.task.actions.index(name) for name in ("swing", "boom", "stick", "bucket")]
        self.reset()

    def reset(self) -> None:
        """Forgets the cycle under way: the next one begins with a new plan."""
        self.session = self.env.session
        self.names = {name: k for k, name in enumerate(self.session.observation_names)}
        self.arm = Arm(self.session)
        self.dt = self.env.dt
        self.cycles = 0
        self._stroke = None
        self._enter("return")

    @property
    def phase(self) -> str:
        """Of PHASES."""
        return self._phase

    def _enter(self, phase):
        self._phase, self._time, self._way = phase, 0.0, 0.0

    def __call__(self, observation=None) -> np.ndarray:
        """The next action: levers of the task's actions, -1 to 1."""
        if self.env.session is not self.session:
            self.reset()
        self._look()
        if self._stroke is None:
            self._stroke = self._choose_stroke()
        self._change_phase()
        wanted, direction = getattr(self, "_" + self._phase)()
        self._time += self.dt
        return self._action(wanted, direction)

    # ---- what it sees ------------------------------------------------------------------------------------------------

    def _look(self):
        seen = self.session.observe()

        def get(*names):
            return [float(seen[self.names[name]]) for name in names]

        self.angles = np.array(get("boom_angle", "stick_angle", "bucket_angle"))
        swing, self.swing_speed, yaw, pitch, roll = get("swing_angle", "swing_speed", "yaw", "pitch", "roll")
        self.base, self.payload = np.array(get("base_x", "base_y", "base_z")), get("payload")[0]
        self.direction = yaw - swing
        self.slope = pitch * math.cos(-swing) + roll * math.sin(-swing)  # of the house's plane where the boom points
        self.x, z, self.elevation = self.arm.pin(self.angles)
        self.z = self.base[2] + z + self.slope * self.x

    def _angles_at(self, x, z, elevation):
        """Of the pin at x m ahead of the swing axis and z m in the world."""
        return self.arm.angles(x, z - self.base[2] - self.slope * x, elevation - self.slope)

    def _to(self, place):
        """Direction and distance of a place from the swing axis."""
        dx, dy = place[0] - self.base[0], place[1] - self.base[1]
        return math.atan2(dy, dx), math.hypot(dx, dy)

    def _turn(self, direction):
        """How far the house is to the left of a direction, rad."""
        return (self.direction - direction + math.pi) % (2.0 * math.pi) - math.pi

    # ---- plans -------------------------------------------------------------------------------------------------------

    def _choose_stroke(self):
        strokes: List[Tuple[float, Stroke]] = [self._stroke_in(lane) for lane in self.plan.lanes]
        worth, stroke = max(strokes, key=lambda found: found[0])
        if stroke is None:
            raise BadTask(
                f"task {self.env.task.name}: expert: the arm reaches the ground on none of the lanes from where it is"
            )
        return stroke

    def _stroke_in(self, lane):
        """The best stroke along a lane, and its worth."""
        plan, (direction, far) = self.plan, self._to(lane)
        count = max(int((far - plan.near) / PROBE) + 1, 6)
        middle = far - 0.5 * (count - 1) * PROBE
        patch = self.session.heights(
            int(plan.width / PROBE) | 1,
            count,
            PROBE,
            self.base[0] + middle * math.cos(direction),
            self.base[1] + middle * math.sin(direction),
            direction,
            "world",
        )
        ground = patch.ground.mean(0)[::-1].astype(float)  # from the far end
        away = far - PROBE * np.arange(count)
        longest = min(int(plan.stroke / PROBE), count)
        best: Tuple[float, Any] = (-1.0, None)
        for first in range(0, max(count - longest, 0) + 1, 3):
            stretch = slice(first, first + longest)
            height, volume = self._line(ground[stretch])
            if not self._reaches(away[first], patch.ground.max() + AIR):
                continue
            worth = min(volume / plan.fill, 1.0) + 0.02 * away[first]
            if worth > best[0]:
                rim = float(patch.ground.max())
                best = (worth, Stroke(direction, away[stretch], height, rim))
        return best

    def _reaches(self, x, z):
        """True when the edge gets to a place with the bucket as it enters."""
        pin = self.arm.pin(self._edge_at(x, z, self.plan.enter))[0]
        return abs(pin + self.arm.tip * math.cos(self.plan.enter) - x) < 0.05

    def _line(self, ground):
        """Heights along which a stretch gives the volume that is wanted, or all of it, and that volume."""
        plan, smooth = self.plan, np.convolve(np.pad(ground, 3, mode="edge"), np.ones(7) / 7.0, "valid")
        low, high = 0.0, plan.bite
        for _ in range(8):
            bite = 0.5 * (low + high)
            line = np.maximum(smooth - bite, plan.floor)
            volume = float(np.sum(np.maximum(ground - line, 0.0))) * PROBE * plan.width
            low, high = (low, bite) if volume > plan.fill else (bite, high)
        return line, volume

    # ---- the cycle ---------------------------------------------------------------------------------------------------

    def _change_phase(self):
        stroke, plan = self._stroke, self.plan
        turn = abs(self._turn(stroke.direction))
        edge = self.x + self.arm.tip * math.cos(self.elevation)
        if self._phase == "return" and ((turn < 0.05 and abs(edge - stroke.distance[0]) < 0.3) or self._time > 12.0):
            self._enter("lower")
        elif self._phase == "lower" and (self._edge_height() < stroke.height[0] + 0.08 or self._time > 3.0):
            self._enter("dig")
        elif self._phase == "dig" and (self._way >= stroke.distance[0] - stroke.distance[-1] or self._time > 9.0):
            self._pin = (self.x, self.z)
            self._enter("curl")
        elif self._phase == "curl" and (self.elevation < plan.held + 0.15 or self._time > 2.5):
            self._pin = (self.x, self.z)
            self._enter("lift")
        elif self._phase == "lift" and (self._is_over_dump() or self._time > 14.0):
            self._enter("dump")
        elif self._phase == "dump" and ((self.payload < 100.0 and self._time > 1.0) or self._time > 3.5):
            self.cycles += 1
            self._stroke = self._choose_stroke()
            self._enter("return")

    def _edge_height(self):
        return self.z + self.arm.tip * math.sin(self.elevation)

    def _is_over_dump(self):
        direction, away = self._to(self.plan.dump)
        return abs(self._turn(direction)) < 0.1 and math.hypot(self.x - away, self.z - self.plan.dump_height) < 0.35

    def _edge_at(self, x, z, elevation):
        """Angles that bring the edge to a place."""
        return self._angles_at(
            x - self.arm.tip * math.cos(elevation), z - self.arm.tip * math.sin(elevation), elevation
        )

    def _return(self):
        stroke, plan = self._stroke, self.plan
        away_from_dump = abs(self._turn(self._to(plan.dump)[0]))
        if away_from_dump < plan.clear_turn or abs(self._turn(stroke.direction)) > 0.6:
            height = max(plan.travel_height, stroke.rim + self.arm.tip + 0.3)
            return self._angles_at(min(self.x, stroke.distance[0] - 1.0), height, plan.enter), stroke.direction
        return self._edge_at(stroke.distance[0], stroke.rim + AIR, plan.enter), stroke.direction

    def _lower(self):
        stroke = self._stroke
        return self._edge_at(stroke.distance[0], stroke.height[0] - 0.05, self.plan.enter), stroke.direction

    def _dig(self):
        stroke, plan = self._stroke, self.plan
        edge = (self.x + self.arm.tip * math.cos(self.elevation), self._edge_height())
        self._way += plan.speed * self.dt * self._rate(edge)
        length = stroke.distance[0] - stroke.distance[-1]
        way = min(self._way, length)
        height = float(np.interp(way, stroke.distance[0] - stroke.distance, stroke.height))
        share = way / length
        angle = plan.drag + (plan.end - plan.drag) * share
        if way < 0.5:
            angle = plan.enter + (plan.drag - plan.enter) * way / 0.5
        return self._edge_at(stroke.distance[0] - way, height, angle), stroke.direction

    def _rate(self, edge):
        """How fast the path goes on, 0 to 1: it waits for an edge that lags, but never stands for long."""
        stroke = self._stroke
        height = float(np.interp(self._way, stroke.distance[0] - stroke.distance, stroke.height))
        lag = math.hypot(edge[0] - (stroke.distance[0] - self._way), edge[1] - height)
        return min(max((0.8 - lag) / 0.6, 0.15), 1.0)

    def _curl(self):
        plan = self.plan
        return (
            self._angles_at(self._pin[0], self._pin[1] + 0.5 * min(self._time, 1.6), plan.held),
            self._stroke.direction,
        )

    def _lift(self):
        plan = self.plan
        direction, away = self._to(plan.dump)
        high = max(plan.travel_height, self._stroke.rim + 1.3)
        if self.z < high - 0.3 and abs(self._turn(self._stroke.direction)) < 0.3:
            return self._angles_at(min(self._pin[0], plan.carry), high + 0.2, plan.held), self._stroke.direction
        if abs(self._turn(direction)) > 0.5:
            return self._angles_at(min(self._pin[0], plan.carry), max(high, plan.dump_height), plan.held), direction
        return self._angles_at(away, plan.dump_height, plan.held), direction

    def _dump(self):
        direction, away = self._to(self.plan.dump)
        return self._angles_at(away, self.plan.dump_height, self.plan.open), direction

    # ---- levers ------------------------------------------------------------------------------------------------------

    def _action(self, wanted, direction):
        plan, action = self.plan, np.zeros(len(self.env.task.actions), np.float32)
        errors = wanted - self.angles
        for k, (name, sign) in enumerate((("boom", 1.0), ("stick", -1.0), ("bucket", -1.0))):
            action[self.levers[k + 1]] = sign * _lever(3.5 * errors[k] / plan.full[name], 0.01)
        turn = self._turn(direction)
        speed = math.copysign(min(2.0 * abs(turn), math.sqrt(2.0 * plan.swing_braking * abs(turn))), turn)
        action[self.levers[0]] = _lever(speed / plan.full["swing"], 0.008)
        return action


def _lever(share, still):
    """Lever for a share of full speed, past the valve's dead band of 0.05."""
    if abs(share) < still:
        return 0.0
    return math.copysign(min(0.05 + 0.95 * abs(share), 1.0), share)
