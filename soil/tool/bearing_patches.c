/// Finds which patches of a tool's surface lie in the ground.
///
/// Each side of a piece is cut into patches of at most PATCH a side, each face at its ends likewise; a patch counts
/// with its middle. Patches that may come to lie in the ground are found once a tick, for the motion of all of it. A
/// tool is the union of its pieces: patches inside another piece are left out, and where two pieces share a face only
/// the first has it.
#include <math.h>

#include "data/core/tool_geometry.h"
#include "soil/contact/body_contact.h"
#include "soil/tool/bearing.h"

#define PATCH  0.08 ///< m
#define SKIN   1e-3 ///< m beside a face: there another piece is looked for
#define FACING 0.2 ///< a face counts wholly from this cosine to the ground's normal on
#define NEAR   0.3 ///< m: pieces whose corners are all so far above the ground are left out
#define MARGIN 0.1 ///< m: patches so far above the ground, and farther by what they move, are left out
#define MOVES  0.02 ///< m/s: an edge that goes faster cuts
enum { MOST_PATCHES = 24 };

static bool is_near(const Ground *ground, const SoilTool *tool, const ToolPiece *piece)
{
    for (int c = 0; c < 2 * piece->corner_count; c++) {
        const double *corner = piece->corners[c / 2];
        Vec3 at = pose_apply(&tool->motion.frame, vec3(corner[0], c % 2 ? piece->y_max : piece->y_min, corner[1]));
        if (at.z < ground_height(ground, at.x, at.y) + NEAR) {
            return true;
        }
    }
    return false;
}

static bool holds(const ToolPiece *piece, Vec3 local)
{
    uint8_t face = TOOL_NO_FACE;
    Vec3 normal;
    return local.y > piece->y_min && local.y < piece->y_max && tool_piece_distance(piece, local, &face, &normal) < 0.0;
}

/// True when the point is on the outside of the tool and no piece before this one has it.
static bool is_surface(const ToolShape *shape, int piece, Vec3 local, Vec3 out)
{
    Vec3 outside = vec3_madd(local, SKIN, out), inside = vec3_madd(local, -SKIN, out);
    for (int k = 0; k < shape->piece_count; k++) {
        if (k != piece && (holds(&shape->pieces[k], outside) || (k < piece && holds(&shape->pieces[k], inside)))) {
            return false;
        }
    }
    return true;
}

static bool is_at_edge(const Ground *ground, const SoilTool *tool, Vec3 local)
{
    double reach = ground->spacing;
    return tool->cuts && hypot(local.x - tool->shape->edge[0], local.z - tool->shape->edge[1]) < reach &&
           fabs(local.y) <= 0.5 * tool->shape->edge_width + reach;
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

void bearing_follow_patch(BearingPatch *patch, const Ground *ground, const SoilTool *tool)
{
    patch->at = pose_apply(&tool->motion.frame, patch->local);
    patch->out = mat3_mul(&tool->motion.frame.rotation, patch->out_local);
    const Mat3 *turn = &tool->motion.frame.rotation;
    patch->under = vec3_madd(patch->at, patch->inward, vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]));
    Vec3 probe = probe_of(ground, tool, patch), normal;
    double height = ground_surface(ground, probe.x, probe.y, &normal);
    patch->depth = (height - patch->at.z) * normal.z;
    double facing = -vec3_dot(patch->out, normal);
    patch->weight = patch->depth > 0.0 ? fmax(0.0, fmin(1.0, facing / FACING)) : 0.0;
    patch->pressure = 0.0;
    patch->fails = false;
}

/// A piece of a tool whose faces are cut into patches.
typedef struct Face {
    Bearing *bearing; ///< takes the patches
    const Ground *ground;
    const SoilTool *tool;
    int body, piece; ///< their numbers
    double reach; ///< m: patches so far above the ground are left out
} Face;

/// Of a patch at the sides of a tool with side plates. A wall that the plates have cut is known to a column: it is felt
/// from there on.
static double inward_of(const Ground *ground, const SoilTool *tool, const BearingPatch *patch)
{
    double beyond = fabs(patch->local.y) - fmax(0.0, 0.5 * tool->shape->edge_width - ground->spacing);
    bool beside = tool->cuts && beyond > 0.0 && tool_has_side_plates(tool->shape);
    return beside ? -copysign(beyond, patch->local.y) : 0.0;
}

/// Adds a patch when it may come to lie in the ground. `local` and the half sides in the tool's frame.
static void try_patch(const Face *face, BearingPatch patch)
{
    Bearing *bearing = face->bearing;
    const SoilTool *tool = face->tool;
    Vec3 at = pose_apply(&tool->motion.frame, patch.local);
    if (bearing->count == BEARING_PATCHES || at.z > ground_height(face->ground, at.x, at.y) + face->reach ||
        !is_surface(tool->shape, face->piece, patch.local, patch.out_local)) {
        return;
    }
    patch.body = face->body;
    patch.edge = is_at_edge(face->ground, tool, patch.local);
    patch.inward = inward_of(face->ground, tool, &patch);
    bearing->patches[bearing->count++] = patch;
}

static int patches_of(double length)
{
    int count = (int)ceil(length / PATCH);
    return count < 1 ? 1 : count > MOST_PATCHES ? MOST_PATCHES : count;
}

/// A face that looks up bears nothing.
static bool looks_up(const SoilTool *tool, Vec3 out)
{
    return mat3_mul(&tool->motion.frame.rotation, out).z > FACING;
}

static void try_side(const Face *face, int side)
{
    const ToolPiece *piece = &face->tool->shape->pieces[face->piece];
    const double *a = piece->corners[side], *b = piece->corners[(side + 1) % piece->corner_count];
    double ex = b[0] - a[0], ez = b[1] - a[1], length = sqrt(ex * ex + ez * ez), width = piece->y_max - piece->y_min;
    Vec3 out = vec3(ez / length, 0.0, -ex / length);
    if (looks_up(face->tool, out)) {
        return;
    }
    int n = patches_of(length), m = patches_of(width);
    Vec3 along = vec3(0.5 * ex / n, 0.0, 0.5 * ez / n), across = vec3(0.0, 0.5 * width / m, 0.0);
    for (int k = 0; k < n * m; k++) {
        double u = (k / m + 0.5) / n, v = (k % m + 0.5) / m;
        try_patch(face, (BearingPatch){.local = vec3(a[0] + u * ex, piece->y_min + v * width, a[1] + u * ez),
                                       .out_local = out,
                                       .along_local = along,
                                       .across_local = across,
                                       .area = length * width / (n * m)});
    }
}

/// The polygon at an end of a piece: patches of its bounding rectangle whose middle lies in it.
static void try_end(const Face *face, bool left)
{
    const ToolPiece *piece = &face->tool->shape->pieces[face->piece];
    Vec3 out = vec3(0.0, left ? 1.0 : -1.0, 0.0);
    if (looks_up(face->tool, out)) {
        return;
    }
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int c = 0; c < piece->corner_count; c++) {
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], piece->corners[c][axis]);
            high[axis] = fmax(high[axis], piece->corners[c][axis]);
        }
    }
    int n = patches_of(high[0] - low[0]), m = patches_of(high[1] - low[1]);
    double dx = (high[0] - low[0]) / n, dz = (high[1] - low[1]) / m, y = left ? piece->y_max : piece->y_min;
    for (int k = 0; k < n * m; k++) {
        Vec3 local = vec3(low[0] + (k / m + 0.5) * dx, y, low[1] + (k % m + 0.5) * dz);
        if (holds(piece, vec3_madd(local, -SKIN, out))) {
            try_patch(face, (BearingPatch){.local = local,
                                           .out_local = out,
                                           .along_local = vec3(0.5 * dx, 0.0, 0.0),
                                           .across_local = vec3(0.0, 0.0, 0.5 * dz),
                                           .area = dx * dz});
        }
    }
}

static void find_of_body(Bearing *bearing, const Ground *ground, const SoilTool *tool, int body, double dt)
{
    Vec3 middle;
    double size = 2.0 * tool_bounding_sphere(tool->shape, &middle);
    double reach = MARGIN + dt * (vec3_length(tool->motion.velocity) + size * vec3_length(tool->motion.spin));
    for (int k = 0; k < tool->shape->piece_count; k++) {
        const ToolPiece *piece = &tool->shape->pieces[k];
        if (!is_near(ground, tool, piece)) {
            continue;
        }
        Face face = {bearing, ground, tool, body, k, reach};
        for (int side = 0; side < piece->corner_count; side++) {
            try_side(&face, side);
        }
        try_end(&face, false);
        try_end(&face, true);
    }
}

void bearing_find_patches(Bearing *bearing, const Ground *ground, const SolverBody *bodies, int body_count, double dt)
{
    bearing->count = 0;
    for (int b = 0; b < body_count; b++) {
        Footing *footing = &bearing->footings[b];
        *footing = (Footing){.first = bearing->count};
        if (bodies[b].tool.cuts || bodies[b].tool.presses) {
            find_of_body(bearing, ground, &bodies[b].tool, b, dt);
        }
        footing->count = bearing->count - footing->first;
    }
}
