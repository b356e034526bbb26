/// Where parts of a machine touch one another. Bodies that a joint joins are held apart by its range, and overlap about
/// its pin as they are built: they are not looked at. All others are: bucket and boom, stick and cab, blade and tracks.
/// Spheres around bodies and parts come first, then the planes of the parts' faces, then two convex solids.
#include <math.h>

#include "data/core/tool_geometry.h"
#include "machine/body/machine_internal.h"
#include "machine/body/same_touch.h"
#include "machine/contact/convex_contact.h"

/// Coulomb's friction of dry steel on steel. Handbooks: 0.15 (greasy) to 0.6.
#define STEEL_FRICTION 0.3

/// The search for touches, as far as it has come.
typedef struct OwnSearch {
    const SolidParts *parts;
    RigidMotion motion[MACHINE_MAX_BODIES];
    MachineOwnTouch *touches;
    int count;
} OwnSearch;

void solid_parts_find_meetings(SolidParts *parts, const MachineParams *params)
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

static bool is_known(const OwnSearch *search, int body, int other, const ConvexContact *contact)
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
        if (is_known(search, own->body, its->body, &found[k])) {
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
