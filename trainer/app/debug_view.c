/// Draws the soil's last tick (soil/soil.h) as lines and figures: the debug view.
#include "trainer/app/debug_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ARROW_SCALE   20e3 ///< N a metre
#define CONTACT_SCALE 4e3 ///< N a metre
#define CONTACT_FORCE 5e3 ///< N at the end of the colours
#define LIFT          0.02 ///< m over the ground

enum { MOST_CUTS = 1024, MOST_TILES = 512, EDGE_PIECES = 16 };

/// Force on one particle, for its tint.
typedef struct Touch {
    uint32_t particle; ///< id
    float force; ///< N
} Touch;

/// A growing list of lines.
typedef struct Lines {
    int count, capacity;
    RenderLine *lines;
} Lines;

struct DebugView {
    Lines ground, forces;
    int touch_count, touch_capacity;
    Touch *touches;
    int tint_capacity; ///< particles
    uint8_t *tint;
    SoilCutColumn cuts[MOST_CUTS];
    SoilActiveTile tiles[MOST_TILES];
};

DebugView *debug_view_create(void)
{
    DebugView *own = calloc(1, sizeof *own);
    if (own == NULL) {
        abort();
    }
    return own;
}

void debug_view_destroy(DebugView *own)
{
    if (own != NULL) {
        free(own->ground.lines);
        free(own->forces.lines);
        free(own->touches);
        free(own->tint);
        free(own);
    }
}

/// Room for `count` things of `size` bytes.
static void *reserve(void *memory, int *capacity, int count, size_t size)
{
    if (count <= *capacity) {
        return memory;
    }
    *capacity = count + count / 2 + 256;
    void *grown = realloc(memory, (size_t)*capacity * size);
    if (grown == NULL) {
        abort();
    }
    return grown;
}

static void add_line(Lines *to, Vec3 a, Vec3 b, const float color[4], double alpha, double width)
{
    to->lines = reserve(to->lines, &to->capacity, to->count + 1, sizeof *to->lines);
    to->lines[to->count++] = (RenderLine){
        .a = a, .b = b, .color = {color[0], color[1], color[2], (float)alpha * color[3]}, .width = (float)width};
}

/// ---- ground --------------------------------------------------------------------------------------------------------

/// A grid and where it stands in the world.
typedef struct Field {
    SoilGridView grid;
    Pose frame;
} Field;

/// A corner of column (row, column), `row` and `column` -0.5 from its centre, at height z (world).
static Vec3 corner_of(const Field *field, double row, double column, double z)
{
    const SoilGridView *grid = &field->grid;
    Vec3 local =
        vec3(grid->origin_x + (column - 0.5) * grid->spacing, grid->origin_y + (row - 0.5) * grid->spacing, 0.0);
    Vec3 world = pose_apply(&field->frame, local);
    return vec3(world.x, world.y, z);
}

/// The same on the surface.
static Vec3 corner_on(const Field *field, double row, double column)
{
    const SoilGridView *grid = &field->grid;
    int r = (int)row, c = (int)column;
    r = r < grid->rows ? r : grid->rows - 1;
    c = c < grid->columns ? c : grid->columns - 1;
    double height = (double)grid->height[r * grid->columns + c];
    if (r > 0 && c > 0) { // the highest of the four columns that meet there
        height = fmax(fmax(height, (double)grid->height[(r - 1) * grid->columns + c]),
                      fmax((double)grid->height[r * grid->columns + c - 1],
                           (double)grid->height[(r - 1) * grid->columns + c - 1]));
    }
    return corner_of(field, row, column, height + LIFT);
}

/// The outline of a rectangle of columns, laid on the ground.
static void draw_rectangle(Lines *to, const Field *field, int row, int column, int rows, int columns,
                           const float color[4], double width)
{
    const int corner[5][2] = {
        {row, column}, {row, column + columns}, {row + rows, column + columns}, {row + rows, column}, {row, column}};
    for (int k = 0; k < 4; k++) {
        int steps = abs(corner[k + 1][0] - corner[k][0]) + abs(corner[k + 1][1] - corner[k][1]);
        int pieces = steps < EDGE_PIECES ? steps : EDGE_PIECES;
        Vec3 from = corner_on(field, corner[k][0], corner[k][1]);
        for (int piece = 1; piece <= pieces; piece++) {
            int at = steps * piece / pieces; // whole columns, so that the line follows the ground
            int down = corner[k + 1][0] - corner[k][0], along = corner[k + 1][1] - corner[k][1];
            Vec3 to_place = corner_on(field,
                                      corner[k][0] + (down > 0   ? at
                                                      : down < 0 ? -at
                                                                 : 0),
                                      corner[k][1] + (along > 0   ? at
                                                      : along < 0 ? -at
                                                                  : 0));
            add_line(to, from, to_place, color, 1.0, width);
            from = to_place;
        }
    }
}

static void draw_tiles(DebugView *own, const Soil *soil, int tray, const Field *field)
{
    int count = soil_get_active_tiles(soil, tray, own->tiles, MOST_TILES);
    for (int k = 0; k < count; k++) {
        const SoilActiveTile *tile = &own->tiles[k];
        if (tile->slides) {
            draw_rectangle(&own->ground, field, tile->row, tile->column, tile->rows, tile->columns,
                           render_debug_sliding, 1.0);
        }
        if (tile->changed_rows > 0) {
            draw_rectangle(&own->ground, field, tile->changed_row, tile->changed_column, tile->changed_rows,
                           tile->changed_columns, render_debug_changed, 1.3);
        }
    }
}

/// A cut column: its floor, and when it is of the last tick, the whole prism that went.
static void draw_cut(Lines *to, const Field *field, const SoilCutColumn *cut, double half_second)
{
    bool now = cut->age == 0;
    double alpha = now ? 1.0 : 0.45 * (1.0 - (double)cut->age / (half_second + 1.0));
    for (int k = 0; k < 4; k++) {
        int row = cut->row + (k == 1 || k == 2), column = cut->column + (k >= 2);
        int next_row = cut->row + (k == 0 || k == 1), next_column = cut->column + (k == 1 || k == 2);
        Vec3 a = corner_of(field, row, column, cut->floor), b = corner_of(field, next_row, next_column, cut->floor);
        add_line(to, a, b, render_debug_cut, alpha, now ? 1.0 : 0.6);
        if (now) {
            add_line(to, a, corner_of(field, row, column, cut->top), render_debug_cut, 0.6, 0.6);
            add_line(to, corner_of(field, row, column, cut->top), corner_of(field, next_row, next_column, cut->top),
                     render_debug_cut, 0.6, 0.6);
        }
    }
}

/// True when the column was cut again after cut k: its newer floor is drawn.
static bool is_cut_again(const SoilCutColumn *cuts, int k)
{
    bool again = false;
    for (int newer = 0; newer < k && !again; newer++) {
        again = cuts[newer].row == cuts[k].row && cuts[newer].column == cuts[k].column;
    }
    return again;
}

static void draw_wedge(DebugView *own, Session *session, const Field *site, RenderDebug *debug)
{
    int half_second = session_scene(session)->rates.tick_rate / 2;
    int count = soil_get_wedge(session_soil(session), half_second - 1, own->cuts, MOST_CUTS);
    for (int k = 0; k < count; k++) {
        if (!is_cut_again(own->cuts, k)) {
            draw_cut(&own->forces, site, &own->cuts[k], half_second);
            debug->cut_columns += own->cuts[k].age == 0;
            debug->recent_cut_columns++;
        }
    }
}

static void draw_ground(DebugView *own, Session *session, RenderDebug *debug)
{
    Soil *soil = session_soil(session);
    const SceneParams *scene = session_scene(session);
    Field site = {soil_get_grid(soil), {vec3(0, 0, 0), mat3_identity()}};
    draw_tiles(own, soil, -1, &site);
    if (scene->exercise.kind == EXERCISE_TRUCK_LOADING) {
        int trucks = session_trucks_count(session_trucks(session));
        for (int k = 0; k < (trucks > 0 ? trucks : 1); k++) {
            Pose frame = soil_get_tray_frame(soil, k);
            Vec3 under = vec3(0.0, 0.0, -scene->exercise.truck.floor_height); // heights count from below the floor
            Field bed = {soil_get_tray_grid(soil, k), {pose_apply(&frame, under), frame.rotation}};
            draw_tiles(own, soil, k, &bed);
        }
    }
    draw_wedge(own, session, &site, debug);
    const Vec3 *places;
    debug->yields = soil_get_yields(soil, &places);
    for (int k = 0; k < debug->yields; k++) {
        add_line(&own->forces, places[k], places[k], render_debug_yield, 1.0, 4.0);
    }
}

/// ---- forces --------------------------------------------------------------------------------------------------------

/// An arrow of four barbs.
static void draw_arrow(Lines *to, Vec3 from, Vec3 by, const float color[4], double width)
{
    double length = vec3_length(by);
    Vec3 tip = vec3_add(from, by), along = vec3_unit(by, vec3(0, 0, 1));
    Vec3 aside = vec3_unit(vec3_cross(along, fabs(along.z) < 0.9 ? vec3(0, 0, 1) : vec3(1, 0, 0)), vec3(0, 1, 0));
    Vec3 across = vec3_cross(along, aside);
    double head = fmin(0.35 * length, 0.22);
    add_line(to, from, tip, color, 1.0, width);
    for (int k = 0; k < 4; k++) {
        Vec3 out = vec3_scale(k < 2 ? aside : across, (k % 2 == 0 ? 0.4 : -0.4) * head);
        add_line(to, tip, vec3_add(vec3_madd(tip, -head, along), out), color, 1.0, width);
    }
    add_line(to, from, from, color, 1.0, 2.0 * width);
}

static void draw_forces(DebugView *own, Session *session)
{
    static const float total_color[4] = {1.0F, 1.0F, 1.0F, 1.0F};
    SoilToolContactView view = soil_get_tool_contacts(session_soil(session));
    own->touches = reserve(own->touches, &own->touch_capacity, view.count, sizeof *own->touches);
    for (int k = 0; k < view.count; k++) {
        const SoilToolContact *contact = &view.contacts[k];
        double force = vec3_length(contact->force);
        float color[4];
        render_force_color(force / CONTACT_FORCE, color);
        Vec3 end = vec3_madd(contact->point, 1.0 / CONTACT_SCALE, contact->force);
        bool ground = contact->particle == SOIL_NO_PARTICLE;
        add_line(&own->forces, contact->point, end, color, 0.9, ground ? 1.6 : 0.8);
        add_line(&own->forces, contact->point, contact->point, color, 1.0, ground ? 3.0 : 1.2);
        if (!ground) {
            own->touches[own->touch_count++] = (Touch){contact->particle, (float)force};
        }
    }
    const SessionFrame *frame = session_frame(session);
    draw_arrow(&own->forces, frame->tool.center, vec3_scale(frame->tool_wrench.force, 1.0 / ARROW_SCALE), total_color,
               2.2);
}

static int compare_touches(const void *a, const void *b)
{
    const Touch *x = a, *y = b;
    return x->particle != y->particle ? (x->particle > y->particle) - (x->particle < y->particle)
                                      : (x->force > y->force) - (x->force < y->force);
}

static int compare_particle(const void *key, const void *element)
{
    uint32_t id = *(const uint32_t *)key, other = ((const Touch *)element)->particle;
    return (id > other) - (id < other);
}

/// Sorts contacts by particle and sums those of a particle that touches several plates.
static void gather_touches(DebugView *own)
{
    if (own->touch_count == 0) {
        return;
    }
    qsort(own->touches, (size_t)own->touch_count, sizeof *own->touches, compare_touches);
    int kept = 0;
    for (int k = 1; k < own->touch_count; k++) {
        if (own->touches[k].particle == own->touches[kept].particle) {
            own->touches[kept].force += own->touches[k].force;
        } else {
            own->touches[++kept] = own->touches[k];
        }
    }
    own->touch_count = kept + 1;
}

/// Colours the particles that touch the tool by their force on it.
static void tint_particles(DebugView *own, RenderParticles *particles)
{
    gather_touches(own);
    if (own->touch_count == 0) {
        return;
    }
    own->tint = reserve(own->tint, &own->tint_capacity, particles->count, 4);
    memset(own->tint, 0, 4 * (size_t)particles->count);
    for (int i = 0; i < particles->count; i++) {
        const Touch *touch =
            bsearch(&particles->id[i], own->touches, (size_t)own->touch_count, sizeof *own->touches, compare_particle);
        if (touch != NULL) {
            float color[4];
            render_force_color((double)touch->force / CONTACT_FORCE, color);
            for (int k = 0; k < 3; k++) {
                own->tint[4 * i + k] = (uint8_t)(255.0F * color[k]);
            }
            own->tint[4 * i + 3] = 230;
        }
    }
    particles->tint = own->tint;
}

/// ---- all of it -----------------------------------------------------------------------------------------------------

static void fill_figures(Session *session, RenderDebug *debug)
{
    const SessionFrame *frame = session_frame(session);
    debug->visible = true;
    debug->tick = frame->tick;
    debug->known = frame->tick_ms > 0.0;
    debug->particles = soil_get_particles(session_soil(session)).count;
    debug->budget = session_scene(session)->particles.budget;
    debug->crowding = frame->counters.crowding;
    debug->contacts = frame->counters.contacts;
    debug->tool_contacts = soil_get_tool_contacts(session_soil(session)).count;
    debug->spawned = frame->counters.spawned;
    debug->absorbed = frame->counters.absorbed;
    debug->active_columns = frame->counters.active_columns;
    debug->soil_ms = frame->soil_ms;
    debug->machine_ms = frame->machine_ms;
    debug->tick_ms = frame->tick_ms;
    debug->quantum = SOIL_QUANTUM;
    debug->mass_ground = frame->ledger.ground;
    debug->mass_particles = frame->ledger.particles;
    debug->mass_trays = frame->ledger.trays;
    debug->mass_total = frame->ledger.total;
    debug->mass_drift = frame->mass_drift;
    debug->force = vec3_length(frame->tool_wrench.force);
    debug->arrow_scale = ARROW_SCALE;
    debug->contact_scale = CONTACT_SCALE;
    debug->contact_force = CONTACT_FORCE;
}

void debug_view_fill(DebugView *own, Session *session, RenderView *view)
{
    own->ground.count = own->forces.count = own->touch_count = 0;
    view->debug = (RenderDebug){0};
    fill_figures(session, &view->debug);
    draw_ground(own, session, &view->debug);
    draw_forces(own, session);
    tint_particles(own, &view->particles);
    view->debug.ground_lines = own->ground.lines;
    view->debug.ground_line_count = own->ground.count;
    view->debug.force_lines = own->forces.lines;
    view->debug.force_line_count = own->forces.count;
}
