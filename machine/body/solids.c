/// The solid parts of a machine and where they touch: things of the world, and one another. Spheres around bodies and
/// parts come first, then the test of two convex solids (machine/contact/convex_contact.h).
#include "machine/solids.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/core/tool_geometry.h"
#include "machine/body/machine_internal.h"

enum { MOST_OWN = 3 }; ///< the tracks and the cab
enum { MOST_STEEL = 7 }; ///< beside a body's solids: the tracks' upper halves and ends, and the cab
static_assert((int)MACHINE_MAX_SOLIDS + (int)MOST_STEEL <= (int)TOOL_MAX_PIECES, "a body's steel fits into a shape");

/// ---- making --------------------------------------------------------------------------------------------------------

static Vec3 middle_of(const Vec3 *points, int count)
{
    Vec3 low = points[0], high = points[0];
    for (int k = 1; k < count; k++) {
        low = vec3(fmin(low.x, points[k].x), fmin(low.y, points[k].y), fmin(low.z, points[k].z));
        high = vec3(fmax(high.x, points[k].x), fmax(high.y, points[k].y), fmax(high.z, points[k].z));
    }
    return vec3_scale(vec3_add(low, high), 0.5);
}

/// `key`: of its file.
static bool add_part(SolidParts *parts, const MachineParams *params, const char *key, const char *name, int body,
                     const ToolPiece *piece, Status *status)
{
    Vec3 points[2 * TOOL_MAX_CORNERS];
    int count = tool_piece_points(piece, points);
    SolidPart *part = &parts->part[parts->count];
    const char *reason;
    if (!convex_build(points, count, &part->hull, &reason)) {
        return status_fail(status, STATUS_BAD_FILE, "%s: %s: a piece of the %s: %s", params->name, key, name, reason);
    }
    snprintf(part->name, sizeof part->name, "%s", name);
    part->body = body;
    part->middle = middle_of(points, count);
    for (int k = 0; k < count; k++) {
        part->radius = fmax(part->radius, vec3_length(vec3_sub(points[k], part->middle)));
    }
    parts->count++;
    return true;
}

ToolPiece machine_track_piece(const MachineTracks *tracks, double y)
{
    double l = 0.5 * tracks->length, c = 0.5 * tracks->contact_length, w = 0.5 * tracks->shoe_width, h = tracks->height;
    return (ToolPiece){.corner_count = 6,
                       .corners = {{-c, 0.0}, {c, 0.0}, {l, 0.5 * h}, {c, h}, {-c, h}, {-l, 0.5 * h}},
                       .y_min = y - w,
                       .y_max = y + w};
}

static ToolPiece cab_piece(const MachineCab *cab)
{
    double x = cab->corner[0], z = cab->corner[2], l = cab->size[0], h = cab->size[2];
    return (ToolPiece){.corner_count = 4,
                       .corners = {{x, z}, {x + l, z}, {x + l, z + h}, {x, z + h}},
                       .y_min = cab->corner[1],
                       .y_max = cab->corner[1] + cab->size[1]};
}

static bool add_all(SolidParts *parts, const MachineParams *params, Status *status)
{
    char key[48];
    for (int k = 0; k < params->tool_count; k++) {
        const MachineToolParams *tool = &params->tool[k];
        const char *name = params->body[tool->body].name;
        for (int i = 0; i < tool->shape.piece_count; i++) {
            snprintf(key, sizeof key, "%s%stool.pieces.%d", k > 0 ? name : "", k > 0 ? "_" : "", i);
            if (!add_part(parts, params, key, name, tool->body, &tool->shape.pieces[i], status)) {
                return false;
            }
        }
    }
    for (int k = 0; k < params->solid_count; k++) {
        const MachineSolidParams *solid = &params->solid[k];
        snprintf(key, sizeof key, "solids.%d", k);
        if (!add_part(parts, params, key, solid->name, solid->body, &solid->piece, status)) {
            return false;
        }
    }
    ToolPiece left = machine_track_piece(&params->tracks, 0.5 * params->tracks.gauge),
              right = machine_track_piece(&params->tracks, -0.5 * params->tracks.gauge), cab = cab_piece(&params->cab);
    return add_part(parts, params, "tracks", "left track", MACHINE_BASE, &left, status) &&
           add_part(parts, params, "tracks", "right track", MACHINE_BASE, &right, status) &&
           add_part(parts, params, "cab", "cab", params->cab_body, &cab, status);
}

/// The upper half of a belt's outline: what of it does not stand on the ground.
static ToolPiece upper_track(const MachineTracks *tracks, double y)
{
    double l = 0.5 * tracks->length, c = 0.5 * tracks->contact_length, w = 0.5 * tracks->shoe_width, h = tracks->height;
    return (ToolPiece){
        .corner_count = 4, .corners = {{-l, 0.5 * h}, {l, 0.5 * h}, {c, h}, {-c, h}}, .y_min = y - w, .y_max = y + w};
}

/// Of a track's height: what is lower passes under its ends, where the shoes come down on it.
#define END_FOOT 0.2
/// m: thickness of the upright plate that stands for a track's end.
#define END_PLATE 0.1

/// The face of a track's idler or sprocket (`end` 1: the front, -1: the rear) with the shoes around it, below the upper
/// half: it pushes what stands higher than the track's plane.
static ToolPiece track_end(const MachineTracks *tracks, double y, int end)
{
    double out = 0.1 * tracks->contact_length + 0.4 * tracks->length, in = out - END_PLATE; // behind the outline's tip
    double low = end > 0 ? in : -out, high = low + END_PLATE, foot = END_FOOT * tracks->height;
    double top = 0.5 * tracks->height, w = 0.5 * tracks->shoe_width;
    return (ToolPiece){.corner_count = 4,
                       .corners = {{low, foot}, {high, foot}, {high, top}, {low, top}},
                       .y_min = y - w,
                       .y_max = y + w};
}

void machine_get_steel(const Machine *machine, int body, ToolShape *steel)
{
    const MachineParams *params = &machine->params;
    *steel = (ToolShape){.piece_count = 0};
    for (int k = 0; k < params->solid_count; k++) {
        if (params->solid[k].body == body) {
            steel->pieces[steel->piece_count++] = params->solid[k].piece;
        }
    }
    if (body == MACHINE_BASE) {
        steel->pieces[steel->piece_count++] = upper_track(&params->tracks, 0.5 * params->tracks.gauge);
        steel->pieces[steel->piece_count++] = upper_track(&params->tracks, -0.5 * params->tracks.gauge);
        for (int k = 0; k < 4; k++) {
            double y = k & 1 ? -0.5 * params->tracks.gauge : 0.5 * params->tracks.gauge;
            steel->pieces[steel->piece_count++] = track_end(&params->tracks, y, k & 2 ? -1 : 1);
        }
    }
    if (body == params->cab_body) {
        steel->pieces[steel->piece_count++] = cab_piece(&params->cab);
    }
}

static void find_spheres(SolidParts *parts)
{
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        int count = 0;
        Vec3 sum = vec3(0.0, 0.0, 0.0);
        for (int k = 0; k < parts->count; k++) {
            if (parts->part[k].body == body) {
                sum = vec3_add(sum, parts->part[k].middle);
                count++;
            }
        }
        Vec3 middle = vec3_scale(sum, count > 0 ? 1.0 / count : 0.0);
        double radius = -1.0;
        for (int k = 0; k < parts->count; k++) {
            const SolidPart *part = &parts->part[k];
            if (part->body == body) {
                radius = fmax(radius, vec3_length(vec3_sub(part->middle, middle)) + part->radius);
            }
        }
        parts->sphere[body].middle = middle;
        parts->sphere[body].radius = radius;
    }
}

/// Finds which bodies' parts can meet.
static void solid_parts_find_meetings(SolidParts *parts, const MachineParams *params)
{
    for (int a = 0; a < params->body_count; a++) {
        for (int b = 0; b < a; b++) {
            parts->meets[a][b] = parts->sphere[a].radius >= 0.0 && parts->sphere[b].radius >= 0.0;
        }
    }
    for (int k = 0; k < params->joint_count; k++) {
        int a = params->joint[k].parent, b = params->joint[k].child;
        parts->meets[a > b ? a : b][a > b ? b : a] = false;
    }
}

SolidParts *solid_parts_create(const MachineParams *params, Status *status)
{
    size_t most = (size_t)params->solid_count + MOST_OWN;
    for (int k = 0; k < params->tool_count; k++) {
        most += (size_t)params->tool[k].shape.piece_count;
    }
    SolidParts *parts = calloc(1, sizeof *parts + most * sizeof parts->part[0]);
    if (parts == NULL) {
        status_fail(status, STATUS_LACKING, "%s: out of memory for its solids", params->name);
        return NULL;
    }
    if (!add_all(parts, params, status)) {
        free(parts);
        return NULL;
    }
    find_spheres(parts);
    solid_parts_find_meetings(parts, params);
    return parts;
}

static void find_bounds(SolidThing *thing)
{
    const ConvexHull *hull = &thing->hull;
    thing->low = thing->high = hull->point[0];
    for (int k = 1; k < hull->point_count; k++) {
        Vec3 at = hull->point[k];
        thing->low = vec3(fmin(thing->low.x, at.x), fmin(thing->low.y, at.y), fmin(thing->low.z, at.z));
        thing->high = vec3(fmax(thing->high.x, at.x), fmax(thing->high.y, at.y), fmax(thing->high.z, at.z));
    }
    thing->center = middle_of(hull->point, hull->point_count);
}

bool solid_thing_make(const Vec3 *points, int count, double friction, SolidThing *thing, const char **reason)
{
    if (!convex_build(points, count, &thing->hull, reason)) {
        return false;
    }
    thing->friction = friction;
    thing->velocity = thing->spin = vec3(0.0, 0.0, 0.0);
    thing->mover = 0;
    find_bounds(thing);
    return true;
}

void solid_thing_place(const SolidThing *shape, const Pose *pose, SolidThing *thing)
{
    thing->hull = shape->hull;
    for (int k = 0; k < shape->hull.point_count; k++) {
        thing->hull.point[k] = pose_apply(pose, shape->hull.point[k]);
    }
    for (int k = 0; k < shape->hull.face_count; k++) {
        thing->hull.normal[k] = mat3_mul(&pose->rotation, shape->hull.normal[k]);
    }
    find_bounds(thing);
}

int machine_part_count(const Machine *machine)
{
    return machine->parts->count;
}

const ConvexHull *machine_part_hull(const Machine *machine, int part, int *body)
{
    *body = machine->parts->part[part].body;
    return &machine->parts->part[part].hull;
}

const char *machine_part_name(const Machine *machine, int part)
{
    return machine->parts->part[part].name;
}

int machine_part_points(const Machine *machine, const MachineState *state, int part, Vec3 points[CONVEX_MAX_POINTS])
{
    const SolidPart *solid = &machine->parts->part[part];
    Pose frame;
    machine_get_body_frame(machine, state, solid->body, &frame);
    for (int k = 0; k < solid->hull.point_count; k++) {
        points[k] = pose_apply(&frame, solid->hull.point[k]);
    }
    return solid->hull.point_count;
}

bool solid_things_overlap(const SolidThing *a, const SolidThing *b)
{
    ConvexSolid first = {&a->hull, a->hull.point, a->hull.normal, a->center};
    ConvexSolid second = {&b->hull, b->hull.point, b->hull.normal, b->center};
    ConvexContact contacts[CONVEX_PAIR_CONTACTS];
    return convex_contact_solids(&first, &second, 0.0, contacts) > 0;
}

int solid_things_meet(const SolidThing *thing, const SolidThing *other, double margin, MachineFoot feet[4])
{
    ConvexSolid first = {&thing->hull, thing->hull.point, thing->hull.normal, thing->center};
    ConvexSolid second = {&other->hull, other->hull.point, other->hull.normal, other->center};
    ConvexContact contacts[CONVEX_PAIR_CONTACTS];
    int count = 0;
    bool near = thing->low.x < other->high.x + margin && other->low.x < thing->high.x + margin &&
                thing->low.y < other->high.y + margin && other->low.y < thing->high.y + margin &&
                thing->low.z < other->high.z + margin && other->low.z < thing->high.z + margin;
    if (near) {
        count = convex_contact_solids(&first, &second, margin, contacts);
    }
    for (int k = 0; k < count; k++) {
        feet[k].point = contacts[k].point;
        feet[k].normal = contacts[k].normal;
        feet[k].depth = contacts[k].depth;
    }
    return count;
}

/// ---- finding -------------------------------------------------------------------------------------------------------

static bool sphere_is_near(const SolidThing *thing, Vec3 at, double radius)
{
    Vec3 nearest = vec3(fmin(fmax(at.x, thing->low.x), thing->high.x), fmin(fmax(at.y, thing->low.y), thing->high.y),
                        fmin(fmax(at.z, thing->low.z), thing->high.z));
    Vec3 to = vec3_sub(at, nearest);
    return vec3_dot(to, to) <= radius * radius;
}

/// Puts a part's corners and normals where it is in `frame`.
static ConvexSolid solid_part_place(const SolidPart *part, const Pose *frame, Vec3 points[CONVEX_MAX_POINTS],
                                    Vec3 normals[CONVEX_MAX_FACES])
{
    for (int k = 0; k < part->hull.point_count; k++) {
        points[k] = pose_apply(frame, part->hull.point[k]);
    }
    for (int k = 0; k < part->hull.face_count; k++) {
        normals[k] = mat3_mul(&frame->rotation, part->hull.normal[k]);
    }
    return (ConvexSolid){&part->hull, points, normals, pose_apply(frame, part->middle)};
}

/// The search for touches, as far as it has come.
typedef struct Search {
    const SolidThing *things;
    int thing_count;
    RigidMotion motion; ///< of the body that is looked at
    MachineTouch *touches;
    int count;
} Search;

/// True when a body's touch of a thing is known already, of a piece beside: pieces share corners, and equal touches
/// would make equal rows of the step's equations.
static bool is_known(const Search *search, int body, int thing, const ConvexContact *contact)
{
    for (int k = search->count - 1; k >= 0 && search->touches[k].body == body; k--) {
        const MachineTouch *touch = &search->touches[k];
        if (touch->thing == thing && touches_are_one(contact->point, contact->normal, touch->point, touch->normal)) {
            return true;
        }
    }
    return false;
}

static void add_touches(Search *search, int part, int body, int thing, const ConvexContact *found, int count)
{
    const RigidMotion *motion = &search->motion;
    for (int k = 0; k < count && search->count < MACHINE_MAX_TOUCHES; k++) {
        if (is_known(search, body, thing, &found[k])) {
            continue;
        }
        Vec3 arm = vec3_sub(found[k].point, motion->center);
        Vec3 velocity = vec3_add(motion->velocity, vec3_cross(motion->spin, arm));
        const SolidThing *other = &search->things[thing];
        Vec3 turn = vec3_cross(other->spin, vec3_sub(found[k].point, other->center));
        double push = vec3_dot(vec3_add(other->velocity, turn), found[k].normal);
        search->touches[search->count++] = (MachineTouch){.body = body,
                                                          .part = part,
                                                          .thing = thing,
                                                          .point = found[k].point,
                                                          .normal = found[k].normal,
                                                          .depth = fmax(0.0, found[k].depth),
                                                          .friction = other->friction,
                                                          .speed = push - vec3_dot(velocity, found[k].normal),
                                                          .push = push,
                                                          .mover = other->mover};
    }
}

static void search_part(Search *search, const SolidPart *part, int index)
{
    const Pose *frame = &search->motion.frame;
    Vec3 points[CONVEX_MAX_POINTS], normals[CONVEX_MAX_FACES], middle = pose_apply(frame, part->middle);
    ConvexSolid own = {NULL, NULL, NULL, {0.0, 0.0, 0.0}};
    bool turned = false;
    for (int thing = 0; thing < search->thing_count; thing++) {
        const SolidThing *other = &search->things[thing];
        if (!sphere_is_near(other, middle, part->radius)) {
            continue;
        }
        own = turned ? own : solid_part_place(part, frame, points, normals);
        turned = true;
        ConvexSolid its = {&other->hull, other->hull.point, other->hull.normal, other->center};
        ConvexContact found[CONVEX_PAIR_CONTACTS];
        add_touches(search, index, part->body, thing, found, convex_contact_solids(&own, &its, 0.0, found));
    }
}

static bool body_is_near(const SolidParts *parts, int body, const Search *search)
{
    bool near = false;
    Vec3 middle = pose_apply(&search->motion.frame, parts->sphere[body].middle);
    for (int k = 0; k < search->thing_count && parts->sphere[body].radius >= 0.0; k++) {
        near = near || sphere_is_near(&search->things[k], middle, parts->sphere[body].radius);
    }
    return near;
}

int machine_find_touches(const Machine *machine, const MachineState *state, const SolidThing *things, int count,
                         MachineTouch touches[MACHINE_MAX_TOUCHES])
{
    const SolidParts *parts = machine->parts;
    Search search = {.things = things, .thing_count = count, .touches = touches};
    for (int body = 0; body < machine->params.body_count && count > 0; body++) {
        machine_get_body(machine, state, body, &search.motion);
        if (!body_is_near(parts, body, &search)) {
            continue;
        }
        for (int k = 0; k < parts->count; k++) {
            if (parts->part[k].body == body) {
                search_part(&search, &parts->part[k], k);
            }
        }
    }
    return search.count;
}

/// ---- parts against one another -------------------------------------------------------------------------------------
/// Where parts of a machine touch one another. Bodies that a joint joins are held apart by its range, and overlap about
/// its pin as they are built: they are not looked at. All others are: bucket and boom, stick and cab, blade and tracks.
/// Spheres around bodies and parts come first, then the planes of the parts' faces, then two convex solids.

/// Coulomb's friction of dry steel on steel. Handbooks: 0.15 (greasy) to 0.6.
#define STEEL_FRICTION 0.3

/// The search for touches, as far as it has come.
typedef struct OwnSearch {
    const SolidParts *parts;
    RigidMotion motion[MACHINE_MAX_BODIES];
    MachineOwnTouch *touches;
    int count;
} OwnSearch;

/// True when a sphere lies wholly before a face of a part that stands in `frame`.
static bool is_before(const SolidPart *part, const Pose *frame, Vec3 middle, double radius)
{
    Vec3 local = pose_apply_inverse(frame, middle);
    for (int f = 0; f < part->hull.face_count; f++) {
        Vec3 on = part->hull.point[part->hull.face_point[f][0]];
        if (vec3_dot(part->hull.normal[f], vec3_sub(local, on)) > radius) {
            return true;
        }
    }
    return false;
}

static Vec3 velocity_at(const RigidMotion *motion, Vec3 at)
{
    return vec3_add(motion->velocity, vec3_cross(motion->spin, vec3_sub(at, motion->center)));
}

static bool is_known_own_touch(const OwnSearch *search, int body, int other, const ConvexContact *contact)
{
    for (int k = 0; k < search->count; k++) {
        const MachineTouch *touch = &search->touches[k].touch;
        if (touch->body == body && search->touches[k].other == other &&
            touches_are_one(contact->point, contact->normal, touch->point, touch->normal)) {
            return true;
        }
    }
    return false;
}

static void search_pair(OwnSearch *search, int i, int j)
{
    const SolidPart *own = &search->parts->part[i], *its = &search->parts->part[j];
    const RigidMotion *motion = &search->motion[own->body], *past = &search->motion[its->body];
    Vec3 middle = pose_apply(&motion->frame, own->middle), beside = pose_apply(&past->frame, its->middle);
    if (vec3_length(vec3_sub(middle, beside)) > own->radius + its->radius ||
        is_before(its, &past->frame, middle, own->radius) || is_before(own, &motion->frame, beside, its->radius)) {
        return;
    }
    Vec3 points[2][CONVEX_MAX_POINTS], normals[2][CONVEX_MAX_FACES];
    ConvexSolid a = solid_part_place(own, &motion->frame, points[0], normals[0]);
    ConvexSolid b = solid_part_place(its, &past->frame, points[1], normals[1]);
    ConvexContact found[CONVEX_PAIR_CONTACTS];
    int count = convex_contact_solids(&a, &b, 0.0, found);
    for (int k = 0; k < count && search->count < MACHINE_MAX_OWN_TOUCHES; k++) {
        if (is_known_own_touch(search, own->body, its->body, &found[k])) {
            continue;
        }
        Vec3 nearing = vec3_sub(velocity_at(past, found[k].point), velocity_at(motion, found[k].point));
        MachineTouch touch = {.body = own->body,
                              .part = i,
                              .thing = -1,
                              .point = found[k].point,
                              .normal = found[k].normal,
                              .depth = fmax(0.0, found[k].depth),
                              .friction = STEEL_FRICTION,
                              .speed = vec3_dot(nearing, found[k].normal)};
        search->touches[search->count++] = (MachineOwnTouch){touch, its->body, j};
    }
}

static bool bodies_are_near(const OwnSearch *search, int a, int b)
{
    Vec3 first = pose_apply(&search->motion[a].frame, search->parts->sphere[a].middle),
         second = pose_apply(&search->motion[b].frame, search->parts->sphere[b].middle);
    return vec3_length(vec3_sub(first, second)) <= search->parts->sphere[a].radius + search->parts->sphere[b].radius;
}

int machine_find_own_touches(const Machine *machine, const MachineState *state,
                             MachineOwnTouch touches[MACHINE_MAX_OWN_TOUCHES])
{
    const SolidParts *parts = machine->parts;
    OwnSearch search = {.parts = parts, .touches = touches};
    int count = machine->params.body_count;
    for (int body = 0; body < count; body++) {
        machine_get_body(machine, state, body, &search.motion[body]);
    }
    bool near[MACHINE_MAX_BODIES][MACHINE_MAX_BODIES] = {{false}};
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < a; b++) {
            near[a][b] = parts->meets[a][b] && bodies_are_near(&search, a, b);
        }
    }
    for (int i = 0; i < parts->count; i++) {
        for (int j = 0; j < parts->count; j++) {
            if (near[parts->part[i].body][parts->part[j].body]) {
                search_pair(&search, i, j);
            }
        }
    }
    return search.count;
}

/// On level ground no tool starts below it: m of the lowest corner, 0 when none does, and the tool.
static double find_sunk(const Machine *machine, const MachineState *state, int *sunk)
{
    const MachineParams *params = &machine->params;
    double lowest = 0.0;
    for (int k = 0; k < params->tool_count; k++) {
        RigidMotion motion;
        machine_get_body(machine, state, params->tool[k].body, &motion);
        const ToolShape *shape = &params->tool[k].shape;
        for (int i = 0; i < shape->piece_count; i++) {
            Vec3 points[2 * TOOL_MAX_CORNERS];
            int count = tool_piece_points(&shape->pieces[i], points);
            for (int j = 0; j < count; j++) {
                double z = pose_apply(&motion.frame, points[j]).z;
                *sunk = z < lowest ? k : *sunk;
                lowest = fmin(lowest, z);
            }
        }
    }
    return lowest;
}

bool own_touches_check(const Machine *machine, Status *status)
{
    const MachineParams *params = &machine->params;
    MachineState state;
    MachineOwnTouch touches[MACHINE_MAX_OWN_TOUCHES];
    machine_start(machine, 0.0, 0.0, 0.0, 0.0, &state);
    if (machine_find_own_touches(machine, &state, touches) > 0) {
        const MachineTouch *touch = &touches[0].touch;
        return status_fail(status, STATUS_BAD_FILE,
                           "%s: start_pose_deg: the %s reaches %.3g m into the %s at %.4g, %.4g, %.4g; parts of bodies "
                           "that no joint joins start apart",
                           params->name, machine_part_name(machine, touch->part), touch->depth,
                           machine_part_name(machine, touches[0].other_part), touch->point.x, touch->point.y,
                           touch->point.z);
    }
    return status_good(status);
}

bool machine_starts_above(const Machine *machine, Status *status)
{
    const MachineParams *params = &machine->params;
    MachineState state;
    int sunk = 0;
    machine_start(machine, 0.0, 0.0, 0.0, 0.0, &state);
    double lowest = find_sunk(machine, &state, &sunk);
    return lowest >= 0.0 || status_fail(status, STATUS_BAD_FILE,
                                        "%s: start_pose_deg: the %s starts %.3g m inside the level ground that the "
                                        "machine stands on, allowed above it",
                                        params->name, params->body[params->tool[sunk].body].name, -lowest);
}

/// ---- movable bodies at rest and restored ---------------------------------------------------------------------------

double machine_body_pace(const MachineBodyState *body, double reach)
{
    const double *v = body->velocity, *w = body->spin;
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + reach * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

void machine_body_doze(bool still, double time, double dt, double *still_time, int32_t *asleep, MachineBodyState *body)
{
    *still_time = still ? *still_time + dt : 0.0;
    if (*still_time >= time && *asleep == 0) {
        *asleep = 1;
        for (int k = 0; k < 3; k++) {
            body->velocity[k] = body->spin[k] = 0.0;
        }
    }
}

bool machine_numbers_within(const double *numbers, int count, double low, double high)
{
    bool good = true;
    for (int k = 0; k < count; k++) {
        good = good && numbers[k] >= low && numbers[k] <= high;
    }
    return good;
}

bool machine_body_is_possible(const MachineBodyState *body)
{
    const double *q = body->quaternion, far = MACHINE_BODY_FARTHEST;
    double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return machine_numbers_within(body->position, 3, -far, far) &&
           machine_numbers_within(body->velocity, 3, -far, far) && machine_numbers_within(body->spin, 3, -far, far) &&
           norm > 0.99 && norm < 1.01;
}
