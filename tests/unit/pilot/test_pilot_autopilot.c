/// The scripted operator with the real machine on a made-up ground: a height grid that the edge lowers, a payload that
/// grows by what was cut and weighs on the bucket, resistance against the edge, and a heap where the bucket is emptied.

#include "data/core/constants.h"
#include "data/schema/machine_params.h"
#include "data/schema/load.h"
#include "machine/machine.h"
#include "tests/support/test.h"
#include "trainer/pilot/autopilot.h"
#include "trainer/pilot/autopilot_internal.h"

enum { SIDE = 260, SUBSTEPS = 8 };
#define SPACING    0.1
#define ORIGIN     (-0.5 * SIDE * SPACING)
#define DENSITY    1500.0 // kg/m3 of the bank
#define SWELL      0.25
#define RESISTANCE 90e3 // N per m of depth against the edge
#define DT         (1.0 / 60.0)

typedef struct Site {
    SceneParams scene;
    MachineParams params;
    Machine *machine;
    MachineState state;
    double height[SIDE * SIDE];
    double payload; // kg
    double spilled; // kg emptied outside the dump circle or bed
    double loaded; // kg emptied inside it
    double most_payload;
    double deepest; // m: lowest world height of the edge
    double bed_touch; // s that the bucket was inside the truck's walls or floor
    double least_inside; // m: how far from the sides of the bed the edge was at least while a load fell
    double clinging; // share of the load that does not fall by itself
    double comes_off; // share of what clings that a reversal of the open bucket shakes off
    double stuck; // kg that cling now
    double turning; // rad/s: the bucket's speed when it last moved in earnest
    int reversals; // of the bucket's speed while the operator shakes
    double cut; // m: how deep the edge is below the surface
    Vec3 tip_before;
    int64_t tick;
    Pilot pilot;
    OperatorControls controls;
} Site;

static double *column_at(Site *site, double x, double y)
{
    int column = (int)floor((x - ORIGIN) / SPACING), row = (int)floor((y - ORIGIN) / SPACING);
    column = column < 0 ? 0 : column >= SIDE ? SIDE - 1 : column;
    row = row < 0 ? 0 : row >= SIDE ? SIDE - 1 : row;
    return &site->height[row * SIDE + column];
}

static double height_of(void *context, double x, double y)
{
    return *column_at(context, x, y);
}

static Site *make_site(ExerciseKind kind)
{
    Site *site = calloc(1, sizeof *site);
    assert_non_null(site);
    Status status = {0};
    assert_good(data_load_machine("excavator-22t", &site->params, NULL, &status), status);
    SceneParams *scene = &site->scene;
    scene->ground.layer_count = 1;
    scene->ground.bedrock_depth = 6.0;
    scene->soil_count = 1;
    scene->soils[0].bank_density = DENSITY;
    scene->soils[0].swell = SWELL;
    scene->exercise.kind = kind;
    scene->exercise.trench = (SceneTrench){.x = 5.0,
                                           .y = 0.0,
                                           .length = 3.5,
                                           .width = 1.5,
                                           .depth = 1.0,
                                           .tolerance = 0.1,
                                           .dump_x = 0.5,
                                           .dump_y = 7.0,
                                           .dump_radius = 2.0};
    scene->exercise.truck = (SceneTruck){.x = 0.0,
                                         .y = -6.5,
                                         .bed_length = 5.3,
                                         .bed_width = 2.6,
                                         .bed_height = 1.2,
                                         .floor_height = 1.3,
                                         .target_mass = 12000.0,
                                         .dig_x = 8.2,
                                         .dig_y = 0.0};
    if (kind == EXERCISE_TRUCK_LOADING) {
        for (int k = 0; k < SIDE * SIDE; k++) {
            double x = ORIGIN + (k % SIDE + 0.5) * SPACING - 8.2, y = ORIGIN + (k / SIDE + 0.5) * SPACING;
            site->height[k] = fmax(0.0, 1.5 - 0.6 * sqrt(x * x + y * y));
        }
    }
    site->least_inside = 1e9;
    site->machine = machine_create(&site->params, &status);
    if (!site->machine) {
        fail_msg("%s", status.text);
    }
    machine_start(site->machine, 0.0, 0.0, 0.0, 0.0, &site->state);
    MachineReadout readout;
    machine_get_readout(site->machine, &site->state, &readout);
    site->tip_before = readout.tip;
    pilot_start(&site->pilot, scene, &site->params, readout.base);
    return site;
}

static void free_site(Site *site)
{
    machine_destroy(site->machine);
    free(site);
}

static void look(const Site *site, PilotView *view)
{
    MachineReadout readout;
    machine_get_readout(site->machine, &site->state, &readout);
    *view = (PilotView){.time = (double)site->tick * DT,
                        .dt = DT,
                        .base = readout.base,
                        .payload = site->payload,
                        .height = height_of,
                        .context = (void *)(uintptr_t)site};
    machine_get_body_frame(site->machine, &site->state, EXCAVATOR_HOUSE, &view->house);
    memcpy(view->angle, readout.angle, sizeof view->angle);
    memcpy(view->speed, readout.speed, sizeof view->speed);
}

static bool in_dump(const Site *site, Vec3 p)
{
    if (site->scene.exercise.kind == EXERCISE_TRUCK_LOADING) {
        const SceneTruck *truck = &site->scene.exercise.truck;
        return fabs(p.x - truck->x) < 0.5 * truck->bed_length && fabs(p.y - truck->y) < 0.5 * truck->bed_width;
    }
    const SceneTrench *trench = &site->scene.exercise.trench;
    return (p.x - trench->dump_x) * (p.x - trench->dump_x) + (p.y - trench->dump_y) * (p.y - trench->dump_y) <
           trench->dump_radius * trench->dump_radius;
}

/// Cuts the ground to the edge's height and fills the bucket, while its mouth looks at the machine.
static void cut_ground(Site *site, Vec3 tip, Vec3 across, double elevation)
{
    site->cut = fmax(0.0, *column_at(site, tip.x, tip.y) - tip.z);
    double full = site->params.tool[0].capacity * DENSITY / (1.0 + SWELL);
    for (double side = -0.5; side <= 0.5; side += 0.05) {
        double w = side * site->params.tool[0].shape.edge_width;
        double *height = column_at(site, tip.x + w * across.x, tip.y + w * across.y);
        double over = *height - tip.z;
        if (over > 0.0) {
            // What no longer goes in, or is cut by a closed bucket, is pushed aside and forgotten.
            *height = tip.z;
            site->payload += elevation > -2.8 ? over * SPACING * SPACING * DENSITY : 0.0;
            site->payload = fmin(site->payload, full);
        }
    }
}

static void empty_bucket(Site *site, Vec3 tip, double elevation)
{
    bool in_the_air = tip.z > *column_at(site, tip.x, tip.y) + 0.5;
    if (elevation < -1.6 || site->payload <= 0.0 || !in_the_air) {
        return;
    }
    double falls = fmin(site->payload - site->stuck, 1500.0 * DT);
    site->payload -= falls;
    if (in_dump(site, tip)) {
        site->loaded += falls;
    } else {
        site->spilled += falls;
    }
    if (site->scene.exercise.kind == EXERCISE_TRENCH) {
        for (int k = 0; k < 9; k++) {
            *column_at(site, tip.x + (k % 3 - 1) * 0.4, tip.y + ((double)k / 3 - 1.0) * 0.4) +=
                falls / 9.0 / (DENSITY / (1.0 + SWELL)) / 0.16;
        }
    }
}

/// What clings to the bucket comes off in shares, whenever the bucket's motion turns round while it hangs open.
static void shake_bucket(Site *site, const PilotView *view)
{
    if (site->pilot.phase == PILOT_LIFT) {
        site->stuck = site->clinging * site->payload;
    }
    double speed = view->speed[EXCAVATOR_JOINT_BUCKET];
    if (site->pilot.phase != PILOT_SHAKE || fabs(speed) < 0.1) {
        return;
    }
    if (speed * site->turning < 0.0) {
        site->stuck *= 1.0 - site->comes_off;
        site->reversals++;
    }
    site->turning = speed;
}

/// True when a corner of the bucket is in a side of the truck's bed or in its floor; the room inside is free.
static bool touches_bed(const Site *site)
{
    const double wall = 0.1; // m
    const SceneTruck *truck = &site->scene.exercise.truck;
    const ToolShape *tool = &site->params.tool[0].shape;
    RigidMotion motion;
    machine_get_tool(site->machine, &site->state, &motion);
    bool touches = false;
    for (int k = 0; k < 2 * tool->piece_count; k++) {
        const ToolPiece *piece = &tool->pieces[k / 2];
        for (int i = 0; i < piece->corner_count; i++) {
            double y = k % 2 ? piece->y_max : piece->y_min;
            Vec3 at = pose_apply(&motion.frame, vec3(piece->corners[i][0], y, piece->corners[i][1]));
            double u = fabs(at.x - truck->x) - 0.5 * truck->bed_length,
                   v = fabs(at.y - truck->y) - 0.5 * truck->bed_width;
            bool in_walls = u < wall && v < wall && (u > -wall || v > -wall);
            bool inside = u < wall && v < wall;
            touches |= in_walls && at.z < truck->floor_height + truck->bed_height;
            touches |= inside && at.z < truck->floor_height;
        }
    }
    return touches;
}

/// m from the edge to the nearest side of the bed, below zero outside.
static double inside_bed(const Site *site, Vec3 tip)
{
    const SceneTruck *truck = &site->scene.exercise.truck;
    return fmin(0.5 * truck->bed_length - fabs(tip.x - truck->x), 0.5 * truck->bed_width - fabs(tip.y - truck->y));
}

static void watch_truck(Site *site, Vec3 tip, double elevation)
{
    bool pours = site->pilot.phase == PILOT_DUMP && elevation > -2.6;
    if (site->scene.exercise.kind == EXERCISE_TRUCK_LOADING && pours) {
        site->least_inside = fmin(site->least_inside, inside_bed(site, tip));
    }
    if (site->scene.exercise.kind == EXERCISE_TRUCK_LOADING && touches_bed(site)) {
        site->bed_touch += DT;
    }
}

static void tick(Site *site)
{
    PilotView view;
    look(site, &view);
    pilot_update(&site->pilot, &view, &site->controls);
    RigidMotion tool;
    machine_get_tool(site->machine, &site->state, &tool);
    Vec3 edge = {site->params.tool[0].shape.edge[0], 0.0, site->params.tool[0].shape.edge[1]};
    Vec3 tip = pose_apply(&tool.frame, edge);
    Vec3 motion = vec3_scale(vec3_sub(tip, site->tip_before), 1.0 / DT);
    double speed = vec3_length(motion);
    Vec3 against = vec3_scale(motion, -RESISTANCE * fmin(site->cut, 1.0) / fmax(speed, 0.05));
    Vec3 force = vec3_add(against, vec3(0.0, 0.0, -site->payload * STANDARD_GRAVITY));
    Wrench wrench = {force, vec3_cross(vec3_sub(tip, tool.center), against)};
    site->tip_before = tip;
    MachineGround ground[MACHINE_MAX_PATCHES];
    for (int k = 0; k < MACHINE_MAX_PATCHES; k++) {
        ground[k] = (MachineGround){
            .normal = {0.0, 0.0, 1.0}, .firmness = 1.0, .bearing = HUGE_VAL, .friction = 1.0, .cohesion = 0.0};
    }
    Wrench loads[MACHINE_MAX_BODIES] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    loads[site->params.tool[0].body] = wrench;
    const MachineInputs inputs = {.controls = &site->controls, .ground = ground, .loads = loads};
    for (int k = 0; k < SUBSTEPS; k++) {
        machine_step(site->machine, &inputs, DT / SUBSTEPS, &site->state);
    }
    site->tick++;
    look(site, &view);
    double elevation = pilot_tip_now(&site->pilot, &view).elevation;
    machine_get_tool(site->machine, &site->state, &tool);
    tip = pose_apply(&tool.frame, edge);
    cut_ground(site, tip, mat3_mul(&tool.frame.rotation, vec3(0.0, 1.0, 0.0)), elevation);
    shake_bucket(site, &view);
    empty_bucket(site, tip, elevation);
    watch_truck(site, tip, elevation);
    site->most_payload = fmax(site->most_payload, site->payload);
    site->deepest = fmin(site->deepest, tip.z);
}

static void run(Site *site, double seconds)
{
    for (int64_t end = site->tick + (int64_t)(seconds / DT); site->tick < end;) {
        tick(site);
    }
}

TEST(test_two_cycles_in_forty_seconds)
{
    Site *site = make_site(EXERCISE_TRENCH);
    run(site, 40.0);
    assert_true(site->pilot.cycles >= 2);
    assert_true(site->most_payload > 800.0);
    assert_true(site->loaded > 1600.0);
    assert_true(site->spilled < 0.02 * site->loaded);
    free_site(site);
}

TEST(test_trench_is_dug_to_its_depth_and_not_below)
{
    Site *site = make_site(EXERCISE_TRENCH);
    const SceneTrench *trench = &site->scene.exercise.trench;
    while (site->pilot.phase != PILOT_REST && (double)site->tick * DT < 420.0) {
        tick(site);
    }
    tick(site);
    double left = 0.0, box = trench->length * trench->width * trench->depth;
    for (double x = trench->x + 0.05; x < trench->x + trench->length; x += SPACING) {
        for (double y = -0.5 * trench->width + 0.05; y < 0.5 * trench->width; y += SPACING) {
            left += SPACING * SPACING * fmax(0.0, fmin(0.0, *column_at(site, x, y)) + trench->depth);
        }
    }
    print_message("%.1f %% of the box left after %d buckets in %.0f s, edge down to %.2f m\n", 100.0 * left / box,
                  site->pilot.cycles, (double)site->tick * DT, site->deepest);
    assert_true(left < 0.15 * box);
    assert_true(site->deepest > -trench->depth - trench->tolerance);
    assert_int_equal(site->pilot.phase, PILOT_REST);
    // At rest nothing moves any more; the engine runs as it does without a lever for it.
    for (int k = 0; k < CONTROL_COUNT; k++) {
        assert_int_equal(site->controls.axis[k], control_neutral.axis[k]);
    }
    free_site(site);
}

TEST(test_four_buckets_in_the_truck_in_two_minutes)
{
    Site *site = make_site(EXERCISE_TRUCK_LOADING);
    run(site, 120.0);
    assert_true(site->pilot.cycles >= 4);
    assert_true(site->loaded > 3000.0);
    assert_true(site->spilled < 0.02 * site->loaded);
    assert_true(site->bed_touch == 0.0);
    // From where the load begins to slide until the bucket hangs open, the edge is over the bed and no wall near it.
    print_message("edge at least %.2f m inside the bed\n", site->least_inside);
    assert_true(site->least_inside > 0.25);
    free_site(site);
}

/// Two fifths of the load stick. A few reversals of the bucket's lever shake them out; where nothing comes off, few are
/// tried.
TEST(test_what_sticks_is_shaken_out)
{
    static const double comes_off[] = {0.3, 0.0};
    for (int k = 0; k < 2; k++) {
        Site *site = make_site(EXERCISE_TRENCH);
        site->clinging = 0.4;
        site->comes_off = comes_off[k];
        double shaken = 0.0, left = 0.0;
        while (site->pilot.cycles < 1 && (double)site->tick * DT < 40.0) {
            tick(site);
            shaken += site->pilot.phase == PILOT_SHAKE ? DT : 0.0;
            left = site->payload;
        }
        assert_int_equal(site->pilot.cycles, 1);
        print_message("%.0f kg of %.0f left after %d reversals in %.1f s\n", left, site->most_payload, site->reversals,
                      shaken);
        assert_true(k == 0 ? left < 80.0 : left > 0.3 * site->most_payload);
        assert_true(k == 0 ? site->reversals >= 3 && site->reversals <= 8 : site->reversals <= 4);
        assert_true(shaken < 4.0);
        free_site(site);
    }
}

/// A heap that is dug through to its floor: a high rim far out, a hollow before it and a low bank nearer. The way down
/// the rim fills no bucket, the bank does.
TEST(test_bank_before_a_hollow_is_taken_before_the_rim_behind_it)
{
    Site *site = make_site(EXERCISE_TRUCK_LOADING);
    const double way[][2] = {{4.6, 0.0}, {5.6, 0.7}, {6.4, 0.7}, {7.4, 0.05}, {8.0, 0.05}, {9.4, 1.2}, {11.0, 0.0}};
    const int last = sizeof way / sizeof way[0] - 1;
    for (int k = 0; k < SIDE * SIDE; k++) {
        double x = ORIGIN + (k % SIDE + 0.5) * SPACING, y = ORIGIN + (k / SIDE + 0.5) * SPACING, r = hypot(x, y);
        site->height[k] = 0.0;
        for (int i = 0; i < last && fabs(atan2(y, x)) < 0.4; i++) {
            double share = (r - way[i][0]) / (way[i + 1][0] - way[i][0]);
            site->height[k] += share >= 0.0 && share < 1.0 ? way[i][1] + share * (way[i + 1][1] - way[i][1]) : 0.0;
        }
    }
    PilotView view;
    look(site, &view);
    assert_true(pilot_plan_stroke(&site->pilot, &view));
    const PilotStroke *stroke = &site->pilot.stroke;
    print_message("from %.2f to %.2f m, %.2f m3 of %.2f\n", stroke->start, stroke->end, stroke->volume, stroke->wanted);
    assert_true(stroke->start < 8.5);
    assert_true(stroke->end > 5.5 && stroke->end < 7.0);
    free_site(site);
}

/// Near the machine the bucket does not open so far that its plate is upright at the far wall. What stands there is dug
/// all the same, with the plate as upright as the bucket opens: else it would stay there for good.
TEST(test_what_stands_at_the_far_wall_of_a_short_trench_is_dug)
{
    static const double lengths[] = {3.5, 2.7, 2.3};
    for (int k = 0; k < 3; k++) {
        Site *site = make_site(EXERCISE_TRENCH);
        site->pilot.field.length = lengths[k];
        for (int n = 0; n < SIDE * SIDE; n++) {
            double x = ORIGIN + (n % SIDE + 0.5) * SPACING, y = ORIGIN + ((double)(n / SIDE) + 0.5) * SPACING;
            site->height[n] = fabs(y) < 0.75 && x > 5.0 && x < 5.0 + lengths[k] - 0.6 ? -0.95 : 0.0;
        }
        PilotView view;
        look(site, &view);
        assert_true(pilot_plan_stroke(&site->pilot, &view));
        const PilotStroke *stroke = &site->pilot.stroke;
        print_message("%.1f m long: begins %.2f m before its end, at %.0f degrees\n", lengths[k],
                      5.0 + lengths[k] - stroke->start, stroke->enter * 180.0 / M_PI);
        assert_true(stroke->start > 5.0 + lengths[k] - 0.15);
        assert_true(stroke->enter > PILOT_ELEVATION_ENTER);
        assert_true(pilot_reaches(&site->pilot, stroke->start, stroke->surface + 0.4, stroke->enter));
        free_site(site);
    }
}

/// m from the edge to the nearest place of the planned line: behind is not beside.
static double off_the_line(const Site *site, const PilotView *view)
{
    double nearest = 1e9;
    ArmTip now = pilot_tip_now(&site->pilot, view);
    for (double time = 0.0; time < site->pilot.path_time + 0.2; time += 0.01) {
        PilotKnot knot = pilot_path_at(&site->pilot, time);
        ArmTip on = pilot_tip_in_house(view, knot.distance, knot.height, knot.elevation);
        nearest = fmin(nearest, sqrt((on.x - now.x) * (on.x - now.x) + (on.z - now.z) * (on.z - now.z)));
    }
    return nearest;
}

/// The edge follows the planned line closely where nothing resists.
TEST(test_edge_follows_the_planned_line)
{
    Site *site = make_site(EXERCISE_TRENCH);
    for (int k = 0; k < SIDE * SIDE; k++) {
        site->height[k] = 0.0;
    }
    double worst = 0.0;
    int looked = 0;
    for (int k = 0; k < 1200 && site->pilot.cycles < 1; k++) {
        // The strokes are planned on the ground as it is, but cut through air.
        site->cut = 0.0;
        site->payload = site->pilot.phase == PILOT_LIFT ? 900.0 : 0.0;
        tick(site);
        if (site->pilot.phase == PILOT_DIG) {
            PilotView view;
            look(site, &view);
            worst = fmax(worst, off_the_line(site, &view));
            looked++;
        }
    }
    print_message("the edge is %.2f m off its line at most\n", worst);
    assert_true(looked > 100);
    assert_true(worst < 0.3);
    free_site(site);
}

/// A machine that cannot move (engine off, bucket held) is given up and tried again for ever, never left in one phase.
TEST(test_no_phase_lasts_for_ever)
{
    Site *site = make_site(EXERCISE_TRENCH);
    PilotView view;
    look(site, &view);
    int changes = 0;
    double since = 0.0, longest = 0.0;
    PilotPhase before = site->pilot.phase;
    for (int k = 0; k < 60 * 60; k++) {
        view.time += DT;
        pilot_update(&site->pilot, &view, &site->controls);
        since += DT;
        if (site->pilot.phase != before) {
            before = site->pilot.phase;
            changes++;
            since = 0.0;
        }
        longest = site->pilot.phase == PILOT_REST ? longest : fmax(longest, since);
    }
    assert_true(changes > 8);
    assert_true(longest < 13.0);
    free_site(site);
}

/// A trench that is dug but for a slope at the foot of its near end, and crumbs: the next pass goes along its floor to
/// that foot and up the end, and crumbs alone are worth none.
TEST(test_clean_up_takes_the_foot_of_the_near_end)
{
    Site *site = make_site(EXERCISE_TRENCH);
    const SceneTrench *trench = &site->scene.exercise.trench;
    for (int foot = 1; foot >= 0; foot--) {
        for (double x = trench->x; x < trench->x + trench->length; x += 0.5 * SPACING) {
            double slope = foot ? fmax(0.4 - 0.5 * (x - trench->x), 0.0) : 0.0;
            for (double y = -0.5 * trench->width; y < 0.5 * trench->width; y += 0.5 * SPACING) {
                *column_at(site, x, trench->y + y) = -trench->depth + slope;
            }
        }
        PilotView view;
        look(site, &view);
        bool found = pilot_plan_stroke(&site->pilot, &view);
        assert_true(site->pilot.cleaning);
        assert_int_equal(found, foot);
        if (found) {
            pilot_plan_path(&site->pilot);
            assert_true(site->pilot.stroke.climbs);
            double near = trench->x - view.base.x, lowest = site->pilot.knots[PILOT_KNOT_DRAG].distance;
            assert_true(site->pilot.knots[PILOT_KNOT_BITE].distance > near + 2.0);
            assert_true(lowest < near + 0.45);
        }
    }
    free_site(site);
}

TEST(test_finished_exercise_leaves_the_levers)
{
    Site *site = make_site(EXERCISE_TRENCH);
    PilotView view;
    look(site, &view);
    view.finished = true;
    for (int k = 0; k < 10; k++) {
        pilot_update(&site->pilot, &view, &site->controls);
    }
    OperatorControls neutral = control_neutral;
    assert_memory_equal(&site->controls, &neutral, sizeof neutral);
    assert_string_equal(pilot_phase_name(site->pilot.phase), "rest");
    free_site(site);
}

/// One cycle in the real soil, through the session: the bucket comes up loaded and is emptied on the dump circle.
TEST(test_first_bucket_in_the_real_soil)
{
    Status status = {0};
    SessionParams params = {.scene = "trench", .threads = 1};
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    Autopilot *autopilot = autopilot_create(session);
    assert_non_null(autopilot);
    double most = 0.0, force = 0.0;
    int particles = 0;
    while (session_frame(session)->time < 14.0 && autopilot_cycles(autopilot) < 1) {
        OperatorControls controls;
        autopilot_controls(autopilot, session, &controls);
        session_tick(session, &controls);
        const SessionFrame *frame = session_frame(session);
        most = fmax(most, frame->payload);
        force = fmax(force, vec3_length(frame->tool_wrench.force));
        particles = frame->counters.particles > particles ? frame->counters.particles : particles;
    }
    assert_int_equal(autopilot_cycles(autopilot), 1);
    assert_true(most > 800.0);
    assert_true(force > 10e3 && force < 400e3);
    assert_true(particles > 1000);
    assert_true(session_frame(session)->payload < 100.0);
    autopilot_destroy(autopilot);
    session_destroy(session);
}

TEST_GROUP(NULL, NULL)
