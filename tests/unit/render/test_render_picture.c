/// Draws whole pictures offscreen, checks what must be in them and leaves them as PNG files in the working folder.
#include "render/render.h"
#include "render/panels/panels.h"
#include "render/camera.h"
#include "tests/support/render_scene.h"
#include "tests/support/render_studio.h"

TEST_WITH(look_at_trench, Studio *studio)
{
    Status status;
    Stage *stage = stage_create_trench(&status);
    assert_non_null(stage);
    stage_show_hud(stage);
    stage->view.orbit_yaw = -0.62;
    stage->view.orbit_pitch = 0.36;
    stage->view.orbit_distance = 17.0;
    shoot(studio, &stage->view, "render-trench.png");
    stage->view.hud.visible = false;
    stage->view.orbit_yaw = -1.0;
    stage->view.orbit_distance = 13.0;
    shoot(studio, &stage->view, "render-close.png");
    stage->view.hud.visible = true;
    stage->view.camera = RENDER_CAMERA_CAB;
    shoot(studio, &stage->view, "render-cab.png");
    stage->view.camera = RENDER_CAMERA_CHASE;
    shoot(studio, &stage->view, "render-chase.png");
    free(stage);
}

TEST_WITH(look_at_menu, Studio *studio)
{
    Status status;
    Stage *stage = stage_create_trench(&status);
    assert_non_null(stage);
    RenderMenu menu = {
        .visible = true,
        .title = "Spadework",
        .subtitle = "Choose a scene",
        .count = 4,
        .selected = 1,
        .first = -1,
        .items = {{.text = "Dig a trench", .detail = "4 m long, 1.6 m wide, 1.5 m deep", .value = "passed, 87 points"},
                  {.text = "Load a truck", .detail = "8 tonnes of loose loam"},
                  {.text = "Free site", .detail = "Nothing is scored", .style = RENDER_MENU_CLOSED},
                  {.text = "Quit"}},
        .footer = "Up / Down choose   Enter start   Esc back"};
    stage->view.menu = menu;
    shoot(studio, &stage->view, "render-pause.png");
    stage->view.scene = NULL;
    shoot(studio, &stage->view, "render-menu.png");
    free(stage);
}

/// A truck that drives looks, where it stands still, as the scene's truck does; tipped, its bed, its load and its
/// shadow lie elsewhere.
TEST_WITH(look_at_tipped_truck, Studio *studio)
{
    Status status;
    Stage *stage = stage_create_truck(&status);
    assert_non_null(stage);
    RenderView *view = &stage->view;
    view->orbit_yaw = -0.35;
    view->orbit_pitch = 0.36;
    view->orbit_distance = 15.0;
    size_t size = 3 * (size_t)WIDTH * HEIGHT;
    unsigned char *still = malloc(size);
    assert_non_null(still);
    shoot(studio, view, "render-still.png");
    memcpy(still, studio->rgb, size);
    const SceneTruck *truck = &stage->scene.exercise.truck;
    view->truck_count = 1;
    view->trucks[0] = (RenderTruck){.chassis = {vec3(truck->x, truck->y, 0.0), mat3_yaw(truck->heading)},
                                    .bed = {vec3(truck->x, truck->y, truck->floor_height), mat3_yaw(truck->heading)}};
    view->grids[1].moves = true;
    view->grids[1].frame = view->trucks[0].bed;
    shoot(studio, view, "render-standing.png");
    assert_memory_equal(studio->rgb, still, size);
    const double c = cos(0.8), s = sin(0.8), half = 0.5 * truck->bed_length; // heading 0 in this scene
    view->trucks[0].bed.rotation = (Mat3){{{c, 0, -s}, {0, 1, 0}, {s, 0, c}}};
    view->trucks[0].bed.position = vec3(truck->x - half + half * c, truck->y, truck->floor_height + half * s);
    view->grids[1].frame = view->trucks[0].bed;
    shoot(studio, view, "render-tipped.png");
    int changed = 0;
    for (size_t k = 0; k < size; k += 3) {
        changed += memcmp(studio->rgb + k, still + k, 3) != 0;
    }
    assert_true(changed > WIDTH * HEIGHT / 50);
    free(still);
    free(stage);
}

/// Another window's picture of a frame is what that camera's own frame is, but for how fine things are far from the
/// first camera's eye; it leaves the first as it was.
TEST_WITH(look_at_another_window, Studio *studio)
{
    Status status;
    Stage *stage = stage_create_trench(&status);
    assert_non_null(stage);
    RenderView *view = &stage->view;
    size_t size = 3 * (size_t)WIDTH * HEIGHT;
    unsigned char *own = malloc(size), *first = malloc(size);
    assert_non_null(own);
    assert_non_null(first);
    view->camera = RENDER_CAMERA_CHASE;
    draw(studio, view);
    memcpy(own, studio->rgb, size);
    view->camera = RENDER_CAMERA_CAB;
    draw(studio, view);
    memcpy(first, studio->rgb, size);
    view->camera = RENDER_CAMERA_CHASE;
    render_draw_beside(studio->renderer, view, 0, WIDTH, HEIGHT);
    render_wait();
    render_read_pixels(WIDTH, HEIGHT, studio->rgb);
    int64_t off = 0, unlike = 0;
    for (size_t k = 0; k < size; k++) {
        off += abs(studio->rgb[k] - own[k]);
        unlike += abs(studio->rgb[k] - first[k]);
    }
    print_message("another window: %.3f off its own frame, %.1f off the first, of 255\n", (double)off / (double)size,
                  (double)unlike / (double)size);
    assert_true(off < (int64_t)size / 2 && unlike > 8 * (int64_t)size);
    view->camera = RENDER_CAMERA_CAB;
    draw(studio, view);
    assert_memory_equal(studio->rgb, first, size);
    free(own);
    free(first);
    free(stage);
}

TEST_WITH(look_at_truck, Studio *studio)
{
    Status status;
    Stage *stage = stage_create_truck(&status);
    assert_non_null(stage);
    stage->view.orbit_yaw = -0.35;
    stage->view.orbit_pitch = 0.36;
    stage->view.orbit_distance = 15.0;
    stage_show_hud(stage);
    const RenderMark marks[5] = {{12.0, RENDER_MARK_CYCLE},
                                 {40.0, RENDER_MARK_FAULT},
                                 {77.0, RENDER_MARK_INCIDENT},
                                 {141.0, RENDER_MARK_NOTE},
                                 {200.0, RENDER_MARK_DONE}};
    shoot(studio, &stage->view, "render-truck.png");
    stage->view.timeline = (RenderTimeline){.visible = true,
                                            .position = 83.0,
                                            .duration = 240.0,
                                            .speed = 2.0,
                                            .mark_count = 5,
                                            .marks = marks,
                                            .chosen = 2,
                                            .keys = {"Space pause   Left / Right seek   T take over"}};
    stage->view.camera = RENDER_CAMERA_CHASE;
    shoot(studio, &stage->view, "render-replay.png");
    free(stage);
}

/// Pixels of a rectangle that differ between what was drawn last and `other`.
static int count_changed(const Studio *studio, const unsigned char *other, int x0, int y0, int x1, int y1)
{
    int changed = 0;
    for (int y = y0; y < y1; y++) {
        for (int x = x0; x < x1; x++) {
            size_t at = 3 * ((size_t)y * WIDTH + (size_t)x);
            changed += memcmp(studio->rgb + at, other + at, 3) != 0;
        }
    }
    return changed;
}

/// An inset changes its corner alone; a mirror, its glass; two eyes and three screens leave no part undrawn, and the
/// middle screen is the camera's own picture.
TEST_WITH(look_at_several_views, Studio *studio)
{
    Status status;
    Stage *stage = stage_create_trench(&status);
    assert_non_null(stage);
    RenderView *view = &stage->view;
    size_t size = 3 * (size_t)WIDTH * HEIGHT;
    unsigned char *before = malloc(size);
    assert_non_null(before);
    view->camera = RENDER_CAMERA_CAB;
    view->mirrors = RENDER_MIRRORS_OFF;
    draw(studio, view);
    memcpy(before, studio->rgb, size);
    view->inset_count = 1;
    view->insets[0] = RENDER_CAMERA_REAR;
    draw(studio, view);
    shoot(studio, view, "render-rear.png");
    int corner = count_changed(studio, before, WIDTH / 2, 0, WIDTH, HEIGHT / 2);
    assert_true(corner > 5000); // 221 x 124 pixels
    assert_int_equal(count_changed(studio, before, 0, 0, WIDTH, HEIGHT), corner);
    view->inset_count = 0;
    view->mirrors = RENDER_MIRRORS_ON;
    view->cab_yaw = 0.5;
    draw(studio, view);
    memcpy(before, studio->rgb, size);
    shoot(studio, view, "render-mirror.png");
    view->mirrors = RENDER_MIRRORS_OFF;
    draw(studio, view);
    int glass = count_changed(studio, before, 0, 0, WIDTH, HEIGHT);
    assert_true(glass > 500 && glass < WIDTH * HEIGHT / 8);
    view->cab_yaw = 0.0;
    view->eyes = 2;
    shoot(studio, view, "render-eyes.png");
    view->eyes = 0;
    view->screens = 3;
    draw(studio, view);
    shoot(studio, view, "render-screens.png");
    for (int x = 20; x < WIDTH; x += 100) { // no pane is as it was cleared
        const unsigned char *pixel = studio->rgb + 3 * ((size_t)(HEIGHT / 2) * WIDTH + (size_t)x);
        assert_false(pixel[0] == 13 && pixel[1] == 15 && pixel[2] == 18);
    }
    free(before);
    free(stage);
}

/// A section that is known is filled: its face hides the sky below the surface.
TEST_WITH(a_section_is_filled, Studio *studio)
{
    Status status;
    Stage *stage = stage_create_trench(&status);
    assert_non_null(stage);
    RenderView *view = &stage->view;
    RenderPlane plane = render_arm_plane(view);
    RenderSection *section = &view->section;
    view->camera = RENDER_CAMERA_SECTION;
    *section = (RenderSection){.visible = true, .along = plane.ahead, .step = 0.08};
    section->start = vec3_madd(plane.origin, -0.5 * 0.08 * RENDER_SECTION_COLUMNS, plane.ahead);
    for (int k = 0; k <= RENDER_SECTION_COLUMNS; k++) {
        Vec3 at = vec3_madd(section->start, 0.08 * k, plane.ahead);
        section->surface[k] = *stage_height(stage, fmin(fmax(at.x, -19.0), 19.0), fmin(fmax(at.y, -19.0), 19.0));
        section->wanted[k] = RENDER_NO_DESIGN;
        section->count[k] = 1;
        section->bottom[k][0] = -20.0f;
    }
    shoot(studio, view, "render-section.png");
    double deep[3], sky[3];
    mean_color(studio, WIDTH / 2, HEIGHT - 12, deep);
    mean_color(studio, WIDTH - 12, 12, sky);
    assert_true(deep[0] > deep[2] + 15.0); // brown
    assert_true(sky[2] > sky[0]); // blue
    section->visible = false;
    draw(studio, view);
    double hollow[3];
    mean_color(studio, WIDTH / 2, HEIGHT - 12, hollow);
    assert_true(fabs(hollow[0] - deep[0]) + fabs(hollow[2] - deep[2]) > 20.0);
    free(stage);
}

/// Grains that the section's plane cuts open are solid: no sky is seen through them, and no dark hollow in them.
TEST_WITH(cut_grains_are_solid, Studio *studio)
{
    Status status;
    Stage *stage = stage_create_trench(&status);
    assert_non_null(stage);
    RenderView *view = &stage->view;
    view->camera = RENDER_CAMERA_SECTION;
    view->machine = NULL;
    view->strut_count = 0;
    RenderPlane plane = render_arm_plane(view);
    Vec3 middle = vec3(plane.origin.x, plane.origin.y, 2.2);
    const float ball[4] = {(float)middle.x, (float)middle.y, (float)middle.z, 0.5f};
    view->particles.count = 0;
    draw(studio, view);
    unsigned char *sky = malloc(3 * (size_t)WIDTH * HEIGHT);
    assert_non_null(sky);
    memcpy(sky, studio->rgb, 3 * (size_t)WIDTH * HEIGHT);
    memcpy(stage->xyzr, ball, sizeof ball);
    view->particles.count = 1;
    shoot(studio, view, "render-cut-grains.png");
    Camera camera;
    camera_compute(view, (double)WIDTH / HEIGHT, &camera);
    double pixel[2];
    assert_true(camera_project(&camera, (const double[]){middle.x, middle.y, middle.z}, WIDTH, HEIGHT, pixel));
    int looked = 0, hollow = 0;
    for (int y = -8; y <= 8; y++) {
        for (int x = -8; x <= 8; x++) {
            size_t at = 3 * ((size_t)(pixel[1] + y) * WIDTH + (size_t)(pixel[0] + x));
            bool open = abs(studio->rgb[at] - sky[at]) + abs(studio->rgb[at + 2] - sky[at + 2]) < 12;
            hollow += open || studio->rgb[at] < 40;
            looked++;
        }
    }
    print_message("%d of %d pixels are hollow\n", hollow, looked);
    assert_true(hollow < looked / 50);
    free(sky);
    free(stage);
}

/// The bare site from the side, nothing on it near the places looked at.
static Stage *bare_site(void)
{
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_non_null(stage);
    stage->view.orbit_yaw = 0.6;
    stage->view.orbit_pitch = 0.3;
    stage->view.orbit_distance = 25.0;
    return stage;
}

TEST_WITH(ground_has_its_soils_colour, Studio *studio)
{
    Stage *stage = bare_site();
    Camera camera;
    camera_compute(&stage->view, (double)WIDTH / HEIGHT, &camera);
    const double place[3] = {3.0, 7.0, 0.0};
    double pixel[2], before[3], after[3], sky[3];
    assert_true(camera_project(&camera, place, WIDTH, HEIGHT, pixel));
    draw(studio, &stage->view);
    mean_color(studio, (int)pixel[0], (int)pixel[1], before);
    mean_color(studio, WIDTH / 2, 5, sky);
    assert_true(sky[2] > before[2] + 30.0);
    for (int soil = 0; soil < stage->scene.soil_count; soil++) {
        stage->scene.soils[soil].color_weathered[0] = 0.6f;
        stage->scene.soils[soil].color_weathered[1] = stage->scene.soils[soil].color_weathered[2] = 0.02f;
    }
    draw(studio, &stage->view);
    mean_color(studio, (int)pixel[0], (int)pixel[1], after);
    assert_true(after[0] > after[1] + 60.0);
    assert_true(before[0] < before[1] + 60.0);
    // Freshly dug ground is seen only once its rectangle is dirty.
    for (int j = 250; j < 290; j++) {
        for (int i = 210; i < 250; i++) {
            stage->loose[j * STAGE_SIDE + i] = 255;
        }
    }
    stage->view.grids[0].all_dirty = false;
    stage->view.grids[0].dirty_row_min = stage->view.grids[0].dirty_column_min = 1;
    stage->view.grids[0].dirty_row_max = stage->view.grids[0].dirty_column_max = 0;
    draw(studio, &stage->view);
    double same[3], fresh[3];
    mean_color(studio, (int)pixel[0], (int)pixel[1], same);
    assert_near(same[0], after[0], 2.0);
    stage->view.grids[0].dirty_row_min = 250;
    stage->view.grids[0].dirty_column_min = 210;
    stage->view.grids[0].dirty_row_max = 289;
    stage->view.grids[0].dirty_column_max = 249;
    draw(studio, &stage->view);
    mean_color(studio, (int)pixel[0], (int)pixel[1], fresh);
    assert_true(fresh[1] > after[1] + 20.0);
    free(stage);
}

/// Mean of the difference of two pictures, 0..255.
static double difference(const unsigned char *a, const unsigned char *b)
{
    double sum = 0.0;
    for (size_t k = 0; k < (size_t)3 * WIDTH * HEIGHT; k++) {
        sum += abs(a[k] - b[k]);
    }
    return sum / (3.0 * WIDTH * HEIGHT);
}

/// Low quality shows the same things at the same places: its picture is nearer to that of high quality than one without
/// the machine, the grains or the shadows is. What is measured is each pass of it.
TEST_WITH(low_quality_shows_what_high_quality_shows, Studio *studio)
{
    Status status;
    Stage *stage = stage_create("trench", &status);
    assert_non_null(stage);
    stage->view.camera = RENDER_CAMERA_ORBIT;
    stage->view.orbit_yaw = 0.6;
    stage->view.orbit_pitch = 0.5;
    stage->view.orbit_distance = 14.0;
    static unsigned char high[3 * WIDTH * HEIGHT], low[3 * WIDTH * HEIGHT];
    draw(studio, &stage->view);
    memcpy(high, studio->rgb, sizeof high);
    Renderer *kept = studio->renderer;
    studio->renderer = create_renderer(RENDER_QUALITY_LOW, &status);
    assert_good(studio->renderer != NULL, status);
    double seconds[RENDER_PASS_COUNT] = {0.0};
    render_measure(studio->renderer, seconds);
    draw(studio, &stage->view);
    memcpy(low, studio->rgb, sizeof low);
    assert_true(render_write_png("render-low.png", WIDTH, HEIGHT, &status));
    draw(studio, &stage->view); // with the shadows of the frame before
    double again = difference(low, studio->rgb), near = difference(low, high);
    for (int pass = 0; pass < RENDER_PASS_COUNT; pass++) {
        assert_true(seconds[pass] > 0.0);
    }
    stage->view.machine = NULL;
    stage->view.strut_count = 0;
    draw(studio, &stage->view);
    double bare = difference(low, studio->rgb);
    print_message("low from high %.1f, without the machine %.1f, the next frame %.2f of 255\n", near, bare, again);
    assert_true(again < 0.01 && near < 14.0 && bare > 2.0);
    render_destroy(studio->renderer);
    studio->renderer = kept;
    free(stage);
}

TEST_WITH(ground_to_cut_is_orange_and_ground_to_fill_blue, Studio *studio)
{
    Stage *stage = bare_site();
    static float design[STAGE_SIDE * STAGE_SIDE];
    const double places[3][3] = {{3.0, 7.0, 0.0}, {-3.0, 7.0, 0.0}, {0.0, 4.0, 0.0}};
    double pixel[3][2], plain[3][3], colored[3][3];
    Camera camera;
    camera_compute(&stage->view, (double)WIDTH / HEIGHT, &camera);
    draw(studio, &stage->view);
    for (int k = 0; k < 3; k++) {
        assert_true(camera_project(&camera, places[k], WIDTH, HEIGHT, pixel[k]));
        mean_color(studio, (int)pixel[k][0], (int)pixel[k][1], plain[k]);
    }
    const RenderGrid *grid = &stage->view.grids[0];
    for (int k = 0; k < STAGE_SIDE * STAGE_SIDE; k++) {
        double x = grid->origin_x + k % STAGE_SIDE * grid->spacing, y = grid->origin_y + k / STAGE_SIDE * grid->spacing;
        float height = grid->height[k];
        design[k] = y < 5.5 ? RENDER_NO_DESIGN : x > 0.0 ? height - 0.5f : height + 0.5f;
    }
    stage->view.grade = (RenderGrade){.colors = true, .tolerance = 0.03, .design = design, .design_key = 7};
    draw(studio, &stage->view);
    for (int k = 0; k < 3; k++) {
        mean_color(studio, (int)pixel[k][0], (int)pixel[k][1], colored[k]);
    }
    assert_true(colored[0][0] - colored[0][2] > plain[0][0] - plain[0][2] + 30.0);
    assert_true(colored[1][2] - colored[1][0] > plain[1][2] - plain[1][0] + 30.0);
    assert_near(colored[2][1], plain[2][1], 3.0);
    stage->view.grade.colors = false;
    draw(studio, &stage->view);
    mean_color(studio, (int)pixel[0][0], (int)pixel[0][1], colored[0]);
    assert_near(colored[0][0], plain[0][0], 3.0);
    free(stage);
}

TEST_WITH(particle_is_where_it_should_be, Studio *studio)
{
    Stage *stage = bare_site();
    for (int soil = 0; soil < stage->scene.soil_count; soil++) {
        stage->scene.soils[soil].color_fresh[2] = 1.0f;
        stage->scene.soils[soil].color_fresh[0] = stage->scene.soils[soil].color_fresh[1] = 0.0f;
    }
    Camera camera;
    camera_compute(&stage->view, (double)WIDTH / HEIGHT, &camera);
    const double place[3] = {7.0, 6.0, 1.0};
    double pixel[2], before[3], after[3];
    assert_true(camera_project(&camera, place, WIDTH, HEIGHT, pixel));
    draw(studio, &stage->view);
    mean_color(studio, (int)pixel[0], (int)pixel[1], before);
    stage_add_particle(stage, vec3(place[0], place[1], place[2]), 0.25, 0);
    draw(studio, &stage->view);
    mean_color(studio, (int)pixel[0], (int)pixel[1], after);
    assert_true(after[2] > after[0] + 40.0);
    assert_true(before[2] < before[0] + 20.0);
    free(stage);
}

static bool is_magenta(const double color[3])
{
    return color[0] > color[1] + 80.0 && color[2] > color[1] + 80.0;
}

/// Forces are seen through soil and steel, columns on the ground are not; particles that touch the tool take their
/// colour. None of it without the debug view.
TEST_WITH(debug_view_shows_what_is_hidden, Studio *studio)
{
    enum { LUMP = 125 }; // particles
    Stage *stage = bare_site();
    Camera camera;
    camera_compute(&stage->view, (double)WIDTH / HEIGHT, &camera);
    const Vec3 inside = {7.0, 6.0, 1.0};
    const double place[3] = {inside.x, inside.y, inside.z};
    double pixel[2], color[3];
    assert_true(camera_project(&camera, place, WIDTH, HEIGHT, pixel));
    for (int k = 0; k < LUMP; k++) {
        Vec3 away = vec3(k % 5 - 2, k / 5 % 5 - 2, k / 25 - 2);
        stage_add_particle(stage, vec3_madd(inside, 0.12, away), 0.1, 0);
    }
    const RenderLine dot = {.a = inside, .b = inside, .color = {1.0f, 0.0f, 1.0f, 1.0f}, .width = 8.0f};
    RenderLine many[600]; // more than are sent at once; the last one counts
    for (int k = 0; k < 600; k++) {
        many[k] = dot;
        many[k].a.z = many[k].b.z = k < 599 ? 30.0 : inside.z;
    }
    RenderDebug *debug = &stage->view.debug;
    debug->ground_lines = debug->force_lines = many;
    debug->force_line_count = 600;
    draw(studio, &stage->view);
    mean_color(studio, (int)pixel[0], (int)pixel[1], color);
    assert_false(is_magenta(color)); // it is switched off
    debug->visible = true;
    draw(studio, &stage->view);
    mean_color(studio, (int)pixel[0], (int)pixel[1], color);
    assert_true(is_magenta(color));
    debug->force_line_count = 0;
    debug->ground_line_count = 600;
    draw(studio, &stage->view);
    mean_color(studio, (int)pixel[0], (int)pixel[1], color);
    assert_false(is_magenta(color)); // the lump stands before it
    uint8_t tint[LUMP][4];
    for (int k = 0; k < LUMP; k++) {
        memcpy(tint[k], (uint8_t[]){255, 0, 255, 255}, 4);
    }
    stage->view.particles.tint = tint[0];
    draw(studio, &stage->view);
    mean_color(studio, (int)pixel[0], (int)pixel[1], color);
    assert_true(is_magenta(color));
    // The panel: darker than the sky behind it, without gauges, too.
    double unit = panel_unit(&stage->view, WIDTH, HEIGHT);
    PanelPlace panel = panel_place(&stage->view, PANEL_DEBUG, WIDTH / unit, HEIGHT / unit);
    double sky[3], covered[3];
    mean_color(studio, (int)(unit * panel.x) - 20, (int)(unit * panel.y) + 5, sky);
    mean_color(studio, (int)(unit * panel.x) + 4, (int)(unit * panel.y) + 5, covered);
    assert_true(covered[0] < 0.6 * sky[0] && covered[1] < 0.6 * sky[1]);
    free(stage);
}

TEST_WITH(look_at_debug_view, Studio *studio)
{
    Status status;
    Stage *stage = stage_create_trench(&status);
    assert_non_null(stage);
    stage_show_hud(stage);
    stage->view.debug = (RenderDebug){.visible = true,
                                      .tick = 12345,
                                      .known = true,
                                      .particles = 18500,
                                      .budget = 20000,
                                      .crowding = 0.37,
                                      .contacts = 64321,
                                      .tool_contacts = 1234,
                                      .spawned = 46,
                                      .absorbed = 123,
                                      .active_columns = 10240,
                                      .cut_columns = 46,
                                      .recent_cut_columns = 998,
                                      .yields = 64,
                                      .soil_ms = 12.34,
                                      .machine_ms = 0.56,
                                      .tick_ms = 13.01,
                                      .quantum = 1e-4,
                                      .mass_ground = 6399999999999,
                                      .mass_particles = 123456789,
                                      .mass_trays = 98765432,
                                      .mass_total = 6400222222220,
                                      .mass_drift = -3,
                                      .force = 123456.0,
                                      .arrow_scale = 20e3,
                                      .contact_scale = 4e3,
                                      .contact_force = 5e3};
    shoot(studio, &stage->view, "render-debug.png");
    stage->view.debug.known = false;
    stage->view.debug.mass_drift = 0;
    stage->view.hud.visible = false;
    shoot(studio, &stage->view, "render-debug-unknown.png");
    free(stage);
}

TEST(failures_say_where)
{
    Status status;
    assert_null(render_create(&(RenderParams){.shader_folder = "no/such/folder"}, &status));
    assert_int_equal(status.code, STATUS_LACKING);
    assert_non_null(strstr(status.text, "no/such/folder/common.glsl"));
    assert_false(render_write_png("no/such/folder/a.png", WIDTH, HEIGHT, &status));
    assert_non_null(strstr(status.text, "no/such/folder/a.png"));
    assert_false(render_write_png("a.png", 0, HEIGHT, &status));
}

TEST_GROUP(open_studio, close_studio)
