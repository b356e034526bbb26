/// Rocks feel what they lie on and what pushes them (machine/rocks.h). Soil in motion sees the few rocks that it is
/// near as tools; what it did to them in a substep moves them in the next.
#include "trainer/sim/session_rocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/random.h"
#include "data/core/tool_geometry.h"
#include "data/schema/scene_fixture.h"
#include "trainer/sim/moving_soil_map.h"
#include "trainer/sim/rock_layout.h"
#include "trainer/sim/rock_shapes.h"

/// Movers: the machine's bodies by their number, then trays.
enum { MOVER_TRAYS = MACHINE_MAX_BODIES, MOST_TRAYS = ROCK_MAX_MOVERS - MOVER_TRAYS };

// Stone on stone, and on soil: angles of friction of rockfill lie at 35 to 45 degrees (Leps 1970); on steel as rock in
// chutes.
#define STONE_FRICTION 0.7
#define STEEL_FRICTION 0.45
// Times soils' friction on steel: theirs on rough stone (Potyondy 1961: on rough concrete 0.9 of their own angle, on
// steel 0.65).
#define STONE_OVER_STEEL 1.4
// Of the shoes' grousers, which hook behind a stone's edges.
#define GROUSER_FRICTION 0.9
// Of the fall's speed: boulders on soil hardly bounce.
#define RESTITUTION 0.05
// s: heaps settle at most so long before the start.
#define SETTLE_TIME 12.0
// rad: the plane that a rock breaks along is turned by at most so much from the shortest one. Chosen.
#define CRACK_TWIST 0.25
enum { STREAM_CRACK = 221 };
// m: a rock counts as carried when its middle is in the tool, or so near.
#define CARRIED 0.1
// m: what is heaped so high over a tray's walls is in it.
#define TRAY_HEAP 0.5

/// A blow that breaks a rock at the end of the tick.
typedef struct RockBlow {
    int rock; ///< -1: none
    Vec3 point, axis; ///< m; unit: world
} RockBlow;

/// In place of the rock that a soil's tool stands for: none, or none for a whole tick more, so that contacts forget.
enum { SLOT_FREE = -1, SLOT_RESTS = -2 };

struct SessionRocks {
    Rocks *rocks;
    int count, tray_count;
    int tool_body; ///< the machine's first tool
    ToolShape *shape; ///< [shapes and those of halves]: of each kind, for the soil
    int shape_count, scene_shapes; ///< of `shape` and `radius` that are made; without those of halves
    int budget; ///< numbers of rocks
    uint64_t seed;
    RockBlow blow; ///< the last one of this tick that was enough
    ToolShape nothing; ///< of a tool that stands for no rock
    RockNear *near;
    double radius[ROCK_MAX_KINDS]; ///< m: of a ball around the centre of mass that holds the shape
    /// State.
    int32_t slot[ROCK_TOOLS]; ///< rock that soil sees as this tool; -1 = none
    Wrench wrench[ROCK_MAX_MOVERS]; ///< of the last substep, for the machine's next one
};

/// ---- what they live among ------------------------------------------------------------------------------------------

static bool make_movers(SessionRocks *self, const RockPlace *place, RocksParams *params, Status *status)
{
    const MachineParams *machine = machine_params(place->machine);
    self->tool_body = machine->tool[0].body;
    if (!rock_mover_bodies(machine, params->mover, status)) {
        return false;
    }
    SoilTrayMotion motion;
    for (const SoilTray *tray;
         self->tray_count < MOST_TRAYS && (tray = soil_get_tray(place->soil, self->tray_count, &motion)) != NULL;) {
        rock_mover_tray(tray, &params->mover[MOVER_TRAYS + self->tray_count++]);
    }
    params->mover_count = MOVER_TRAYS + self->tray_count;
    for (int k = 0; k < params->mover_count; k++) {
        params->mover[k].friction = k == MACHINE_BASE ? GROUSER_FRICTION : STEEL_FRICTION;
    }
    return true;
}

static void make_obstacles(const SceneParams *scene, RocksParams *params)
{
    for (int k = 0; k < scene->fixtures_count; k++) {
        params->obstacle[k].point_count = scene_fixture_points(&scene->fixtures[k], params->obstacle[k].point);
    }
    params->obstacle_count = scene->fixtures_count;
}

static RockMover body_mover(const RockPlace *place, int body)
{
    RockMover mover = {.absent = 0};
    machine_get_body(place->machine, place->state, body, &mover.motion);
    return mover;
}

static void find_movers(const SessionRocks *self, const RockPlace *place, RockMover movers[ROCK_MAX_MOVERS])
{
    int bodies = machine_params(place->machine)->body_count;
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        movers[body] = body < bodies ? body_mover(place, body) : (RockMover){.absent = 0};
    }
    for (int side = 0; side < 2; side++) {
        movers[MACHINE_BASE].belt[side] = place->state->track_speed[side];
    }
    for (int k = 0; k < self->tray_count; k++) {
        SoilTrayMotion motion;
        soil_get_tray(place->soil, k, &motion);
        movers[MOVER_TRAYS + k] = (RockMover){.motion.frame = motion.frame,
                                              .motion.center = motion.frame.position,
                                              .motion.velocity = motion.velocity,
                                              .motion.spin = motion.spin,
                                              .absent = motion.tail_open ? 1U << ROCK_TRAY_TAIL : 0U};
    }
}

static int find_ground(void *context, Vec3 at, double *height, Vec3 *normal)
{
    SoilBase base = soil_get_base(context, at);
    *height = base.height;
    *normal = base.normal;
    return base.tray >= 0 && base.tray < MOST_TRAYS ? MOVER_TRAYS + base.tray : -1;
}

/// What the ground bears of a rock, at its lowest point.
static double bears(void *context, Vec3 at, double width, double depth, double down)
{
    return soil_get_bearing(context, at.x, at.y, width, depth, down);
}

/// Where a rock presses.
typedef struct Pressing {
    const Rocks *rocks;
    Soil *soil;
} Pressing;

/// Lowers the columns under a rock to its underside; what stood there is heaved beside it, each column's on its side.
static void make_room(void *context, const RockPress *press)
{
    const Pressing *self = context;
    SoilGridView grid = soil_get_grid(self->soil);
    double x = 0.5 * (press->low.x + press->high.x), y = 0.5 * (press->low.y + press->high.y);
    double reach = 0.5 * press->width + 1.5 * grid.spacing;
    int first_row = (int)floor((press->low.y - grid.origin_y) / grid.spacing),
        first_column = (int)floor((press->low.x - grid.origin_x) / grid.spacing);
    for (int row = first_row < 0 ? 0 : first_row; row < grid.rows; row++) {
        double column_y = grid.origin_y + row * grid.spacing;
        if (column_y > press->high.y) {
            break;
        }
        for (int column = first_column < 0 ? 0 : first_column; column < grid.columns; column++) {
            double column_x = grid.origin_x + column * grid.spacing;
            if (column_x > press->high.x) {
                break;
            }
            double height = rocks_get_underside(self->rocks, press->rock, column_x, column_y);
            Vec3 out = vec3_unit(vec3(column_x - x, column_y - y, 0.0), vec3(1.0, 0.0, 0.0));
            soil_indent(self->soil, row, column, height, press->pressure, press->width, x + reach * out.x,
                        y + reach * out.y);
        }
    }
}

void session_rocks_press(SessionRocks *self, const RockPlace *place)
{
    if (self != NULL) {
        Pressing pressing = {self->rocks, place->soil};
        rocks_press(self->rocks, make_room, &pressing);
    }
}

/// ---- creation ------------------------------------------------------------------------------------------------------

/// Until all sleep, the machine standing.
static void settle(SessionRocks *self, const SceneParams *scene, const RockPlace *place)
{
    double dt = 1.0 / scene->rates.tick_rate, h = dt / scene->rates.substeps;
    RockMover movers[ROCK_MAX_MOVERS];
    find_movers(self, place, movers);
    for (int k = 0; k < MOVER_TRAYS + self->tray_count; k++) {
        const Vec3 still = {0.0, 0.0, 0.0};
        movers[k] = (RockMover){.motion.frame = movers[k].motion.frame,
                                .motion.center = movers[k].motion.center,
                                .motion.velocity = still,
                                .motion.spin = still};
    }
    int ticks = (int)(SETTLE_TIME / dt);
    for (int tick = 0; tick < ticks && (tick == 0 || rocks_get_counters(self->rocks).awake > 0); tick++) {
        rocks_begin(self->rocks, find_ground, place->soil, movers, dt);
        for (int k = 0; k < scene->rates.substeps; k++) {
            rocks_substep(self->rocks, movers, h, NULL);
        }
        rocks_end(self->rocks, find_ground, place->soil, dt);
        session_rocks_press(self, place);
    }
}

/// Slices the kinds that have come since.
static void slice_kinds(SessionRocks *self)
{
    for (int s = self->shape_count; s < rocks_get_shape_count(self->rocks); s++) {
        const ConvexHull *hull = rocks_get_part(self->rocks, s, 0);
        rock_shape_slice(hull, &self->shape[s]);
        self->radius[s] = 0.0;
        for (int k = 0; k < hull->point_count; k++) {
            self->radius[s] = fmax(self->radius[s], vec3_length(hull->point[k]));
        }
    }
    self->shape_count = rocks_get_shape_count(self->rocks);
}

static bool make_soil_shapes(SessionRocks *self, int shapes, int cuts, Status *status)
{
    self->shape = calloc((size_t)shapes + 2 * (size_t)cuts, sizeof *self->shape);
    if (self->shape == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the shapes of rocks");
    }
    slice_kinds(self);
    const ToolPiece grain = {
        .corner_count = 3, .corners = {{0.0, 0.0}, {1e-3, 0.0}, {0.0, 1e-3}}, .y_min = 0.0, .y_max = 1e-3};
    self->nothing = (ToolShape){.piece_count = 1, .pieces = {grain}};
    return true;
}

static bool build(SessionRocks *self, const SceneParams *scene, uint64_t seed, const RockPlace *place,
                  RocksParams *params, Status *status)
{
    rocks_default(params);
    params->friction = STONE_FRICTION;
    params->restitution = RESTITUTION;
    rock_layout_shapes(scene, seed, params);
    if (machine_params(place->machine)->hammer.blow_energy > 0.0) {
        params->cut_capacity = ROCK_MAX_CUTS;
        params->budget += ROCK_MAX_CUTS;
        params->mass_quantum = SOIL_QUANTUM;
    }
    self->seed = seed;
    self->budget = params->budget;
    self->scene_shapes = params->shape_count;
    self->blow.rock = -1;
    if (!make_movers(self, place, params, status)) {
        return false;
    }
    make_obstacles(scene, params);
    self->rocks = rocks_create(params, status);
    if (self->rocks == NULL || !make_soil_shapes(self, params->shape_count, params->cut_capacity, status)) {
        return false;
    }
    rocks_set_bearing(self->rocks, bears);
    self->near = rock_near_create(scene->ground.size_x, scene->ground.size_y);
    if (self->near == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the rocks of the scene");
    }
    for (int k = 0; k < ROCK_TOOLS; k++) {
        self->slot[k] = -1;
    }
    const RockLayout layout = {scene, seed, place->soil, self->radius};
    if (!rock_layout_add(&layout, self->rocks, false, &self->count, status)) {
        return false;
    }
    settle(self, scene, place);
    return rock_layout_add(&layout, self->rocks, true, &self->count, status);
}

bool session_rocks_create(const SceneParams *scene, uint64_t seed, const RockPlace *place, SessionRocks **rocks,
                          Status *status)
{
    *rocks = NULL;
    if (scene->rocks_count == 0) {
        return true;
    }
    RocksParams *params = malloc(sizeof *params);
    SessionRocks *self = calloc(1, sizeof *self);
    bool good = params != NULL && self != NULL;
    if (!good) {
        status_fail(status, STATUS_LACKING, "out of memory for the rocks of the scene");
    }
    good = good && build(self, scene, seed, place, params, status);
    free(params);
    if (!good) {
        session_rocks_destroy(self);
        return false;
    }
    *rocks = self;
    return true;
}

void session_rocks_destroy(SessionRocks *self)
{
    if (self != NULL) {
        rocks_destroy(self->rocks);
        rock_near_destroy(self->near);
        free(self->shape);
        free(self);
    }
}

/// ---- tick ----------------------------------------------------------------------------------------------------------

static bool is_near_soil(const SessionRocks *self, int rock)
{
    RockView view;
    return rocks_get(self->rocks, rock, &view) &&
           rock_near_soil(self->near, view.motion.frame.position, self->radius[view.shape]);
}

static bool has_slot(const SessionRocks *self, int rock)
{
    for (int k = 0; k < ROCK_TOOLS; k++) {
        if (self->slot[k] == rock) {
            return true;
        }
    }
    return false;
}

/// The next rock near soil that no tool stands for yet: those awake first, by number. -1 = none.
static int next_rock(const SessionRocks *self)
{
    for (int asleep = 0; asleep < 2; asleep++) {
        for (int i = 0; i < self->count; i++) {
            RockView view;
            if (rocks_get(self->rocks, i, &view) && view.asleep == (asleep == 1) && !has_slot(self, i) &&
                is_near_soil(self, i)) {
                return i;
            }
        }
    }
    return -1;
}

/// Rocks keep their tool while soil is near. A tool that lost its rock stands for none for a tick: what contacts
/// remember of it is then gone.
static void choose_slots(SessionRocks *self, const Soil *soil)
{
    const Vec3 none = {0.0, 0.0, 0.0};
    SoilParticleView particles = soil_get_particles(soil);
    rock_near_mark(self->near, &particles);
    for (int k = 0; k < ROCK_TOOLS; k++) {
        if (self->slot[k] == SLOT_RESTS) {
            self->slot[k] = SLOT_FREE;
        } else if (self->slot[k] < 0) {
            self->slot[k] = particles.count > 0 ? next_rock(self) : -1;
        } else if (!is_near_soil(self, self->slot[k])) {
            rocks_set_load(self->rocks, self->slot[k], none, none);
            self->slot[k] = -1;
        }
    }
}

void session_rocks_begin(SessionRocks *self, const RockPlace *place, double dt)
{
    if (self == NULL) {
        return;
    }
    RockMover movers[ROCK_MAX_MOVERS];
    find_movers(self, place, movers);
    choose_slots(self, place->soil);
    rocks_begin(self->rocks, find_ground, place->soil, movers, dt);
}

int session_rocks_tools(const SessionRocks *self, SoilTool *tools)
{
    if (self == NULL) {
        return 0;
    }
    for (int k = 0; k < ROCK_TOOLS; k++) {
        RockView view;
        if (self->slot[k] < 0 || !rocks_get(self->rocks, self->slot[k], &view)) {
            tools[k] = (SoilTool){.shape = &self->nothing, .steel_friction = 1.0};
            tools[k].motion.frame = (Pose){vec3(0.0, 0.0, -1e3 - k), mat3_identity()};
            tools[k].motion.center = tools[k].motion.frame.position;
            continue;
        }
        tools[k] =
            (SoilTool){.shape = &self->shape[view.shape], .motion = view.motion, .steel_friction = STONE_OVER_STEEL};
        if (view.asleep) {
            tools[k].motion.inverse_mass = 0.0;
            tools[k].motion.inertia_inverse = (Mat3){0};
        }
    }
    return ROCK_TOOLS;
}

void session_rocks_substep(SessionRocks *self, const RockPlace *place, double h)
{
    if (self != NULL) {
        RockMover movers[ROCK_MAX_MOVERS];
        find_movers(self, place, movers);
        rocks_substep(self->rocks, movers, h, self->wrench);
    }
}

void session_rocks_take(SessionRocks *self, const Wrench *wrenches)
{
    for (int k = 0; self != NULL && k < ROCK_TOOLS; k++) {
        if (self->slot[k] >= 0) {
            rocks_set_load(self->rocks, self->slot[k], wrenches[k].force, wrenches[k].moment);
        }
    }
}

/// ---- the hammer ----------------------------------------------------------------------------------------------------

void session_rocks_hammer(SessionRocks *self, const RockPlace *place, int blows, double h)
{
    const MachineParams *machine = machine_params(place->machine);
    Vec3 point;
    if (self == NULL || place->state->hammer_rate <= 0.0) {
        return;
    }
    int rock = rocks_find_pressed(self->rocks, self->tool_body, rock_chisel_piece(&machine->tool[0].shape), &point);
    if (rock < 0) {
        return;
    }
    MachineChisel chisel;
    machine_get_chisel(place->machine, place->state, &chisel);
    rocks_push(self->rocks, rock, point, vec3_scale(chisel.axis, chisel.thrust * h));
    for (int k = 0; k < blows; k++) {
        if (rocks_strike(self->rocks, rock, machine->hammer.blow_energy)) {
            self->blow = (RockBlow){rock, point, chisel.axis};
        }
    }
}

/// Breaks the rock that has had its last blow; soil sees the halves as tools of their own.
static void break_rock(SessionRocks *self)
{
    int rock = self->blow.rock;
    self->blow.rock = -1;
    if (rock < 0) {
        return;
    }
    int kinds = rocks_get_shape_count(self->rocks);
    double twist = CRACK_TWIST * (2.0 * random_unit(self->seed, STREAM_CRACK, (uint64_t)kinds) - 1.0);
    int other = rocks_break(self->rocks, rock, self->blow.point, self->blow.axis, twist);
    if (other < 0) {
        return;
    }
    slice_kinds(self);
    self->count = other >= self->count ? other + 1 : self->count;
    for (int k = 0; k < ROCK_TOOLS; k++) {
        self->slot[k] = self->slot[k] == rock ? SLOT_RESTS : self->slot[k];
    }
}

void session_rocks_end(SessionRocks *self, const RockPlace *place, double dt)
{
    if (self != NULL) {
        rocks_end(self->rocks, find_ground, place->soil, dt);
        break_rock(self);
    }
}

/// ---- what others read ----------------------------------------------------------------------------------------------

void session_rocks_add_loads(const SessionRocks *self, Wrench loads[MACHINE_MAX_BODIES])
{
    for (int body = 0; self != NULL && body < MACHINE_MAX_BODIES; body++) {
        wrench_add(&loads[body], &self->wrench[body], 1.0);
    }
}

Wrench session_rocks_on_tool(const SessionRocks *self)
{
    return self != NULL ? self->wrench[self->tool_body] : (Wrench){.force = {0}};
}

Wrench session_rocks_on_body(const SessionRocks *self, int body)
{
    return self != NULL ? self->wrench[body] : (Wrench){.force = {0}};
}

static bool is_carried(const RockPlace *place, Vec3 at)
{
    RigidMotion tool;
    machine_get_tool(place->machine, place->state, &tool);
    return tool_contains(&machine_params(place->machine)->tool[0].shape, pose_apply_inverse(&tool.frame, at), CARRIED);
}

double session_rocks_payload(const SessionRocks *self, const RockPlace *place)
{
    double payload = 0.0;
    for (int i = 0; self != NULL && i < self->count; i++) {
        RockView view;
        if (rocks_get(self->rocks, i, &view) && !view.asleep && is_carried(place, view.motion.frame.position)) {
            payload += view.mass;
        }
    }
    return payload;
}

double session_rocks_tray_load(const SessionRocks *self, const RockPlace *place, int tray, Vec3 *moment)
{
    SoilTrayMotion motion;
    const SoilTray *params = soil_get_tray(place->soil, tray, &motion);
    double mass = 0.0;
    *moment = vec3(0.0, 0.0, 0.0);
    for (int i = 0; self != NULL && params != NULL && i < self->count; i++) {
        RockView view;
        if (!rocks_get(self->rocks, i, &view)) {
            continue;
        }
        Vec3 at = pose_apply_inverse(&motion.frame, view.motion.frame.position);
        bool over = fabs(at.x) < 0.5 * params->length && fabs(at.y) < 0.5 * params->width;
        if (over && at.z > 0.0 && at.z < params->wall + TRAY_HEAP && !is_carried(place, view.motion.frame.position)) {
            mass += view.mass;
            *moment = vec3_madd(*moment, view.mass, at);
        }
    }
    return mass;
}

int64_t session_rocks_mass(const SessionRocks *self)
{
    int64_t quanta = 0;
    for (int i = 0; self != NULL && i < self->count; i++) {
        RockView view;
        quanta += rocks_get(self->rocks, i, &view) ? (int64_t)llround(view.mass / SOIL_QUANTUM) : 0;
    }
    return quanta;
}

const Rocks *session_rocks_get(const SessionRocks *self)
{
    return self != NULL ? self->rocks : NULL;
}

double session_rocks_size(const SessionRocks *self, int rock)
{
    RockView view;
    bool there = self != NULL && rocks_get(self->rocks, rock, &view);
    return there ? same_cbrt(6.0 / M_PI * rocks_get_volume(self->rocks, view.shape)) : 0.0;
}

int session_rocks_count(const SessionRocks *self)
{
    return self != NULL ? self->count : 0;
}

/// ---- state ---------------------------------------------------------------------------------------------------------

static bool state_is_sound(const SessionRocks *self)
{
    for (int k = 0; k < ROCK_TOOLS; k++) {
        if (self->slot[k] < SLOT_RESTS || self->slot[k] >= self->count) {
            return false;
        }
    }
    for (int n = 0; n < ROCK_MAX_MOVERS; n++) {
        Vec3 sum = vec3_add(self->wrench[n].force, self->wrench[n].moment);
        if (!isfinite(sum.x) || !isfinite(sum.y) || !isfinite(sum.z)) {
            return false;
        }
    }
    return true;
}

/// After rocks were restored: how many numbers there are, and the shapes of halves.
static void follow_rocks(SessionRocks *self)
{
    RockView view;
    self->count = 0;
    for (int i = 0; i < self->budget; i++) {
        self->count = rocks_get(self->rocks, i, &view) ? i + 1 : self->count;
    }
    self->shape_count = self->scene_shapes;
    slice_kinds(self);
}

void session_rocks_visit(SessionRocks *self, StateVisitor *visitor)
{
    if (self == NULL) {
        return;
    }
    rocks_visit(self->rocks, visitor);
    if (visitor->restoring) {
        follow_rocks(self);
    }
    STATE_VISIT(visitor, "session.rock_slots", self->slot);
    for (int n = 0; n < ROCK_MAX_MOVERS; n++) {
        STATE_VISIT(visitor, "session.rock_force", self->wrench[n].force);
        STATE_VISIT(visitor, "session.rock_moment", self->wrench[n].moment);
    }
    if (visitor->restoring && (visitor->failed || !state_is_sound(self))) {
        visitor->failed = true;
        for (int k = 0; k < ROCK_TOOLS; k++) {
            self->slot[k] = -1;
        }
    }
}

bool session_rocks_are_finite(const SessionRocks *self)
{
    return self == NULL || (rocks_is_finite(self->rocks) && state_is_sound(self));
}
