/// Loads libspadework-render as libspadework does and compares its pictures with those of `--shot`, depths with the
/// ground that was drawn, and sessions with each other. The test itself draws by SDL on the same device meanwhile.
// test: alone
#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/hidden_window.h"
#include "tests/support/test.h"
#include "trainer/api/plugins.h"
#include "trainer/app/app.h"

enum { WIDTH = 160, HEIGHT = 120, PIXELS = WIDTH * HEIGHT, MOST_PIXELS = 640 * 480 };

typedef struct Plugin {
    const ApiRenderer *renderer;
    Session *dug, *fresh, *truck; ///< trench, trench, truck-loading
    uint8_t rgb[3 * MOST_PIXELS], expected[3 * MOST_PIXELS];
    float depth[MOST_PIXELS];
    bool left_alone; ///< the first picture changed neither environment nor signals
} Plugin;

/// What a library may not change of its host.
typedef struct Host {
    void (*actions[32])(int);
    sigset_t blocked;
    char environment[8192];
} Host;

static Host host_now(void)
{
    extern char **environ;
    Host host;
    memset(&host, 0, sizeof host); // compared as bytes
    for (int number = 1; number < 32; number++) {
        struct sigaction action;
        host.actions[number] = sigaction(number, NULL, &action) == 0 ? action.sa_handler : NULL;
    }
    pthread_sigmask(SIG_SETMASK, NULL, &host.blocked);
    size_t length = 0;
    for (char **text = environ; *text != NULL && length < sizeof host.environment; text++) {
        length += (size_t)snprintf(host.environment + length, sizeof host.environment - length, "%s\n", *text);
    }
    return host;
}

static Session *open_session(const char *scene, int ticks)
{
    Status status = {0};
    Session *session = session_create(&(SessionParams){.scene = scene, .threads = 1}, &status);
    if (session == NULL) {
        fail_msg("%s", status.text);
    }
    OperatorControls levers = control_neutral;
    for (int tick = 0; tick < ticks; tick++) {
        levers.axis[CONTROL_BOOM] = -32767; // the bucket goes into the ground
        levers.axis[CONTROL_STICK] = tick < 60 ? 0 : 20000;
        levers.axis[CONTROL_LEFT_TRACK] = tick < 20 ? 20000 : 0;
        session_tick(session, &levers);
    }
    return session;
}

static ApiPicture picture_of(const char *camera)
{
    return (ApiPicture){.camera = camera, .width = WIDTH, .height = HEIGHT, .data_folder = data_folder()};
}

static void draw(const Plugin *plugin, Session *session, const ApiPicture *picture, uint8_t *rgb, float *depth)
{
    Status status = {0};
    if (!plugin->renderer->draw(session, picture, rgb, depth, &status)) {
        fail_msg("%s", status.text);
    }
}

static int load_plugin(void **state)
{
    need_offscreen_window(state);
    void *library = dlopen(RENDER_PLUGIN, RTLD_NOW | RTLD_LOCAL), *address;
    const ApiRenderer *(*find)(void);
    if (library == NULL || (address = dlsym(library, "spadework_renderer")) == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    memcpy(&find, &address, sizeof find);
    Plugin *plugin = calloc(1, sizeof *plugin);
    *state = plugin;
    plugin->renderer = find();
    plugin->dug = open_session("trench", 150);
    plugin->fresh = open_session("trench", 1);
    plugin->truck = open_session("truck-loading", 40);
    ApiPicture picture = picture_of("cab");
    static Host before, after;
    before = host_now();
    fesetround(FE_UPWARD); // of the thread that asks first: not of the one that draws
    draw(plugin, plugin->fresh, &picture, plugin->rgb, NULL);
    fesetround(FE_TONEAREST);
    after = host_now();
    plugin->left_alone = memcmp(&before, &after, sizeof before) == 0;
    return 0;
}

static int close_sessions(void **state)
{
    Plugin *plugin = *state;
    Session *const sessions[] = {plugin->dug, plugin->fresh, plugin->truck};
    for (int k = 0; k < 3; k++) {
        plugin->renderer->forget(sessions[k]);
        session_destroy(sessions[k]);
    }
    free(plugin);
    return 0;
}

/// ---- usage ---------------------------------------------------------------------------------------------------------

static void refuse(const Plugin *plugin, const ApiPicture *picture, const char *words)
{
    Status status = {0};
    assert_false(plugin->renderer->draw(plugin->fresh, picture, NULL, NULL, &status));
    assert_int_equal(status.code, STATUS_BAD_USAGE);
    if (strstr(status.text, words) == NULL) {
        fail_msg("'%s' does not hold '%s'", status.text, words);
    }
}

TEST_WITH(wrong_pictures_are_refused, Plugin *plugin)
{
    ApiPicture picture = picture_of("cabin");
    assert_string_equal(plugin->renderer->build, API_BUILD);
    refuse(plugin, &picture, "camera 'cabin': one of around behind cab bucket boom plan section rear free");
    picture = picture_of("");
    refuse(plugin, &picture, "camera ''");
    picture = picture_of("cab");
    picture.width = 15;
    refuse(plugin, &picture, "15 x 120 pixels: 16..8192");
    picture.width = WIDTH;
    picture.height = 8193;
    refuse(plugin, &picture, "160 x 8193 pixels: 16..8192");
    picture.height = HEIGHT;
    picture.quality = 3;
    refuse(plugin, &picture, "quality 3: 0 (low), 1 (medium) or 2 (high)");
    picture.quality = -1;
    refuse(plugin, &picture, "quality -1");
}

/// ---- pictures ------------------------------------------------------------------------------------------------------

static RenderQuality quality_of(const ApiPicture *picture)
{
    return picture->quality == 0   ? RENDER_QUALITY_LOW
           : picture->quality == 1 ? RENDER_QUALITY_MEDIUM
                                   : RENDER_QUALITY_HIGH;
}

static void assert_alike(const uint8_t *rgb, const uint8_t *expected, int width, int height, const char *name)
{
    int count = 0, most = 0, first = -1;
    for (int k = 0; k < 3 * width * height; k++) {
        int off = abs(rgb[k] - expected[k]);
        count += off > 0;
        most = off > most ? off : most;
        first = off > 0 && first < 0 ? k / 3 : first;
    }
    if (count > 0) {
        fail_msg("%s: %d values of %d differ, by at most %d, the first at %d, %d", name, count, 3 * width * height,
                 most, first % width, first / width);
    }
}

/// What `--shot` draws, by a new renderer in SDL's context.
static void shoot(Session *session, const ApiPicture *picture, RenderCamera camera, uint8_t *rgb)
{
    Status status = {0};
    Offscreen *offscreen = offscreen_create(picture->width, picture->height, quality_of(picture), &status);
    if (offscreen == NULL) {
        fail_msg("%s", status.text);
    }
    offscreen_draw(
        offscreen, session,
        &(OffscreenLook){.camera = camera, .panels = picture->panels ? OFFSCREEN_PANELS_STRIP : OFFSCREEN_PANELS_OFF});
    offscreen_pixels(offscreen, rgb);
    offscreen_destroy(offscreen);
}

/// When SDL's context has ended, the display that it shared with the library's has, too: the library makes another one.
TEST_WITH(pictures_are_those_of_shot, Plugin *plugin)
{
    static const struct {
        RenderCamera camera;
        const char *name;
        int width, height, quality;
        bool panels, truck;
    } wanted[] = {{RENDER_CAMERA_CAB, "cab", 160, 120, 0, false, false},
                  {RENDER_CAMERA_ORBIT, "around", 640, 480, 0, true, true},
                  {RENDER_CAMERA_SECTION, "section", 160, 120, 0, false, false},
                  {RENDER_CAMERA_CHASE, "behind", 160, 120, 1, true, true},
                  {RENDER_CAMERA_BOOM, "boom", 128, 96, 2, false, false}};
    enum { COUNT = sizeof wanted / sizeof *wanted };
    static uint8_t expected[COUNT][3 * MOST_PIXELS];
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < COUNT; k++) {
            ApiPicture picture = picture_of(wanted[k].name);
            picture.width = wanted[k].width;
            picture.height = wanted[k].height;
            picture.quality = wanted[k].quality;
            picture.panels = wanted[k].panels;
            Session *session = wanted[k].truck ? plugin->truck : plugin->dug;
            uint64_t before = state_hash(session);
            if (pass == 0) {
                shoot(session, &picture, wanted[k].camera, expected[k]);
            } else {
                draw(plugin, session, &picture, plugin->rgb, NULL);
                assert_alike(plugin->rgb, expected[k], picture.width, picture.height, wanted[k].name);
            }
            assert_true(state_hash(session) == before);
        }
    }
}

/// Draws the three sessions in turn and compares with the first picture of each.
static void draw_in_turn(Plugin *plugin, int quality, bool panels, int turns)
{
    static uint8_t first[3][3 * PIXELS], again[3 * PIXELS];
    static const char *const others[] = {"cab", "plan", "bucket", "rear"};
    Session *const sessions[3] = {plugin->dug, plugin->fresh, plugin->truck};
    ApiPicture picture = picture_of("around");
    picture.quality = quality;
    picture.panels = panels;
    for (int turn = 0; turn < turns; turn++) {
        int k = turn % 3;
        draw(plugin, sessions[k], &picture, turn < 3 ? first[k] : again, NULL);
        if (turn >= 3) {
            char name[60];
            snprintf(name, sizeof name, "quality %d, session %d, turn %d", quality, k, turn);
            assert_alike(again, first[k], WIDTH, HEIGHT, name);
        }
        ApiPicture other = picture_of(others[turn % 4]);
        other.width += turn % 2 * 40;
        other.panels = !panels;
        other.quality = quality;
        draw(plugin, sessions[(turn + 1) % 3], &other, plugin->rgb, NULL);
    }
    assert_memory_not_equal(first[0], first[1], sizeof again); // the trench
}

TEST_WITH(sessions_in_turn_keep_their_pictures, Plugin *plugin)
{
    draw_in_turn(plugin, 0, false, 6);
    draw_in_turn(plugin, 0, true, 6);
    draw_in_turn(plugin, 1, false, 4);
}

/// The ground that changes between two pictures is sent alone: the picture is that of ground sent whole.
TEST_WITH(a_session_that_digs_is_drawn_whole, Plugin *plugin)
{
    ApiPicture picture = picture_of("bucket");
    OperatorControls levers = control_neutral;
    Session *session = open_session("trench", 60);
    for (int part = 0; part < 4; part++) {
        draw(plugin, session, &picture, plugin->rgb, NULL);
        for (int tick = 0; tick < 30; tick++) {
            levers.axis[CONTROL_STICK] = 20000;
            levers.axis[CONTROL_BOOM] = part < 2 ? -20000 : 20000;
            levers.axis[CONTROL_SWING] = part == 3 ? 32767 : 0;
            session_tick(session, &levers);
        }
        draw(plugin, session, &picture, plugin->rgb, NULL);
    }
    shoot(session, &picture, RENDER_CAMERA_TOOL, plugin->expected);
    assert_alike(plugin->rgb, plugin->expected, WIDTH, HEIGHT, "the bucket");
    session_destroy(session);
}

/// ---- depth ---------------------------------------------------------------------------------------------------------

/// A camera with perspective that stands upright, as one of the pictures has it.
typedef struct Looker {
    Vec3 eye, ahead, right, up; ///< m; unit vectors
    double tangent; ///< of half the vertical field of view
} Looker;

static Looker look_by(Session *session, RenderCamera camera, double field_of_view)
{
    Camera aim = camera_default(camera);
    SessionView *own = session_view_create();
    session_view_jump(own, session);
    RenderView *view = session_view_build(own, session, 1.0);
    Looker looker = {.tangent = tan(0.5 * field_of_view)};
    double yaw, pitch;
    camera_aim(&aim, view);
    render_camera_stand(view, &looker.eye, &yaw, &pitch);
    looker.ahead = vec3(cos(pitch) * cos(yaw), cos(pitch) * sin(yaw), sin(pitch));
    looker.right = vec3(sin(yaw), -cos(yaw), 0.0);
    looker.up = vec3_cross(looker.right, looker.ahead);
    session_view_destroy(own);
    return looker;
}

/// The way from the eye to what a pixel shows for each metre of depth.
static Vec3 ray_of(const Looker *looker, double x, double y)
{
    double aside = (2.0 * (x + 0.5) / WIDTH - 1.0) * looker->tangent * WIDTH / HEIGHT;
    double over = (1.0 - 2.0 * (y + 0.5) / HEIGHT) * looker->tangent;
    return vec3_madd(vec3_madd(looker->ahead, aside, looker->right), over, looker->up);
}

/// Of each pixel that shows the site away from the machine the depth leads to the ground's height there.
static void check_ground(const Plugin *plugin, int quality)
{
    SoilGridView site = soil_get_grid(session_soil(plugin->fresh));
    Vec3 base = session_frame(plugin->fresh)->machine.base;
    Looker looker = look_by(plugin->fresh, RENDER_CAMERA_ORBIT, 0.76);
    int count = 0, off = 0;
    for (int k = 0; k < PIXELS; k++) {
        Vec3 at = vec3_madd(looker.eye, (double)plugin->depth[k], ray_of(&looker, k % WIDTH, k / WIDTH));
        long row = lround((at.y - site.origin_y) / site.spacing);
        long column = lround((at.x - site.origin_x) / site.spacing);
        if (isfinite(plugin->depth[k]) && row > 10 && row < site.rows - 10 && column > 10 &&
            column < site.columns - 10 && hypot(at.x - base.x, at.y - base.y) > 8.0) {
            double height = (double)site.height[row * site.columns + column];
            count++;
            off += fabs(at.z - height) > 0.05;
        }
    }
    print_message("quality %d: %d pixels of ground, %d of them off by more than 5 cm\n", quality, count, off);
    assert_true(count > PIXELS / 10);
    assert_true(off * 50 < count); // stakes
}

TEST_WITH(depth_leads_to_the_ground, Plugin *plugin)
{
    for (int quality = 0; quality < 3; quality++) {
        ApiPicture picture = picture_of("around");
        picture.quality = quality;
        memset(plugin->depth, 0, sizeof plugin->depth);
        draw(plugin, plugin->fresh, &picture, NULL, plugin->depth);
        check_ground(plugin, quality);
    }
}

TEST_WITH(depth_from_above_is_the_height, Plugin *plugin)
{
    const double over = 60.0; // m: place_plan in render/camera.c
    ApiPicture picture = picture_of("plan");
    picture.panels = true;
    draw(plugin, plugin->fresh, &picture, plugin->rgb, plugin->depth);
    const int corners[] = {0, WIDTH - 1, PIXELS - WIDTH, PIXELS - 1};
    for (int k = 0; k < 4; k++) {
        assert_near((double)plugin->depth[corners[k]], over, 0.01 * over);
    }
    float nearest = INFINITY;
    for (int k = 0; k < PIXELS; k++) {
        nearest = fminf(nearest, plugin->depth[k]);
    }
    assert_true(nearest < 57.5F && nearest > 50.0F); // the machine
}

TEST_WITH(bucket_is_before_the_ground_and_sky_is_not_near, Plugin *plugin)
{
    ApiPicture picture = picture_of(NULL);
    picture.panels = true;
    Looker looker = look_by(plugin->fresh, RENDER_CAMERA_CAB, 1.12);
    draw(plugin, plugin->fresh, &picture, plugin->rgb, plugin->depth);
    const MachineParams *machine = session_machine_params(plugin->fresh);
    Pose tool;
    machine_get_body_frame(session_machine(plugin->fresh), session_machine_state(plugin->fresh), machine->tool[0].body,
                           &tool);
    Vec3 way = vec3_sub(pose_apply(&tool, vec3(machine->tool[0].middle, 0.0, 0.0)), looker.eye);
    double away = vec3_dot(way, looker.ahead);
    int x = (int)((0.5 + 0.5 * vec3_dot(way, looker.right) / away / looker.tangent * HEIGHT / WIDTH) * WIDTH);
    int y = (int)((0.5 - 0.5 * vec3_dot(way, looker.up) / away / looker.tangent) * HEIGHT);
    assert_in_range(x, 0, WIDTH - 1);
    assert_in_range(y, 0, HEIGHT - 1);
    double depth = (double)plugin->depth[y * WIDTH + x], ground = -looker.eye.z / ray_of(&looker, x, y).z;
    print_message("bucket %.2f m away, depth %.2f m, the ground behind it %.2f m\n", away, depth, ground);
    assert_near(depth, away, 1.5);
    assert_true(depth < ground - 0.2);
    int sky = 0;
    for (int k = 0; k < PIXELS; k++) {
        sky += isinf(plugin->depth[k]);
        assert_true(plugin->depth[k] > 0.08F);
    }
    assert_true(sky > PIXELS / 20);
    assert_true(isinf(plugin->depth[WIDTH / 2]));
}

/// ---- the process ---------------------------------------------------------------------------------------------------

typedef struct Asker {
    const Plugin *plugin;
    Session *session;
    uint8_t first[3 * PIXELS], rgb[3 * PIXELS];
    int wrong;
} Asker;

static void *ask(void *context)
{
    Asker *asker = context;
    ApiPicture picture = picture_of("cab");
    for (int k = 0; k < 4; k++) {
        Status status = {0};
        bool good = asker->plugin->renderer->draw(asker->session, &picture, asker->rgb, NULL, &status);
        asker->wrong += !good || memcmp(asker->rgb, asker->first, sizeof asker->rgb) != 0;
    }
    return NULL;
}

TEST_WITH(threads_wait_for_each_other, Plugin *plugin)
{
    static Asker askers[3];
    Session *const sessions[3] = {plugin->dug, plugin->fresh, plugin->truck};
    pthread_t threads[3];
    ApiPicture picture = picture_of("cab");
    for (int k = 0; k < 3; k++) {
        askers[k].plugin = plugin;
        askers[k].session = sessions[k];
        draw(plugin, sessions[k], &picture, askers[k].first, NULL);
    }
    for (int k = 0; k < 3; k++) {
        assert_int_equal(pthread_create(&threads[k], NULL, ask, &askers[k]), 0);
    }
    for (int k = 0; k < 3; k++) {
        pthread_join(threads[k], NULL);
        assert_int_equal(askers[k].wrong, 0);
    }
}

/// A child of fork is refused at once, and ends as any process does.
TEST_WITH(a_fork_does_not_hang, Plugin *plugin)
{
    ApiPicture picture = picture_of("cab");
    draw(plugin, plugin->fresh, &picture, plugin->rgb, NULL);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        Status status = {0};
        alarm(20);
        bool drawn = plugin->renderer->draw(plugin->fresh, &picture, plugin->rgb, NULL, &status);
        _exit(!drawn && status.code == STATUS_LACKING && strstr(status.text, "fork") != NULL ? 0 : 1);
    }
    int end = 0;
    assert_int_equal(waitpid(child, &end, 0), child);
    assert_int_equal(end, 0);
}

TEST_WITH(the_host_is_left_alone, Plugin *plugin)
{
    assert_true(plugin->left_alone);
}

TEST_GROUP(load_plugin, close_sessions)
