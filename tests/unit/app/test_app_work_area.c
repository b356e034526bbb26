/// The panels that a window has at first leave the tool and the near end of what is marked free at the start of every
/// exercise; later they give way to it, wherever the tool goes, from each camera, in windows of all shapes, on three
/// screens and for two eyes. Places of panels do not depend on the language: their texts are fitted into them.
#include <stdlib.h>
#include <string.h>

#include "data/schema/load.h"
#include "render/camera.h"
#include "render/panels/panels.h"
#include "tests/support/test.h"
#include "trainer/app/ghost.h"
#include "trainer/app/session_view.h"
#include "trainer/pilot/pilot.h"

enum { MOST_SCENES = 128, MOST_POINTS = 4 };

typedef struct Points {
    int count;
    Vec3 at[MOST_POINTS];
} Points;

/// Whether a line is part of the site's edge, which is no work.
static bool is_edge(const RenderView *view, const RenderLine *line)
{
    const SceneGround *ground = &view->scene->ground;
    double x = 0.5 * ground->size_x, y = 0.5 * ground->size_y;
    return (fabs(fabs(line->a.x) - x) < 1e-6 && fabs(fabs(line->b.x) - x) < 1e-6) ||
           (fabs(fabs(line->a.y) - y) < 1e-6 && fabs(fabs(line->b.y) - y) < 1e-6);
}

/// m: of two ends that lie as near as this to each other's distance, the first is taken.
#define AS_NEAR 0.01

/// The end of a mark's line that is nearest to the tool: work begins there. False: nothing is marked.
static bool find_near_end(const RenderView *view, Vec3 tool, Vec3 *near)
{
    double best = (double)INFINITY;
    for (int k = 0; k < view->line_count; k++) {
        if (is_edge(view, &view->lines[k])) {
            continue;
        }
        const Vec3 ends[2] = {view->lines[k].a, view->lines[k].b};
        for (int n = 0; n < 2; n++) {
            double away = vec3_length(vec3_sub(ends[n], tool));
            bool nearer = away < best - AS_NEAR;
            *near = nearer ? ends[n] : *near;
            best = nearer ? away : best;
        }
    }
    return best < (double)INFINITY;
}

/// The tool's middle, the ends of its edge where they are known, and the mark's near end.
static Points find_points(const RenderView *view)
{
    Points points = {.count = 1, .at = {render_arm_plane(view).origin}};
    const RenderGrade *grade = &view->grade;
    for (int k = 0; k < 2 && grade->visible; k++) {
        points.at[points.count++] = vec3(grade->edge[k][0], grade->edge[k][1], grade->edge_height);
    }
    points.count += find_near_end(view, points.at[0], &points.at[points.count]);
    return points;
}

/// Counts the points that are in sight and under a panel.
static int count_covered(const RenderView *view, const Points *points, int width, int height, const char *scene)
{
    Camera camera;
    CameraPlace place = camera_place(view, view->camera);
    camera_from_place(&place, (double)width / height, &camera);
    double unit = panel_unit(view, width, height);
    int covered = 0;
    for (int k = 0; k < points->count; k++) {
        const double point[3] = {points->at[k].x, points->at[k].y, points->at[k].z};
        double pixel[2];
        bool seen = camera_project(&camera, point, width, height, pixel);
        double x = pixel[0] / unit, y = pixel[1] / unit;
        for (int kind = 0; kind < PANEL_COUNT && seen; kind++) {
            PanelPlace panel = panel_place(view, (PanelKind)kind, width / unit, height / unit);
            bool under = panel.width > 0.0 && x > panel.x && x < panel.x + panel.width && y > panel.y &&
                         y < panel.y + panel.height;
            if (under) {
                print_message("%s, camera %d, %d x %d: point %d of %d lies under panel %d\n", scene, (int)view->camera,
                              width, height, k, points->count, kind);
            }
            covered += under;
        }
    }
    return covered;
}

/// As a window shows it: a strip of gauges, the map, and the list of keys gone.
static int look_from_all_cameras(RenderView *view, const char *scene)
{
    static const RenderCamera cameras[] = {RENDER_CAMERA_CAB, RENDER_CAMERA_TOOL, RENDER_CAMERA_CHASE,
                                           RENDER_CAMERA_ORBIT};
    static const int sizes[][2] = {{640, 360}, {1024, 768}, {1280, 720}, {1920, 1080}, {3840, 2160}};
    const SettingsPanels panels = {.scale = 1.0};
    view->hud.visible = true;
    view->hud.compact = true;
    view->hud.recording = true;
    views_lay_out(&panels, SETTINGS_GAUGES_STRIP, view);
    view->orbit_yaw = -0.85; // as camera_default has it
    view->orbit_pitch = 0.42;
    view->orbit_distance = 17.0;
    Points points = find_points(view);
    int covered = 0;
    for (size_t k = 0; k < sizeof cameras / sizeof cameras[0]; k++) {
        view->camera = cameras[k];
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            covered += count_covered(view, &points, sizes[s][0], sizes[s][1], scene);
        }
    }
    return covered;
}

TEST(the_first_panels_leave_tool_and_mark_free)
{
    static DataListEntry entries[MOST_SCENES];
    Status status = {0};
    int covered = 0, count = data_list("scenes", entries, MOST_SCENES, &status);
    assert_true(count > 10);
    for (int k = 0; k < count; k++) {
        Session *session = session_create(&(SessionParams){.scene = entries[k].name, .threads = 1}, &status);
        assert_good(session != NULL, status);
        SessionView *own = session_view_create();
        session_view_jump(own, session);
        RenderView *view = session_view_build(own, session, 1.0);
        session_view_add_grade(own, session, true, false);
        covered += look_from_all_cameras(view, entries[k].name);
        session_view_destroy(own);
        session_destroy(session);
    }
    assert_int_equal(covered, 0);
}

/// ---- along a drive -------------------------------------------------------------------------------------------------

/// MOVES: of all panels in the 40 s of a way, at most: of a strip, and of all gauges and two insets. Measured: 30, 129.
enum { STEPS = 40, CYCLE = 10, MOVES = 32, MOVES_OF_ALL = 150 };

/// A window, and what it shows.
typedef struct Shape {
    int width, height; ///< pixels
    int screens, eyes;
    bool all, mirrored, insets; ///< all gauges; sides exchanged; two further cameras in the corner
} Shape;

/// The machine of a drive, step by step, one a second.
typedef struct Way {
    Pose body[STEPS][MACHINE_MAX_BODIES];
} Way;

/// What was found along the ways.
typedef struct Found {
    int covered, outside, overlaps, lost; ///< points under panels; panels off the screen, over each other, hidden
    int moves; ///< of panels
} Found;

static double between(const double range[2], double share)
{
    return range[0] + share * (range[1] - range[0]);
}

/// Cycles of work that reach nearly all that the machine can: the house swings over, the arm goes from far and low to
/// near and high.
static void find_way(Session *session, Way *way)
{
    const Machine *machine = session_machine(session);
    const MachineParams *params = session_machine_params(session);
    TraceSample sample;
    trace_take(session, &sample);
    float swing = sample.angle[0];
    for (int step = 0; step < STEPS; step++) {
        double phase = (double)(step % CYCLE) / CYCLE, turn = step / CYCLE;
        for (int k = 0; k < params->joint_count; k++) {
            double share = 0.5 - 0.45 * cos(2.0 * M_PI * (phase + 0.21 * k + 0.13 * turn));
            bool turns = params->joint[k].drive == MACHINE_DRIVE_SWING_MOTOR;
            sample.angle[k] = turns ? swing + (float)((1.0 + 0.4 * turn) * sin(2.0 * M_PI * phase))
                                    : (float)between(params->joint[k].range, share);
        }
        MachineState state;
        ghost_place(machine, &sample, &state);
        for (int body = 0; body < params->body_count; body++) {
            machine_get_body_frame(machine, &state, body, &way->body[step][body]);
        }
    }
}

/// True for a panel that was asked for or lies along the lower edge of a replay: it gives no way.
static bool is_table(int panel)
{
    return panel == PANEL_CONTROLS || panel == PANEL_TIMELINE || panel == PANEL_EVENTS || panel == PANEL_CURVES ||
           panel == PANEL_DEBUG;
}

static PanelPlace place_of(const RenderView *view, int panel, double width, double height)
{
    PanelPlace none = {0};
    return is_table(panel)                           ? none
           : panel < PANEL_COUNT                     ? panel_place(view, (PanelKind)panel, width, height)
           : panel - PANEL_COUNT < view->inset_count ? panel_inset(view, panel - PANEL_COUNT, width, height)
                                                     : none;
}

static bool overlap(const PanelPlace *a, const PanelPlace *b)
{
    return a->width > 0.0 && b->width > 0.0 && a->x < b->x + b->width - 0.01 && b->x < a->x + a->width - 0.01 &&
           a->y < b->y + b->height - 0.01 && b->y < a->y + a->height - 0.01;
}

/// Counts the points that a pane shows in a column under a panel.
static int count_in_pane(const RenderView *view, const Shape *shape, const CameraPane *pane, const PanelColumn *column,
                         const PanelPlace places[RENDER_PANELS])
{
    Vec3 points[RENDER_WORK_POINTS];
    int count = render_work_points(view, points), covered = 0;
    double unit = panel_unit(view, column->width, shape->height), aspect = (double)pane->width / shape->height;
    CameraPlace place = camera_place(view, view->camera);
    CameraPlace own = shape->screens == 3 || shape->eyes == 2 ? camera_pane_place(view, &place, pane, aspect) : place;
    Camera camera;
    camera_from_place(&own, aspect, &camera);
    for (int k = 0; k < count; k++) {
        const double at[3] = {points[k].x, points[k].y, points[k].z};
        double pixel[2];
        bool seen = camera_project(&camera, at, pane->width, shape->height, pixel) && pixel[0] >= 0.0 &&
                    pixel[0] <= pane->width && pixel[1] >= 0.0 && pixel[1] <= shape->height;
        double x = (pixel[0] + pane->x - column->x) / unit, y = pixel[1] / unit;
        for (int panel = 0; panel < RENDER_PANELS && seen; panel++) {
            const PanelPlace *on = &places[panel];
            covered += on->width > 0.0 && x > on->x && x < on->x + on->width && y > on->y && y < on->y + on->height;
        }
    }
    return covered;
}

static void check_step(const RenderView *view, const Shape *shape, Found *found)
{
    PanelColumn columns[2];
    CameraPane panes[CAMERA_MAX_PANES];
    PanelPlace places[RENDER_PANELS];
    int column_count = panel_columns(view, shape->width, columns);
    int pane_count = camera_panes(view, shape->width, panes);
    double unit = panel_unit(view, columns[0].width, shape->height);
    double width = columns[0].width / unit, height = shape->height / unit;
    for (int k = 0; k < RENDER_PANELS; k++) {
        places[k] = place_of(view, k, width, height);
        const PanelPlace *own = &places[k];
        found->outside += own->width > 0.0 && (own->x < -0.01 || own->y < -0.01 || own->x + own->width > width + 0.01 ||
                                               own->y + own->height > height + 0.01);
        for (int other = 0; other < k; other++) {
            found->overlaps += overlap(own, &places[other]);
        }
        found->lost += view->layout.moves[k].hidden && k < PANEL_COUNT;
    }
    for (int p = 0; p < pane_count; p++) {
        for (int c = 0; c < column_count; c++) {
            found->covered += count_in_pane(view, shape, &panes[p], &columns[c], places);
        }
    }
}

/// One camera's view of a way.
static void follow_way(RenderView *view, const Way *way, const Shape *shape, Found *found)
{
    static RenderClearance clearance;
    RenderMove last[RENDER_PANELS] = {{0}};
    clearance = (RenderClearance){.camera = view->camera};
    for (int step = 0; step < STEPS; step++) {
        memcpy(view->body, way->body[step], sizeof view->body);
        view->hud.time = step;
        view->layout.no_gauges = false;
        render_clear_work(&clearance, view, shape->width, shape->height);
        check_step(view, shape, found);
        for (int k = 0; k < RENDER_PANELS && step > 0; k++) {
            found->moves += memcmp(&last[k], &view->layout.moves[k], sizeof last[k]) != 0;
        }
        memcpy(last, view->layout.moves, sizeof last);
    }
}

/// As a window of that shape shows it.
static void set_up(RenderView *view, const Shape *shape, RenderCamera camera)
{
    const SettingsPanels panels = {.scale = 1.0, .mirrored = shape->mirrored};
    view->hud.recording = true;
    view->hud.compact = !shape->all;
    view->hud.message = NULL;
    views_lay_out(&panels, shape->all ? SETTINGS_GAUGES_ALL : SETTINGS_GAUGES_STRIP, view);
    view->screens = shape->screens;
    view->eyes = shape->eyes;
    view->camera = camera;
    view->orbit_yaw = -0.85; // as camera_default has it
    view->orbit_pitch = 0.42;
    view->orbit_distance = 17.0;
}

static void follow_from_all_cameras(RenderView *view, const Way *way, const Shape *shape, const char *scene)
{
    for (int k = 0; k < RENDER_CAMERA_COUNT; k++) {
        Found found = {0};
        set_up(view, shape, (RenderCamera)k);
        view->inset_count = shape->insets ? 2 : 0;
        view->insets[0] = k == RENDER_CAMERA_REAR ? RENDER_CAMERA_PLAN : RENDER_CAMERA_REAR;
        view->insets[1] = k == RENDER_CAMERA_SECTION ? RENDER_CAMERA_BOOM : RENDER_CAMERA_SECTION;
        follow_way(view, way, shape, &found);
        if (found.covered + found.outside + found.overlaps > 0 || (found.lost > 0 && !shape->all && !shape->insets) ||
            found.moves > (shape->all || shape->insets ? MOVES_OF_ALL : MOVES)) {
            fail_msg("%s, camera %d, %d x %d, %d screens, %d eyes%s%s%s: %d points covered, %d panels outside, %d over "
                     "each other, %d hidden, %d moves",
                     scene, k, shape->width, shape->height, shape->screens, shape->eyes, shape->all ? ", all" : "",
                     shape->mirrored ? ", mirrored" : "", shape->insets ? ", insets" : "", found.covered, found.outside,
                     found.overlaps, found.lost, found.moves);
        }
    }
}

TEST(panels_give_way_wherever_the_tool_goes)
{
    static const Shape shapes[] = {
        {1024, 600, 1, 1, false, false, false},  {1280, 720, 1, 1, false, false, false},
        {1366, 768, 1, 1, false, false, false},  {1920, 1080, 1, 1, false, false, false},
        {2560, 1080, 1, 1, false, false, false}, {3840, 2160, 1, 1, false, false, false},
        {800, 1280, 1, 1, false, false, false},  {1280, 720, 1, 1, false, true, true},
        {1280, 720, 1, 1, true, false, false},   {1920, 1080, 1, 1, true, false, true},
        {3840, 720, 3, 1, false, false, false},  {2560, 720, 1, 2, false, false, false},
    };
    static DataListEntry entries[MOST_SCENES];
    static Way way;
    Status status = {0};
    int count = data_list("scenes", entries, MOST_SCENES, &status);
    for (int k = 0; k < count; k++) {
        Session *session = session_create(&(SessionParams){.scene = entries[k].name, .threads = 1}, &status);
        assert_good(session != NULL, status);
        SessionView *own = session_view_create();
        session_view_jump(own, session);
        RenderView *view = session_view_build(own, session, 1.0);
        session_view_add_grade(own, session, true, false);
        find_way(session, &way);
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
            follow_from_all_cameras(view, &way, &shapes[s], entries[k].name);
        }
        session_view_destroy(own);
        session_destroy(session);
    }
}

/// ---- whole drives --------------------------------------------------------------------------------------------------

/// Windows in which the drives of experts are checked, each with every camera; panels have their first arrangement.
static const Shape drive_shapes[] = {{1280, 720, 1, 1, false, false, false},
                                     {3840, 720, 3, 1, false, false, false},
                                     {2560, 720, 1, 2, false, false, false}};
enum { DRIVE_SHAPES = sizeof drive_shapes / sizeof drive_shapes[0] };

/// Looks at a moment of a drive from all cameras.
static void look_at_moment(SessionView *own, Session *session, RenderClearance kept[DRIVE_SHAPES][RENDER_CAMERA_COUNT],
                           Found *found)
{
    session_view_jump(own, session);
    RenderView *view = session_view_build(own, session, 1.0);
    session_view_add_grade(own, session, true, false);
    for (int s = 0; s < DRIVE_SHAPES; s++) {
        for (int k = 0; k < RENDER_CAMERA_COUNT; k++) {
            set_up(view, &drive_shapes[s], (RenderCamera)k);
            render_clear_work(&kept[s][k], view, drive_shapes[s].width, drive_shapes[s].height);
            check_step(view, &drive_shapes[s], found);
        }
    }
}

/// Drives a scene as its expert, or as the autopilot where it has none, until it ends or for `most` seconds.
static void drive_and_look(const char *scene, double most)
{
    static RenderClearance kept[DRIVE_SHAPES][RENDER_CAMERA_COUNT];
    Status status = {0};
    Operator driver;
    Found found = {0};
    Session *session = session_create(&(SessionParams){.scene = scene, .threads = 1}, &status);
    assert_good(session != NULL, status);
    memset(kept, 0, sizeof kept);
    bool good = operator_create(&driver, &(OperatorParams){.name = "expert"}, session, &status) ||
                operator_create(&driver, &(OperatorParams){.name = "auto"}, session, &status);
    assert_good(good, status);
    SessionView *own = session_view_create();
    const SessionFrame *frame = session_frame(session);
    for (int tick = 0; frame->time < most && !exercise_is_finished(session_exercise(session)); tick++) {
        OperatorControls controls;
        operator_controls(&driver, session, &controls);
        session_tick(session, &controls);
        if (tick % 30 == 0) { // half a second
            look_at_moment(own, session, kept, &found);
        }
    }
    if (found.covered + found.outside + found.overlaps > 0) {
        fail_msg("%s: %d points covered, %d panels outside, %d over each other", scene, found.covered, found.outside,
                 found.overlaps);
    }
    session_view_destroy(own);
    operator_destroy(&driver);
    session_destroy(session);
}

/// SPADEWORK_LONG=1 in the environment: every scene's expert to the end of the exercise, ten minutes at most (an hour
/// and a half). Without it, seconds of two.
TEST(panels_give_way_along_whole_drives)
{
    static DataListEntry entries[MOST_SCENES];
    const char *asked = getenv("SPADEWORK_LONG");
    Status status = {0};
    if (asked == NULL || strcmp(asked, "1") != 0) {
        drive_and_look("trench", 4.0);
        drive_and_look("slot-dozing", 4.0);
        return;
    }
    int count = data_list("scenes", entries, MOST_SCENES, &status);
    for (int k = 0; k < count; k++) {
        print_message("%s\n", entries[k].name);
        drive_and_look(entries[k].name, 600.0);
    }
}

/// ---- from the cab --------------------------------------------------------------------------------------------------

/// Returns where the horizon is seen, from the upper edge (0) to the lower one (1).
static double find_horizon(const RenderView *view, int width, int height)
{
    CameraPlace place = camera_place(view, RENDER_CAMERA_CAB);
    Camera camera;
    camera_from_place(&place, (double)width / height, &camera);
    Vec3 gaze = vec3_sub(place.target, place.eye);
    Vec3 far = vec3_madd(place.eye, 2000.0, vec3_unit(vec3(gaze.x, gaze.y, 0.0), vec3(1.0, 0.0, 0.0)));
    double pixel[2];
    assert_true(camera_project(&camera, (const double[3]){far.x, far.y, far.z}, width, height, pixel));
    return pixel[1] / height;
}

/// In each machine's cab the monitor is in sight wherever the tool is. From 1280 x 720 on it replaces the strip and the
/// rear camera's picture; in a smaller window both stay. The horizon stays in the upper half.
TEST(the_monitor_can_be_read_in_every_cab)
{
    static const char *const machines[] = {"excavator-22t", "excavator-8t", "dozer-20t"};
    static Way way;
    Status status = {0};
    for (int k = 0; k < 3; k++) {
        char set[64];
        snprintf(set, sizeof set, "machine.file=%s", machines[k]);
        const char *sets[] = {set};
        Session *session =
            session_create(&(SessionParams){.scene = "free", .set = sets, .set_count = 1, .threads = 1}, &status);
        assert_good(session != NULL, status);
        SessionView *own = session_view_create();
        session_view_jump(own, session);
        RenderView *view = session_view_build(own, session, 1.0);
        view->camera = RENDER_CAMERA_CAB;
        view->hud.compact = view->rear_on_monitor = true;
        view->inset_count = 2;
        view->insets[0] = RENDER_CAMERA_PLAN;
        view->insets[1] = RENDER_CAMERA_REAR;
        find_way(session, &way);
        for (int step = 0; step < STEPS; step++) {
            memcpy(view->body, way.body[step], sizeof view->body);
            for (int small = 0; small < 2; small++) {
                RenderClearance alone = {.camera = RENDER_CAMERA_CAB};
                view->layout.no_gauges = false;
                render_clear_work(&alone, view, small ? 960 : 1280, small ? 540 : 720);
                assert_int_equal(view->layout.no_gauges, !small);
                assert_int_equal(view->layout.monitor_inset, small ? 0 : 2); // else it stays in its corner
                assert_int_equal(panel_inset(view, 1, 1280.0, 720.0).width > 0.0, small);
            }
            double horizon = find_horizon(view, 1280, 720);
            assert_true(horizon > 0.02 && horizon < 0.45);
        }
        session_view_destroy(own);
        session_destroy(session);
    }
}

TEST_GROUP(NULL, NULL)
