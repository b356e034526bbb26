/// Converts a session to a RenderView: keeps the machine's state after the last two ticks and fills the view for a
/// moment between them with ground, particles, rocks, gauges and the exercise's lines.
#include "trainer/app/session_view.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/constants.h"
#include "data/core/language.h"
#include "data/core/quantity.h"
#include "data/core/vec.h"
#include "data/schema/machine_params.h"
#include "trainer/app/site_overlays.h"
#include "trainer/app/ground_view.h"
#include "trainer/report/report.h"

/// ---- between two ticks ---------------------------------------------------------------------------------------------

static inline Vec3 blend_vec(Vec3 a, Vec3 b, double t)
{
    return vec3_madd(a, t, vec3_sub(b, a));
}

/// Between two rotations that are a tick apart: their mean, made orthonormal again (the error of the angle is of third
/// order in the turn between them).
static inline Mat3 blend_rotation(const Mat3 *a, const Mat3 *b, double t)
{
    Mat3 m;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            m.m[row][column] = a->m[row][column] + t * (b->m[row][column] - a->m[row][column]);
        }
    }
    Vec3 x = vec3_unit(vec3(m.m[0][0], m.m[1][0], m.m[2][0]), vec3(1, 0, 0));
    Vec3 y = vec3(m.m[0][1], m.m[1][1], m.m[2][1]);
    y = vec3_unit(vec3_madd(y, -vec3_dot(x, y), x), vec3(0, 1, 0));
    Vec3 z = vec3_cross(x, y);
    return (Mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

static inline Pose blend_pose(const Pose *a, const Pose *b, double t)
{
    return (Pose){blend_vec(a->position, b->position, t), blend_rotation(&a->rotation, &b->rotation, t)};
}

/// ---- gauges of a dozer ---------------------------------------------------------------------------------------------

/// A dozer's gauges show blade and ripper by height and angle instead of the pressures of an arm, and gear and ground
/// speed.

typedef struct DozerGaugeText {
    char value[MACHINE_MAX_JOINTS][40], drive[56];
} DozerGaugeText;

static const double degree = M_PI / 180.0;

/// Formats a value with its direction: "12 deg right".
static void write_turn(char *text, size_t size, double angle, const char *less, const char *more)
{
    double shown = round(fabs(angle) / degree);
    snprintf(text, size, "%.0f\u00b0 %s", shown, shown < 1.0 ? "" : angle < 0.0 ? less : more);
}

/// Tilt and turn of a tiltrotator in place of the swing's pressure.
static void fill_tool_gauge(const MachineReadout *readout, DozerGaugeText *texts, RenderHud *hud)
{
    double tilt = round(readout->angle[EXCAVATOR_JOINT_TILT] / degree);
    double turn = round(readout->angle[EXCAVATOR_JOINT_ROTATE] / degree);
    char *text = texts->value[0];
    snprintf(text, sizeof texts->value[0], "%+.0f\u00b0 %+.0f\u00b0", tilt + 0.0, turn + 0.0);
    snprintf(texts->drive, sizeof texts->drive, "%s %+.0f\u00b0, %s %+.0f\u00b0", language_text("tilt"), tilt + 0.0,
             language_text("rotate"), turn + 0.0);
    hud->tool_turn = texts->drive;
    hud->joint_name[EXCAVATOR_JOINT_SWING] = language_text("Tilt, turn");
    hud->joint_value[EXCAVATOR_JOINT_SWING] = text;
    hud->pressure[EXCAVATOR_JOINT_SWING] =
        fmax(readout->pressure[EXCAVATOR_JOINT_TILT], readout->pressure[EXCAVATOR_JOINT_ROTATE]);
}

/// Names, positions and relief pressures of ripper, lift, angle and tilt; gear and speed; the blade's height. `text`
/// holds the words as long as the HUD is drawn.
static void fill_dozer_gauges(const SessionFrame *frame, const MachineParams *machine, TextUnits units,
                              DozerGaugeText *text, RenderHud *hud)
{
    const MachineReadout *readout = &frame->machine;
    size_t size = sizeof text->value[0];
    snprintf(text->value[DOZER_JOINT_RIPPER], size, "%s",
             quantity(QUANTITY_RISE, dozer_ripper_height(machine, readout->angle[DOZER_JOINT_RIPPER]), units).text);
    snprintf(text->value[DOZER_JOINT_LIFT], size, "%s", quantity(QUANTITY_RISE, readout->tip_height, units).text);
    write_turn(text->value[DOZER_JOINT_ANGLE], size, readout->angle[DOZER_JOINT_ANGLE], language_text("left"),
               language_text("right"));
    write_turn(text->value[DOZER_JOINT_TILT], size, readout->angle[DOZER_JOINT_TILT], language_text("left"),
               language_text("right"));
    for (int k = 0; k < DOZER_JOINT_COUNT; k++) {
        hud->joint_value[k] = text->value[k];
    }
    hud->tool_name[0] = language_text("Blade");
    hud->tool_name[1] = language_text("Ripper");
    Quantity speed = quantity(QUANTITY_SPEED, fabs(readout->speed_over_ground), units);
    if (readout->gear == 0) {
        snprintf(text->drive, sizeof text->drive, "%s  %s", language_text("N"), speed.text);
    } else {
        char gear[12];
        snprintf(gear, sizeof gear, language_text(readout->gear > 0 ? TEXT("F%d") : TEXT("R%d")),
                 readout->gear > 0 ? readout->gear : -readout->gear);
        snprintf(text->drive, sizeof text->drive, "%s  %s", gear, speed.text);
    }
    hud->drive = text->drive;
}

/// ---- rocks ---------------------------------------------------------------------------------------------------------

/// The rocks' hulls as triangles, taken once at a start, and their poses after the last two ticks, between which a
/// picture blends.

enum { ROCK_VIEWS_MOST = SCENE_MAX_ROCKS + ROCK_MAX_CUTS };
_Static_assert((int)RENDER_MAX_ROCK_SHAPES == (int)ROCK_MAX_KINDS, "a picture has room for all kinds of rock");

/// Where they lay after the last two ticks. Zero-initialise.
typedef struct RockViews {
    int shape_count, count;
    RenderRockShape shape[RENDER_MAX_ROCK_SHAPES];
    RenderRock past[ROCK_VIEWS_MOST], present[ROCK_VIEWS_MOST], shown[ROCK_VIEWS_MOST];
} RockViews;

static void store_vec(float out[3], Vec3 v)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

/// The hull's faces as fans.
static void add_hull(const ConvexHull *hull, RenderRockShape *shape)
{
    for (int f = 0; f < hull->face_count; f++) {
        const uint8_t *corner = hull->face_point[f];
        for (int k = 2; k < hull->face_size[f] && shape->triangle_count < RENDER_MAX_ROCK_TRIANGLES; k++) {
            int t = shape->triangle_count++;
            store_vec(shape->triangle[t][0], hull->point[corner[0]]);
            store_vec(shape->triangle[t][1], hull->point[corner[k - 1]]);
            store_vec(shape->triangle[t][2], hull->point[corner[k]]);
            store_vec(shape->normal[t], hull->normal[f]);
        }
    }
}

static void take_shapes(RockViews *own, const Rocks *rocks)
{
    memset(own->shape, 0, sizeof own->shape);
    own->shape_count = rocks_get_shape_count(rocks);
    for (int s = 0; s < own->shape_count; s++) {
        for (int p = 0; p < rocks_get_part_count(rocks, s); p++) {
            add_hull(rocks_get_part(rocks, s, p), &own->shape[s]);
        }
    }
}

/// After a tick; `jump`: after a start, a seek or a restart.
static void tick_rocks(RockViews *own, const Session *session, bool jump)
{
    const Rocks *rocks = session_rocks_get(session_rocks(session));
    memcpy(own->past, own->present, sizeof own->past);
    own->count = session_rocks_count(session_rocks(session));
    for (int i = 0; i < own->count; i++) {
        RockView view;
        if (rocks_get(rocks, i, &view)) {
            own->present[i] = (RenderRock){view.shape, view.motion.frame};
            own->past[i] = own->past[i].shape == view.shape ? own->past[i] : own->present[i]; // one that broke
        }
    }
    if (jump) {
        memcpy(own->past, own->present, sizeof own->past);
        own->shape_count = 0;
    }
    if (rocks != NULL && own->shape_count != rocks_get_shape_count(rocks)) {
        take_shapes(own, rocks);
    }
}

/// Fills `view` for the moment `blend`, see session_view_build. Its pointers hold until the next call.
static void build_rocks(RockViews *own, double blend, RenderRocks *view)
{
    for (int i = 0; i < own->count; i++) {
        const Pose *a = &own->past[i].frame, *b = &own->present[i].frame;
        own->shown[i].shape = own->present[i].shape;
        own->shown[i].frame.position = vec3_madd(a->position, blend, vec3_sub(b->position, a->position));
        own->shown[i].frame.rotation = blend_rotation(&a->rotation, &b->rotation, blend);
    }
    *view =
        (RenderRocks){.shape_count = own->shape_count, .shapes = own->shape, .count = own->count, .rocks = own->shown};
}

/// ---- the view ------------------------------------------------------------------------------------------------------

/// The machine as it stood after one tick.
typedef struct MachineLook {
    Pose body[MACHINE_MAX_BODIES];
    double track_travel[2];
    int strut_count;
    MachineStrut struts[MACHINE_MAX_STRUTS];
    SessionTruckPose trucks[RENDER_MAX_TRUCKS];
    SessionLoadPose loads[SCENE_MAX_LOADS];
    int fitted; ///< tool that the machine holds; -1: none
    bool loose[SESSION_MAX_TOOLS]; ///< tools that the machine does not hold
    Pose tools[SESSION_MAX_TOOLS];
    int person_count;
    RenderPerson persons[RENDER_MAX_PERSONS];
} MachineLook;

#define NEWS_TIME 6.0 ///< s for which a message about damage or a driver is in sight; chosen
/// s: a shorter hold is not shown, so the mark does not flicker.
#define HELD_SHOWN   0.5
#define FULL_STRIDE  1.4 ///< m/s at which legs swing in full
#define PAYLOAD_TIME 0.5 ///< s that the payload gauge is late, as one that weighs by pressures is. Chosen

struct SessionView {
    MachineLook past, present;
    OperatorControls controls; ///< that the levers show
    double payload; ///< kg, as the gauge shows it: a little late, so that it does not jump with what rolls
    bool all_dirty; ///< the next view must upload whole grids
    float *xyzr;
    int particle_capacity;
    char progress[EXERCISE_MAX_PROGRESS][EXERCISE_TEXT];
    char lift[LIFT_LINES][LIFT_LINE];
    char coupler[120];
    char failure[EVENT_TEXT];
    char signal[96];
    char pattern[8];
    char joint_name[MACHINE_MAX_JOINTS][MACHINE_NAME_SIZE];
    DozerGaugeText dozer;
    DebugView *debug; ///< NULL until it is first wanted
    GradeView *grade; ///< the same
    SceneParams *shown; ///< the scene in the language of the window; NULL until it is first wanted
    RockViews rocks;
    DustView dust;
    TextUnits units;
    GroundView ground;
    RenderView view;
};

SessionView *session_view_create(void)
{
    SessionView *view = calloc(1, sizeof *view);
    if (view == NULL) {
        abort();
    }
    view->all_dirty = true;
    return view;
}

void session_view_destroy(SessionView *view)
{
    if (view != NULL) {
        free(view->xyzr);
        free(view->shown);
        debug_view_destroy(view->debug);
        grade_view_destroy(view->grade);
        ground_view_free(&view->ground);
        free(view);
    }
}

void session_view_set_path(SessionView *view, const GroundPath *path)
{
    view->ground.known = path;
}

void session_view_set_units(SessionView *view, TextUnits units)
{
    view->units = units;
}

const SceneParams *session_view_scene(SessionView *view, const Session *session)
{
    if (view->shown == NULL) {
        view->shown = malloc(sizeof *view->shown);
        if (view->shown == NULL) {
            abort();
        }
        *view->shown = *session_scene(session);
        language_translate_scene(view->shown);
    }
    return view->shown;
}

void session_view_translate(SessionView *view, const Session *session)
{
    if (view->shown != NULL) {
        *view->shown = *session_scene(session);
        language_translate_scene(view->shown);
    }
}

_Static_assert((int)RENDER_SIGNAL_COUNT == (int)ARM_SIGNAL_COUNT, "a picture has all signals");

/// The persons of the scene, then the one who walks in, who faces the machine. `before`: how they were a tick earlier.
static void copy_persons(const Session *session, const MachineLook *before, MachineLook *look)
{
    const SceneParams *scene = session_scene(session);
    Vec3 feet, base = session_frame(session)->machine.base;
    look->person_count = scene->persons_count;
    for (int k = 0; k < scene->persons_count; k++) {
        const PersonState *state = session_person(session, k);
        look->persons[k] = (RenderPerson){.feet = vec3(state->x, state->y, state->z),
                                          .facing = state->facing,
                                          .radius = scene->persons[k].radius,
                                          .height = scene->persons[k].height,
                                          .stride = state->stride,
                                          .walks = state->speed / FULL_STRIDE,
                                          .signal = (RenderSignal)state->signal,
                                          .signal_time = state->signal_time,
                                          .lies = state->lies != 0};
    }
    if (session_walker(session, &feet)) {
        int k = look->person_count++;
        double away = hypot(feet.x - base.x, feet.y - base.y); // his way leads to the machine and back
        double pace = before->person_count > k ? fabs(away - before->persons[k].stride) / session_dt(session) : 0.0;
        look->persons[k] = (RenderPerson){.feet = feet,
                                          .facing = atan2(base.y - feet.y, base.x - feet.x),
                                          .radius = 0.25,
                                          .height = 1.8,
                                          .stride = away,
                                          .walks = pace / FULL_STRIDE};
    }
}

static void copy_machine(Session *session, MachineLook *look)
{
    const Machine *machine = session_machine(session);
    const MachineState *state = session_machine_state(session);
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        machine_get_body_frame(machine, state, body, &look->body[body]);
    }
    look->track_travel[0] = state->track_travel[0];
    look->track_travel[1] = state->track_travel[1];
    look->strut_count = machine_get_struts(machine, state, look->struts);
    for (int k = 0; k < session_trucks_count(session_trucks(session)) && k < RENDER_MAX_TRUCKS; k++) {
        look->trucks[k] = session_trucks_pose(session_trucks(session), k);
    }
    LoadSite site = {session_soil(session), machine, state};
    for (int k = 0; k < session_loads_count(session_loads(session)); k++) {
        look->loads[k] = session_loads_pose(session_loads(session), &site, k);
    }
    const CouplerReadout *coupler = &session_frame(session)->coupler;
    look->fitted = coupler->stand == COUPLER_STANDS_LOCKED ? coupler->tool : -1;
    for (int k = 0; k < session_tools_count(session_tools(session)); k++) {
        look->loose[k] = session_tools_pose(session_tools(session), k, &look->tools[k]);
    }
}

static void build_persons(const SessionView *own, RenderView *view, double blend)
{
    view->person_count = own->present.person_count;
    for (int k = 0; k < view->person_count; k++) {
        const RenderPerson *b = &own->present.persons[k];
        const RenderPerson *a = k < own->past.person_count ? &own->past.persons[k] : b;
        view->persons[k] = *b;
        view->persons[k].feet = blend_vec(a->feet, b->feet, blend);
        view->persons[k].stride = a->stride + blend * (b->stride - a->stride);
        view->persons[k].facing = a->facing + blend * remainder(b->facing - a->facing, 2.0 * M_PI);
    }
}

void session_view_tick(SessionView *view, Session *session)
{
    view->past = view->present;
    copy_machine(session, &view->present);
    if (view->past.fitted != view->present.fitted) {
        view->past = view->present; // the body at the arm's end is another one
    }
    copy_persons(session, &view->past, &view->present);
    tick_rocks(&view->rocks, session, false);
    dust_view_tick(&view->dust, session, false);
    ground_view_tick(&view->ground, session, false);
    view->controls = session_frame(session)->controls;
    double share = session_dt(session) / (session_dt(session) + PAYLOAD_TIME);
    view->payload += share * (session_payload_shown(session) - view->payload);
}

void session_view_jump(SessionView *view, Session *session)
{
    copy_machine(session, &view->present);
    copy_persons(session, &view->present, &view->present);
    view->past = view->present;
    tick_rocks(&view->rocks, session, true);
    dust_view_tick(&view->dust, session, true);
    ground_view_tick(&view->ground, session, true);
    view->controls = session_frame(session)->controls;
    view->payload = session_payload_shown(session);
    view->all_dirty = true;
}

void session_view_set_levers(SessionView *view, const OperatorControls *controls)
{
    view->controls = *controls;
}

static void build_trucks(const SessionView *own, const Session *session, RenderView *view, double blend)
{
    view->truck_count = session_trucks_count(session_trucks(session));
    for (int k = 0; k < view->truck_count; k++) {
        const SessionTruckPose *a = &own->past.trucks[k], *b = &own->present.trucks[k];
        view->trucks[k] = (RenderTruck){.chassis = blend_pose(&a->chassis, &b->chassis, blend),
                                        .bed = blend_pose(&a->bed, &b->bed, blend),
                                        .rolled = a->rolled + blend * (b->rolled - a->rolled),
                                        .steering = a->steering + blend * (b->steering - a->steering)};
        for (int i = 0; i < RENDER_TRUCK_SUPPORTS; i++) {
            view->trucks[k].travel[i] = a->travel[i] + blend * (b->travel[i] - a->travel[i]);
        }
    }
}

static void build_machine(const SessionView *own, RenderView *view, double blend)
{
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        const Pose *a = &own->past.body[body], *b = &own->present.body[body];
        view->body[body].position = blend_vec(a->position, b->position, blend);
        view->body[body].rotation = blend_rotation(&a->rotation, &b->rotation, blend);
    }
    for (int side = 0; side < 2; side++) {
        double a = own->past.track_travel[side], b = own->present.track_travel[side];
        view->track_travel[side] = a + blend * (b - a);
    }
    view->strut_count = own->present.strut_count;
    bool paired = own->past.strut_count == own->present.strut_count;
    for (int i = 0; i < own->present.strut_count; i++) {
        const MachineStrut *b = &own->present.struts[i];
        const MachineStrut *a = paired ? &own->past.struts[i] : b;
        view->struts[i] = (RenderStrut){.bar = b->kind == MACHINE_STRUT_BAR,
                                        .a = blend_vec(a->a, b->a, blend),
                                        .b = blend_vec(a->b, b->b, blend),
                                        .radius = b->radius,
                                        .rod_radius = b->rod_radius,
                                        .barrel = b->barrel};
    }
}

/// The things of the walk-round, and the work lights as the switch has them.
static void place_things(const Session *session, RenderView *view)
{
    const SceneWalkRound *walk = &session_scene(session)->exercise.walk_round;
    const CabReadout *cab = &session_frame(session)->cab;
    view->thing_count = 0;
    for (int k = 0; k < walk->things_count; k++) {
        RenderThing *thing = &view->things[view->thing_count];
        thing->look = walk->things[k].look;
        view->thing_count += session_thing(session, k, &thing->frame) ? 1 : 0;
    }
    const FootReadout *foot = &session_frame(session)->foot;
    view->on_foot = foot->walks;
    view->foot_eye = foot->eye;
    view->foot_yaw = foot->yaw;
    view->foot_pitch = foot->pitch;
    view->lamps = !cab->has ? RENDER_LAMPS_AUTO : cab->lights ? RENDER_LAMPS_ON : RENDER_LAMPS_OFF;
}

/// What the machine has pushed over, and the water out of what it has broken.
static void place_damage(const Session *session, RenderView *view)
{
    const SiteDamage *damage = session_damage(session);
    FloodPool pool = session_water(session);
    view->water = (RenderWater){pool.depth, pool.level, {pool.low[0], pool.low[1]}, {pool.high[0], pool.high[1]}};
    memset(view->falls, 0, sizeof view->falls);
    for (int k = 0; k < view->scene->fixtures_count; k++) {
        view->falls[k].lies = damage->fixture[k].worst == DAMAGE_WRECKED;
        view->falls[k].heading = view->falls[k].lies ? damage->fixture[k].heading : 0.0;
    }
}

static void build_loads(const SessionView *own, const Session *session, RenderView *view, double blend)
{
    view->load_count = session_loads_count(session_loads(session));
    for (int k = 0; k < view->load_count; k++) {
        const SessionLoadPose *b = &own->present.loads[k], *a = &own->past.loads[k];
        a = a->leg_count == b->leg_count ? a : b;
        RenderLoad *load = &view->loads[k];
        load->radius = b->radius;
        load->solid = b->solid;
        load->width = b->width;
        load->height = b->height;
        load->wall = b->wall;
        load->up = vec3_unit(blend_vec(a->up, b->up, blend), vec3(0.0, 0.0, 1.0));
        load->leg_count = b->leg_count;
        load->eye = blend_vec(a->eye, b->eye, blend);
        for (int n = 0; n < 2; n++) {
            load->end[n] = blend_vec(a->end[n], b->end[n], blend);
            load->hitch[n] = blend_vec(a->hitch[n], b->hitch[n], blend);
        }
    }
}

static void build_tools(const SessionView *own, const Session *session, RenderView *view, double blend)
{
    const SessionTools *tools = session_tools(session);
    view->tool_count = 0;
    for (int k = 0; k < session_tools_count(tools) && k < RENDER_MAX_TOOLS; k++) {
        const Pose *b = &own->present.tools[k], *a = own->past.loose[k] ? &own->past.tools[k] : b;
        if (own->present.loose[k]) {
            view->tools[view->tool_count++] =
                (RenderTool){.params = session_tools_params(tools, k), .frame = blend_pose(a, b, blend)};
        }
    }
}

/// What the coupler holds, in a line: "Coupler: grading-bucket-1800, locked".
static void build_coupler(SessionView *own, const Session *session, int line, RenderHud *hud)
{
    const CouplerReadout *coupler = &session_frame(session)->coupler;
    if (!coupler->has || line >= RENDER_HUD_LINES) {
        return;
    }
    const char *word = language_text(coupler_word(coupler));
    snprintf(own->coupler, sizeof own->coupler, coupler->name[0] != '\0' ? "%s: %s, %s" : "%s: %s%s",
             language_text("Coupler"), coupler->name, word);
    hud->progress[line] = own->coupler;
}

static RenderGrid grid_of(const SoilGridView *grid, bool all_dirty)
{
    return (RenderGrid){.rows = grid->rows,
                        .columns = grid->columns,
                        .spacing = grid->spacing,
                        .origin_x = grid->origin_x,
                        .origin_y = grid->origin_y,
                        .height = grid->height,
                        .soil = grid->soil,
                        .loose = grid->loose,
                        .border = grid->border,
                        .dirty_row_min = grid->dirty_row_min,
                        .dirty_row_max = grid->dirty_row_max,
                        .dirty_column_min = grid->dirty_column_min,
                        .dirty_column_max = grid->dirty_column_max,
                        .all_dirty = all_dirty};
}

static void build_grids(SessionView *own, Session *session, RenderView *view)
{
    const SceneParams *scene = session_scene(session);
    Soil *soil = session_soil(session);
    SoilGridView site = soil_get_grid(soil);
    view->grids[0] = grid_of(&site, own->all_dirty);
    ground_view_fill(&own->ground, session, &view->grids[0]);
    view->grid_count = 1;
    int beds = scene->exercise.kind == EXERCISE_TRUCK_LOADING ? (view->truck_count > 0 ? view->truck_count : 1) : 0;
    for (int k = 0; k < beds; k++) {
        SoilGridView bed = soil_get_tray_grid(soil, k);
        RenderGrid *grid = &view->grids[view->grid_count++];
        *grid = grid_of(&bed, own->all_dirty);
        grid->x = scene->exercise.truck.x;
        grid->y = scene->exercise.truck.y;
        grid->heading = scene->exercise.truck.heading;
        grid->floor = scene->exercise.truck.floor_height;
        grid->moves = k < view->truck_count;
        grid->frame = view->trucks[k].bed;
    }
}

/// Particles change places in their arrays between ticks, so the past is found from the velocity, not by index.
static void build_particles(SessionView *own, Session *session, RenderView *view, double blend)
{
    SoilParticleView particles = soil_get_particles(session_soil(session));
    if (particles.count > own->particle_capacity) {
        int capacity = particles.count + particles.count / 2 + 1024;
        float *xyzr = realloc(own->xyzr, (size_t)capacity * 4 * sizeof *xyzr);
        if (xyzr == NULL) {
            abort();
        }
        own->xyzr = xyzr;
        own->particle_capacity = capacity;
    }
    double back = (1.0 - blend) * session_dt(session);
    for (int i = 0; i < particles.count; i++) {
        float *out = own->xyzr + (size_t)i * 4;
        out[0] = (float)(particles.x[i] - back * (double)particles.vx[i]);
        out[1] = (float)(particles.y[i] - back * (double)particles.vy[i]);
        out[2] = (float)(particles.z[i] - back * (double)particles.vz[i]);
        out[3] = particles.radius[i];
    }
    view->particles =
        (RenderParticles){.count = particles.count, .xyzr = own->xyzr, .soil = particles.soil, .id = particles.id};
}

/// Loose soil that a heaped bucket holds, kg: bank density / (1 + swell) of the site's top layer.
static double full_payload(const SceneParams *scene, const MachineParams *machine)
{
    const SoilParams *soil = &scene->soils[scene->ground.layers[0].soil_index];
    return machine->tool[0].capacity * soil->bank_density / (1.0 + soil->swell);
}

/// The lamp of a blade in float, or of a coupler that is not locked.
static void fill_state_lamp(const Session *session, RenderHud *hud)
{
    const CouplerReadout *coupler = &session_frame(session)->coupler;
    int joint = machine_floating_joint(session_machine_params(session));
    if (coupler->has) {
        hud->state = language_text(TEXT("coupler"));
        hud->state_acts = hud->state_warns = coupler->moves || coupler->stand != COUPLER_STANDS_LOCKED;
    } else if (joint >= 0) {
        hud->state = language_text(TEXT("float"));
        hud->state_acts = (session_machine_state(session)->floating & MACHINE_RELIEF_JOINT(joint)) != 0;
    }
}

static void build_gauges(SessionView *own, const Session *session, RenderHud *hud)
{
    const SessionFrame *frame = session_frame(session);
    const MachineParams *machine = session_machine_params(session);
    const MachineReadout *readout = &frame->machine;
    const int shown =
        (int)(sizeof hud->pressure / sizeof hud->pressure[0]); // those of the arm; a grab's come after them
    for (int joint = 0; joint < machine->joint_count && joint < shown; joint++) {
        hud->pressure[joint] = readout->pressure[joint];
        hud->pressure_relief[joint] = machine_joint_relief(machine, joint);
        hud->at_relief[joint] = (readout->relief & MACHINE_RELIEF_JOINT(joint)) != 0;
        memcpy(own->joint_name[joint], machine->joint[joint].name, MACHINE_NAME_SIZE);
        own->joint_name[joint][0] = (char)toupper((unsigned char)own->joint_name[joint][0]);
        hud->joint_name[joint] = language_text(own->joint_name[joint]);
    }
    if (machine_joint_of_control(machine, CONTROL_TOOL_TILT) >= 0) {
        fill_tool_gauge(readout, &own->dozer, hud);
        hud->pressure_relief[EXCAVATOR_JOINT_SWING] = machine_joint_relief(machine, EXCAVATOR_JOINT_TILT);
    }
    for (int axis = 0; axis < CONTROL_COUNT; axis++) {
        hud->levers[axis] = control_value(&own->controls, (ControlAxis)axis);
    }
    hud->engine_speed = readout->engine_speed;
    hud->engine_rated = machine->engine.rated_speed;
    hud->pump_power = readout->pump_power;
    hud->fuel = readout->fuel;
    hud->oil_hot = session_orders(session)->value[SESSION_FAULT_HEAT][0] > 0.0;
    hud->payload = own->payload;
    hud->payload_full = full_payload(session_scene(session), machine);
    hud->tool_force = session_tool_load(session, 0);
    hud->second_force = session_tool_load(session, 1);
    hud->depth = -readout->tip.z;
    for (int k = 0; k + 1 < MACHINE_LIMIT_COUNT; k++) {
        hud->limit[k] = language_text(machine_limit_names[k + 1]);
        hud->limit_acts[k] = (readout->limits & MACHINE_LIMIT_BIT(k + 1)) != 0;
    }
    fill_state_lamp(session, hud);
    if (machine->type == MACHINE_DOZER) {
        fill_dozer_gauges(frame, machine, own->units, &own->dozer, hud);
        hud->pattern = "DOZER";
    }
}

/// Writes what hit a person behind the reason, in place of its full stop: ": bucket hits surveyor at 2.1 m/s".
static void write_cause(const Session *session, TextUnits units, char *text, size_t size)
{
    const Exercise *exercise = session_exercise(session);
    const TextReader reader = {.units = units};
    size_t length = strlen(text);
    length -= length > 0 && text[length - 1] == '.';
    for (int k = exercise_event_count(exercise) - 1; k >= 0 && exercise_cause(exercise) == INCIDENT_PERSON_HIT; k--) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        if (event->kind == EVENT_PERSON_HIT) {
            char words[EVENT_TEXT];
            event_text(event, &reader, NULL, words);
            snprintf(text + length, size - length, ": %.120s", words);
            break;
        }
    }
}

const char *session_view_failure(SessionView *own, const Session *session, const char *key)
{
    const char *reason = exercise_failure(session_exercise(session));
    if (reason == NULL) {
        return NULL;
    }
    bool known = key[0] != '\0';
    snprintf(own->failure, sizeof own->failure, "%s", language_text(reason));
    write_cause(session, own->units, own->failure, sizeof own->failure);
    int length = (int)strlen(own->failure);
    length += snprintf(own->failure + length, sizeof own->failure - (size_t)length, "\n");
    snprintf(
        own->failure + length, sizeof own->failure - (size_t)length,
        language_text(known ? TEXT("The attempt is over: press %s to start again.") : TEXT("The attempt is over.")),
        key);
    return own->failure;
}

/// The newest damage, or word of a driver about his load, of the last NEWS_TIME; NULL: there is none.
static const ExerciseEvent *find_news(const Session *session)
{
    const Exercise *exercise = session_exercise(session);
    int64_t oldest = session_frame(session)->tick - (int64_t)(NEWS_TIME / session_dt(session));
    for (int k = exercise_event_count(exercise) - 1; k >= 0; k--) {
        const ExerciseEvent *event = exercise_event(exercise, k);
        if (event->tick < oldest) {
            return NULL;
        }
        bool damage = event->kind == EVENT_TRUCK_DAMAGED || event->kind == EVENT_FIXTURE_DAMAGED;
        if (damage || (event->kind == EVENT_TRUCK && event->form >= EVENT_TRUCK_UNEVEN)) {
            return event;
        }
    }
    return NULL;
}

/// What a mistake has led to; NULL: nothing new.
static const char *tell_news(SessionView *own, const Session *session)
{
    double left = session_leak_left(session);
    if (left > 0.0) {
        snprintf(own->failure, sizeof own->failure, language_text("Water runs out: the attempt is over in %s"),
                 quantity(QUANTITY_TIME, left, own->units).text);
        return own->failure;
    }
    const ExerciseEvent *event = find_news(session);
    if (event == NULL) {
        return NULL;
    }
    event_text(event, &(TextReader){.units = own->units}, NULL, own->failure);
    return own->failure;
}

const char *session_view_notice(SessionView *own, const Session *session)
{
    double beyond = session_beyond_site(session);
    if (beyond <= 0.0) {
        return tell_news(own, session);
    }
    snprintf(own->failure, sizeof own->failure, language_text("Outside the site, %s beyond its edge"),
             quantity(QUANTITY_WAY, beyond, own->units).text);
    return own->failure;
}

/// The load on the hook, its radius and its share of the tipping load; the payload gauge shows it against what may be
/// lifted there.
static void build_lift(SessionView *own, const Session *session, int first, RenderHud *hud)
{
    const SessionLift *lift = &session_frame(session)->lift;
    int count = session_loads_lines(session_loads(session), lift, own->units, own->lift);
    for (int k = 0; k < count && first + k < RENDER_HUD_LINES; k++) {
        hud->progress[first + k] = own->lift[k];
    }
    if (lift->hooked >= 0) {
        hud->payload = lift->pull / STANDARD_GRAVITY;
        hud->payload_full = fmax(1.0, LIFTING_CAPACITY * lift->moment.tipping / STANDARD_GRAVITY);
    }
}

/// Progress of a hammer's work on the site's rocks.
static void write_rocks(const Session *session, TextUnits units, char line[EXERCISE_TEXT])
{
    const SessionRocks *rocks = session_rocks(session);
    const SceneParams *scene = session_scene(session);
    int count = 0, first = 0;
    double largest = 0.0;
    for (int k = 0; k < scene->rocks_count; k++) {
        first += scene->rocks[k].count;
    }
    for (int k = 0; k < session_rocks_count(rocks); k++) {
        RockView view;
        if (rocks_get(session_rocks_get(rocks), k, &view)) {
            count++;
            largest = fmax(largest, session_rocks_size(rocks, k));
        }
    }
    snprintf(line, EXERCISE_TEXT, language_text("%d boulders broken into %d pieces, the largest %s"), first, count,
             quantity(QUANTITY_LENGTH, largest, units).text);
}

/// The word of what the banksman signals; the hands at a hook are none.
static void build_signal(SessionView *own, const Session *session, RenderHud *hud)
{
    static const char *const words[ARM_SIGNAL_COUNT] = {
        [ARM_START] = TEXT("start"),
        [ARM_STOP] = TEXT("stop"),
        [ARM_END] = TEXT("end"),
        [ARM_RAISE] = TEXT("raise"),
        [ARM_LOWER] = TEXT("lower"),
        [ARM_FORWARD] = TEXT("towards me"),
        [ARM_BACKWARD] = TEXT("away from me"),
        [ARM_LEFT] = TEXT("to my left"),
        [ARM_RIGHT] = TEXT("to my right"),
        [ARM_DISTANCE] = TEXT("a little more"),
        [ARM_DANGER] = TEXT("danger: stop at once"),
    };
    const SceneParams *scene = session_scene(session);
    for (int k = 0; k < scene->persons_count; k++) {
        const PersonState *state = session_person(session, k);
        if (scene->persons[k].role == SCENE_ROLE_BANKSMAN && words[state->signal] != NULL) {
            const char *frame =
                language_text(state->to_truck != 0 ? TEXT("Banksman to the truck: %s") : TEXT("Banksman: %s"));
            snprintf(own->signal, sizeof own->signal, frame, language_text(words[state->signal]));
            hud->signal = own->signal;
        }
    }
}

static void build_hud(SessionView *own, const Session *session, RenderHud *hud)
{
    const SessionFrame *frame = session_frame(session);
    const SceneParams *scene = session_scene(session);
    *hud = (RenderHud){.visible = true, .pattern = "ISO", .real_time = 1.0};
    hud->title = session_view_scene(own, session)->title;
    hud->time = frame->time;
    hud->time_limit = scene_told_limit(&scene->exercise);
    hud->unscored = !scene_is_scored(&scene->exercise);
    hud->score = frame->score;
    hud->held = exercise_held(session_exercise(session)) > HELD_SHOWN;
    hud->message = session_view_failure(own, session, "");
    if (hud->message == NULL) {
        hud->message = session_view_notice(own, session);
    }
    build_gauges(own, session, hud);
    int lines = exercise_progress(session_exercise(session), &session_view_scene(own, session)->exercise, own->units,
                                  own->progress);
    if (session_machine_params(session)->hammer.blow_energy > 0.0 && session_rocks(session) != NULL &&
        lines < EXERCISE_MAX_PROGRESS) {
        write_rocks(session, own->units, own->progress[lines++]);
    }
    for (int i = 0; i < lines && i < 6; i++) {
        hud->progress[i] = own->progress[i];
    }
    if (session_trucks_watched(session_trucks(session)) >= 0 && lines < EXERCISE_MAX_PROGRESS) {
        session_trucks_line(session_trucks(session), own->units, own->progress[lines], sizeof own->progress[lines]);
        hud->progress[lines] = own->progress[lines];
    }
    if (session_loads(session) != NULL) {
        build_lift(own, session, lines, hud);
    }
    int line = 0;
    while (line < RENDER_HUD_LINES && hud->progress[line] != NULL) {
        line++;
    }
    build_coupler(own, session, line, hud);
    build_signal(own, session, hud);
}

RenderView *session_view_build(SessionView *own, Session *session, double blend)
{
    RenderView *view = &own->view;
    memset(&view->menu, 0, sizeof view->menu);
    memset(&view->timeline, 0, sizeof view->timeline);
    memset(&view->ghost, 0, sizeof view->ghost);
    view->hud.race_count = 0;
    memset(&view->events, 0, sizeof view->events);
    memset(&view->curves, 0, sizeof view->curves);
    memset(&view->debug, 0, sizeof view->debug);
    view->grade.visible = view->grade.colors = false;
    view->scene = session_scene(session);
    view->visibility = session_orders_sight(session_orders(session));
    view->units = own->units;
    view->machine = session_machine_params(session);
    build_trucks(own, session, view, blend);
    build_grids(own, session, view);
    build_particles(own, session, view, blend);
    build_machine(own, view, blend);
    memcpy(view->dirt, own->ground.dirt, sizeof view->dirt);
    build_loads(own, session, view, blend);
    build_tools(own, session, view, blend);
    build_rocks(&own->rocks, blend, &view->rocks);
    dust_view_build(&own->dust, session, blend, &view->dust);
    place_damage(session, view);
    build_persons(own, view, blend);
    place_things(session, view);
    view->line_count = exercise_marks(session, view->lines, RENDER_MAX_LINES);
    view->staff_count = exercise_staffs(session, view->staffs);
    build_hud(own, session, &view->hud);
    own->all_dirty = false;
    soil_clear_dirty(session_soil(session));
    return view;
}

void session_view_add_grade(SessionView *own, Session *session, bool panel, bool colors)
{
    if (!panel && !colors) {
        return;
    }
    if (own->grade == NULL) {
        own->grade = grade_view_create();
    }
    grade_view_fill(own->grade, session, colors, &own->view.grade);
    own->view.grade.visible = own->view.grade.visible && panel;
}

void session_view_add_section(SessionView *own, Session *session, double height)
{
    section_view_fill(&own->view, session, height);
}

void session_view_add_debug(SessionView *own, Session *session)
{
    if (own->debug == NULL) {
        own->debug = debug_view_create();
    }
    debug_view_fill(own->debug, session, &own->view);
}

/// ---- beside the camera ---------------------------------------------------------------------------------------------

/// The automatic rear camera follows the levers, as on a real machine: it appears before the machine moves.

#define LEVER_MOVES 0.08 ///< of a lever's way: more than its dead band
#define STAYS       2.0 ///< s for which the rear camera stays after the levers are let go. Chosen

void views_step_rear(Views *views)
{
    views->set.rear = (SettingsRear)((views->set.rear + 1) % SETTINGS_REAR_COUNT);
}

void views_step_inset(Views *views)
{
    views->set.inset = (views->set.inset + 1) % (CAMERA_COUNT + 1);
    if (views->set.inset == 1 + (int)RENDER_CAMERA_REAR) { // which has a key of its own
        views->set.inset++;
    }
}

/// The machine goes back, turns on the spot or swings.
static bool is_moved_back(const double levers[CONTROL_COUNT])
{
    return fmin(levers[CONTROL_LEFT_TRACK], levers[CONTROL_RIGHT_TRACK]) < -LEVER_MOVES ||
           fabs(levers[CONTROL_SWING]) > LEVER_MOVES;
}

static bool shows_rear(Views *views, const RenderHud *hud)
{
    bool moves = is_moved_back(hud->levers);
    double since = hud->time - views->moved_at;
    views->moved_at = moves ? hud->time : views->moved_at;
    views->moved = moves || (views->moved && since >= 0.0 && since < STAYS);
    return views->set.rear == SETTINGS_REAR_ON || (views->set.rear == SETTINGS_REAR_AUTO && views->moved);
}

static void add_inset(RenderView *view, RenderCamera camera)
{
    if (camera != view->camera && view->inset_count < RENDER_MAX_INSETS) {
        view->insets[view->inset_count++] = camera;
    }
}

void views_show(Views *views, RenderView *view)
{
    const SettingsViews *set = &views->set;
    view->inset_count = 0;
    if (shows_rear(views, &view->hud)) {
        add_inset(view, RENDER_CAMERA_REAR);
    }
    if (set->inset > 0) {
        add_inset(view, (RenderCamera)(set->inset - 1));
    }
    view->rear_on_monitor = set->rear == SETTINGS_REAR_AUTO; // "always" keeps the larger picture in the corner
    view->mirrors = set->mirrors == SETTINGS_MIRRORS_OFF  ? RENDER_MIRRORS_OFF
                    : set->mirrors == SETTINGS_MIRRORS_ON ? RENDER_MIRRORS_ON
                                                          : RENDER_MIRRORS_AUTO;
    view->screens = set->screens;
    view->screen_angle = set->screen_angle;
    view->eyes = set->eyes;
}

bool views_cut_ground(const Views *views, RenderCamera camera)
{
    return camera == RENDER_CAMERA_SECTION || views->set.inset == 1 + (int)RENDER_CAMERA_SECTION;
}

void views_lay_out(const SettingsPanels *panels, SettingsGauges gauges, RenderView *view)
{
    view->layout = (RenderLayout){.scale = panels->scale,
                                  .mirrored = panels->mirrored,
                                  .no_task = panels->no_score,
                                  .no_gauges = gauges == SETTINGS_GAUGES_NONE,
                                  .no_signals = panels->no_signals,
                                  .map = !panels->no_map};
}
