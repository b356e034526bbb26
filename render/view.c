/// Values and copies of a view: a joystick's place, packed marks of the ground, the camera as a value, and snapshots,
/// which copy a view with all that it points to.
#include "render/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/controls_params.h"

ControlAxis render_stick_way(const char *pattern, bool left, bool forward, int *sign)
{
    const ControlPattern *known = control_pattern_named(pattern != NULL ? pattern : "");
    known = known != NULL ? known : control_pattern(0);
    const ControlPatternWay *way = &known->ways[left ? 0 : 1][forward ? 1 : 0];
    *sign = way->sign;
    return way->axis;
}

void render_stick(const double levers[CONTROL_COUNT], const char *pattern, bool left, double at[2])
{
    for (int k = 0; k < 2; k++) {
        int sign = 1;
        ControlAxis axis = render_stick_way(pattern, left, k == 1, &sign);
        double value = levers[axis];
        if (axis == CONTROL_LEFT_TRACK) {
            double other = levers[CONTROL_RIGHT_TRACK];
            value = 0.5 * (k == 0 ? value - other : value + other);
        }
        at[k] = sign * value;
    }
}

uint32_t render_mark(RenderTraceKind kind, int strength, double heading, double turns, double left)
{
    double around = heading / (2.0 * M_PI), far = fmax(-0.5, fmin(0.5, left));
    uint32_t angle = (uint32_t)lrint(256.0 * (around - floor(around))) & 255U;
    uint32_t phase = (uint32_t)lrint(256.0 * (turns - floor(turns))) & 255U;
    uint32_t mark = angle | phase << 8 | (uint32_t)lrint(127.0 + 254.0 * far) << 16 | (uint32_t)kind << 30;
    return render_mark_faded(mark, strength);
}

uint32_t render_mark_faded(uint32_t mark, int strength)
{
    return strength <= 0 ? 0 : (mark & 0xc0ffffffU) | (uint32_t)(strength & RENDER_TRACE_FULL) << 24;
}

/// The members of a view that are its camera.
#define AIM_FIELDS(X)                                                                                                  \
    X(camera)                                                                                                          \
    X(orbit_yaw)                                                                                                       \
    X(orbit_pitch)                                                                                                     \
    X(orbit_distance)                                                                                                  \
    X(cab_yaw)                                                                                                         \
    X(cab_pitch)                                                                                                       \
    X(cab_lean)                                                                                                        \
    X(plan_height)                                                                                                     \
    X(plan_x)                                                                                                          \
    X(plan_y)                                                                                                          \
    X(section_height)                                                                                                  \
    X(free_placed)                                                                                                     \
    X(free_eye)                                                                                                        \
    X(free_yaw)                                                                                                        \
    X(free_pitch)

RenderAim render_aim_of(const RenderView *view)
{
#define X(name) .name = view->name,
    return (RenderAim){AIM_FIELDS(X)};
#undef X
}

void render_aim_at(const RenderAim *aim, RenderView *view)
{
#define X(name) view->name = aim->name;
    AIM_FIELDS(X)
#undef X
}

enum { FIRST_BLOCK = 1 << 20, ALIGNMENT = 16 };

typedef struct Block {
    struct Block *next;
    size_t size, used; ///< bytes after the header
    _Alignas(ALIGNMENT) unsigned char bytes[];
} Block;

/// A grid's arrays as they were last seen.
typedef struct GridCopy {
    int rows, columns;
    float *height;
    uint8_t *soil, *loose;
    float *border; ///< NULL: the grid has none
    uint16_t *strata; ///< so
    uint8_t *cover; ///< so
    uint32_t *marks; ///< the same
} GridCopy;

struct RenderSnapshot {
    RenderView views[2]; ///< the last one and the one before, in turn
    RenderView *view; ///< the last one
    SceneParams scene;
    MachineParams machine, ghost;
    GridCopy grids[RENDER_MAX_GRIDS];
    Block *blocks; ///< the one that is being filled comes first
    size_t wanted; ///< bytes that the last view needed
    size_t known; ///< bytes of the first block that the view before left there
    bool is_new; ///< something is another than in the view before
    int64_t allocations;
};

/// ---- memory --------------------------------------------------------------------------------------------------------

static void *allocate(RenderSnapshot *self, size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (memory == NULL) {
        abort();
    }
    self->allocations++;
    return memory;
}

static void free_blocks(RenderSnapshot *self)
{
    for (Block *block = self->blocks, *next; block != NULL; block = next) {
        next = block->next;
        free(block);
    }
    self->blocks = NULL;
}

static void add_block(RenderSnapshot *self, size_t size)
{
    Block *block = allocate(self, sizeof *block + size);
    *block = (Block){.next = self->blocks, .size = size};
    memset(block->bytes, 0, size); // gaps are compared, too
    self->blocks = block;
    self->is_new = true;
}

/// All that was kept is forgotten, but lies where it was: what is the same comes to the same place. Where it did not
/// fit into one block there is one that it fits into.
static void begin_copy(RenderSnapshot *self)
{
    self->is_new = false;
    self->known = self->blocks != NULL ? self->blocks->used : 0;
    if (self->blocks == NULL || self->blocks->next != NULL) {
        size_t size = self->wanted + self->wanted / 2;
        free_blocks(self);
        add_block(self, size > FIRST_BLOCK ? size : FIRST_BLOCK);
    }
    self->blocks->used = 0;
    self->wanted = 0;
}

/// Room for that many bytes, which are not set.
static void *room_for(RenderSnapshot *self, size_t size)
{
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    self->wanted += rounded;
    if (self->blocks->size - self->blocks->used < rounded) {
        add_block(self, rounded > FIRST_BLOCK ? rounded : FIRST_BLOCK);
    }
    void *room = self->blocks->bytes + self->blocks->used;
    self->blocks->used += rounded;
    return room;
}

/// Writes over what the view before left in the same place, and sees whether that is the same.
static void *overwrite(RenderSnapshot *self, void *old, const void *things, size_t size)
{
    self->is_new = self->is_new || memcmp(old, things, size) != 0;
    return memcpy(old, things, size);
}

/// A copy of `count` things of `size` bytes; NULL of nothing.
static void *copy_things(RenderSnapshot *self, const void *things, size_t count, size_t size)
{
    if (things == NULL || count == 0) {
        return NULL;
    }
    void *room = room_for(self, count * size);
    self->is_new = self->is_new || self->blocks->used > self->known;
    return overwrite(self, room, things, count * size);
}

static const char *copy_text(RenderSnapshot *self, const char *text)
{
    return text != NULL ? copy_things(self, text, strlen(text) + 1, 1) : NULL;
}

/// Texts up to the first that is none; those after it are cleared. Returns how many there are.
static int copy_texts(RenderSnapshot *self, const char **texts, int most)
{
    int count = 0;
    while (count < most && texts[count] != NULL) {
        texts[count] = copy_text(self, texts[count]);
        count++;
    }
    for (int k = count; k < most; k++) {
        texts[k] = NULL;
    }
    return count;
}

/// ---- grids ---------------------------------------------------------------------------------------------------------

static void free_grid(GridCopy *copy)
{
    free(copy->height);
    free(copy->soil);
    free(copy->loose);
    free(copy->border);
    free(copy->strata);
    free(copy->cover);
    free(copy->marks);
    *copy = (GridCopy){0};
}

static void copy_rows(GridCopy *copy, const RenderGrid *grid, int row_min, int row_max, int column_min, int column_max)
{
    size_t count = (size_t)column_max + 1 - (size_t)column_min;
    for (int row = row_min; row <= row_max; row++) {
        size_t at = (size_t)row * (size_t)grid->columns + (size_t)column_min;
        memcpy(copy->height + at, grid->height + at, count * sizeof *copy->height);
        memcpy(copy->soil + at, grid->soil + at, count);
        memcpy(copy->loose + at, grid->loose + at, count);
        if (grid->strata != NULL) {
            memcpy(copy->strata + RENDER_STRATA * at, grid->strata + RENDER_STRATA * at,
                   count * RENDER_STRATA * sizeof *copy->strata);
        }
        if (grid->cover != NULL) {
            memcpy(copy->cover + at, grid->cover + at, count);
        }
        if (grid->marks != NULL) {
            memcpy(copy->marks + at, grid->marks + at, count * sizeof *copy->marks);
        }
    }
}

static size_t border_size(const RenderGrid *grid)
{
    return 2 * ((size_t)grid->rows + (size_t)grid->columns) * sizeof(float);
}

static void copy_grid(RenderSnapshot *self, GridCopy *copy, RenderGrid *grid)
{
    if (copy->height == NULL || copy->rows != grid->rows || copy->columns != grid->columns ||
        (copy->border == NULL) != (grid->border == NULL) || (copy->strata == NULL) != (grid->strata == NULL) ||
        (copy->marks == NULL) != (grid->marks == NULL) || (copy->cover == NULL) != (grid->cover == NULL)) {
        size_t cells = (size_t)grid->rows * (size_t)grid->columns;
        free_grid(copy);
        *copy = (GridCopy){.rows = grid->rows,
                           .columns = grid->columns,
                           .height = allocate(self, cells * sizeof *copy->height),
                           .soil = allocate(self, cells),
                           .loose = allocate(self, cells)};
        if (grid->border != NULL) {
            copy->border = allocate(self, border_size(grid));
        }
        if (grid->strata != NULL) {
            copy->strata = allocate(self, cells * RENDER_STRATA * sizeof *copy->strata);
        }
        if (grid->cover != NULL) {
            copy->cover = allocate(self, cells);
        }
        if (grid->marks != NULL) {
            copy->marks = allocate(self, cells * sizeof *copy->marks);
        }
        grid->all_dirty = true;
    }
    self->is_new = self->is_new || grid->all_dirty || grid->dirty_row_min <= grid->dirty_row_max;
    if (grid->all_dirty && grid->border != NULL) {
        memcpy(copy->border, grid->border, border_size(grid));
    }
    if (grid->all_dirty) {
        copy_rows(copy, grid, 0, grid->rows - 1, 0, grid->columns - 1);
    } else if (grid->dirty_row_min <= grid->dirty_row_max) {
        copy_rows(copy, grid, grid->dirty_row_min, grid->dirty_row_max, grid->dirty_column_min, grid->dirty_column_max);
    }
    grid->height = copy->height;
    grid->soil = copy->soil;
    grid->loose = copy->loose;
    grid->border = copy->border;
    grid->strata = copy->strata;
    grid->cover = copy->cover;
    grid->marks = copy->marks;
}

static void copy_grids(RenderSnapshot *self, RenderView *view, bool whole)
{
    for (int k = 0; k < RENDER_MAX_GRIDS; k++) {
        if (k < view->grid_count) {
            view->grids[k].all_dirty |= whole;
            copy_grid(self, &self->grids[k], &view->grids[k]);
        } else {
            free_grid(&self->grids[k]); // another site's; what is there again later is copied whole
        }
    }
}

/// ---- the rest ------------------------------------------------------------------------------------------------------

static void copy_world(RenderSnapshot *self, RenderView *view)
{
    if (view->scene != NULL) {
        view->scene = overwrite(self, &self->scene, view->scene, sizeof self->scene);
    }
    if (view->machine != NULL) {
        view->machine = overwrite(self, &self->machine, view->machine, sizeof self->machine);
    }
    if (view->ghost.machine != NULL) {
        view->ghost.machine = overwrite(self, &self->ghost, view->ghost.machine, sizeof self->ghost);
    }
    RenderParticles *particles = &view->particles;
    size_t count = particles->count > 0 ? (size_t)particles->count : 0;
    particles->xyzr = copy_things(self, particles->xyzr, count, 4 * sizeof *particles->xyzr);
    particles->soil = copy_things(self, particles->soil, count, sizeof *particles->soil);
    particles->id = copy_things(self, particles->id, count, sizeof *particles->id);
    particles->tint = copy_things(self, particles->tint, count, 4 * sizeof *particles->tint);
    view->dust.puffs = copy_things(self, view->dust.puffs, (size_t)view->dust.count, sizeof *view->dust.puffs);
    RenderRocks *rocks = &view->rocks;
    rocks->shapes = copy_things(self, rocks->shapes, (size_t)rocks->shape_count, sizeof *rocks->shapes);
    rocks->rocks = copy_things(self, rocks->rocks, (size_t)rocks->count, sizeof *rocks->rocks);
}

static void copy_controls(RenderSnapshot *self, RenderControls *controls)
{
    controls->title = copy_text(self, controls->title);
    for (int k = 0; k < controls->count; k++) {
        RenderControl *row = &controls->rows[k];
        row->lever = copy_text(self, row->lever);
        row->less = copy_text(self, row->less);
        row->more = copy_text(self, row->more);
        row->source = copy_text(self, row->source);
    }
    for (int k = 0; k < controls->device_count; k++) {
        controls->devices[k] = copy_text(self, controls->devices[k]);
    }
}

static void copy_hud(RenderSnapshot *self, RenderHud *hud)
{
    hud->title = copy_text(self, hud->title);
    hud->pattern = copy_text(self, hud->pattern);
    hud->drive = copy_text(self, hud->drive);
    hud->tool_turn = copy_text(self, hud->tool_turn);
    hud->tool_name[0] = copy_text(self, hud->tool_name[0]);
    hud->tool_name[1] = copy_text(self, hud->tool_name[1]);
    hud->message = copy_text(self, hud->message);
    int joints = copy_texts(self, hud->joint_name, 4);
    for (int k = 0; k < 4; k++) {
        hud->joint_value[k] = k < joints ? copy_text(self, hud->joint_value[k]) : NULL;
    }
    copy_texts(self, hud->limit, 4);
    copy_texts(self, hud->progress, RENDER_HUD_LINES);
    copy_texts(self, hud->hints, RENDER_MAX_HINTS);
    hud->signal = hud->signal != NULL ? copy_text(self, hud->signal) : NULL;
    for (int k = 0; k < RENDER_RACE_LINES; k++) {
        hud->race[k] = k < hud->race_count ? copy_text(self, hud->race[k]) : NULL;
    }
    hud->state = hud->state != NULL ? copy_text(self, hud->state) : NULL;
    for (int k = 0; k < hud->mouse.count; k++) {
        for (int way = 0; way < (hud->mouse.fields[k].kind == RENDER_MOUSE_GATE ? 4 : 1); way++) {
            hud->mouse.fields[k].words[way] = copy_text(self, hud->mouse.fields[k].words[way]);
        }
    }
    copy_controls(self, &hud->controls);
}

static const RenderPicture *copy_picture(RenderSnapshot *self, const RenderPicture *picture)
{
    if (picture == NULL) {
        return NULL;
    }
    RenderPicture copy = *picture;
    copy.pixels = copy_things(self, picture->pixels, (size_t)picture->width * (size_t)picture->height, 4);
    return copy_things(self, &copy, 1, sizeof copy);
}

static void copy_menu(RenderSnapshot *self, RenderMenu *menu)
{
    if (!menu->visible) {
        *menu = (RenderMenu){0};
        return;
    }
    menu->title = copy_text(self, menu->title);
    menu->subtitle = copy_text(self, menu->subtitle);
    menu->footer = copy_text(self, menu->footer);
    for (int k = 0; k < menu->count; k++) {
        RenderMenuItem *item = &menu->items[k];
        item->text = copy_text(self, item->text);
        item->detail = copy_text(self, item->detail);
        item->value = copy_text(self, item->value);
    }
    menu->side.text = copy_text(self, menu->side.text);
    menu->side.controls = copy_things(self, menu->side.controls, 1, sizeof *menu->side.controls);
    for (int k = 0; k < RENDER_SIDE_PICTURES; k++) {
        menu->side.pictures[k] = copy_picture(self, menu->side.pictures[k]);
    }
}

static void copy_timeline(RenderSnapshot *self, RenderTimeline *timeline)
{
    timeline->marks = copy_things(self, timeline->marks, (size_t)timeline->mark_count, sizeof *timeline->marks);
    timeline->told = copy_text(self, timeline->told);
    copy_texts(self, timeline->keys, RENDER_TIMELINE_KEYS);
}

static void copy_events(RenderSnapshot *self, RenderEvents *events)
{
    events->title = copy_text(self, events->title);
    size_t count = events->rows != NULL && events->count > 0 ? (size_t)events->count : 0;
    RenderEvent *rows = count > 0 ? room_for(self, count * sizeof *rows) : NULL;
    for (size_t k = 0; k < count; k++) {
        RenderEvent row = events->rows[k];
        row.time = copy_text(self, row.time);
        row.text = copy_text(self, row.text);
        overwrite(self, &rows[k], &row, sizeof row);
    }
    events->rows = rows;
}

static void copy_curves(RenderSnapshot *self, RenderCurves *curves)
{
    const char **texts[] = {&curves->title, &curves->top, &curves->bottom, &curves->from, &curves->to};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        *texts[k] = copy_text(self, *texts[k]);
    }
    size_t columns = (size_t)curves->columns;
    for (int k = 0; k < curves->count; k++) {
        RenderCurve *curve = &curves->curves[k];
        curve->name = copy_text(self, curve->name);
        curve->value = copy_text(self, curve->value);
        curve->low = copy_things(self, curve->low, columns, sizeof *curve->low);
        curve->high = copy_things(self, curve->high, columns, sizeof *curve->high);
    }
}

static void copy_helps(RenderSnapshot *self, RenderView *view)
{
    RenderDebug *debug = &view->debug;
    debug->ground_lines =
        copy_things(self, debug->ground_lines, (size_t)debug->ground_line_count, sizeof *debug->ground_lines);
    debug->force_lines =
        copy_things(self, debug->force_lines, (size_t)debug->force_line_count, sizeof *debug->force_lines);
    RenderGrade *grade = &view->grade;
    grade->name = copy_text(self, grade->name);
    size_t cells = view->grid_count > 0 ? (size_t)view->grids[0].rows * (size_t)view->grids[0].columns : 0;
    grade->design = copy_things(self, grade->design, cells, sizeof *grade->design);
}

void render_snapshot_take(RenderSnapshot *self, const RenderView *view, bool whole)
{
    const RenderView *before = self->view;
    RenderView *now = &self->views[before == &self->views[0]];
    begin_copy(self);
    memcpy(now, view, sizeof *now); // with its gaps, which are compared
    copy_grids(self, now, whole);
    copy_world(self, now);
    copy_hud(self, &now->hud);
    copy_menu(self, &now->menu);
    copy_timeline(self, &now->timeline);
    copy_events(self, &now->events);
    copy_curves(self, &now->curves);
    copy_helps(self, now);
    self->is_new = self->is_new || memcmp(before, now, sizeof *now) != 0;
    self->view = now;
}

const RenderView *render_snapshot_view(const RenderSnapshot *self)
{
    return self->view;
}

bool render_snapshot_is_new(const RenderSnapshot *self)
{
    return self->is_new;
}

int64_t render_snapshot_allocations(const RenderSnapshot *self)
{
    return self->allocations;
}

RenderSnapshot *render_snapshot_create(void)
{
    RenderSnapshot *self = calloc(1, sizeof *self);
    if (self == NULL) {
        abort();
    }
    self->view = &self->views[0];
    return self;
}

void render_snapshot_destroy(RenderSnapshot *self)
{
    if (self != NULL) {
        free_blocks(self);
        for (int k = 0; k < RENDER_MAX_GRIDS; k++) {
            free_grid(&self->grids[k]);
        }
        free(self);
    }
}
