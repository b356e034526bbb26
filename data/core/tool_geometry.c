/// Computes distances to the convex prisms that tools are made of.
///
/// A prism is a polygon in x-z, extruded along y. Outside, the distance combines that to the polygon with that to the
/// nearer end, by Pythagoras; inside, it is that of the nearest face, negative. A point inside a thin plate is pushed
/// back through the face it came in by, not the nearest one, as long as the caller keeps that face.
#include "data/core/elementary.h"
#include "data/core/tool_geometry.h"

#include <math.h>

#define SIDE_PLATE 0.1 ///< share of the edge's width: thickness of a side plate, and its place, at most

/// Faces 0..corner_count-1 are the polygon's sides, these two the ends of the prism. Saved in states: never renumber.

/// m: a kept face farther away than this belongs to a place the point has left. Chosen: more than a plate is thick and
/// a particle is pressed in, less than a bucket is wide. See distances_to_a_prism in test_soil_ground.
static const double farthest_kept = 0.15;

static const double *corner_after(const ToolPiece *piece, int k)
{
    return piece->corners[k + 1 < piece->corner_count ? k + 1 : 0];
}

static void find_normal(const ToolPiece *piece, int k, double normal[2])
{
    const double *a = piece->corners[k], *b = corner_after(piece, k);
    double ex = b[0] - a[0], ez = b[1] - a[1];
    double inverse = 1.0 / sqrt(ex * ex + ez * ez);
    normal[0] = ez * inverse;
    normal[1] = -ex * inverse;
}

void tool_shape_finish(ToolShape *shape)
{
    for (int k = 0; k < shape->piece_count; k++) {
        ToolPiece *piece = &shape->pieces[k];
        for (int side = 0; side < piece->corner_count; side++) {
            find_normal(piece, side, piece->normals[side]);
        }
        piece->finished = true;
    }
}

/// Outward normals of a piece's sides: its own, or, of one that is not finished, those put into `room`.
static const double (*normals_of(const ToolPiece *piece, double room[TOOL_MAX_CORNERS][2]))[2]
{
    if (piece->finished) {
        return piece->normals;
    }
    int k = 0;
    do { // every polygon has a side
        find_normal(piece, k, room[k]);
    } while (++k < piece->corner_count);
    return (const double(*)[2])room;
}

/// Signed distance of (x, z) to the line through side k with a normal, positive outside.
static double side_distance(const ToolPiece *piece, int k, double x, double z, const double normal[2])
{
    const double *a = piece->corners[k];
    return (x - a[0]) * normal[0] + (z - a[1]) * normal[1];
}

/// From the point of side k, as a segment, that is nearest to (x, z) to there. Returns its square.
static double from_segment(const ToolPiece *piece, int k, double x, double z, double away[2])
{
    const double *a = piece->corners[k], *b = corner_after(piece, k);
    double ex = b[0] - a[0], ez = b[1] - a[1];
    double along = (x - a[0]) * ex + (z - a[1]) * ez, whole = ex * ex + ez * ez;
    double t = along <= 0.0 ? 0.0 : along >= whole ? 1.0 : along / whole;
    away[0] = x - a[0] - t * ex;
    away[1] = z - a[1] - t * ez;
    return away[0] * away[0] + away[1] * away[1];
}

/// More than rounding takes from the square of a distance, of itself and in m2, so near as 20 m to the origin.
#define SQUARE_DOUBT       1e-8
#define SQUARE_LEAST_DOUBT 1e-18

/// Distance of a point outside the polygon to its sides; `direction` stays where the point lies on one. `lines`: its
/// signed distances to the lines through the sides, of which `side` has the largest. A side lies no nearer than its
/// line: most lines are farther away than the side whose line is `side`, and their sides need no look.
static double distance_outside(const ToolPiece *piece, const double *lines, int side, double x, double z,
                               double direction[2])
{
    double at_side[2], guess = from_segment(piece, side, x, z, at_side);
    const double far = guess + guess * SQUARE_DOUBT + SQUARE_LEAST_DOUBT;
    double nearest = HUGE_VAL, least = HUGE_VAL;
    for (int k = 0; k < piece->corner_count; k++) {
        if (lines[k] * lines[k] > far) {
            continue;
        }
        double away[2] = {at_side[0], at_side[1]}, square = k == side ? guess : from_segment(piece, k, x, z, away);
        if (square < least) {
            double distance = sqrt(square);
            if (distance < nearest) { // squares may differ where their roots do not
                least = square;
                nearest = distance;
                if (distance > 1e-12) {
                    direction[0] = away[0] / distance;
                    direction[1] = away[1] / distance;
                }
            }
        }
    }
    return nearest;
}

/// Signed distance to the polygon in the x-z plane with the unit direction away from it.
static double polygon_distance(const ToolPiece *piece, const double (*normals)[2], double x, double z,
                               double direction[2], uint8_t *face)
{
    double deepest = -HUGE_VAL, lines[TOOL_MAX_CORNERS];
    int side = 0;
    for (int k = 0; k < piece->corner_count; k++) {
        double distance = lines[k] = side_distance(piece, k, x, z, normals[k]);
        side = distance > deepest ? k : side;
        deepest = distance > deepest ? distance : deepest;
    }
    direction[0] = normals[side][0];
    direction[1] = normals[side][1];
    *face = (uint8_t)side;
    return deepest <= 0.0 ? deepest : distance_outside(piece, lines, side, x, z, direction);
}

/// Distance and normal of the face a point inside was last at. False when that face is none or too far away.
static bool kept_face(const ToolPiece *piece, const double (*normals)[2], Vec3 point, uint8_t face, double *distance,
                      Vec3 *normal)
{
    if (face == TOOL_FACE_RIGHT || face == TOOL_FACE_LEFT) {
        *distance = face == TOOL_FACE_RIGHT ? piece->y_min - point.y : point.y - piece->y_max;
        *normal = vec3(0.0, face == TOOL_FACE_RIGHT ? -1.0 : 1.0, 0.0);
    } else if (face < piece->corner_count) {
        *distance = side_distance(piece, face, point.x, point.z, normals[face]);
        *normal = vec3(normals[face][0], 0.0, normals[face][1]);
    } else {
        return false;
    }
    return *distance > -farthest_kept;
}

double tool_piece_distance(const ToolPiece *piece, Vec3 point, uint8_t *face, Vec3 *normal)
{
    double direction[2], room[TOOL_MAX_CORNERS][2];
    const double(*normals)[2] = normals_of(piece, room);
    uint8_t side, end = point.y - piece->y_max > piece->y_min - point.y ? TOOL_FACE_LEFT : TOOL_FACE_RIGHT;
    double plane = polygon_distance(piece, normals, point.x, point.z, direction, &side);
    double along = end == TOOL_FACE_LEFT ? point.y - piece->y_max : piece->y_min - point.y;
    double sign = end == TOOL_FACE_LEFT ? 1.0 : -1.0;
    if (plane <= 0.0 && along <= 0.0) {
        double distance;
        if (kept_face(piece, normals, point, *face, &distance, normal)) {
            return distance;
        }
        *face = plane > along ? side : end;
        *normal = plane > along ? vec3(direction[0], 0.0, direction[1]) : vec3(0.0, sign, 0.0);
        return plane > along ? plane : along;
    }
    *face = plane > along ? side : end;
    double out = plane > 0.0 ? plane : 0.0, beside = along > 0.0 ? along : 0.0;
    double distance = sqrt(out * out + beside * beside);
    *normal = distance > 0.0
                  ? vec3(direction[0] * out / distance, sign * beside / distance, direction[1] * out / distance)
                  : vec3(direction[0], 0.0, direction[1]);
    return distance;
}

double tool_slice_distance(const ToolPiece *piece, Vec3 point, uint8_t *face, Vec3 *normal)
{
    double off = point.y - 0.5 * (piece->y_min + piece->y_max), sign = off > 0.0 ? 1.0 : -1.0;
    *face = off > 0.0 ? TOOL_FACE_LEFT : TOOL_FACE_RIGHT;
    *normal = vec3(0.0, sign, 0.0);
    return fabs(off) - 0.5 * (piece->y_max - piece->y_min);
}

/// How far a value lies outside a range.
static double outside(double value, double low, double high)
{
    return value < low ? low - value : value > high ? value - high : 0.0;
}

/// True when the box around a piece, and so the piece, is farther than `most` from a point.
static bool is_beyond(const ToolPiece *piece, Vec3 point, double most)
{
    const double square = most * most;
    double y = outside(point.y, piece->y_min, piece->y_max);
    if (y * y > square) {
        return true;
    }
    const double(*corner)[2] = piece->corners;
    double low_x = corner[0][0], high_x = low_x, low_z = corner[0][1], high_z = low_z;
    for (int k = 1; k < piece->corner_count; k++) {
        low_x = corner[k][0] < low_x ? corner[k][0] : low_x;
        high_x = corner[k][0] > high_x ? corner[k][0] : high_x;
        low_z = corner[k][1] < low_z ? corner[k][1] : low_z;
        high_z = corner[k][1] > high_z ? corner[k][1] : high_z;
    }
    double x = outside(point.x, low_x, high_x), z = outside(point.z, low_z, high_z);
    return x * x + y * y + z * z > square;
}

/// True when a corner of a piece, and so the piece, is nearer than `enough` to a point, by more than rounding.
static bool is_surely_within(const ToolPiece *piece, Vec3 point, double enough)
{
    double x = point.x - piece->corners[0][0], z = point.z - piece->corners[0][1];
    double y = outside(point.y, piece->y_min, piece->y_max);
    return enough > 0.0 && x * x + y * y + z * z < enough * enough * (1.0 - 1e-9);
}

/// Signed distance to the nearest piece if that is less than `most`, else `most`; any distance below `enough` will do.
static double distance_below(const ToolShape *shape, Vec3 point, double most, double enough)
{
    double nearest = most;
    for (int k = 0; k < shape->piece_count && nearest >= enough; k++) {
        if (nearest > 0.0 && is_beyond(&shape->pieces[k], point, nearest)) {
            continue;
        }
        if (is_surely_within(&shape->pieces[k], point, enough)) {
            return -HUGE_VAL;
        }
        uint8_t face = TOOL_NO_FACE;
        Vec3 normal;
        double distance = tool_piece_distance(&shape->pieces[k], point, &face, &normal);
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

double tool_distance(const ToolShape *shape, Vec3 point)
{
    return distance_below(shape, point, HUGE_VAL, -HUGE_VAL);
}

bool tool_is_within(const ToolShape *shape, Vec3 point, double distance)
{
    return distance_below(shape, point, distance, distance) < distance;
}

bool tool_piece_holds(const ToolPiece *piece, Vec3 point)
{
    bool inside = point.y > piece->y_min && point.y < piece->y_max;
    for (int k = 0; inside && k < piece->corner_count; k++) {
        const double *a = piece->corners[k], *b = corner_after(piece, k);
        inside = (point.x - a[0]) * (b[1] - a[1]) < (point.z - a[1]) * (b[0] - a[0]);
    }
    return inside;
}

bool tool_contains(const ToolShape *shape, Vec3 point, double margin)
{
    if (fabs(point.y) > 0.5 * shape->inside_width + margin || shape->inside_count < 3) {
        return false;
    }
    for (int k = 0; k < shape->inside_count; k++) {
        const double *a = shape->inside[k], *b = shape->inside[(k + 1) % shape->inside_count];
        double ex = b[0] - a[0], ez = b[1] - a[1];
        if (ex * (point.z - a[1]) - ez * (point.x - a[0]) < -margin * sqrt(ex * ex + ez * ez)) {
            return false;
        }
    }
    return true;
}

double tool_bounding_sphere(const ToolShape *shape, Vec3 *middle)
{
    Vec3 low = vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = vec3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    for (int k = 0; k < shape->piece_count; k++) {
        const ToolPiece *piece = &shape->pieces[k];
        for (int c = 0; c < piece->corner_count; c++) {
            low.x = fmin(low.x, piece->corners[c][0]);
            high.x = fmax(high.x, piece->corners[c][0]);
            low.z = fmin(low.z, piece->corners[c][1]);
            high.z = fmax(high.z, piece->corners[c][1]);
        }
        low.y = fmin(low.y, piece->y_min);
        high.y = fmax(high.y, piece->y_max);
    }
    *middle = vec3_scale(vec3_add(low, high), 0.5);
    return 0.5 * vec3_length(vec3_sub(high, low));
}

uint32_t tool_side_plates(const ToolShape *shape)
{
    uint32_t plates = 0;
    for (int k = 0; k < shape->piece_count; k++) {
        const ToolPiece *piece = &shape->pieces[k];
        bool thin = piece->y_max - piece->y_min < SIDE_PLATE * shape->edge_width;
        bool right = piece->y_min < -(0.5 - SIDE_PLATE) * shape->edge_width;
        bool left = piece->y_max > (0.5 - SIDE_PLATE) * shape->edge_width;
        plates |= thin && (right || left) ? 1U << k : 0U;
    }
    return plates;
}

bool tool_has_side_plates(const ToolShape *shape)
{
    uint32_t plates = tool_side_plates(shape);
    bool left = false, right = false;
    for (int k = 0; k < shape->piece_count; k++) {
        bool plate = (plates >> k & 1U) != 0;
        left |= plate && shape->pieces[k].y_max > 0.0;
        right |= plate && shape->pieces[k].y_min < 0.0;
    }
    return left && right;
}

int tool_piece_points(const ToolPiece *piece, Vec3 points[2 * TOOL_MAX_CORNERS])
{
    int count = 2 * piece->corner_count;
    for (int k = 0; k < count; k++) {
        const double *corner = piece->corners[k / 2];
        points[k] = vec3(corner[0], k % 2 ? piece->y_max : piece->y_min, corner[1]);
    }
    return count;
}

double tool_struck_volume(const ToolShape *shape)
{
    double area = 0.0;
    for (int k = 0; k < shape->inside_count; k++) {
        const double *a = shape->inside[k], *b = shape->inside[(k + 1) % shape->inside_count];
        area += 0.5 * (a[0] * b[1] - b[0] * a[1]);
    }
    return area * shape->inside_width;
}

double tool_heaped_volume(const ToolShape *shape)
{
    if (shape->inside_count == 0) {
        return 0.0;
    }
    const double *edge = shape->inside[0], *rim = shape->inside[shape->inside_count - 1];
    double opening = same_hypot(edge[0] - rim[0], edge[1] - rim[1]);
    double less = fmin(opening, shape->inside_width), more = fmax(opening, shape->inside_width);
    return tool_struck_volume(shape) + less * less * (more / 4.0 - less / 12.0);
}
