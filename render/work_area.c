/// Keeps the place of work in sight: finds the points that an operator works by, and moves panels away from where they
/// are seen.
#include <math.h>
#include <string.h>

#include "render/camera.h"
#include "render/meshes/fittings.h"
#include "render/meshes/machine_mesh.h"
#include "render/panels/cab_monitor.h"
#include "render/panels/panels.h"
#include "render/render.h"

/// ---- points of work ------------------------------------------------------------------------------------------------

enum { EDGE_POINTS = 5 }; ///< along the cutting edge: no panel fits between two of them

#define FALL    2.5 ///< m below the edge in which the ground is where it will cut. Chosen
#define AS_NEAR 0.01 ///< m: of two ends whose distances differ by less, the first is taken

/// True for a line of the site's edge, which marks no work.
static bool is_site_edge(const RenderView *view, const RenderLine *line)
{
    const SceneGround *ground = &view->scene->ground;
    double x = 0.5 * ground->size_x, y = 0.5 * ground->size_y;
    return (fabs(fabs(line->a.x) - x) < 1e-6 && fabs(fabs(line->b.x) - x) < 1e-6) ||
           (fabs(fabs(line->a.y) - y) < 1e-6 && fabs(fabs(line->b.y) - y) < 1e-6);
}

/// Finds the end of a mark's line that is nearest to the tool. False: nothing is marked.
static bool find_near_end(const RenderView *view, Vec3 tool, Vec3 *near)
{
    double best = (double)INFINITY;
    for (int k = 0; k < view->line_count && view->scene != NULL; k++) {
        if (is_site_edge(view, &view->lines[k])) {
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

int render_work_points(const RenderView *view, Vec3 points[RENDER_WORK_POINTS])
{
    int count = 0;
    if (view->machine == NULL) {
        return 0;
    }
    const MachineToolParams *tool = &view->machine->tool[0];
    const Pose *frame = &view->body[tool->body];
    points[count++] = pose_apply(frame, vec3(tool->middle, 0.0, 0.0));
    points[count++] = pose_apply(frame, vec3(tool->tip.x, 0.0, tool->tip.z));
    for (int k = 0; k < EDGE_POINTS; k++) {
        double y = ((double)k / (EDGE_POINTS - 1) - 0.5) * tool->shape.edge_width;
        Vec3 at = pose_apply(frame, vec3(tool->shape.edge[0], y, tool->shape.edge[1]));
        double ground = camera_ground_height(view, at.x, at.y);
        points[count++] = at;
        if (k % 2 == 0 && fabs(at.z - ground) < FALL) {
            points[count++] = vec3(at.x, at.y, ground);
        }
    }
    count += find_near_end(view, points[0], &points[count]);
    return count;
}

/// ---- what must not be covered --------------------------------------------------------------------------------------

enum { MOST_KEPT = 2 * CAMERA_MAX_PANES * RENDER_WORK_POINTS, MOST_OTHERS = RENDER_PANELS + 12 };

/// A rectangle of a column of the screen, design units.
typedef struct Box {
    double x0, y0, x1, y1;
} Box;

/// What no panel may cover, and the screen that the panels lie on.
typedef struct Sight {
    const RenderView *view;
    double width, height; ///< design units
    int work_count, other_count;
    int glass_count; ///< mirrors and monitor, the first of `other`
    const RenderClearance *past; ///< what was needed lately counts, too; NULL: it does not
    bool over_glass; ///< these may be covered: there is no room elsewhere
    Box work[MOST_KEPT]; ///< points of work, without extent
    Box other[MOST_OTHERS]; ///< mirrors and monitor, then panels that have their places
} Sight;

static Box box_of(const PanelPlace *place)
{
    return (Box){place->x, place->y, place->x + place->width, place->y + place->height};
}

/// True when two boxes are nearer to each other than `margin`.
static bool is_near(const Box *a, const Box *b, double margin)
{
    return a->x0 < b->x1 + margin && b->x0 < a->x1 + margin && a->y0 < b->y1 + margin && b->y0 < a->y1 + margin;
}

static bool is_near_any(const Box *box, const Box *others, int count, double margin)
{
    for (int k = 0; k < count; k++) {
        if (is_near(box, &others[k], margin)) {
            return true;
        }
    }
    return false;
}

/// A pane of the picture with its camera, and the column of panels that it is seen in.
typedef struct Pane {
    Camera camera;
    int x, width, height; ///< pixels, of the picture
    PanelColumn column;
    double unit; ///< pixels a design unit
} Pane;

/// Finds where a point is seen, design units of the column; false when it is not in sight there.
static bool project(const Pane *pane, Vec3 point, double at[2])
{
    const double place[3] = {point.x, point.y, point.z};
    double pixel[2];
    if (!camera_project(&pane->camera, place, pane->width, pane->height, pixel)) {
        return false;
    }
    double x = pixel[0] + pane->x - pane->column.x;
    at[0] = x / pane->unit;
    at[1] = pixel[1] / pane->unit;
    return pixel[0] >= 0.0 && pixel[0] <= pane->width && x >= 0.0 && x <= pane->column.width && pixel[1] >= 0.0 &&
           pixel[1] <= pane->height;
}

static void add_work(Sight *sight, const Pane *pane)
{
    Vec3 points[RENDER_WORK_POINTS];
    int count = render_work_points(sight->view, points);
    for (int k = 0; k < count && sight->work_count < MOST_KEPT; k++) {
        double at[2];
        if (project(pane, points[k], at)) {
            sight->work[sight->work_count++] = (Box){at[0], at[1], at[0], at[1]};
        }
    }
}

/// Adds the box around four corners, where one of them is in sight.
static void add_glass(Sight *sight, const Pane *pane, const Vec3 corners[4])
{
    Box box = {(double)INFINITY, (double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    for (int k = 0; k < 4; k++) {
        double at[2];
        if (project(pane, corners[k], at)) {
            box = (Box){fmin(box.x0, at[0]), fmin(box.y0, at[1]), fmax(box.x1, at[0]), fmax(box.y1, at[1])};
        }
    }
    if (box.x1 >= box.x0 && sight->other_count < MOST_OTHERS) {
        sight->other[sight->other_count++] = box;
    }
}

#define READ 0.80 ///< pixels a unit of the monitor: its letters are 8.4 pixels high, figures 12 to 18

/// Finds where the cab's monitor is seen in a pane, and adds its box where it can be read. Returns the pixels a unit of
/// it, 0 where it is not wholly in sight.
static double add_monitor(Sight *sight, const Pane *pane)
{
    const RenderView *view = sight->view;
    CabMonitorPlace place = cab_monitor_place(view->machine);
    const Pose *body = &view->body[view->machine->cab_body];
    const MirrorGlass glass = {
        .frame = {pose_apply(body, place.glass.position), mat3_product(&body->rotation, &place.glass.rotation)},
        .width = place.width,
        .height = place.height};
    Vec3 corners[4];
    double pixel[4][2];
    bool whole = true;
    mirror_corners(&glass, corners);
    for (int k = 0; k < 4; k++) {
        const double at[3] = {corners[k].x, corners[k].y, corners[k].z};
        whole = whole && camera_project(&pane->camera, at, pane->width, pane->height, pixel[k]) && pixel[k][0] >= 0.0 &&
                pixel[k][0] <= pane->width && pixel[k][1] >= 0.0 && pixel[k][1] <= pane->height;
    }
    double unit = !whole ? 0.0
                         : fmin(hypot(pixel[2][0] - pixel[0][0], pixel[2][1] - pixel[0][1]),
                                hypot(pixel[3][0] - pixel[1][0], pixel[3][1] - pixel[1][1])) /
                               cab_monitor_height;
    if (unit >= READ) {
        add_glass(sight, pane, corners);
    }
    return unit;
}

static void add_mirrors(Sight *sight, const Pane *pane)
{
    const RenderView *view = sight->view;
    FittingMirror mirrors[FITTINGS_MAX_MIRRORS];
    int count = machine_mirrors(view->machine, mirrors);
    for (int k = 0; k < count && view->mirrors != RENDER_MIRRORS_OFF; k++) {
        const Pose *body = &view->body[mirrors[k].body];
        MirrorGlass glass = {.frame = {pose_apply(body, mirrors[k].glass.position),
                                       mat3_product(&body->rotation, &mirrors[k].glass.rotation)},
                             .width = mirrors[k].width,
                             .height = mirrors[k].height};
        Vec3 corners[4];
        mirror_corners(&glass, corners);
        add_glass(sight, pane, corners);
    }
}

/// Fills what is to be seen in each pane. Returns the pixels a unit of the cab's monitor: of several screens where it
/// is seen best, of two eyes where worst; 0 where it is not in sight.
static double look(Sight *sight, int width, int height)
{
    double best = 0.0, worst = (double)INFINITY;
    const RenderView *view = sight->view;
    PanelColumn columns[2];
    CameraPane panes[CAMERA_MAX_PANES];
    int column_count = panel_columns(view, width, columns), pane_count = camera_panes(view, width, panes);
    double unit = panel_unit(view, columns[0].width, height);
    sight->width = columns[0].width / unit;
    sight->height = height / unit;
    CameraPlace place = camera_place(view, view->camera);
    for (int k = 0; k < pane_count; k++) {
        double aspect = (double)panes[k].width / height;
        CameraPlace own = pane_count > 1 ? camera_pane_place(view, &place, &panes[k], aspect) : place;
        Pane pane = {.x = panes[k].x, .width = panes[k].width, .height = height, .unit = unit};
        camera_from_place(&own, aspect, &pane.camera);
        for (int c = 0; c < column_count; c++) {
            pane.column = columns[c];
            add_work(sight, &pane);
            if (view->camera == RENDER_CAMERA_CAB) {
                add_mirrors(sight, &pane);
                double unit_of_monitor = add_monitor(sight, &pane);
                best = fmax(best, unit_of_monitor);
                worst = fmin(worst, unit_of_monitor);
            }
        }
    }
    return view->camera != RENDER_CAMERA_CAB ? 0.0 : view->eyes == 2 ? worst : best;
}

/// ---- places --------------------------------------------------------------------------------------------------------

// Design units and seconds. Chosen: a panel leaves before the tool is under it, and goes so far that it need not go
// again at once.
#define KEEPS  10.0 ///< from a point of work to a panel that stays
#define GOES   40.0 ///< and to the place that a panel goes to
#define APART  8.0 ///< between panels, as in panels.c
#define EDGE   14.0 ///< from the screen's edges, the same
#define STEP   8.0 ///< between two places that are tried
#define GLANCE 2.0 ///< s out of sight after which the monitor counts as not seen
#define LATELY 60.0 ///< s: several cycles of digging or pushing

/// The cells of the screen (RenderClearance.needed) that a box touches: from the first to before the last one.
typedef struct Cells {
    int row0, row1, column0, column1;
} Cells;

static int cell_of(double at, double size, int count)
{
    return (int)fmin(fmax(floor(at / size * count), 0.0), count - 1.0);
}

static Cells cells_of(const Sight *sight, const Box *box)
{
    return (Cells){cell_of(box->y0, sight->height, RENDER_CLEARANCE_ROWS),
                   cell_of(box->y1, sight->height, RENDER_CLEARANCE_ROWS) + 1,
                   cell_of(box->x0, sight->width, RENDER_CLEARANCE_COLUMNS),
                   cell_of(box->x1, sight->width, RENDER_CLEARANCE_COLUMNS) + 1};
}

static void note_needed(const Sight *sight, const Box *box, RenderClearance *own)
{
    Cells cells = cells_of(sight, box);
    for (int row = cells.row0; row < cells.row1; row++) {
        for (int column = cells.column0; column < cells.column1; column++) {
            own->needed[row][column] = (float)(1.0 + sight->view->hud.time);
        }
    }
}

static bool was_needed(const Sight *sight, const Box *box)
{
    double now = 1.0 + sight->view->hud.time;
    Cells cells = cells_of(sight, box);
    for (int row = cells.row0; row < cells.row1; row++) {
        for (int column = cells.column0; column < cells.column1; column++) {
            double at = (double)sight->past->needed[row][column];
            if (at > 0.0 && at <= now && now - at < LATELY) {
                return true;
            }
        }
    }
    return false;
}

/// True when a panel of that box covers nothing that is to be seen.
static bool is_clear(const Sight *sight, const Box *box, double margin)
{
    if (sight->past != NULL && was_needed(sight, box)) {
        return false;
    }
    int first = sight->over_glass ? sight->glass_count : 0;
    return !is_near_any(box, sight->work, sight->work_count, margin) &&
           !is_near_any(box, sight->other + first, sight->other_count - first, APART - 0.5);
}

/// A place on the screen's edges that is tried for a panel.
typedef struct Try {
    double x, y, away;
    bool found;
} Try;

static void try_place(const Sight *sight, const PanelPlace *home, double x, double y, Try *best)
{
    double away = fabs(x - home->x) + fabs(y - home->y);
    Box box = {x, y, x + home->width, y + home->height};
    if ((!best->found || away < best->away) && is_clear(sight, &box, GOES)) {
        *best = (Try){x, y, away, true};
    }
}

/// Finds the nearest free place along the screen's upper and lower edge, and along its sides where `sides` says so or
/// the panel is not as wide as the strip.
static Try search_edges(const Sight *sight, const PanelPlace *home, bool sides)
{
    const double wide = 0.4; // share of the screen. Chosen
    sides = sides || home->width < wide * sight->width;
    Try best = {0};
    double right = sight->width - EDGE - home->width, low = sight->height - EDGE - home->height;
    try_place(sight, home, home->x, home->y, &best);
    for (double x = EDGE; x <= right + 1e-9; x += STEP) {
        try_place(sight, home, x, EDGE, &best);
        try_place(sight, home, x, low, &best);
    }
    for (double y = EDGE; y <= low + 1e-9 && sides; y += STEP) {
        try_place(sight, home, EDGE, y, &best);
        try_place(sight, home, right, y, &best);
    }
    return best;
}

/// Finds a place for a panel: better one that was not needed lately, and over a mirror rather than nowhere. Hides it
/// where there is none.
static RenderMove find_place(const RenderClearance *own, Sight *sight, const PanelPlace *home)
{
    sight->past = own;
    Try best = search_edges(sight, home, false);
    sight->past = NULL;
    for (int sides = 0; sides < 2 && !best.found; sides++) {
        best = search_edges(sight, home, sides == 1);
    }
    if (!best.found && sight->glass_count > 0) {
        sight->over_glass = true;
        best = search_edges(sight, home, true);
        sight->over_glass = false;
    }
    return (RenderMove){.moved = true, .hidden = !best.found, .x = best.x, .y = best.y};
}

static PanelPlace home_of(const Sight *sight, int panel)
{
    const RenderView *view = sight->view;
    if (panel < PANEL_COUNT) {
        return panel_home(view, (PanelKind)panel, sight->width, sight->height);
    }
    return panel - PANEL_COUNT < view->inset_count && view->layout.monitor_inset != panel - PANEL_COUNT + 1
               ? panel_inset_home(view, panel - PANEL_COUNT, sight->width, sight->height)
               : (PanelPlace){0};
}

/// True for what lies over the place of work by its nature: pages and tables that were asked for, and the lines of a
/// replay, along the lower edge.
static bool is_fixed(int panel)
{
    return panel == PANEL_CONTROLS || panel == PANEL_TIMELINE || panel == PANEL_EVENTS || panel == PANEL_CURVES ||
           panel == PANEL_MENU || panel == PANEL_DEBUG;
}

static void take_place(Sight *sight, const PanelPlace *place)
{
    if (sight->other_count < MOST_OTHERS) {
        sight->other[sight->other_count++] = box_of(place);
    }
}

/// Moves a panel that has to go, keeps it where it is gone to, or lets it return.
static void move_panel(RenderClearance *own, Sight *sight, int panel, const PanelPlace *home)
{
    RenderMove *move = &own->moves[panel];
    const Box usual = box_of(home), box = {move->x, move->y, move->x + home->width, move->y + home->height};
    bool inside = box.x1 <= sight->width && box.y1 <= sight->height;
    sight->past = own;
    bool returns = is_clear(sight, &usual, GOES);
    sight->past = NULL;
    if (returns) {
        *move = (RenderMove){0};
    } else if (!move->moved || move->hidden || !inside || !is_clear(sight, &box, KEEPS)) {
        *move = find_place(own, sight, home);
    }
    if (!move->hidden) {
        take_place(sight, &(PanelPlace){move->moved ? move->x : home->x, move->moved ? move->y : home->y, home->width,
                                        home->height});
    }
}

/// In this order panels find room: the strip first, what can be done without last.
static const int order[] = {PANEL_GAUGES, PANEL_TASK,       PANEL_MESSAGE,     PANEL_STATE,
                            PANEL_GRADE,  PANEL_LEFT_STICK, PANEL_RIGHT_STICK, PANEL_MOUSE,
                            PANEL_COUNT,  PANEL_COUNT + 1,  PANEL_MAP,         PANEL_HINTS};

/// Notes where work, mirrors and monitor are seen now.
static void note_all(const Sight *sight, RenderClearance *own)
{
    for (int k = 0; k < sight->work_count; k++) {
        const Box *at = &sight->work[k];
        note_needed(sight, &(Box){at->x0 - KEEPS, at->y0 - KEEPS, at->x1 + KEEPS, at->y1 + KEEPS}, own);
    }
    for (int k = 0; k < sight->glass_count; k++) {
        note_needed(sight, &sight->other[k], own);
    }
}

/// The strip of gauges is away while the same figures can be read on the cab's monitor. A glance aside, which takes the
/// monitor out of sight, does not bring it back at once.
static void follow_monitor(RenderClearance *own, RenderView *view, double unit)
{
    double now = view->hud.time;
    bool reads = unit >= READ;
    if (!own->begun || reads == own->reads || now < own->changed) {
        own->changed = now;
    }
    if (!own->begun || now - own->changed >= GLANCE) {
        own->reads = reads;
    }
    own->begun = true;
    view->layout.no_gauges = view->layout.no_gauges || (view->hud.compact && own->reads);
    for (int k = 0; k < view->inset_count && own->reads && view->rear_on_monitor; k++) {
        view->layout.monitor_inset = view->insets[k] == RENDER_CAMERA_REAR ? k + 1 : view->layout.monitor_inset;
    }
}

void render_clear_work(RenderClearance *own, RenderView *view, int width, int height)
{
    memset(view->layout.moves, 0, sizeof view->layout.moves);
    view->layout.monitor_inset = 0;
    if (view->machine == NULL || view->menu.visible || width < 1 || height < 1) {
        return;
    }
    if (own->camera != view->camera || own->width != width || own->height != height) {
        *own = (RenderClearance){.camera = view->camera, .width = width, .height = height};
    }
    Sight sight = {.view = view};
    follow_monitor(own, view, look(&sight, width, height));
    sight.glass_count = sight.other_count;
    note_all(&sight, own);
    PanelPlace home[RENDER_PANELS];
    bool stays[RENDER_PANELS];
    for (int k = 0; k < RENDER_PANELS; k++) {
        home[k] = home_of(&sight, k);
        Box box = box_of(&home[k]);
        stays[k] = is_fixed(k) || (!own->moves[k].moved && is_clear(&sight, &box, KEEPS));
    }
    for (int k = 0; k < RENDER_PANELS; k++) {
        if (home[k].width > 0.0 && stays[k]) {
            take_place(&sight, &home[k]);
        }
    }
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        if (home[order[k]].width > 0.0 && !stays[order[k]]) {
            move_panel(own, &sight, order[k], &home[order[k]]);
        }
    }
    memcpy(view->layout.moves, own->moves, sizeof view->layout.moves);
}
