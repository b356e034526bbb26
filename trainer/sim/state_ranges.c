/// The ranges of all fields of the state, the check of a field's bytes against them, and of joints against their
/// bodies.
#include "trainer/sim/state_ranges.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "machine/machine.h"
#include "machine/rocks.h"
#include "machine/truck.h"
#include "trainer/sim/exercise_state.h"
#include "trainer/sim/incidents.h"
#include "trainer/sim/session_loads.h"
#include "trainer/sim/session_order.h"
#include "trainer/sim/session_solids.h"
#include "trainer/sim/walker.h"

/// ---- the rows ------------------------------------------------------------------------------------------------------
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
    {"particles.quiet", STATE_UINT8, STATE_FIXED, 0.0, 255.0, "ticks"},
    {"particles.calm", STATE_UINT8, STATE_FIXED, 0.0, 255.0, ""},
    {"particles.newborn", STATE_UINT8, STATE_FIXED, 0.0, 2.0, ""},
    {"particles.path", STATE_FLOAT, STATE_FIXED, -1.0, 1e6, "m"},
    {"particles.slack", STATE_FLOAT, STATE_FIXED, -1e3, 1e3, "m"},
    {"particles.ground_near", STATE_UINT8, STATE_FIXED, 0.0, 1.0, ""},
    {"particles.ground_bond", STATE_UINT8, STATE_FIXED, 0.0, 3.0, ""},
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
    {"pairs.flags", STATE_UINT8, STATE_FIXED, 0.0, 3.0, ""},
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
    {"ground.sliding", STATE_UINT8, STATE_FIXED, 0.0, 1.0, ""},
    {"ground.doubtful", STATE_UINT8, STATE_FIXED, 0.0, 255.0, ""},
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
#define PREFIX "walker."
    WALKER_FIELDS(F)
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

/// ---- values against their rows -------------------------------------------------------------------------------------

#define MARGIN         100.0 ///< m beyond the site: no machine comes there, what rolls off it may
#define UNIT_TOLERANCE 1e-3 ///< of a quaternion's length

/// True when a name is that of a row, in which one '*' stands for any characters.
static bool name_matches(const char *pattern, const char *name, size_t length)
{
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
    for (int k = 0; k < count; k++) {
        const StateRange *row = &rows[(first + k) % count];
        if (name_matches(row->name, name, name_length)) {
            *hint = (first + k + 1) % count;
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

/// The first of `count` numbers that is not between `low` and `high`, a NaN, too; `count`: none is. Loops of one kind
/// of number each, for there are many.
static size_t first_outside(StateNumber number, const unsigned char *data, size_t count, double low, double high)
{
    size_t at = 0;
    if (number == STATE_DOUBLE) {
        for (double x; at < count; at++) {
            memcpy(&x, data + at * sizeof x, sizeof x);
            if (!(x >= low && x <= high)) {
                break;
            }
        }
    } else if (number == STATE_FLOAT) {
        for (float x; at < count; at++) {
            memcpy(&x, data + at * sizeof x, sizeof x);
            if (!((double)x >= low && (double)x <= high)) {
                break;
            }
        }
    } else if (number == STATE_INT32) {
        for (int32_t x; at < count; at++) {
            memcpy(&x, data + at * sizeof x, sizeof x);
            if (!(x >= low && x <= high)) {
                break;
            }
        }
    } else {
        size_t size = state_number_size(number);
        while (at < count && number_at(number, data + at * size) >= low &&
               number_at(number, data + at * size) <= high) {
            at++;
        }
    }
    return at;
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

/// ---- joints against their bodies -----------------------------------------------------------------------------------

bool joined_bodies_hold(const Machine *machine, const MachineParams *params, const MachineState *state, Status *status)
{
    for (int k = 0; k < params->joint_count; k++) {
        const MachineJointParams *joint = &params->joint[k];
        const char *parent = params->body[joint->parent].name, *child = params->body[joint->child].name;
        MachineJointGap gap = machine_joint_gap(machine, state, k);
        if (!(gap.distance <= JOINED_DISTANCE)) {
            return status_fail(status, STATUS_BAD_FILE,
                               "saved state: joint %s: machine.%s and machine.%s are %.4g m apart; allowed 0..%g m",
                               joint->name, parent, child, gap.distance, JOINED_DISTANCE);
        }
        if (!(gap.angle <= JOINED_ANGLE)) {
            return status_fail(status, STATUS_BAD_FILE,
                               "saved state: joint %s: machine.%s and machine.%s are %.4g rad askew; allowed 0..%g rad",
                               joint->name, parent, child, gap.angle, JOINED_ANGLE);
        }
    }
    return true;
}
