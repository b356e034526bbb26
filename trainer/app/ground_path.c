/// What lies on the ground at the height that a belt or an edge had there has been marked by it, if nothing has come
/// over it since: so the marks of a way need nothing but the way and the ground of the present.
#include "trainer/app/ground_path.h"

#include <math.h>
#include <stdlib.h>

#include "data/schema/dozer_params.h"

#define STRIDE      0.03 ///< m that belts or an edge move until they mark anew
#define LEAP        1.5 ///< m from step to step: nothing that runs does so
#define TOUCH       0.06 ///< m between a belt and the ground that it marks
#define EDGE_OVER   0.05 ///< m of ground over an edge that has just cut it
#define EDGE_UNDER  0.02 ///< m of ground under an edge that still scrapes it
#define FURROW_WIDE 0.30 ///< m: where a ripper's shank breaks the ground open
#define FURROW_HIGH 0.25 ///< m that ground heaves over the level of the tracks, at most
#define FURROW_FEW  0.10 ///< m below the tracks: so deep the point is, at least
#define FLATTEST    0.5 ///< cosine: a steeper way of an edge is that of a bucket that is filled

void ground_path_free(GroundPath *path)
{
    free(path->steps);
    *path = (GroundPath){0};
}

static void put(float to[3], Vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static Vec3 get(const float v[3])
{
    return vec3((double)v[0], (double)v[1], (double)v[2]);
}

static Vec3 axis_of(const Mat3 *rotation, int k)
{
    return vec3(rotation->m[0][k], rotation->m[1][k], rotation->m[2][k]);
}

void ground_step_take(const Machine *machine, const MachineState *state, int64_t tick, GroundStep *step)
{
    const MachineParams *params = machine_params(machine);
    Pose pose;
    *step = (GroundStep){.tick = tick, .travel = {(float)state->track_travel[0], (float)state->track_travel[1]}};
    machine_get_body_frame(machine, state, MACHINE_BASE, &pose);
    put(step->base, pose.position);
    put(step->ahead, axis_of(&pose.rotation, 0));
    put(step->left, axis_of(&pose.rotation, 1));
    for (int k = 0; k < params->tool_count; k++) {
        const ToolShape *shape = &params->tool[k].shape;
        machine_get_body_frame(machine, state, params->tool[k].body, &pose);
        put(step->edge[k], pose_apply(&pose, vec3(shape->edge[0], 0.0, shape->edge[1])));
        put(step->along[k], axis_of(&pose.rotation, 1));
    }
}

bool ground_step_moved(const GroundStep *before, const GroundStep *now)
{
    double belts = 0.0, most = vec3_length(vec3_sub(get(now->base), get(before->base)));
    for (int k = 0; k < 2; k++) {
        belts = fmax(belts, fabs((double)now->travel[k] - (double)before->travel[k]));
    }
    for (int k = 0; k < GROUND_EDGES; k++) {
        most = fmax(most, vec3_length(vec3_sub(get(now->edge[k]), get(before->edge[k]))));
    }
    return fmax(most, belts) >= STRIDE;
}

void ground_path_add(GroundPath *path, const GroundStep *step)
{
    const GroundStep *last = path->steps != NULL && path->count > 0 ? &path->steps[path->count - 1] : NULL;
    if (last != NULL && (step->tick <= last->tick || !ground_step_moved(last, step))) {
        return;
    }
    if (path->steps == NULL || path->count >= path->capacity) {
        int64_t capacity = path->capacity > 0 ? 2 * path->capacity : 4096;
        GroundStep *steps = realloc(path->steps, (size_t)capacity * sizeof *steps);
        if (steps == NULL) {
            abort();
        }
        path->steps = steps;
        path->capacity = capacity;
    }
    path->steps[path->count++] = *step;
}

void ground_path_cut(GroundPath *path, int64_t tick)
{
    while (path->count > 0 && path->steps[path->count - 1].tick > tick) {
        path->count--;
    }
}

/// A frame at `middle` whose y is the unit vector `left`, and whose x is nearest to `ahead` of what is square to it.
static Pose frame_of(Vec3 middle, Vec3 ahead, Vec3 left)
{
    Vec3 x = vec3_unit(vec3_madd(ahead, -vec3_dot(ahead, left), left), vec3(1.0, 0.0, 0.0));
    Vec3 z = vec3_cross(x, left);
    return (Pose){middle, {{{x.x, left.x, z.x}, {x.y, left.y, z.y}, {x.z, left.z, z.z}}}};
}

/// The belts press all that they lie on; of what they come from only their ends.
static void press_belts(const MachineTracks *tracks, const GroundStep *now, double step, bool whole,
                        const RenderGrid *site, GroundMarks *marks)
{
    double piece = whole ? tracks->contact_length : fmin(step + 2.0 * site->spacing, tracks->contact_length);
    double end = 0.5 * (tracks->contact_length - piece);
    for (int k = 0; k < (whole ? 2 : 4); k++) {
        int side = k % 2, fore = k / 2;
        double ahead = fore == 0 ? end : -end, left = (side == 0 ? 0.5 : -0.5) * tracks->gauge;
        Vec3 middle = vec3_madd(vec3_madd(get(now->base), ahead, get(now->ahead)), left, get(now->left));
        GroundTread tread = {.kind = RENDER_TRACE_BELT,
                             .frame = frame_of(middle, get(now->ahead), get(now->left)),
                             .length = piece,
                             .width = tracks->shoe_width,
                             .low = -TOUCH,
                             .high = TOUCH,
                             .pitch = GROUND_BAR_PITCH,
                             .run = (double)now->travel[side] + ahead};
        ground_marks_press(marks, site, &tread);
    }
}

/// An edge leaves the ground along the surface that it passes through: grooves of its teeth, or smooth.
static void press_edge(const MachineParams *machine, int tool, const GroundStep *before, const GroundStep *now,
                       const RenderGrid *site, GroundMarks *marks)
{
    const MachineToolParams *params = &machine->tool[tool];
    Vec3 from = get(before->edge[tool]), to = get(now->edge[tool]), way = vec3_sub(to, from);
    Vec3 left = get(now->along[tool]);
    double step = vec3_length(way), aside = fabs(vec3_dot(way, left));
    if (!params->cuts || step < 0.2 * STRIDE || step > LEAP || aside > 0.7 * step) {
        return;
    }
    Pose frame = frame_of(vec3_madd(from, 0.5, way), way, left);
    if (frame.rotation.m[2][2] < 0.0) { // backwards
        frame = frame_of(frame.position, vec3_scale(way, -1.0), left);
    }
    if (frame.rotation.m[2][2] < FLATTEST) {
        return;
    }
    GroundTread tread = {.kind = params->teeth > 1 ? RENDER_TRACE_TEETH : RENDER_TRACE_BLADE,
                         .frame = frame,
                         .length = step + 2.0 * site->spacing,
                         .width = params->shape.edge_width,
                         .low = -EDGE_UNDER,
                         .high = EDGE_OVER,
                         .pitch = ground_tooth_pitch(machine)};
    ground_marks_press(marks, site, &tread);
}

/// A shank whose point is in the ground breaks it open behind itself, at the level that the tracks stand on.
static void press_furrow(const MachineParams *machine, const GroundStep *before, const GroundStep *now,
                         const RenderGrid *site, GroundMarks *marks)
{
    Vec3 from = get(before->edge[DOZER_TOOL_RIPPER]), to = get(now->edge[DOZER_TOOL_RIPPER]);
    Vec3 base = get(now->base), way = vec3_sub(to, from);
    Vec3 up = vec3_cross(get(now->ahead), get(now->left));
    double deep = -vec3_dot(vec3_sub(to, base), up), step = hypot(way.x, way.y);
    if (deep < FURROW_FEW || step < 0.2 * STRIDE || step > LEAP) {
        return;
    }
    Pose frame = frame_of(vec3_madd(vec3_madd(from, 0.5, way), deep, up), way, get(now->left));
    GroundTread tread = {.kind = RENDER_TRACE_TEETH,
                         .frame = frame,
                         .length = step + 2.0 * site->spacing,
                         .width = FURROW_WIDE,
                         .low = -TOUCH,
                         .high = FURROW_HIGH,
                         .pitch = ground_tooth_pitch(machine)};
    if (frame.rotation.m[2][2] > FLATTEST) {
        ground_marks_press(marks, site, &tread);
    }
}

void ground_step_press(const MachineParams *machine, const GroundStep *before, const GroundStep *now, bool whole,
                       const RenderGrid *site, GroundMarks *marks)
{
    double step = vec3_length(vec3_sub(get(now->base), get(before->base)));
    bool dozer = machine->type == MACHINE_DOZER;
    if (dozer && machine->tool_count > DOZER_TOOL_RIPPER) {
        press_furrow(machine, before, now, site, marks);
    }
    if (machine->tool_count > 0 && dozer) { // a blade goes ahead of the belts
        press_edge(machine, DOZER_TOOL_BLADE, before, now, site, marks);
    }
    if (step < LEAP) {
        press_belts(&machine->tracks, now, step, whole, site, marks);
    }
    if (machine->tool_count > 0 && !dozer) {
        press_edge(machine, 0, before, now, site, marks);
    }
}

void ground_path_press(const GroundPath *path, int64_t tick, const MachineParams *machine, const RenderGrid *site,
                       GroundMarks *marks)
{
    for (int64_t k = 0; k < path->count && path->steps[k].tick <= tick; k++) {
        const GroundStep *before = &path->steps[k > 0 ? k - 1 : 0];
        bool last = k + 1 == path->count || path->steps[k + 1].tick > tick;
        ground_step_press(machine, before, &path->steps[k], k == 0 || last, site, marks);
    }
}

double ground_tooth_pitch(const MachineParams *machine)
{
    const MachineToolParams *tool = &machine->tool[0];
    return tool->teeth > 1 ? tool->shape.edge_width / (tool->teeth - 1) : 0.6;
}
