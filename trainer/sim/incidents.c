/// The conditions of incidents, from the loads under the tracks, the ground below them, the machine's attitude and the
/// speeds of its joints. Limits without a source are chosen; test_sim_incidents holds what they do.
#include "trainer/sim/incidents.h"

#include <math.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/elementary.h"
#include "machine/cylinder.h"

/// s: a condition has to be away for so long before it can begin an incident anew.
#define CLEAR_TIME 0.5
/// Ticks are not counted beyond.
#define LONG_SPELL 1000000
/// A machine's tracks are off the ground where half of their patches bear nothing and an end is this high, m, over the
/// ground and over the ground that bears the rest.
#define RAISED_SHARE  0.5
#define RAISED_HEIGHT 0.25
/// Such a machine tips once its load stands so near to the edge of what its tracks stand on, as a share of the way from
/// their middle: ISO 10567 rates lifts at 75 % of the load that tips. One that bridges a hollow or rocks over a crest
/// has its load in between.
#define TIP_MARGIN 0.25
/// Below this share of the machine's weight on its tracks something else holds it up: the tool.
#define BORNE_SHARE 0.90
/// s for which it has to last.
#define TIP_TIME    0.4
#define LIFTED_TIME 2.0
/// rad: beyond, nothing rights a machine again; a machine that has come to rest beyond the second lies on its house.
#define LYING         1.05
#define LYING_AT_REST 0.87
#define LYING_TIME    0.5
#define AT_REST       0.1 ///< m/s and rad/s
#define RESTING_TIME  2.0 ///< s
/// rad: a machine that leans so much and whose weight is past the edge of its tracks falls, or its arm alone holds it.
#define PAST_LEAN 0.70
/// A track is over an edge with so much of its length where the ground lies so far, m, and so steep, m a metre of the
/// way, below that under its next bearing patch.
#define EDGE_SHARE 0.25
#define EDGE_DROP  0.3
#define EDGE_SLOPE 0.7
/// m, rad: a machine that has sunk or leant so much more since a track went over an edge fell into what is there.
#define FALL_DEPTH       0.3
#define FALL_INCLINATION 0.2
/// m/s: a cylinder that is faster when it meets its end has run through its cushion.
#define SLAM_SPEED 0.10
/// rad about the end of its range in which a joint is at its stop.
#define STOP_REACH 0.01
/// Share of its speed that a joint has lost when its stop has taken it.
#define STOPPED 0.5
/// m inside the edge of the site from which it can be crossed anew.
#define SITE_BACK 0.2

/// ---- spells --------------------------------------------------------------------------------------------------------

bool event_spell_begins(EventSpell *spell, bool holds, double least, double dt)
{
    spell->held += holds && spell->held < LONG_SPELL;
    spell->clear = holds ? 0 : spell->clear < LONG_SPELL ? spell->clear + 1 : LONG_SPELL;
    if (spell->clear * dt >= CLEAR_TIME) {
        spell->held = spell->told = 0;
    }
    if (spell->told != 0 || !holds || spell->held * dt < least) {
        return false;
    }
    spell->told = 1;
    return true;
}

void event_spells_visit(EventSpell *spells, int count, StateVisitor *visitor)
{
    for (int k = 0; k < count; k++) {
        EventSpell *spell = &spells[k];
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "events." #name, spell->name);
        EVENT_SPELL_FIELDS(F)
#undef F
        bool good = spell->held >= 0 && spell->held <= LONG_SPELL && spell->clear >= 0 && spell->clear <= LONG_SPELL &&
                    (spell->told == 0 || spell->told == 1);
        if (visitor->restoring && !good) {
            *spell = (EventSpell){0};
            visitor->failed = true;
        }
    }
}

/// ---- stand of the machine ------------------------------------------------------------------------------------------

/// Angle between the machine's upright axis and the vertical, rad.
static double machine_inclination(const MachineReadout *readout)
{
    return same_acos(fmax(-1.0, fmin(same_cos(readout->pitch) * same_cos(readout->roll), 1.0)));
}

/// The tracks on their ground.
typedef struct Stand {
    int count; ///< patches of both tracks
    Vec3 patch[MACHINE_MAX_PATCHES]; ///< m, world
    double ground[MACHINE_MAX_PATCHES]; ///< m: height below each
    double load[MACHINE_MAX_PATCHES]; ///< N
    double borne; ///< share of the machine's weight that they bear
    double idle; ///< share of the patches that bear nothing
    double
        margin; ///< of the load's centre: 1 in the middle of both tracks, 0 over the end of them, or over one of them
    double height; ///< m of the highest patch over its ground and over the ground that bears the others
    Vec3 highest; ///< m, world: that patch
} Stand;

static double total_weight(const MachineParams *params)
{
    double mass = 0.0;
    for (int k = 0; k < params->body_count; k++) {
        mass += params->body[k].mass;
    }
    return mass * STANDARD_GRAVITY;
}

/// How far the load's centre is from the edge of the rectangle that the patches span, as a share of the way from its
/// middle; of the two directions the lesser. 1 where nothing bears.
static double load_margin(const IncidentSight *sight, const Stand *stand)
{
    Pose base;
    machine_get_body_frame(sight->machine, sight->state, MACHINE_BASE, &base);
    Vec3 low = vec3(HUGE_VAL, HUGE_VAL, 0.0), high = vec3(-HUGE_VAL, -HUGE_VAL, 0.0), sum = vec3(0.0, 0.0, 0.0);
    double load = 0.0;
    for (int k = 0; k < stand->count; k++) {
        Vec3 at = pose_apply_inverse(&base, stand->patch[k]);
        low = vec3(fmin(low.x, at.x), fmin(low.y, at.y), 0.0);
        high = vec3(fmax(high.x, at.x), fmax(high.y, at.y), 0.0);
        sum = vec3_madd(sum, stand->load[k], at);
        load += stand->load[k];
    }
    if (load <= 0.0) {
        return 1.0;
    }
    double along = fmin(sum.x / load - low.x, high.x - sum.x / load) / (0.5 * (high.x - low.x));
    double across = fmin(sum.y / load - low.y, high.y - sum.y / load) / (0.5 * (high.y - low.y));
    return fmin(along, across);
}

static Stand find_stand(const IncidentSight *sight)
{
    Stand stand = {0};
    stand.count = machine_track_patches(sight->machine, sight->state, stand.patch);
    double load = 0.0, bearing = 0.0;
    int idle = 0;
    for (int k = 0; k < stand.count; k++) {
        stand.ground[k] = soil_get_height(sight->soil, stand.patch[k].x, stand.patch[k].y);
        stand.load[k] = sight->state->patch_load[k];
        load += stand.load[k];
        bearing += stand.load[k] * stand.ground[k];
        idle += stand.load[k] <= 0.0;
    }
    stand.borne = load / total_weight(machine_params(sight->machine));
    stand.idle = (double)idle / stand.count;
    stand.margin = load_margin(sight, &stand);
    for (int k = 0; k < stand.count; k++) {
        double below = load > 0.0 ? fmax(stand.ground[k], bearing / load) : stand.ground[k];
        double height = stand.patch[k].z - below;
        if (k == 0 || height > stand.height) {
            stand.height = height;
            stand.highest = stand.patch[k];
        }
    }
    return stand;
}

static ExerciseEvent event_at(const IncidentSight *sight, Vec3 place)
{
    return (ExerciseEvent){.tick = sight->tick,
                           .number = {.x = place.x,
                                      .y = place.y,
                                      .z = place.z,
                                      .speed = fabs(sight->readout->speed_over_ground),
                                      .load = sight->payload,
                                      .inclination = machine_inclination(sight->readout)}};
}

/// ---- off the ground ------------------------------------------------------------------------------------------------

static void check_tip(MachineIncidents *events, const IncidentSight *sight, const Stand *stand, Exercise *exercise)
{
    double leans = machine_inclination(sight->readout);
    bool raised = stand->idle >= RAISED_SHARE && stand->height >= RAISED_HEIGHT;
    bool told = events->tip.told != 0, borne = stand->borne >= BORNE_SHARE;
    bool tips = raised && (told || (borne && stand->margin <= TIP_MARGIN));
    ExerciseEvent event = event_at(sight, stand->highest);
    event.number.height = stand->height;
    if (event_spell_begins(&events->tip, tips, TIP_TIME, sight->dt)) {
        events->tip_time = events->tip_most = 0.0;
        exercise_report(exercise, INCIDENT_TIP_BEGINS, &event);
    } else if (told && events->tip.told == 0) {
        event.number.duration = events->tip_time;
        event.number.inclination = events->tip_most;
        exercise_report(exercise, INCIDENT_TIP_ENDS, &event);
    }
    events->tip_time = events->tip.told != 0 ? events->tip_time + sight->dt : 0.0;
    events->tip_most = events->tip.told != 0 ? fmax(events->tip_most, leans) : 0.0;
    bool lifted = raised && !tips && !borne && leans < LYING_AT_REST; // one that lies is held up by its house
    if (event_spell_begins(&events->lifted, lifted, LIFTED_TIME, sight->dt)) {
        event.number.duration = LIFTED_TIME;
        event.number.share = stand->borne;
        exercise_report(exercise, INCIDENT_LIFTED, &event);
    }
}

static bool is_at_rest(const MachineBodyState *base)
{
    const double *v = base->velocity, *w = base->spin;
    return vec3_length(vec3(v[0], v[1], v[2])) < AT_REST && vec3_length(vec3(w[0], w[1], w[2])) < AT_REST;
}

/// True when the vertical through the centre of all masses meets the plane under the tracks beside them: beyond the
/// tipping line, where weight turns the machine over and no longer back (ISO 10567, "tipping line").
static bool is_past_line(const IncidentSight *sight)
{
    const MachineParams *params = machine_params(sight->machine);
    const MachineTracks *tracks = &params->tracks;
    Pose base;
    machine_get_body_frame(sight->machine, sight->state, MACHINE_BASE, &base);
    Vec3 sum = vec3(0.0, 0.0, 0.0);
    double mass = 0.0;
    for (int k = 0; k < params->body_count; k++) {
        const double *at = sight->state->body[k].position;
        sum = vec3_madd(sum, params->body[k].mass, vec3(at[0], at[1], at[2]));
        mass += params->body[k].mass;
    }
    Vec3 center = pose_apply_inverse(&base, vec3_scale(sum, 1.0 / mass));
    const Mat3 *turn = &base.rotation; // its third row is the vertical in the machine's frame
    double rise = turn->m[2][2];
    double x = center.x - center.z * turn->m[2][0] / rise, y = center.y - center.z * turn->m[2][1] / rise;
    return rise <= 0.0 || fabs(x) > 0.5 * tracks->contact_length ||
           fabs(y) > 0.5 * (tracks->gauge + tracks->shoe_width);
}

static void check_lying(MachineIncidents *events, const IncidentSight *sight, Exercise *exercise)
{
    double leans = machine_inclination(sight->readout);
    bool rests = is_at_rest(&sight->state->body[MACHINE_BASE]) && leans > LYING_AT_REST;
    bool falls = leans > LYING || (leans > PAST_LEAN && is_past_line(sight));
    double least = falls ? LYING_TIME : RESTING_TIME;
    if (event_spell_begins(&events->tipped_over, falls || rests, least, sight->dt)) {
        ExerciseEvent event = event_at(sight, sight->readout->base);
        events->rolled = 1;
        exercise_report(exercise, INCIDENT_TIPPED_OVER, &event);
    }
}

/// ---- edges ---------------------------------------------------------------------------------------------------------

/// How much of a track's end hangs over an edge, m, from the rear (`step` 1) or the front (-1); `drop`: how deep the
/// ground lies there, m.
static double hanging_length(const Stand *stand, const MachineTracks *tracks, int side, int step, double *drop)
{
    int n = tracks->patches, first = side * n + (step > 0 ? 0 : n - 1), bearing = 0;
    double spacing = tracks->contact_length / (n - 1);
    while (bearing < n && stand->load[first + step * bearing] <= 0.0) {
        bearing++;
    }
    *drop = 0.0;
    for (int k = 0; k < bearing && bearing < n; k++) {
        double below = stand->ground[first + step * bearing] - stand->ground[first + step * k];
        if (below < EDGE_DROP + EDGE_SLOPE * spacing * (bearing - k)) {
            return k * spacing;
        }
        *drop = fmax(*drop, below);
    }
    return bearing < n ? bearing * spacing : 0.0;
}

static void check_edge(MachineIncidents *events, const IncidentSight *sight, const Stand *stand, int side,
                       Exercise *exercise)
{
    const MachineTracks *tracks = &machine_params(sight->machine)->tracks;
    double rear_drop, front_drop, rear = hanging_length(stand, tracks, side, 1, &rear_drop);
    double front = hanging_length(stand, tracks, side, -1, &front_drop);
    double length = fmax(rear, front), drop = front >= rear ? front_drop : rear_drop;
    if (!event_spell_begins(&events->edge[side], length >= EDGE_SHARE * tracks->contact_length, 0.0, sight->dt)) {
        return;
    }
    int end = side * tracks->patches + (front >= rear ? tracks->patches - 1 : 0);
    ExerciseEvent event = event_at(sight, stand->patch[end]);
    event.number.height = drop;
    event.number.length = length;
    event.part = event_thing(THING_PART, 0, side == 0 ? "left track" : "right track");
    events->edge_height[side] = sight->readout->base.z;
    events->edge_inclination[side] = machine_inclination(sight->readout);
    exercise_report(exercise, INCIDENT_TRACK_OFF_EDGE, &event);
}

static void check_hole(MachineIncidents *events, const IncidentSight *sight, Exercise *exercise)
{
    double sunk = 0.0, leant = 0.0, leans = machine_inclination(sight->readout);
    for (int side = 0; side < 2; side++) {
        if (events->edge[side].told != 0) {
            sunk = fmax(sunk, events->edge_height[side] - sight->readout->base.z);
            leant = fmax(leant, leans - events->edge_inclination[side]);
        }
    }
    bool falls = sunk > FALL_DEPTH || leant > FALL_INCLINATION;
    if (event_spell_begins(&events->hole, falls, 0.0, sight->dt)) {
        ExerciseEvent event = event_at(sight, sight->readout->base);
        event.number.height = sunk;
        exercise_report(exercise, INCIDENT_FELL_INTO_HOLE, &event);
    }
}

/// ---- end stops -----------------------------------------------------------------------------------------------------

/// Speed, m/s, of the cylinder that ran into its end in this tick; 0 where it did not. A swing motor has no end.
static double slam_speed(const MachineIncidents *events, const IncidentSight *sight, int joint)
{
    const MachineJointParams *hinge = &machine_params(sight->machine)->joint[joint];
    double length, length_per_rad;
    double angle = sight->readout->angle[joint], before = events->joint_speed[joint];
    double range = before > 0.0 ? hinge->range[1] - angle : angle - hinge->range[0];
    bool stopped = sight->readout->speed[joint] * copysign(1.0, before) < STOPPED * fabs(before);
    if (hinge->drive != MACHINE_DRIVE_CYLINDER || !stopped || range > STOP_REACH ||
        !cylinder_length(hinge, angle, &length, &length_per_rad)) {
        return 0.0;
    }
    return fabs(before * length_per_rad);
}

static void check_stops(MachineIncidents *events, const IncidentSight *sight, Exercise *exercise)
{
    const MachineParams *params = machine_params(sight->machine);
    for (int k = 0; k < params->joint_count; k++) {
        double speed = slam_speed(events, sight, k);
        bool jaw = k >= params->joint_count - params->jaw_count; // made to close and open fully
        if (event_spell_begins(&events->slam[k], !jaw && speed > SLAM_SPEED, 0.0, sight->dt)) {
            Pose frame;
            machine_get_body_frame(sight->machine, sight->state, params->joint[k].child, &frame);
            ExerciseEvent event = event_at(sight, frame.position);
            event.number.speed = speed;
            event.part = event_thing(THING_CYLINDER, 0, params->joint[k].name);
            event.thing = event_thing(THING_STOP, 0, "");
            exercise_report(exercise, INCIDENT_SLAM, &event);
        }
        events->joint_speed[k] = sight->readout->speed[k];
    }
}

/// ---- the edge of the site ------------------------------------------------------------------------------------------

/// m that a place lies beyond the edge, in plan; below 0: inside.
static double distance_beyond(const SceneGround *ground, Vec3 at)
{
    return fmax(fabs(at.x) - 0.5 * ground->size_x, fabs(at.y) - 0.5 * ground->size_y);
}

double machine_beyond_site(const SceneGround *ground, const Machine *machine, const MachineState *state, int *part,
                           Vec3 *at)
{
    Vec3 patch[MACHINE_MAX_PATCHES];
    int count = machine_track_patches(machine, state, patch), farthest = 0;
    for (int k = 1; k < count; k++) {
        farthest = distance_beyond(ground, patch[k]) > distance_beyond(ground, patch[farthest]) ? k : farthest;
    }
    if (part != NULL) {
        *part = farthest >= count / 2;
    }
    if (at != NULL) {
        *at = patch[farthest];
    }
    return distance_beyond(ground, patch[farthest]);
}

/// Reports once that a part has crossed the edge; it can cross anew once it was SITE_BACK inside for half a second.
static void check_crossing(EventSpell *spell, const IncidentSight *sight, const char *part, double out, Vec3 at,
                           Exercise *exercise)
{
    double least = spell->told != 0 ? -SITE_BACK : 0.0;
    if (event_spell_begins(spell, out > least, 0.0, sight->dt)) {
        ExerciseEvent event = event_at(sight, at);
        event.part = event_thing(THING_PART, 0, part);
        exercise_report(exercise, INCIDENT_SITE_LEFT, &event);
    }
}

static void check_site(MachineIncidents *events, const IncidentSight *sight, Exercise *exercise)
{
    static const char *const tracks[] = {"left track", "right track"};
    const SceneGround *ground = &sight->scene->ground;
    const MachineParams *params = machine_params(sight->machine);
    int side;
    Vec3 at;
    double out = machine_beyond_site(ground, sight->machine, sight->state, &side, &at);
    check_crossing(&events->site[0], sight, tracks[side], out, at, exercise);
    Pose tool;
    machine_get_body_frame(sight->machine, sight->state, params->tool[0].body, &tool);
    check_crossing(&events->site[1], sight, params->body[params->tool[0].body].name,
                   distance_beyond(ground, tool.position), tool.position, exercise);
}

/// ---- tick and state ------------------------------------------------------------------------------------------------

void machine_incidents_tick(MachineIncidents *events, const IncidentSight *sight, Exercise *exercise)
{
    Stand stand = find_stand(sight);
    check_tip(events, sight, &stand, exercise);
    check_edge(events, sight, &stand, 0, exercise);
    check_edge(events, sight, &stand, 1, exercise);
    check_hole(events, sight, exercise);
    check_stops(events, sight, exercise);
    check_lying(events, sight, exercise);
    check_site(events, sight, exercise);
}

bool machine_incidents_halt(const MachineIncidents *events)
{
    return events->rolled != 0;
}

void machine_incidents_visit(MachineIncidents *events, StateVisitor *visitor)
{
    event_spells_visit(&events->tip, 1, visitor);
    event_spells_visit(&events->lifted, 1, visitor);
    event_spells_visit(&events->tipped_over, 1, visitor);
    event_spells_visit(&events->hole, 1, visitor);
    event_spells_visit(events->edge, 2, visitor);
    event_spells_visit(events->slam, MACHINE_MAX_JOINTS, visitor);
    event_spells_visit(events->site, 2, visitor);
#define F(type, name, low, high, unit) STATE_VISIT(visitor, "events." #name, events->name);
#define A(type, name, count, low, high, unit)                                                                          \
    state_visit_array(visitor, "events." #name, events->name, sizeof(type), count);
    MACHINE_INCIDENT_FIELDS(F, A)
#undef F
#undef A
    double sum = fabs(events->tip_time) + fabs(events->tip_most);
    for (int k = 0; k < 2; k++) {
        sum += fabs(events->edge_height[k]) + fabs(events->edge_inclination[k]);
    }
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        sum += fabs(events->joint_speed[k]);
    }
    if (visitor->restoring && (!isfinite(sum) || events->rolled < 0 || events->rolled > 1)) {
        memset(events, 0, sizeof *events);
        visitor->failed = true;
    }
}

/// ---- trucks --------------------------------------------------------------------------------------------------------

/// s for which a truck has to bear too much: what falls into a bed strikes harder than it weighs.
#define OVERLOAD_TIME 2.0
/// Of the truck's payload, that counts as too much: a few clods are none.
#define OVERLOAD_LEAST 0.002
#define TIPPED_TIME    0.5 ///< s

static ExerciseEvent event_of(const IncidentSight *sight, const IncidentTruck *truck, int index)
{
    Vec3 at = truck->chassis.position;
    ExerciseEvent event = {
        .tick = sight->tick,
        .number = {.x = at.x,
                   .y = at.y,
                   .z = at.z,
                   .speed = truck->speed,
                   .load = truck->load,
                   .inclination = same_acos(fmax(-1.0, fmin(truck->chassis.rotation.m[2][2], 1.0)))}};
    event.thing = event_thing(THING_TRUCK, index, "");
    return event;
}

void truck_incidents_tick(TruckIncidents *incidents, const IncidentSight *sight, Exercise *exercise)
{
    for (int k = 0; k < sight->truck_count; k++) {
        const IncidentTruck *truck = &sight->truck[k];
        ExerciseEvent event = event_of(sight, truck, k);
        if (event_spell_begins(&incidents->overload[k], truck->overload > OVERLOAD_LEAST * sight->scene->truck.payload,
                               OVERLOAD_TIME, sight->dt)) {
            ExerciseEvent overload = event;
            overload.number.excess = truck->overload;
            exercise_report(exercise, INCIDENT_TRUCK_OVERLOAD, &overload);
        }
        if (event_spell_begins(&incidents->tipped[k], truck->tipped, TIPPED_TIME, sight->dt)) {
            exercise_report(exercise, INCIDENT_TRUCK_TIPPED, &event);
        }
    }
}

void truck_incidents_visit(TruckIncidents *incidents, StateVisitor *visitor)
{
    event_spells_visit(incidents->overload, SCENE_MAX_TRUCKS, visitor);
    event_spells_visit(incidents->tipped, SCENE_MAX_TRUCKS, visitor);
}
