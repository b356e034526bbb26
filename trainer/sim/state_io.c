/// Hash, save, restore and difference are four visitors over one list of fields (data/core/state_visitor.h); and the
/// ranges of all fields, with the check of stored bytes against them. A saved state names every field, so that two
/// states can be compared field by field and a state of another scene is refused.
#include "trainer/sim/state_io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/float_mode.h"
#include "machine/rocks.h"
#include "machine/truck.h"
#include "trainer/sim/damage.h"
#include "trainer/sim/exercise_state.h"
#include "trainer/sim/incidents.h"
#include "trainer/sim/persons.h"
#include "trainer/sim/session_cab.h"
#include "trainer/sim/session_foot.h"
#include "trainer/sim/session_solids.h"
#include "trainer/sim/session_tools.h"
#include "trainer/sim/state_sum.h"
#include "trainer/sim/truck_driver.h"
#include "trainer/sim/utilities.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "saved states are little-endian");

static const char magic[8] = {'S', 'P', 'A', 'D', 'E', 'S', 'T', '1'};

enum { HEAD_SIZE = 16, SUM_SIZE = 8, FIELD_HEAD = 2 + 4 + 8, NAME_MOST = 1000 };

/// ---- ranges --------------------------------------------------------------------------------------------------------
///
/// The rows, in the order of session_visit. Bounds are in the unit of the row's end, as recordings store the number.

#define LEVEL     200.0 ///< m, up and down: sites lie between their bedrock, 20 m deep, and the crests of surveys
#define FASTEST   1e3 ///< m/s; what falls from the highest place has 60
#define SPINNING  1e3 ///< rad/s
#define STRONGEST 1e9 ///< N and N m: a thousand times the heaviest machine's weight
#define LONGEST   1e8 ///< s: three years
#define HEAVIEST  1e9 ///< kg
#define LARGEST   1e7 ///< m3: more than the largest site holds
#define MOST      1e9 ///< of what is counted
#define TICKS     1e12
#define WHOLE     2147483647.0 ///< of what may be any number of its kind
#define HARDEST   1e12 ///< N s2 of a grain's contact

#define NUMBER(type) _Generic((type)0, double : STATE_DOUBLE, int32_t : STATE_INT32, int64_t : STATE_INT64)

/// Rows of the fields that are listed beside their structs; each list has its own prefix.
#define F(type, name, low, high, unit)         {PREFIX #name, NUMBER(type), STATE_FIXED, low, high, unit},
#define M(type, name, metric, low, high, unit) F(type, name, low, high, unit)
#define A(type, name, count, low, high, unit)  F(type, name, low, high, unit)
#define P(part, name, count, low, high, unit)  F(double, name, low, high, unit)

// clang-format off
static const StateRange range_rows[] = {
    // The session, the steel, the machine.
    {"session.tick", STATE_INT64, STATE_FIXED, 0.0, TICKS, "ticks"},
    {"session.pending_force", STATE_DOUBLE, STATE_FIXED, -STRONGEST, STRONGEST, "N"},
    {"session.pending_moment", STATE_DOUBLE, STATE_FIXED, -STRONGEST, STRONGEST, "N m"},
    {"hull.pending_force", STATE_DOUBLE, STATE_FIXED, -STRONGEST, STRONGEST, "N"},
    {"hull.pending_moment", STATE_DOUBLE, STATE_FIXED, -STRONGEST, STRONGEST, "N m"},
    {"machine.*.position", STATE_DOUBLE, STATE_PLACE, -LEVEL, LEVEL, "m"},
    {"machine.*.quaternion", STATE_DOUBLE, STATE_UNIT, -1.001, 1.001, ""},
    {"machine.*.velocity", STATE_DOUBLE, STATE_FIXED, -FASTEST, FASTEST, "m/s"},
    {"machine.*.spin", STATE_DOUBLE, STATE_FIXED, -SPINNING, SPINNING, "rad/s"},
    {"machine.spool", STATE_DOUBLE, STATE_FIXED, -1.0, 1.0, ""},
    {"machine.track_spool", STATE_DOUBLE, STATE_FIXED, -1.0, 1.0, ""},
    {"machine.joint_speed", STATE_DOUBLE, STATE_FIXED, -100.0, 100.0, "rad/s or m/s"},
    {"machine.joint_force", STATE_DOUBLE, STATE_FIXED, -STRONGEST, STRONGEST, "N or N m"},
    {"machine.track_shear", STATE_DOUBLE, STATE_FIXED, -100.0, 100.0, "m"},
    {"machine.track_speed", STATE_DOUBLE, STATE_FIXED, -100.0, 100.0, "m/s"},
    {"machine.track_flow", STATE_DOUBLE, STATE_FIXED, -100.0, 100.0, "m/s"},
    {"machine.track_hold", STATE_DOUBLE, STATE_FIXED, -100.0, 100.0, "m/s"},
    {"machine.track_travel", STATE_DOUBLE, STATE_FIXED, -1e9, 1e9, "m"},
    {"machine.track_force", STATE_DOUBLE, STATE_FIXED, -STRONGEST, STRONGEST, "N"},
    {"machine.patch_load", STATE_DOUBLE, STATE_FIXED, 0.0, STRONGEST, "N"},
    {"machine.engine_speed", STATE_DOUBLE, STATE_FIXED, 0.0, 1e4, "rad/s"},
    {"machine.pump_power", STATE_DOUBLE, STATE_FIXED, -STRONGEST, STRONGEST, "W"},
    {"machine.fuel", STATE_DOUBLE, STATE_FIXED, -1e5, 1e5, "kg"},
    {"machine.hammer_spool", STATE_DOUBLE, STATE_FIXED, 0.0, 1.0, ""},
    {"machine.hammer_clock", STATE_DOUBLE, STATE_FIXED, 0.0, 1.0, ""},
    {"machine.hammer_rate", STATE_DOUBLE, STATE_FIXED, 0.0, 1e3, "Hz"},
    {"machine.shift_clock", STATE_DOUBLE, STATE_FIXED, 0.0, 10.0, "s"},
    {"machine.gear", STATE_INT32, STATE_FIXED, -MACHINE_GEARS, MACHINE_GEARS, ""},
    {"machine.hammer_blows", STATE_INT32, STATE_FIXED, 0.0, WHOLE, ""},
    {"machine.limits", STATE_INT32, STATE_FIXED, 0.0, MACHINE_LIMIT_BITS, ""},
    {"machine.relief", STATE_INT32, STATE_FIXED, 0.0, MACHINE_RELIEF_BITS, ""},
    {"machine.floating", STATE_INT32, STATE_FIXED, 0.0, MACHINE_JOINT_BITS, ""},

    // The soil: grains, contacts, bearing, pairs, ground, trays.
    {"soil.tick", STATE_INT64, STATE_FIXED, 0.0, TICKS, "ticks"},
    {"soil.trays", STATE_INT32, STATE_FIXED, 0.0, 1e3, ""},
    {"soil.ground_lasts", STATE_UINT8, STATE_FIXED, 0.0, 1.0, ""},
    {"particles.count", STATE_INT32, STATE_PARTICLES, 0.0, 0.0, "grains"},
    {"particles.next_id", STATE_UINT32, STATE_FIXED, 0.0, 4294967295.0, ""},
    {"particles.x", STATE_DOUBLE, STATE_ALONG_X, 0.0, 0.0, "m"},
    {"particles.y", STATE_DOUBLE, STATE_ALONG_Y, 0.0, 0.0, "m"},
    {"particles.z", STATE_DOUBLE, STATE_FIXED, -LEVEL, LEVEL, "m"},
    {"particles.vx", STATE_DOUBLE, STATE_FIXED, -FASTEST, FASTEST, "m/s"},
    {"particles.vy", STATE_DOUBLE, STATE_FIXED, -FASTEST, FASTEST, "m/s"},
    {"particles.vz", STATE_DOUBLE, STATE_FIXED, -FASTEST, FASTEST, "m/s"},
    {"particles.radius", STATE_FLOAT, STATE_FIXED, 1e-4, 1.0, "m"},
    {"particles.mass", STATE_INT32, STATE_FIXED, 1.0, 1e9, "quanta"},
    {"particles.id", STATE_UINT32, STATE_FIXED, 0.0, 4294967295.0, ""},
    {"particles.soil", STATE_UINT8, STATE_SOILS, 0.0, -1.0, ""},
    {"particles.quiet", STATE_UINT16, STATE_FIXED, 0.0, 65535.0, "ticks"},
    {"particles.calm", STATE_UINT8, STATE_FIXED, 0.0, 255.0, ""},
    {"particles.newborn", STATE_UINT8, STATE_FIXED, 0.0, 2.0, ""},
    {"particles.path", STATE_FLOAT, STATE_FIXED, -1.0, 1e6, "m"},
    {"particles.slack", STATE_FLOAT, STATE_FIXED, -1e3, 1e3, "m"},
    {"particles.ground_near", STATE_UINT8, STATE_FIXED, 0.0, 1.0, ""},
    {"particles.ground_bond", STATE_UINT8, STATE_FIXED, 0.0, 7.0, ""},
    {"particles.ground_gap", STATE_FLOAT, STATE_FIXED, -1e3, 1e3, "m"},
    {"particles.ground_rest", STATE_FLOAT, STATE_FIXED, -1e3, 1e3, "m"},
    {"particles.ground_strength", STATE_UINT16, STATE_FIXED, 0.0, 65535.0, ""},
    {"particles.ground_impulse_x", STATE_FLOAT, STATE_FIXED, -HARDEST, HARDEST, "N s2"},
    {"particles.ground_impulse_y", STATE_FLOAT, STATE_FIXED, -HARDEST, HARDEST, "N s2"},
    {"particles.ground_impulse_z", STATE_FLOAT, STATE_FIXED, -HARDEST, HARDEST, "N s2"},
    {"contacts.count", STATE_INT32, STATE_FIXED, 0.0, MOST, ""},
    {"contacts.first", STATE_UINT32, STATE_FIXED, 0.0, 4294967295.0, ""},
    {"contacts.second", STATE_UINT32, STATE_FIXED, 0.0, 4294967295.0, ""},
    {"contacts.lambda", STATE_FLOAT, STATE_FIXED, -HARDEST, HARDEST, "N s2"},
    {"contacts.gap", STATE_FLOAT, STATE_FIXED, -1e3, 1e3, "m"},
    {"contacts.force_x", STATE_FLOAT, STATE_FIXED, -HARDEST, HARDEST, "N s2"},
    {"contacts.force_y", STATE_FLOAT, STATE_FIXED, -HARDEST, HARDEST, "N s2"},
    {"contacts.force_z", STATE_FLOAT, STATE_FIXED, -HARDEST, HARDEST, "N s2"},
    {"contacts.rest", STATE_FLOAT, STATE_FIXED, -1e3, 1e3, "m"},
    {"contacts.pressed", STATE_FLOAT, STATE_FIXED, 0.0, HARDEST, "N s2"},
    {"contacts.flags", STATE_UINT8, STATE_FIXED, 0.0, 255.0, ""},
    {"contacts.face", STATE_UINT8, STATE_FIXED, 0.0, 255.0, ""},
    {"bearing.count", STATE_INT32, STATE_FIXED, 0.0, MOST, ""},
    {"bearing.key", STATE_UINT32, STATE_FIXED, 0.0, 4294967295.0, ""},
    {"bearing.pushed", STATE_DOUBLE, STATE_FIXED, 0.0, 1.0, "m"},
    {"soil.left", STATE_INT64, STATE_FIXED, 0.0, 1e15, "quanta"},
    {"soil.ways", STATE_DOUBLE, STATE_FIXED, -1.0, 1.0, ""},
    {"soil.borne", STATE_DOUBLE, STATE_FIXED, 0.0, 1e9, "Pa"},
    {"pairs.batches", STATE_INT32, STATE_FIXED, 0.0, MOST, ""},
    {"pairs.blocks", STATE_INT32, STATE_FIXED, 0.0, MOST, ""},
    {"pairs.stale", STATE_UINT8, STATE_FIXED, 0.0, 1.0, ""},
    {"pairs.cell", STATE_DOUBLE, STATE_FIXED, 0.0, 1e3, "m"},
    {"pairs.looks", STATE_INT32, STATE_FIXED, 0.0, WHOLE, ""},
    {"pairs.turn", STATE_INT32, STATE_FIXED, 0.0, 63.0, ""},
    {"pairs.colour", STATE_INT32, STATE_FIXED, 0.0, MOST, ""},
    {"pairs.block", STATE_INT32, STATE_FIXED, 0.0, MOST, ""},
    {"pairs.block_x", STATE_INT32, STATE_FIXED, -MOST, MOST, ""},
    {"pairs.block_y", STATE_INT32, STATE_FIXED, -MOST, MOST, ""},
    {"pairs.block_contacts", STATE_INT32, STATE_FIXED, 0.0, MOST, ""},
    {"pairs.block_batches", STATE_INT32, STATE_FIXED, 0.0, MOST, ""},
    {"pairs.i", STATE_INT32, STATE_PARTICLES, 0.0, 0.0, ""},
    {"pairs.j", STATE_INT32, STATE_PARTICLES, 0.0, 0.0, ""},
    {"pairs.impulse_x", STATE_FLOAT, STATE_FIXED, -1e3, 1e3, "N s2"},
    {"pairs.impulse_y", STATE_FLOAT, STATE_FIXED, -1e3, 1e3, "N s2"},
    {"pairs.impulse_z", STATE_FLOAT, STATE_FIXED, -1e3, 1e3, "N s2"},
    {"pairs.rest", STATE_FLOAT, STATE_FIXED, -1.0, 1.0, "m"},
    {"pairs.strength", STATE_UINT16, STATE_FIXED, 0.0, 65535.0, ""},
    {"pairs.flags", STATE_UINT8, STATE_FIXED, 0.0, 7.0, ""},
    {"ground.tiles", STATE_INT32, STATE_FIXED, 0.0, MOST, ""},
    {"ground.covers", STATE_INT32, STATE_FIXED, 0.0, 1e3, ""},
    {"ground.cover", STATE_DOUBLE, STATE_FIXED, -1e4, 1e4, "m"},
    {"ground.tile", STATE_INT32, STATE_FIXED, 0.0, MOST, ""},
    {"ground.mass", STATE_INT32, STATE_FIXED, 0.0, 1e9, "quanta"},
    {"ground.density", STATE_FLOAT, STATE_FIXED, 0.0, 1e5, "kg/m3"},
    {"ground.soil", STATE_UINT8, STATE_FIXED, 0.0, 255.0, ""},
    {"ground.loose", STATE_UINT8, STATE_FIXED, 0.0, 1.0, ""},
    {"ground.count", STATE_UINT8, STATE_FIXED, 0.0, 255.0, ""},
    {"ground.fresh", STATE_UINT8, STATE_FIXED, 0.0, 255.0, ""},
    {"ground.pressed", STATE_FLOAT, STATE_FIXED, 0.0, 1e3, "m"},
    {"ground.pressed_top", STATE_FLOAT, STATE_FIXED, -1e6, 1e6, "m"},
    {"ground.shorn", STATE_FLOAT, STATE_FIXED, 0.0, 1.0, "m"},
    {"ground.sliding", STATE_UINT8, STATE_FIXED, 0.0, 1.0, ""},
    {"ground.doubtful", STATE_UINT8, STATE_FIXED, 0.0, 255.0, ""},
    {"faces.open", STATE_FLOAT, STATE_FIXED, 0.0, 1e7, "s"},
    {"faces.wet", STATE_FLOAT, STATE_FIXED, 0.0, 1e7, "s"},
    {"faces.foot", STATE_FLOAT, STATE_FIXED, -1e6, 1e6, "m"},
    {"tray.position", STATE_DOUBLE, STATE_PLACE, -LEVEL, LEVEL, "m"},
    {"tray.rotation", STATE_DOUBLE, STATE_FIXED, -1.001, 1.001, ""},
    {"tray.tail_open", STATE_UINT8, STATE_FIXED, 0.0, 1.0, ""},

    // The exercise.
#define PREFIX "exercise."
    EXERCISE_FIELDS(F, M, A)
#undef PREFIX
#define PREFIX "exercise.work."
    WORK_PHASE_FIELDS(F)
#undef PREFIX
#define PREFIX "exercise.swing."
    SWING_SKILL_FIELDS(F, A)
#undef PREFIX
#define PREFIX "exercise."
    EXERCISE_ARRAYS(A)
    EXERCISE_PARTS(P)
#undef PREFIX
    {"exercise.event_count", STATE_INT32, STATE_FIXED, 0.0, EXERCISE_MAX_EVENTS, ""},
    {"exercise.event.tick", STATE_INT64, STATE_FIXED, 0.0, TICKS, "ticks"},
    {"exercise.event.kind", STATE_INT32, STATE_FIXED, 0.0, EVENT_KIND_COUNT - 1.0, ""},
    {"exercise.event.form", STATE_INT32, STATE_FIXED, 0.0, EVENT_MOST_FORMS - 1.0, ""},
    {"exercise.event.thing.kind", STATE_INT32, STATE_FIXED, 0.0, THING_KIND_COUNT - 1.0, ""},
    {"exercise.event.thing.index", STATE_INT32, STATE_FIXED, 0.0, SCENE_MAX_TARGETS, ""},
    {"exercise.event.thing.name", STATE_TEXT, STATE_FIXED, 0.0, 0.0, ""},
    {"exercise.event.number", STATE_DOUBLE, STATE_FIXED, -HARDEST, HARDEST, ""},

    // Trucks.
    {"truck.phase", STATE_INT32, STATE_FIXED, 0.0, TRUCK_PHASE_COUNT - 1.0, ""},
    {"truck.leaving", STATE_INT32, STATE_FIXED, 0.0, 2.0, ""},
    {"truck.on_road", STATE_INT32, STATE_FIXED, 0.0, 1.0, ""},
    {"truck.blocked", STATE_INT32, STATE_FIXED, 0.0, 1.0, ""},
    {"truck.distance", STATE_DOUBLE, STATE_FIXED, 0.0, 1e5, "m"},
    {"truck.goal", STATE_DOUBLE, STATE_FIXED, -1e5, 1e5, "m"},
    {"truck.speed", STATE_DOUBLE, STATE_FIXED, 0.0, 100.0, "m/s"},
    {"truck.rolled", STATE_DOUBLE, STATE_FIXED, -1e9, 1e9, "m"},
    {"truck.bed_angle", STATE_DOUBLE, STATE_FIXED, -3.2, 3.2, "rad"},
    {"truck.bed_rate", STATE_DOUBLE, STATE_FIXED, -100.0, 100.0, "rad/s"},
    {"truck.timer", STATE_DOUBLE, STATE_FIXED, -LONGEST, LONGEST, "s"},
    {"truck.phase_time", STATE_DOUBLE, STATE_FIXED, 0.0, LONGEST, "s"},
    {"truck.mark", STATE_DOUBLE, STATE_FIXED, -HEAVIEST, HEAVIEST, "kg"},
    {"truck.load", STATE_DOUBLE, STATE_FIXED, -HEAVIEST, HEAVIEST, "kg"},
    {"truck.hauled", STATE_DOUBLE, STATE_FIXED, -HEAVIEST, HEAVIEST, "kg"},
    {"truck.delivered", STATE_DOUBLE, STATE_FIXED, -HEAVIEST, HEAVIEST, "kg"},
    {"truck.departures", STATE_INT64, STATE_FIXED, 0.0, MOST, ""},
    {"truck.full_departures", STATE_INT64, STATE_FIXED, 0.0, MOST, ""},
    {"truck.loads", STATE_INT64, STATE_FIXED, 0.0, MOST, ""},
    {"truck.passes", STATE_INT64, STATE_FIXED, 0.0, MOST, ""},
    {"truck.all_passes", STATE_INT64, STATE_FIXED, 0.0, MOST, ""},
    {"truck.since_pass", STATE_DOUBLE, STATE_FIXED, 0.0, LONGEST, "s"},
    {"truck.height", STATE_DOUBLE, STATE_FIXED, -LEVEL, LEVEL, "m"},
    {"truck.slope", STATE_DOUBLE, STATE_FIXED, -1e4, 1e4, ""},
    {"truck.body.position", STATE_DOUBLE, STATE_PLACE, -LEVEL, LEVEL, "m"},
    {"truck.body.quaternion", STATE_DOUBLE, STATE_UNIT, -1.001, 1.001, ""},
    {"truck.body.velocity", STATE_DOUBLE, STATE_FIXED, -FASTEST, FASTEST, "m/s"},
    {"truck.body.spin", STATE_DOUBLE, STATE_FIXED, -SPINNING, SPINNING, "rad/s"},
    {"truck.body.shear", STATE_DOUBLE, STATE_FIXED, -1e3, 1e3, "m"},
    {"truck.body.force", STATE_DOUBLE, STATE_FIXED, 0.0, STRONGEST, "N"},
    {"truck.body.load", STATE_DOUBLE, STATE_FIXED, 0.0, HEAVIEST, "kg"},
    {"truck.body.load_center", STATE_DOUBLE, STATE_FIXED, -100.0, 100.0, "m"},
    {"truck.body.still", STATE_DOUBLE, STATE_FIXED, 0.0, LONGEST, "s"},
    {"truck.body.asleep", STATE_INT32, STATE_FIXED, 0.0, 1.0, ""},

    // Rocks.
    {"rocks.position", STATE_DOUBLE, STATE_PLACE, -LEVEL, LEVEL, "m"},
    {"rocks.quaternion", STATE_DOUBLE, STATE_UNIT, -1.001, 1.001, ""},
    {"rocks.velocity", STATE_DOUBLE, STATE_FIXED, -FASTEST, FASTEST, "m/s"},
    {"rocks.spin", STATE_DOUBLE, STATE_FIXED, -SPINNING, SPINNING, "rad/s"},
    {"rocks.anchor", STATE_DOUBLE, STATE_FIXED, -1e4, 1e4, "m"},
    {"rocks.drift", STATE_DOUBLE, STATE_FIXED, -1e4, 1e4, ""},
    {"rocks.turning", STATE_DOUBLE, STATE_FIXED, -1e4, 1e4, ""},
    {"rocks.awake_time", STATE_DOUBLE, STATE_FIXED, 0.0, LONGEST, "s"},
    {"rocks.force", STATE_DOUBLE, STATE_FIXED, -STRONGEST, STRONGEST, "N"},
    {"rocks.moment", STATE_DOUBLE, STATE_FIXED, -STRONGEST, STRONGEST, "N m"},
    {"rocks.bed", STATE_DOUBLE, STATE_FIXED, -1e6, 1e6, ""},
    {"rocks.damage", STATE_DOUBLE, STATE_FIXED, 0.0, 1e12, "J"},
    {"rocks.shape", STATE_INT32, STATE_FIXED, -1.0, ROCK_MAX_KINDS - 1.0, ""},
    {"rocks.asleep", STATE_INT32, STATE_FIXED, 0.0, 1.0, ""},
    {"rocks.carries", STATE_INT32, STATE_FIXED, 0.0, 1.0, ""},
    {"rocks.pile.middle", STATE_DOUBLE, STATE_FIXED, -1e4, 1e4, "m"},
    {"rocks.pile.volume", STATE_DOUBLE, STATE_FIXED, 0.0, LARGEST, "m3"},
    {"rocks.pile.boundary", STATE_DOUBLE, STATE_FIXED, 0.0, 1e4, "m"},
    {"rocks.pile.borne", STATE_DOUBLE, STATE_FIXED, 0.0, HARDEST, ""},
    {"rocks.pile.used", STATE_INT32, STATE_FIXED, 0.0, 1.0, ""},
    {"rocks.pile.given", STATE_INT32, STATE_FIXED, 0.0, 1.0, ""},
    {"rocks.contacts", STATE_INT32, STATE_FIXED, 0.0, MOST, ""},
    {"rocks.contact.a", STATE_INT32, STATE_FIXED, 0.0, ROCK_MAX_BUDGET - 1.0, ""},
    {"rocks.contact.b", STATE_INT32, STATE_FIXED, -WHOLE, ROCK_MAX_BUDGET - 1.0, ""},
    {"rocks.contact.anchor", STATE_DOUBLE, STATE_FIXED, -1e4, 1e4, "m"},
    {"rocks.contact.impulse", STATE_DOUBLE, STATE_FIXED, -STRONGEST, STRONGEST, "N s"},
    {"rocks.contact.rest", STATE_DOUBLE, STATE_FIXED, 0.0, 100.0, "m"},
    {"rocks.cuts", STATE_INT32, STATE_FIXED, 0.0, ROCK_MAX_CUTS, ""},
    {"rocks.cut.parent", STATE_INT32, STATE_FIXED, 0.0, ROCK_MAX_KINDS - 1.0, ""},
    {"rocks.cut.normal", STATE_DOUBLE, STATE_FIXED, -1.001, 1.001, ""},
    {"rocks.cut.offset", STATE_DOUBLE, STATE_FIXED, -100.0, 100.0, "m"},
    {"rocks.avalanches", STATE_INT64, STATE_FIXED, 0.0, TICKS, ""},
    {"rocks.pile_wakes", STATE_INT64, STATE_FIXED, 0.0, TICKS, ""},
    {"rocks.wakes", STATE_INT64, STATE_FIXED, 0.0, TICKS, ""},
    {"session.rock_slots", STATE_INT32, STATE_FIXED, -2.0, ROCK_MAX_BUDGET - 1.0, ""},
    {"session.rock_force", STATE_DOUBLE, STATE_FIXED, -STRONGEST, STRONGEST, "N"},
    {"session.rock_moment", STATE_DOUBLE, STATE_FIXED, -STRONGEST, STRONGEST, "N m"},

    // Loads on slings, and what was met.
    {"loads.pressed", STATE_INT32, STATE_FIXED, 0.0, 1.0, ""},
    {"loads.called", STATE_INT32, STATE_FIXED, 0.0, SCENE_MAX_LOADS, ""},
    {"load.position", STATE_DOUBLE, STATE_PLACE, -LEVEL, LEVEL, "m"},
    {"load.quaternion", STATE_DOUBLE, STATE_UNIT, -1.001, 1.001, ""},
    {"load.velocity", STATE_DOUBLE, STATE_FIXED, -FASTEST, FASTEST, "m/s"},
    {"load.spin", STATE_DOUBLE, STATE_FIXED, -SPINNING, SPINNING, "rad/s"},
    {"load.hooked", STATE_INT32, STATE_FIXED, 0.0, 1.0, ""},
    {"load.asleep", STATE_INT32, STATE_FIXED, 0.0, 1.0, ""},
    {"load.tension", STATE_DOUBLE, STATE_FIXED, 0.0, STRONGEST, "N"},
    {"load.borne", STATE_DOUBLE, STATE_FIXED, 0.0, STRONGEST, "N"},
    {"load.still", STATE_DOUBLE, STATE_FIXED, 0.0, LONGEST, "s"},
#define PREFIX "load."
    LOAD_FIELDS(F)
#undef PREFIX
#define PREFIX "solids.spell."
    TOUCH_SPELL_FIELDS(F)
#undef PREFIX
#define PREFIX "events."
    EVENT_SPELL_FIELDS(F) MACHINE_INCIDENT_FIELDS(F, A)
#undef PREFIX
#define PREFIX "cab."
    CAB_FIELDS(F)
#undef PREFIX
#define PREFIX "coupler."
    COUPLER_FIELDS(F)
#undef PREFIX
    {"tool.position", STATE_DOUBLE, STATE_PLACE, -LEVEL, LEVEL, "m"},
    {"tool.quaternion", STATE_DOUBLE, STATE_UNIT, -1.001, 1.001, ""},
    {"tool.velocity", STATE_DOUBLE, STATE_FIXED, -FASTEST, FASTEST, "m/s"},
    {"tool.spin", STATE_DOUBLE, STATE_FIXED, -SPINNING, SPINNING, "rad/s"},
#define PREFIX "tool."
    TOOL_FIELDS(F)
#undef PREFIX
#define PREFIX "foot."
    FOOT_FIELDS(F, A)
#undef PREFIX
#define PREFIX "walker."
    WALKER_FIELDS(F)
#undef PREFIX
#define PREFIX "utilities."
    UTILITY_FIELDS(F)
#undef PREFIX
#define PREFIX "damage."
    DAMAGE_FIELDS(F)
#undef PREFIX
#define PREFIX "driver."
    DRIVER_FIELDS(F)
#undef PREFIX
#define PREFIX "person."
    PERSON_FIELDS(F)
#undef PREFIX
    {"order.person_round", STATE_DOUBLE, STATE_FIXED, 0.0, 20.0, "m"},

    // What is ordered: nothing below 0.
#define X(id, name, unit, low, high, sound, ends, part) {"order." #name, STATE_DOUBLE, STATE_FIXED, 0.0, high, unit},
    SESSION_FAULTS(X)
#undef X
};
// clang-format on

#undef NUMBER
#undef F
#undef M
#undef A
#undef P

const StateRange *state_ranges(int *count)
{
    *count = (int)(sizeof range_rows / sizeof range_rows[0]);
    return range_rows;
}

/// ---- values against their ranges -----------------------------------------------------------------------------------

#define MARGIN         100.0 ///< m beyond the site: no machine comes there, what rolls off it may
#define UNIT_TOLERANCE 1e-3 ///< of a quaternion's length

/// True when a name is that of a row, in which one '*' stands for any characters.
static bool name_matches(const char *pattern, const char *name, size_t length)
{
    if (length == 0 || pattern[0] != name[0]) {
        return false; // most rows; no name begins with a star
    }
    const char *star = strchr(pattern, '*');
    if (star == NULL) {
        return strlen(pattern) == length && memcmp(pattern, name, length) == 0;
    }
    size_t head = (size_t)(star - pattern), tail = strlen(star + 1);
    return length > head + tail && memcmp(pattern, name, head) == 0 &&
           memcmp(star + 1, name + length - tail, tail) == 0;
}

const StateRange *state_range_find(const char *name, size_t name_length, int *hint)
{
    int count;
    const StateRange *rows = state_ranges(&count);
    int first = *hint >= 0 && *hint < count ? *hint : 0;
    for (int k = 0; k < count; k++) { // nearest first: fields come in order, and some groups of them again
        int away = k % 2 == 0 ? k / 2 : count - 1 - k / 2;
        const StateRange *row = &rows[(first + away) % count];
        if (name_matches(row->name, name, name_length)) {
            *hint = (first + away + 1) % count;
            return row;
        }
    }
    return NULL;
}

size_t state_number_size(StateNumber number)
{
    static const size_t sizes[] = {
        [STATE_DOUBLE] = 8, [STATE_FLOAT] = 4,  [STATE_INT64] = 8, [STATE_INT32] = 4,
        [STATE_UINT32] = 4, [STATE_UINT16] = 2, [STATE_UINT8] = 1, [STATE_TEXT] = 1,
    };
    return sizes[number];
}

void state_range_bounds(const StateRange *range, const SceneParams *scene, size_t index, double *low, double *high)
{
    const double reach[] = {0.5 * scene->ground.size_x + MARGIN, 0.5 * scene->ground.size_y + MARGIN};
    *low = range->low;
    *high = range->high;
    int axis = range->basis == STATE_PLACE     ? (int)(index % 3)
               : range->basis == STATE_ALONG_Y ? 1
               : range->basis == STATE_ALONG_X ? 0
                                               : 2;
    if (axis < 2) {
        *low = -reach[axis];
        *high = reach[axis];
    } else if (range->basis == STATE_PARTICLES) {
        *high += scene->particles.budget;
    } else if (range->basis == STATE_SOILS) {
        *high += scene->soil_count;
    }
}

/// A number as its bytes say. Whole numbers beyond 2^53, which no range reaches, are rounded.
static double number_at(StateNumber number, const unsigned char *at)
{
    union {
        double real;
        float single;
        int64_t i64;
        int32_t i32;
        uint32_t u32;
        uint16_t u16;
    } value;
    memcpy(&value, at, state_number_size(number));
    switch (number) {
    case STATE_DOUBLE:
        return value.real;
    case STATE_FLOAT:
        return (double)value.single;
    case STATE_INT64:
        return (double)value.i64;
    case STATE_INT32:
        return (double)value.i32;
    case STATE_UINT32:
        return (double)value.u32;
    case STATE_UINT16:
        return (double)value.u16;
    default:
        return (double)*at;
    }
}

/// Numbers that are looked at together: the compiler makes vectors of loops of this length.
enum { BLOCK = 64 };

/// Whether any of the BLOCK numbers at `data` is not between `low` and `high`, a NaN, too.
static bool doubles_outside(const unsigned char *data, double low, double high)
{
    double x[BLOCK];
    int64_t outside = 0;
    memcpy(x, data, sizeof x);
    for (int k = 0; k < BLOCK; k++) {
        outside |= (int64_t)(!(x[k] >= low) | !(x[k] <= high));
    }
    return outside != 0;
}

static bool floats_outside(const unsigned char *data, float low, float high)
{
    float x[BLOCK];
    int32_t outside = 0;
    memcpy(x, data, sizeof x);
    for (int k = 0; k < BLOCK; k++) {
        outside |= (int32_t)(!(x[k] >= low) | !(x[k] <= high));
    }
    return outside != 0;
}

static bool integers_outside(const unsigned char *data, int32_t low, int32_t high)
{
    int32_t x[BLOCK], outside = 0;
    memcpy(x, data, sizeof x);
    for (int k = 0; k < BLOCK; k++) {
        outside |= (int32_t)((x[k] < low) | (x[k] > high));
    }
    return outside != 0;
}

static bool bytes_outside(const unsigned char *data, uint8_t low, uint8_t high)
{
    uint8_t least = UINT8_MAX, most = 0;
    for (int k = 0; k < BLOCK; k++) {
        least = data[k] < least ? data[k] : least;
        most = data[k] > most ? data[k] : most;
    }
    return least < low || most > high;
}

/// The range of floats, of 32-bit integers, of bytes that lies between two bounds.
static void float_bounds(double low, double high, float bounds[2])
{
    bounds[0] = (float)low;
    bounds[1] = (float)high;
    bounds[0] = (double)bounds[0] < low ? nextafterf(bounds[0], HUGE_VALF) : bounds[0];
    bounds[1] = (double)bounds[1] > high ? nextafterf(bounds[1], -HUGE_VALF) : bounds[1];
}

static int32_t integer_within(double bound, double least, double most)
{
    return (int32_t)fmax(least, fmin(most, bound));
}

/// True when a whole block may hold a number that is outside; false: none is. Of kinds that are few, always true.
static bool is_block_suspect(StateNumber number, const unsigned char *data, double low, double high)
{
    float bounds[2];
    switch (number) {
    case STATE_DOUBLE:
        return doubles_outside(data, low, high);
    case STATE_FLOAT:
        float_bounds(low, high, bounds);
        return floats_outside(data, bounds[0], bounds[1]);
    case STATE_INT32:
        return integers_outside(data, integer_within(ceil(low), -2147483648.0, WHOLE),
                                integer_within(floor(high), -2147483648.0, WHOLE));
    case STATE_UINT8:
        return bytes_outside(data, (uint8_t)integer_within(ceil(low), 0.0, 255.0),
                             (uint8_t)integer_within(floor(high), 0.0, 255.0));
    default:
        return true;
    }
}

/// True when a kind of number has none outside of the bounds.
static bool all_lie_within(StateNumber number, double low, double high)
{
    double most = number == STATE_UINT8    ? 255.0
                  : number == STATE_UINT16 ? 65535.0
                  : number == STATE_UINT32 ? 4294967295.0
                                           : HUGE_VAL;
    return isfinite(most) && low <= 0.0 && high >= most;
}

/// The first of `count` numbers that is not between `low` and `high`, a NaN, too; `count`: none is.
static size_t first_outside(StateNumber number, const unsigned char *data, size_t count, double low, double high)
{
    size_t at = 0, size = state_number_size(number);
    if (all_lie_within(number, low, high)) {
        return count;
    }
    while (at < count) {
        size_t end = count - at < BLOCK ? count : at + BLOCK;
        if (end - at == BLOCK && !is_block_suspect(number, data + at * size, low, high)) {
            at = end;
            continue;
        }
        for (; at < end; at++) {
            double value = number_at(number, data + at * size);
            if (!(value >= low && value <= high)) {
                return at;
            }
        }
    }
    return count;
}

/// Says which element of a field is not what it may be. `count`: of the field's elements; one alone has no index.
static bool fail_element(const StateBytes *field, size_t index, size_t count, const char *text, Status *status)
{
    char place[32] = "";
    if (count > 1) {
        snprintf(place, sizeof place, "[%zu]", index);
    }
    return status_fail(status, STATUS_BAD_FILE, "saved state: %.*s%s is %s", (int)field->name_length, field->name,
                       place, text);
}

static bool fail_range(const StateRange *range, const StateBytes *field, size_t index, const double bounds[2],
                       Status *status)
{
    size_t size = state_number_size(range->number);
    char text[160];
    snprintf(text, sizeof text, "%.9g; allowed %.9g..%.9g%s%s", number_at(range->number, field->data + index * size),
             bounds[0], bounds[1], range->unit[0] != '\0' ? " " : "", range->unit);
    return fail_element(field, index, field->bytes / size, text, status);
}

/// Quaternions of length 1, or 0 in places that nothing is in.
static bool are_units(const StateBytes *field, Status *status)
{
    size_t count = field->bytes / sizeof(double) / 4;
    for (size_t k = 0; k < count; k++) {
        double q[4];
        memcpy(q, field->data + k * sizeof q, sizeof q);
        double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (!(length == 0.0 || fabs(length - 1.0) <= UNIT_TOLERANCE)) {
            char text[120];
            snprintf(text, sizeof text, "a quaternion of length %.9g; allowed 1", length);
            return fail_element(field, k, count, text, status);
        }
    }
    return true;
}

bool state_range_holds(const StateBytes *field, const SceneParams *scene, int *hint, Status *status)
{
    const StateRange *range = state_range_find(field->name, field->name_length, hint);
    if (range == NULL) {
        return status_fail(status, STATUS_BAD_FILE, "saved state: %.*s is no field of a session",
                           field->name_length < 60 ? (int)field->name_length : 60, field->name);
    }
    size_t size = state_number_size(range->number), count = field->bytes / size;
    if (field->bytes % size != 0) {
        return fail_element(field, 0, 1, "no whole number of numbers", status);
    }
    if (range->number == STATE_TEXT) {
        return true;
    }
    // x, y and z have ranges of their own; all other elements share one.
    size_t step = range->basis == STATE_PLACE ? 1 : count;
    for (size_t k = 0; k < count; k += step) {
        double bounds[2];
        state_range_bounds(range, scene, k, &bounds[0], &bounds[1]);
        size_t at = k + first_outside(range->number, field->data + k * size, step, bounds[0], bounds[1]);
        if (at < k + step) {
            return fail_range(range, field, at, bounds, status);
        }
    }
    return range->basis != STATE_UNIT || are_units(field, status);
}

static void visit_session(void *subject, StateVisitor *visitor)
{
    session_visit(subject, visitor);
}

/// ---- hash ----------------------------------------------------------------------------------------------------------

typedef struct HashVisitor {
    StateVisitor visitor; ///< first, so that the visitor is the struct
    const StateSumKernel *kernel;
    StateSum *sum;
} HashVisitor;

static void hash_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)name;
    const HashVisitor *self = (HashVisitor *)visitor;
    if (size * count > 0) {
        self->kernel->add(self->sum, data, size * count);
    }
}

uint64_t state_hash_visit(StateVisit *visit, void *subject)
{
    StateSum sum;
    HashVisitor self = {.visitor = {.field = hash_field}, .kernel = state_sum_choose(), .sum = &sum};
    self.kernel->begin(&sum);
    visit(subject, &self.visitor);
    return self.kernel->end(&sum);
}

uint64_t state_hash(Session *session)
{
    return state_hash_visit(visit_session, session);
}

/// ---- save ----------------------------------------------------------------------------------------------------------

typedef struct SaveVisitor {
    StateVisitor visitor;
    StateBuffer *buffer;
} SaveVisitor;

void state_buffer_free(StateBuffer *buffer)
{
    free(buffer->data);
    *buffer = (StateBuffer){0};
}

bool state_buffer_reserve(StateBuffer *buffer, size_t more)
{
    if (buffer->capacity - buffer->size >= more) {
        return true;
    }
    size_t capacity = buffer->capacity > 0 ? buffer->capacity : (size_t)1 << 16;
    while (capacity - buffer->size < more) {
        if (capacity > SIZE_MAX / 2) {
            return false;
        }
        capacity *= 2;
    }
    unsigned char *data = realloc(buffer->data, capacity);
    if (data == NULL) {
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

/// The room for it is there.
static void append(StateBuffer *buffer, const void *bytes, size_t size)
{
    if (size > 0) {
        memcpy(buffer->data + buffer->size, bytes, size);
        buffer->size += size;
    }
}

static void save_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    StateBuffer *buffer = ((SaveVisitor *)visitor)->buffer;
    uint16_t name_length = (uint16_t)strlen(name);
    uint32_t element = (uint32_t)size;
    uint64_t elements = count;
    if (!state_buffer_reserve(buffer, FIELD_HEAD + name_length + size * count)) {
        visitor->failed = true;
        return;
    }
    append(buffer, &name_length, sizeof name_length);
    append(buffer, name, name_length);
    append(buffer, &element, sizeof element);
    append(buffer, &elements, sizeof elements);
    append(buffer, data, size * count);
}

bool state_save_visit(StateVisit *visit, void *subject, StateBuffer *buffer, Status *status)
{
    buffer->size = 0;
    SaveVisitor self = {.visitor = {.field = save_field}, .buffer = buffer};
    uint64_t whole = 0;
    self.visitor.failed = !state_buffer_reserve(buffer, HEAD_SIZE);
    if (!self.visitor.failed) {
        append(buffer, magic, sizeof magic);
        append(buffer, &whole, sizeof whole);
        visit(subject, &self.visitor);
    }
    if (self.visitor.failed || !state_buffer_reserve(buffer, SUM_SIZE)) {
        return status_fail(status, STATUS_LACKING, "out of memory for a state of %zu bytes", buffer->size);
    }
    whole = buffer->size + SUM_SIZE;
    memcpy(buffer->data + sizeof magic, &whole, sizeof whole);
    uint64_t sum = state_sum_choose()->of(buffer->data, buffer->size);
    append(buffer, &sum, sizeof sum);
    return true;
}

bool state_save(Session *session, StateBuffer *buffer, Status *status)
{
    return state_save_visit(visit_session, session, buffer, status);
}

/// ---- how large it can become ---------------------------------------------------------------------------------------

typedef struct SizeVisitor {
    StateVisitor visitor;
    size_t bytes;
} SizeVisitor;

static void measure_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    (void)data;
    ((SizeVisitor *)visitor)->bytes += FIELD_HEAD + strlen(name) + size * count;
}

size_t state_size_most(Session *session)
{
    SizeVisitor self = {.visitor = {.field = measure_field, .measuring = true}, .bytes = HEAD_SIZE + SUM_SIZE};
    visit_session(session, &self.visitor);
    return self.visitor.failed ? 0 : self.bytes;
}

/// ---- reading a saved state -----------------------------------------------------------------------------------------

typedef struct Reader {
    const unsigned char *at, *end; ///< fields only
} Reader;

typedef struct SavedField {
    const char *name; ///< not NUL-terminated
    size_t name_length, size, count;
    const unsigned char *data;
} SavedField;

static bool next_field(Reader *reader, SavedField *field)
{
    size_t left = (size_t)(reader->end - reader->at);
    uint16_t name_length;
    uint32_t size;
    uint64_t count;
    if (left < FIELD_HEAD) {
        return false;
    }
    memcpy(&name_length, reader->at, sizeof name_length);
    if (name_length > NAME_MOST || left < (size_t)FIELD_HEAD + name_length) {
        return false;
    }
    const unsigned char *rest = reader->at + sizeof name_length + name_length;
    memcpy(&size, rest, sizeof size);
    memcpy(&count, rest + sizeof size, sizeof count);
    left -= (size_t)FIELD_HEAD + name_length;
    if (size == 0 || count > left / size) {
        return false;
    }
    *field = (SavedField){.name = (const char *)reader->at + sizeof name_length,
                          .name_length = name_length,
                          .size = size,
                          .count = (size_t)count,
                          .data = rest + sizeof size + sizeof count};
    reader->at = field->data + size * count;
    return true;
}

static bool has_name(const SavedField *field, const char *name)
{
    return strlen(name) == field->name_length && memcmp(name, field->name, field->name_length) == 0;
}

bool state_is_whole(const unsigned char *data, size_t size, Status *status)
{
    uint64_t whole, sum;
    if (size < HEAD_SIZE + SUM_SIZE || memcmp(data, magic, sizeof magic) != 0) {
        return status_fail(status, STATUS_BAD_FILE, "saved state: not a state of this program");
    }
    memcpy(&whole, data + sizeof magic, sizeof whole);
    if (whole != size) {
        return status_fail(status, STATUS_BAD_FILE, "saved state: %zu bytes instead of %llu: it is cut", size,
                           (unsigned long long)whole);
    }
    memcpy(&sum, data + size - SUM_SIZE, sizeof sum);
    if (state_sum_choose()->of(data, size - SUM_SIZE) != sum) {
        return status_fail(status, STATUS_BAD_FILE, "saved state: its checksum does not match: it is damaged");
    }
    Reader reader = {data + HEAD_SIZE, data + size - SUM_SIZE};
    SavedField field;
    while (reader.at < reader.end) {
        if (!next_field(&reader, &field)) {
            return status_fail(status, STATUS_BAD_FILE, "saved state: a field does not fit at byte %zu",
                               (size_t)(reader.at - data));
        }
    }
    return true;
}

/// ---- restore -------------------------------------------------------------------------------------------------------

typedef struct RestoreVisitor {
    StateVisitor visitor;
    Reader reader;
    char wrong[160]; ///< the first field that does not fit, "" = none
    const char *last; ///< name of the field that was restored last, not NUL-terminated; in the saved state
    size_t last_length;
} RestoreVisitor;

static void restore_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    RestoreVisitor *self = (RestoreVisitor *)visitor;
    SavedField field;
    if (!next_field(&self->reader, &field)) {
        visitor->failed = true;
        snprintf(self->wrong, sizeof self->wrong, "%s is missing", name);
    } else if (!has_name(&field, name)) {
        visitor->failed = true;
        snprintf(self->wrong, sizeof self->wrong, "%.*s stands where %s belongs",
                 field.name_length < 60 ? (int)field.name_length : 60, field.name, name);
    } else if (field.size != size || field.count != count) {
        visitor->failed = true;
        snprintf(self->wrong, sizeof self->wrong, "%s has %zu x %zu bytes instead of %zu x %zu", name, field.count,
                 field.size, count, size);
    } else {
        self->last = field.name;
        self->last_length = field.name_length;
        if (size * count > 0) {
            memcpy(data, field.data, size * count);
        }
    }
}

static bool restore_holds(StateVisitor *visitor, const char *name)
{
    Reader ahead = ((RestoreVisitor *)visitor)->reader;
    SavedField field;
    return next_field(&ahead, &field) && has_name(&field, name);
}

/// Restores from a state that is whole.
static bool restore_whole(StateVisit *visit, void *subject, const unsigned char *data, size_t size, Status *status)
{
    RestoreVisitor self = {.visitor = {.field = restore_field, .holds = restore_holds, .restoring = true},
                           .reader = {data + HEAD_SIZE, data + size - SUM_SIZE},
                           .last = ""};
    visit(subject, &self.visitor);
    if (self.visitor.lacking) {
        return status_fail(status, STATUS_LACKING, "out of memory for a saved state of %zu bytes", size);
    }
    if (self.visitor.failed) {
        return self.wrong[0] != '\0'
                   ? status_fail(status, STATUS_BAD_FILE, "saved state: %s", self.wrong)
                   : status_fail(status, STATUS_BAD_FILE, "saved state: up to %.*s: a value is out of its range",
                                 (int)self.last_length, self.last);
    }
    if (self.reader.at != self.reader.end) {
        return status_fail(status, STATUS_BAD_FILE, "saved state: it has fields that the session does not");
    }
    return true;
}

bool state_restore_visit(StateVisit *visit, void *subject, const unsigned char *data, size_t size, Status *status)
{
    return state_is_whole(data, size, status) && restore_whole(visit, subject, data, size, status);
}

/// Checks every number of a whole state against its range. A field that the session does not have has none.
static bool is_in_range(const Session *session, const unsigned char *data, size_t size, Status *status)
{
    Reader reader = {data + HEAD_SIZE, data + size - SUM_SIZE};
    SavedField field;
    int hint = 0;
    while (reader.at < reader.end && next_field(&reader, &field)) {
        StateBytes bytes = {field.name, field.name_length, field.data, field.size * field.count};
        if (!state_range_holds(&bytes, session_scene(session), &hint, status)) {
            return false;
        }
    }
    return true;
}

bool state_restore(Session *session, const unsigned char *data, size_t size, Status *status)
{
    FloatMode mode = float_mode_begin();
    bool good = state_is_whole(data, size, status) && is_in_range(session, data, size, status) &&
                restore_whole(visit_session, session, data, size, status) && session_after_restore(session, status);
    float_mode_end(&mode);
    return good;
}

/// ---- difference ----------------------------------------------------------------------------------------------------

typedef struct CompareVisitor {
    StateVisitor visitor;
    Reader reader;
    char *field;
    int field_size;
    bool found;
} CompareVisitor;

/// Element that differs first; a struct of 8-byte numbers counts by numbers.
static size_t first_element(const unsigned char *a, const unsigned char *b, size_t size, size_t bytes)
{
    size_t element = size > 8 && size % 8 == 0 ? 8 : size;
    size_t at = 0;
    while (at < bytes && a[at] == b[at]) {
        at++;
    }
    return at / element;
}

static void compare_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    CompareVisitor *self = (CompareVisitor *)visitor;
    SavedField field;
    if (self->found) {
        return;
    }
    self->found = true;
    if (!next_field(&self->reader, &field)) {
        snprintf(self->field, (size_t)self->field_size, "%s (not in the saved state)", name);
    } else if (!has_name(&field, name) || field.size != size || field.count != count) {
        snprintf(self->field, (size_t)self->field_size, "%s (number of elements)", name);
    } else if (size * count > 0 && memcmp(field.data, data, size * count) != 0) {
        size_t index = first_element(field.data, data, size, size * count);
        if (count == 1 && size <= 8) {
            snprintf(self->field, (size_t)self->field_size, "%s", name);
        } else {
            snprintf(self->field, (size_t)self->field_size, "%s[%zu]", name, index);
        }
    } else {
        self->found = false;
    }
}

bool state_first_difference_visit(StateVisit *visit, void *subject, const unsigned char *data, size_t size, char *field,
                                  int field_size)
{
    Status status;
    if (!state_is_whole(data, size, &status)) {
        snprintf(field, (size_t)field_size, "(damaged state)");
        return true;
    }
    CompareVisitor self = {.visitor = {.field = compare_field},
                           .reader = {data + HEAD_SIZE, data + size - SUM_SIZE},
                           .field = field,
                           .field_size = field_size};
    visit(subject, &self.visitor);
    if (!self.found && self.reader.at != self.reader.end) {
        snprintf(field, (size_t)field_size, "(fields that the session does not have)");
        self.found = true;
    }
    return self.found;
}

bool state_first_difference(Session *session, const unsigned char *data, size_t size, char *field, int field_size)
{
    return state_first_difference_visit(visit_session, session, data, size, field, field_size);
}
