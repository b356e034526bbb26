/// The panels that a window has at first leave the tool and the near end of what is marked free, at the start of every
/// exercise, from each camera that one works by.
#include "data/schema/load.h"
#include "render/camera.h"
#include "render/panels/panels.h"
#include "tests/support/test.h"
#include "trainer/app/session_view.h"

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

TEST_GROUP(NULL, NULL)
