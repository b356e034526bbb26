/// What no drive may break, whoever drives: looked at after each tick of a session, with the worst that was seen.
///
/// A fault is told once, as the first one was; what a kind of fault means stands beside it. Bounds that are no law of
/// their own are chosen above the worst of some thousand random drives, and say so.
#ifndef SPADEWORK_TESTS_SESSION_WATCH_H
#define SPADEWORK_TESTS_SESSION_WATCH_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine/cylinder.h"
#include "trainer/sim/sim.h"

enum {
    WATCH_EVERY = 10, ///< ticks between two looks at every number, grain and corner
    WATCH_SECOND = 60, ///< ticks over which energy is balanced: a second of the shipped scenes
    WATCH_TEXT = 240,
};

/// rad over a joint's range: a blow on a cylinder at its end gives some hundredths, which the steel there takes back.
#define WATCH_JOINT_OVER 0.2
/// Share of its relief force, of a cylinder on its steel end, which is chosen to hold 20 times that.
#define WATCH_FORCE_SHARE 20.5
/// J that springs under tracks, slings, trucks and soil in motion may give a machine in a second; none did.
#define WATCH_ENERGY_SLACK 5e3
/// m/s: a fall of 12 m gives 15, the swinging edge has 10. Rocks alike.
#define WATCH_GRAIN_SPEED 25.0
#define WATCH_ROCK_SPEED  25.0
/// m: on the mean, grains have no more speed than a fall from there gives, and so many J more, for few that are flung.
/// The edge of the 22 t reaches 9.4 m: a whole bucket that is opened there falls as far.
#define WATCH_GRAIN_FALL  9.5
#define WATCH_GRAIN_FLING 2e3
/// m that solid things may be in each other: what is asked of all solids.
#define WATCH_OVERLAPPING 0.03
/// m around a point, in which the lowest ground counts: one and a half columns. m of depth from which on it is sought.
#define WATCH_BESIDE  0.15
#define WATCH_SHALLOW 0.02
/// m of corners of tools and of other steel in settled ground, which stands until a wall's middle is passed. What steel
/// meets bears it: 0.19 was the most in 3.8 h of work and 240 scripts.
#define WATCH_TOOL_DEPTH  1.5
#define WATCH_STEEL_DEPTH 0.5
/// m of the undercarriage's middle below the ground there: a heap between the tracks.
#define WATCH_SUNKEN 0.6
/// m of a rock's middle below intact ground; none was.
#define WATCH_ROCK_SUNK 0.3
/// m of a grain's middle in settled ground: loose soil slides over grains that lie in a hole.
#define WATCH_GRAIN_BELOW 3.0
/// m of a grain's middle below bedrock: two radii.
#define WATCH_BEDROCK 0.1
/// m beyond the site's edge, where it is hard and flat: half of what a state allows.
#define WATCH_GRAIN_BEYOND 50.0

/// The kinds of faults, name and meaning.
#define WATCH_KINDS(X)                                                                                                 \
    X(NONE, none)                                                                                                      \
    X(MASS, mass) /* quanta came or went, or one form holds less than none */                                          \
    X(NUMBER, number) /* a field of the state is not finite, or out of its range */                                    \
    X(JOINT, joint) /* a joint is beyond its range */                                                                  \
    X(FORCE,                                                                                                           \
      force) /* a cylinder bears more than its relief valve or its end can, a gauge shows more than the relief */      \
    X(ENERGY, energy) /* the machine gained more in a second than engine and flywheel give */                          \
    X(SPEED, speed) /* a grain or a rock is faster than a throw and a fall */                                          \
    X(OVERLAP, overlap) /* solid things are in each other */                                                           \
    X(TOOL, tool) /* steel is in settled ground */                                                                     \
    X(SUNK, sunk) /* the machine or a rock is below the ground */                                                      \
    X(GRAIN, grain) /* a grain is below the ground or off the site */                                                  \
    X(SCORE, score) /* points beyond 0..100 */

typedef enum WatchKind {
#define X(KIND, kind) WATCH_##KIND,
    WATCH_KINDS(X)
#undef X
        WATCH_KIND_COUNT
} WatchKind;

/// The worst that was seen.
#define WATCH_FIGURES(X)                                                                                               \
    X(particles) /* number of grains in motion */                                                                      \
    X(grain_speed) /* m/s */                                                                                           \
    X(grain_energy) /* J of all grains together, kinetic */                                                            \
    X(machine_energy) /* J of the machine's bodies, kinetic */                                                         \
    X(gain) /* J that the machine gained in a second, heights included, over what the engine gives */                  \
    X(joint_over) /* rad beyond a joint's range */                                                                     \
    X(force_share) /* of a cylinder's relief force */                                                                  \
    X(overlap) /* m */                                                                                                 \
    X(tool_depth) /* m of a tool's corner below settled ground */                                                      \
    X(steel_depth) /* m of another corner of the machine */                                                            \
    X(sunk) /* m of the undercarriage's middle below the ground */                                                     \
    X(rock_sunk) /* m of a rock's middle below intact ground */                                                        \
    X(rock_speed) /* m/s */                                                                                            \
    X(grain_below) /* m of a grain's middle below settled ground */                                                    \
    X(bedrock) /* m of a grain's middle below bedrock */                                                               \
    X(grain_beyond) /* m of a grain's middle beyond the site's edge */                                                 \
    X(messages) /* number of steps in which ODE told that it gave up; counted by whoever hears it */

typedef struct WatchFigures {
#define X(name) double name;
    WATCH_FIGURES(X)
#undef X
} WatchFigures;
enum { WATCH_FIGURE_COUNT = sizeof(WatchFigures) / sizeof(double) };

typedef struct SessionWatch {
    int64_t total, rocks; ///< quanta of soil and of rocks at the start
    double energy[WATCH_SECOND]; ///< J of the machine, kinetic and of height, in the last ticks
    int64_t ticks; ///< looked at since the energy was balanced from
    WatchFigures worst;
    WatchKind kind; ///< of the first fault
    int64_t fault_tick; ///< of the session
    char fault[WATCH_TEXT]; ///< what it was
} SessionWatch;

static const char *const watch_kind_names[WATCH_KIND_COUNT] = {
#define X(KIND, kind) #kind,
    WATCH_KINDS(X)
#undef X
};
static const char *const watch_figure_names[WATCH_FIGURE_COUNT] = {
#define X(name) #name,
    WATCH_FIGURES(X)
#undef X
};

/// Begins with a session as it is.
static inline void watch_begin(SessionWatch *watch, const Session *session)
{
    const SessionFrame *frame = session_frame(session);
    *watch = (SessionWatch){.total = frame->ledger.total, .rocks = frame->rock_mass};
}

/// Tells that another state of the same session was restored: what is compared between ticks begins anew.
static inline void watch_jump(SessionWatch *watch)
{
    watch->ticks = 0;
}

__attribute__((format(printf, 4, 5))) static inline bool watch_fail(SessionWatch *watch, const Session *session,
                                                                    WatchKind kind, const char *format, ...)
{
    if (watch->kind == WATCH_NONE) {
        watch->kind = kind;
        watch->fault_tick = session_frame(session)->tick;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(watch->fault, sizeof watch->fault, format, arguments);
        va_end(arguments);
    }
    return false;
}

/// Keeps the worst of a figure; false with a fault when it is beyond its bound, or no number.
static inline bool watch_bound(SessionWatch *watch, const Session *session, WatchKind kind, double *worst,
                               const char *what, double value, double most)
{
    *worst = fmax(*worst, value);
    return value <= most || watch_fail(watch, session, kind, "%s is %.4g; allowed up to %.4g", what, value, most);
}

/// ---- each tick -----------------------------------------------------------------------------------------------------

static inline bool watch_mass(SessionWatch *watch, const Session *session)
{
    const SessionFrame *frame = session_frame(session);
    const SoilLedger *ledger = &frame->ledger;
    bool parts = ledger->ground >= 0 && ledger->particles >= 0 && ledger->trays >= 0 &&
                 ledger->ground + ledger->particles + ledger->trays + ledger->left == ledger->total;
    if (!parts || ledger->total != watch->total || frame->mass_drift != 0) {
        return watch_fail(watch, session, WATCH_MASS,
                          "%lld quanta of soil (ground %lld, grains %lld, trays %lld); it began with %lld",
                          (long long)ledger->total, (long long)ledger->ground, (long long)ledger->particles,
                          (long long)ledger->trays, (long long)watch->total);
    }
    return frame->rock_mass == watch->rocks ||
           watch_fail(watch, session, WATCH_MASS, "%lld quanta of rocks; it began with %lld",
                      (long long)frame->rock_mass, (long long)watch->rocks);
}

/// A joint's angle, the force of what moves it, and its gauge.
static inline bool watch_joint(SessionWatch *watch, const Session *session, int k)
{
    const MachineParams *params = session_machine_params(session);
    const MachineJointParams *joint = &params->joint[k];
    const MachineReadout *readout = &session_frame(session)->machine;
    double force = session_machine_state(session)->joint_force[k], share = 0.0, over = 0.0;
    if (joint->drive == MACHINE_DRIVE_CYLINDER) {
        share = fabs(force) / (joint->cylinder.relief * cylinder_area(&joint->cylinder, force > 0.0));
        over = fmax(joint->range[0] - readout->angle[k], readout->angle[k] - joint->range[1]);
    } else {
        share = fabs(force) / fmax(params->swing.torque, params->swing.brake_torque);
    }
    bool good = watch_bound(watch, session, WATCH_JOINT, &watch->worst.joint_over, joint->name, over, WATCH_JOINT_OVER);
    good = good &&
           watch_bound(watch, session, WATCH_FORCE, &watch->worst.force_share, joint->name, share, WATCH_FORCE_SHARE);
    double relief = machine_joint_relief(params, k);
    return good && (readout->pressure[k] <= relief * 1.000001 ||
                    watch_fail(watch, session, WATCH_FORCE, "the gauge of the %s shows %.9g Pa; its relief is %.9g",
                               joint->name, readout->pressure[k], relief));
}

/// J of the machine's bodies in motion; `height`, out: J of their heights.
static inline double watch_machine_energy(const Session *session, double *height)
{
    const MachineParams *params = session_machine_params(session);
    const MachineState *state = session_machine_state(session);
    double kinetic = 0.0;
    *height = 0.0;
    for (int k = 0; k < params->body_count; k++) {
        const MachineBodyParams *body = &params->body[k];
        const MachineBodyState *at = &state->body[k];
        const double *size = body->inertia_size;
        RigidMotion motion;
        machine_get_body(session_machine(session), state, k, &motion);
        Vec3 turn = mat3_mul_transposed(&motion.frame.rotation, motion.spin);
        double turning = (size[1] * size[1] + size[2] * size[2]) * turn.x * turn.x +
                         (size[0] * size[0] + size[2] * size[2]) * turn.y * turn.y +
                         (size[0] * size[0] + size[1] * size[1]) * turn.z * turn.z;
        kinetic += 0.5 * body->mass * (vec3_dot(motion.velocity, motion.velocity) + turning / 12.0);
        *height += body->mass * STANDARD_GRAVITY * at->position[2];
    }
    return kinetic;
}

/// Nothing but the engine, with what its flywheel holds, feeds a machine.
static inline bool watch_energy(SessionWatch *watch, const Session *session)
{
    double height, kinetic = watch_machine_energy(session, &height), gain = 0.0;
    watch->worst.machine_energy = fmax(watch->worst.machine_energy, kinetic);
    double *before = &watch->energy[watch->ticks % WATCH_SECOND];
    if (watch->ticks >= WATCH_SECOND) {
        const MachineEngine *engine = &session_machine_params(session)->engine;
        double given = engine->power * WATCH_SECOND * session_dt(session) +
                       0.5 * engine->inertia * engine->rated_speed * engine->rated_speed;
        gain = kinetic + height - *before - given;
    }
    *before = kinetic + height;
    watch->ticks++;
    return watch_bound(watch, session, WATCH_ENERGY, &watch->worst.gain,
                       "what the machine gained in a second over what the engine gives, J,", gain, WATCH_ENERGY_SLACK);
}

/// ---- each tenth tick -----------------------------------------------------------------------------------------------

typedef struct WatchVisitor {
    StateVisitor base;
    const SceneParams *scene;
    int hint;
    Status status;
} WatchVisitor;

static inline void watch_field(StateVisitor *visitor, const char *name, void *data, size_t size, size_t count)
{
    WatchVisitor *self = (WatchVisitor *)visitor;
    StateBytes field = {name, strlen(name), data, size * count};
    if (size * count > 0 && self->status.code == STATUS_GOOD) {
        state_range_holds(&field, self->scene, &self->hint, &self->status);
    }
}

/// Every number of the state is finite and in its range.
static inline bool watch_ranges(SessionWatch *watch, Session *session)
{
    WatchVisitor visitor = {.base = {.field = watch_field}, .scene = session_scene(session)};
    session_visit(session, &visitor.base);
    if (visitor.status.code != STATUS_GOOD) {
        return watch_fail(watch, session, WATCH_NUMBER, "%.200s", visitor.status.text);
    }
    return session_is_finite(session) ||
           watch_fail(watch, session, WATCH_NUMBER, "a number of the state is not finite");
}

/// m: how far a point is below the lowest settled ground within WATCH_BESIDE around it: beside a wall it is not in it.
static inline double watch_point_depth(const Soil *soil, Vec3 at)
{
    enum { AROUND = 8 };
    double depth = soil_get_height(soil, at.x, at.y) - at.z;
    for (int k = 0; depth > WATCH_SHALLOW && k < AROUND; k++) {
        double angle = 2.0 * M_PI * k / AROUND;
        double height = soil_get_height(soil, at.x + WATCH_BESIDE * cos(angle), at.y + WATCH_BESIDE * sin(angle));
        depth = fmin(depth, height - at.z);
    }
    return fmax(depth, 0.0);
}

/// m: how far the deepest corner of a shape is in settled ground.
static inline double watch_depth(const Soil *soil, const ToolShape *shape, const Pose *frame)
{
    enum { ACROSS = 3 };
    double deepest = 0.0;
    for (int k = 0; k < shape->piece_count; k++) {
        const ToolPiece *piece = &shape->pieces[k];
        for (int n = 0; n < ACROSS * piece->corner_count; n++) {
            const double *corner = piece->corners[n / ACROSS];
            double y = piece->y_min + (piece->y_max - piece->y_min) * (n % ACROSS) / (ACROSS - 1);
            Vec3 at = pose_apply(frame, vec3(corner[0], y, corner[1]));
            deepest = fmax(deepest, watch_point_depth(soil, at));
        }
    }
    return deepest;
}

static inline bool watch_steel(SessionWatch *watch, Session *session)
{
    const Soil *soil = session_soil(session);
    const Machine *machine = session_machine(session);
    const MachineState *state = session_machine_state(session);
    SoilTool tools[COUPLING_MAX_TOOLS];
    double tool = 0.0, steel = 0.0;
    int count = coupling_tools(machine, state, tools);
    for (int k = 0; k < count; k++) {
        tool = fmax(tool, watch_depth(soil, tools[k].shape, &tools[k].motion.frame));
    }
    for (int k = 0; k < session_machine_params(session)->body_count; k++) {
        Pose frame;
        machine_get_body_frame(machine, state, k, &frame);
        steel = fmax(steel, watch_depth(soil, &session_hull(session)->shape[k], &frame));
    }
    Vec3 base = session_frame(session)->machine.base;
    double sunk = soil_get_height(soil, base.x, base.y) - base.z;
    WatchFigures *worst = &watch->worst;
    return watch_bound(watch, session, WATCH_TOOL, &worst->tool_depth, "a tool's depth in settled ground, m,", tool,
                       WATCH_TOOL_DEPTH) &&
           watch_bound(watch, session, WATCH_TOOL, &worst->steel_depth, "the machine's depth in settled ground, m,",
                       steel, WATCH_STEEL_DEPTH) &&
           watch_bound(watch, session, WATCH_SUNK, &worst->sunk, "the undercarriage's depth, m,", sunk, WATCH_SUNKEN);
}

static inline bool watch_grains(SessionWatch *watch, Session *session)
{
    const Soil *soil = session_soil(session);
    const SceneGround *ground = &session_scene(session)->ground;
    SoilParticleView grains = soil_get_particles(soil);
    double fastest = 0.0, below = 0.0, beyond = 0.0, energy = 0.0, weight = 0.0, bedrock = 0.0;
    for (int k = 0; k < grains.count; k++) {
        double square = grains.vx[k] * grains.vx[k] + grains.vy[k] * grains.vy[k] + grains.vz[k] * grains.vz[k];
        energy += 0.5 * grains.mass[k] * SOIL_QUANTUM * square;
        fastest = fmax(fastest, square);
        weight += grains.mass[k] * SOIL_QUANTUM * STANDARD_GRAVITY;
        double depth = watch_point_depth(soil, vec3(grains.x[k], grains.y[k], grains.z[k]));
        if (depth > WATCH_SHALLOW) {
            SoilLayer layers[SOIL_MAX_LAYERS];
            int count = soil_get_layers(soil, grains.x[k], grains.y[k], layers);
            bedrock = fmax(bedrock, count > 0 ? layers[count - 1].bottom - grains.z[k] : 0.0);
        }
        below = fmax(below, depth);
        beyond = fmax(beyond, fmax(fabs(grains.x[k]) - 0.5 * ground->size_x, fabs(grains.y[k]) - 0.5 * ground->size_y));
    }
    WatchFigures *worst = &watch->worst;
    worst->particles = fmax(worst->particles, grains.count);
    return watch_bound(watch, session, WATCH_SPEED, &worst->grain_speed, "a grain's speed, m/s,", sqrt(fastest),
                       WATCH_GRAIN_SPEED) &&
           watch_bound(watch, session, WATCH_ENERGY, &worst->grain_energy, "the energy of all grains, J,", energy,
                       weight * WATCH_GRAIN_FALL + WATCH_GRAIN_FLING) &&
           watch_bound(watch, session, WATCH_GRAIN, &worst->grain_below, "a grain's depth in settled ground, m,", below,
                       WATCH_GRAIN_BELOW) &&
           watch_bound(watch, session, WATCH_GRAIN, &worst->bedrock, "a grain's depth below bedrock, m,", bedrock,
                       WATCH_BEDROCK) &&
           watch_bound(watch, session, WATCH_GRAIN, &worst->grain_beyond, "a grain's way off the site, m,", beyond,
                       WATCH_GRAIN_BEYOND);
}

static inline bool watch_rocks(SessionWatch *watch, Session *session)
{
    const SessionRocks *all = session_rocks(session);
    const Soil *soil = session_soil(session);
    double fastest = 0.0, sunk = 0.0;
    for (int k = 0; k < session_rocks_count(all); k++) {
        RockView rock;
        if (rocks_get(session_rocks_get(all), k, &rock)) {
            Vec3 at = rock.motion.center;
            fastest = fmax(fastest, vec3_length(rock.motion.velocity));
            sunk = fmax(sunk, soil_get_firm_height(soil, at.x, at.y) - at.z);
        }
    }
    return watch_bound(watch, session, WATCH_SPEED, &watch->worst.rock_speed, "a rock's speed, m/s,", fastest,
                       WATCH_ROCK_SPEED) &&
           watch_bound(watch, session, WATCH_SUNK, &watch->worst.rock_sunk, "a rock's depth in intact ground, m,", sunk,
                       WATCH_ROCK_SUNK);
}

/// Looks at a session after a tick. False once something was wrong, then and ever after.
static inline bool watch_tick(SessionWatch *watch, Session *session)
{
    const SessionFrame *frame = session_frame(session);
    bool good = watch->kind == WATCH_NONE && watch_mass(watch, session);
    for (int k = 0; good && k < session_machine_params(session)->joint_count; k++) {
        good = watch_joint(watch, session, k);
    }
    good = good && watch_energy(watch, session) &&
           watch_bound(watch, session, WATCH_OVERLAP, &watch->worst.overlap, "solid things in each other, m,",
                       frame->overlap, WATCH_OVERLAPPING);
    if (good && !(frame->score >= 0.0 && frame->score <= 100.0)) {
        good = watch_fail(watch, session, WATCH_SCORE, "the score is %.9g", frame->score);
    }
    if (good && frame->tick % WATCH_EVERY == 0) {
        good = watch_ranges(watch, session) && watch_steel(watch, session) && watch_grains(watch, session) &&
               watch_rocks(watch, session);
    }
    return good;
}

#endif
