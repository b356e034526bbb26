/// Finds which patches of a tool's surface lie in the ground.
///
/// Each side of a piece is cut into patches of at most PATCH a side, each face at its ends likewise; a patch counts
/// with its middle. Patches that may come to lie in the ground are found once a tick, for the motion of all of it, in
/// the site and in each tray; a tray is looked at in its own frame, where its load lies still. A tool is the union of
/// its pieces: patches inside another piece are left out, and where two pieces share a face only the first has it.
///
/// A face that looks down lies on the surface. Beside a hole that has upright walls the surface between two columns is
/// a ramp: a face that looks down does not rest on that, but on the column below it. What upright faces stand before is
/// found column by column (bearing_wall.c), but for the front of a cutting edge: what is ahead of that is cut.
#include <assert.h>
#include <math.h>

#include "data/core/elementary.h"
#include "data/core/tool_geometry.h"
#include "soil/contact/body_contact.h"
#include "soil/tool/bearing.h"

#define PATCH  0.08 ///< m
#define SKIN   1e-3 ///< m beside a face: there another piece is looked for
#define FACING 0.2 ///< a face counts wholly from this cosine to the ground's normal on
#define NEAR   0.3 ///< m: pieces whose corners are all so far above the ground are left out
#define MARGIN 0.1 ///< m: patches so far above the ground, and farther by what they move, are left out
#define MOVES  0.02 ///< m/s: an edge that goes faster cuts
/// Cosine: ground that is steeper, and leans more from a face, is a wall beside it. Chosen; see test_soil_bearing.
#define LEANS 0.7
#define BARE  0.01 ///< m: a thinner layer on a tray's floor bears nothing. Chosen: a shovel's scrape
enum { MOST_PATCHES = 24 };
/// Bits of a patch's key from the lowest: its number on its face, the face, the piece, the ground, the body.
enum { KEY_FACE = 10, KEY_PIECE = 14, KEY_GROUND = 19, KEY_BODY = 21 };
static_assert((int)MOST_PATCHES * (int)MOST_PATCHES <= 1 << KEY_FACE, "a face's patches fit into the key");
static_assert((int)TOOL_MAX_CORNERS + 2 <= 1 << (KEY_PIECE - KEY_FACE), "a piece's faces fit into the key");
static_assert((int)TOOL_MAX_PIECES <= 1 << (KEY_GROUND - KEY_PIECE), "a tool's pieces fit into the key");
static_assert((int)SOIL_MAX_TRAYS + 1 <= 1 << (KEY_BODY - KEY_GROUND), "the grounds fit into the key");

uint32_t bearing_face_of(const BearingPatch *patch)
{
    return patch->key >> KEY_FACE;
}

/// Height of the highest of the columns around a place.
static double highest_around(const Ground *ground, Vec3 at)
{
    int row, column;
    ground_column_at(ground, at.x, at.y, &row, &column);
    double highest = -HUGE_VAL;
    for (int r = row > 0 ? row - 1 : 0; r <= row + 1 && r < ground->rows; r++) {
        for (int c = column > 0 ? column - 1 : 0; c <= column + 1 && c < ground->columns; c++) {
            highest = fmax(highest, (double)ground->height[ground_index(ground, r, c)]);
        }
    }
    return highest;
}

static bool is_near(const Ground *ground, const SoilTool *tool, const ToolPiece *piece)
{
    for (int c = 0; c < 2 * piece->corner_count; c++) {
        const double *corner = piece->corners[c / 2];
        Vec3 at = pose_apply(&tool->motion.frame, vec3(corner[0], c % 2 ? piece->y_max : piece->y_min, corner[1]));
        if (at.z < highest_around(ground, at) + NEAR) {
            return true;
        }
    }
    return false;
}

/// True when the point is on the outside of the tool and no piece before this one has it.
static bool is_surface(const ToolShape *shape, int piece, Vec3 local, Vec3 out)
{
    Vec3 outside = vec3_madd(local, SKIN, out), inside = vec3_madd(local, -SKIN, out);
    for (int k = 0; k < shape->piece_count; k++) {
        const ToolPiece *other = &shape->pieces[k];
        if (k != piece && (tool_piece_holds(other, outside) || (k < piece && tool_piece_holds(other, inside)))) {
            return false;
        }
    }
    return true;
}

static bool is_at_edge(const Ground *ground, const SoilTool *tool, Vec3 local)
{
    double reach = ground->spacing, x = local.x - tool->shape->edge[0], z = local.z - tool->shape->edge[1];
    return tool->cuts && fabs(x) <= reach && fabs(z) <= reach &&
           fabs(local.y) <= 0.5 * tool->shape->edge_width + reach && same_hypot(x, z) < reach;
}

/// Where the ground is looked at: right there; for an edge that cuts its way, behind it, where it has been.
static Vec3 probe_of(const Ground *ground, const SoilTool *tool, const BearingPatch *patch)
{
    Vec3 velocity =
        vec3_add(tool->motion.velocity, vec3_cross(tool->motion.spin, vec3_sub(patch->at, tool->motion.center)));
    Vec3 at = patch->under;
    double square = velocity.x * velocity.x + velocity.y * velocity.y;
    if (!patch->edge || square < MOVES * MOVES) {
        return at;
    }
    double back = ground->spacing / sqrt(square);
    return vec3(at.x - back * velocity.x, at.y - back * velocity.y, at.z);
}

/// Height of the column that a face which looks down rests on beside a wall: the nearest, if the tool is over its
/// middle, else the lowest around.
static double column_below(const Footing *footing, Vec3 at)
{
    const Ground *ground = footing->ground;
    int row, column;
    ground_column_at(ground, at.x, at.y, &row, &column);
    double x = ground->origin_x + column * ground->spacing, y = ground->origin_y + row * ground->spacing;
    double height = (double)ground->height[ground_index(ground, row, column)];
    Vec3 inside = pose_apply_inverse(&footing->tool.motion.frame, vec3(x, y, at.z + SKIN));
    if (tool_is_within(footing->tool.shape, inside, SKIN)) {
        return height;
    }
    int beside = at.x > x ? 1 : -1, beyond = at.y > y ? 1 : -1;
    for (int k = 1; k < 4; k++) {
        int r = row + (k & 2 ? beyond : 0), c = column + (k & 1 ? beside : 0);
        if (r >= 0 && r < ground->rows && c >= 0 && c < ground->columns) {
            height = fmin(height, (double)ground->height[ground_index(ground, r, c)]);
        }
    }
    return height;
}

double bearing_height(const Footing *footing, Vec3 at, Vec3 out, Vec3 *normal)
{
    double height = ground_surface(footing->ground, at.x, at.y, normal);
    if (out.z < -BEARING_WALL && normal->z < LEANS && -vec3_dot(out, *normal) < LEANS) {
        height = column_below(footing, at);
        *normal = vec3(0.0, 0.0, 1.0);
    }
    return height;
}

bool bearing_has_ground(const Footing *footing, Vec3 at, double height)
{
    const Tray *tray = footing->tray;
    if (tray == NULL) {
        return true;
    }
    double floor = tray->params.floor;
    return fabs(at.x) < 0.5 * tray->params.length && fabs(at.y) < 0.5 * tray->params.width && height > floor + BARE &&
           at.z > floor - TRAY_WALL;
}

void bearing_follow_patch(BearingPatch *patch, const Footing *footing)
{
    const SoilTool *tool = &footing->tool;
    patch->at = pose_apply(&tool->motion.frame, patch->local);
    patch->out = mat3_mul(&tool->motion.frame.rotation, patch->out_local);
    const Mat3 *turn = &tool->motion.frame.rotation;
    patch->under = vec3_madd(patch->at, patch->inward, vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]));
    patch->pressure = 0.0;
    patch->fails = false;
    patch->weight = patch->wall ? 1.0 : 0.0;
    if (patch->upright) {
        return;
    }
    Vec3 probe = probe_of(footing->ground, tool, patch), normal;
    double height = bearing_height(footing, probe, patch->out, &normal);
    patch->depth = (height - patch->at.z) * normal.z;
    double facing = -vec3_dot(patch->out, normal);
    if (patch->depth > 0.0 && bearing_has_ground(footing, patch->at, height)) {
        patch->weight = fmax(0.0, fmin(1.0, facing / FACING));
    }
}

/// A piece of a tool whose faces are cut into patches.
typedef struct Face {
    Bearing *bearing; ///< takes the patches
    const Ground *ground;
    const SoilTool *tool;
    int footing, piece; ///< their numbers
    double reach; ///< m: patches so far above the ground are left out
    Vec3 way; ///< that it looks along, level, if it may be upright
    uint32_t key; ///< of its first patch
} Face;

/// Of a patch at the sides of a tool with side plates. A wall that the plates have cut is known to a column: it is felt
/// from there on.
static double inward_of(const Ground *ground, const SoilTool *tool, const BearingPatch *patch)
{
    double beyond = fabs(patch->local.y) - fmax(0.0, 0.5 * tool->shape->edge_width - ground->spacing);
    bool beside = tool->cuts && beyond > 0.0 && tool_has_side_plates(tool->shape);
    return beside ? -copysign(beyond, patch->local.y) : 0.0;
}

/// True when a patch that looks down may come to lie in the ground in this tick. Of a house beside a truck a thousand
/// patches are lower than what its bed holds, and beside the bed.
static bool may_rest(const Face *face, Vec3 at)
{
    const Tray *tray = face->bearing->footings[face->footing].tray;
    if (tray != NULL &&
        (fabs(at.x) > 0.5 * tray->params.length + face->reach || fabs(at.y) > 0.5 * tray->params.width + face->reach ||
         at.z < tray->params.floor - TRAY_WALL - face->reach)) {
        return false;
    }
    return at.z <= ground_height(face->ground, at.x, at.y) + face->reach;
}

/// Adds patch k of a face, with its middle at `local`, when it may come to lie in the ground. `patch` has what all of
/// the face have in common.
static void try_patch(const Face *face, int k, Vec3 local, BearingPatch *patch)
{
    Bearing *bearing = face->bearing;
    const SoilTool *tool = face->tool;
    patch->local = local;
    patch->edge = is_at_edge(face->ground, tool, local);
    patch->at = pose_apply(&tool->motion.frame, local);
    patch->upright = patch->out.z >= -BEARING_WALL && !(patch->edge && fabs(patch->out_local.y) < BEARING_WALL);
    patch->wall = false;
    bool meets = patch->upright ? bearing_look_ahead(&bearing->footings[face->footing], patch, face->way)
                                : may_rest(face, patch->at);
    if (!meets || !is_surface(tool->shape, face->piece, local, patch->out_local)) {
        return;
    }
    assert(bearing->count < BEARING_PATCHES); // what has no room feels no ground
    if (bearing->count == BEARING_PATCHES) {
        return;
    }
    patch->key = face->key + (uint32_t)k;
    patch->footing = face->footing;
    patch->inward = inward_of(face->ground, tool, patch);
    bearing->patches[bearing->count++] = *patch;
}

static int patches_of(double length)
{
    int count = (int)ceil(length / PATCH);
    return count < 1 ? 1 : count > MOST_PATCHES ? MOST_PATCHES : count;
}

/// Begins a face: finds where it looks. False when that is up: such a face bears nothing.
static bool begin_face(Face *face, BearingPatch *patch)
{
    patch->out = mat3_mul(&face->tool->motion.frame.rotation, patch->out_local);
    if (patch->out.z >= -BEARING_WALL) {
        face->way = bearing_level_way(patch);
    }
    return patch->out.z <= FACING;
}

static void try_side(Face *face, int side)
{
    const ToolPiece *piece = &face->tool->shape->pieces[face->piece];
    const double *a = piece->corners[side], *b = piece->corners[(side + 1) % piece->corner_count];
    double ex = b[0] - a[0], ez = b[1] - a[1], length = sqrt(ex * ex + ez * ez), width = piece->y_max - piece->y_min;
    int n = patches_of(length), m = patches_of(width);
    BearingPatch patch = {.out_local = vec3(ez / length, 0.0, -ex / length),
                          .along_local = vec3(0.5 * ex / n, 0.0, 0.5 * ez / n),
                          .across_local = vec3(0.0, 0.5 * width / m, 0.0),
                          .area = length * width / (n * m)};
    if (!begin_face(face, &patch)) {
        return;
    }
    for (int k = 0; k < n * m; k++) {
        double u = (k / m + 0.5) / n, v = (k % m + 0.5) / m;
        try_patch(face, k, vec3(a[0] + u * ex, piece->y_min + v * width, a[1] + u * ez), &patch);
    }
}

/// The polygon at an end of a piece: patches of its bounding rectangle whose middle lies in it.
static void try_end(Face *face, bool left)
{
    const ToolPiece *piece = &face->tool->shape->pieces[face->piece];
    Vec3 out = vec3(0.0, left ? 1.0 : -1.0, 0.0);
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int c = 0; c < piece->corner_count; c++) {
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], piece->corners[c][axis]);
            high[axis] = fmax(high[axis], piece->corners[c][axis]);
        }
    }
    int n = patches_of(high[0] - low[0]), m = patches_of(high[1] - low[1]);
    double dx = (high[0] - low[0]) / n, dz = (high[1] - low[1]) / m, y = left ? piece->y_max : piece->y_min;
    BearingPatch patch = {.out_local = out,
                          .along_local = vec3(0.5 * dx, 0.0, 0.0),
                          .across_local = vec3(0.0, 0.0, 0.5 * dz),
                          .area = dx * dz};
    if (!begin_face(face, &patch)) {
        return;
    }
    for (int k = 0; k < n * m; k++) {
        Vec3 local = vec3(low[0] + (k / m + 0.5) * dx, y, low[1] + (k % m + 0.5) * dz);
        if (tool_piece_holds(piece, vec3_madd(local, -SKIN, out))) {
            try_patch(face, k, local, &patch);
        }
    }
}

/// Finds the patches of a footing, whose tool is as it is seen from its ground. `key`: of its first patch.
static void find_of_footing(Bearing *bearing, int index, uint32_t key, double dt)
{
    const Footing *footing = &bearing->footings[index];
    const SoilTool *tool = &footing->tool;
    Vec3 middle;
    double size = 2.0 * tool_bounding_sphere(tool->shape, &middle);
    double reach = MARGIN + dt * (vec3_length(tool->motion.velocity) + size * vec3_length(tool->motion.spin));
    for (int k = 0; k < tool->shape->piece_count; k++) {
        const ToolPiece *piece = &tool->shape->pieces[k];
        if (!is_near(footing->ground, tool, piece)) {
            continue;
        }
        Face face = {.bearing = bearing,
                     .ground = footing->ground,
                     .tool = tool,
                     .footing = index,
                     .piece = k,
                     .reach = reach,
                     .key = key + ((uint32_t)k << KEY_PIECE)};
        for (int side = 0; side < piece->corner_count; side++) {
            try_side(&face, side);
            face.key += 1U << KEY_FACE;
        }
        try_end(&face, false);
        face.key += 1U << KEY_FACE;
        try_end(&face, true);
    }
}

/// True when a tool is so near to a tray that it may touch what is settled in it.
static bool is_over(const Tray *tray, const SoilTool *tool)
{
    Vec3 middle;
    double radius = tool_bounding_sphere(tool->shape, &middle);
    Vec3 at = pose_apply_inverse(&tray->frame, pose_apply(&tool->motion.frame, middle));
    return fabs(at.x) < 0.5 * tray->params.length + radius && fabs(at.y) < 0.5 * tray->params.width + radius &&
           at.z > -TRAY_WALL - radius;
}

static void add_footing(Bearing *bearing, const Footing *footing, uint32_t key, double dt)
{
    int index = bearing->footing_count++;
    bearing->footings[index] = *footing;
    bearing->footings[index].first = bearing->count;
    find_of_footing(bearing, index, key, dt);
    bearing->footings[index].count = bearing->count - bearing->footings[index].first;
}

void bearing_find_patches(Bearing *bearing, const Grounds *grounds, const BearingMemory *memory,
                          const SolverBody *bodies, int body_count, double dt)
{
    bearing->tick = dt;
    bearing->count = bearing->footing_count = 0;
    for (int b = 0; b < body_count; b++) {
        const SoilTool *tool = &bodies[b].tool;
        uint32_t key = (uint32_t)b << KEY_BODY;
        if (!tool->cuts && !tool->presses) {
            continue;
        }
        add_footing(bearing, &(Footing){.body = b, .ground = grounds->site, .tool = *tool}, key, dt);
        for (int t = 0; t < grounds->tray_count; t++) {
            const Tray *tray = &grounds->trays[t];
            if (is_over(tray, tool)) {
                Footing footing = {.body = b, .ground = tray->ground, .tray = tray, .tool = tray_see_tool(tray, tool)};
                add_footing(bearing, &footing, key + ((uint32_t)(t + 1) << KEY_GROUND), dt);
            }
        }
    }
    bearing_recall(bearing, memory);
    for (int f = 0; f < bearing->footing_count; f++) {
        bearing_find_walls(bearing, &bearing->footings[f]);
    }
}
