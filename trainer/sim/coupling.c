/// Hands a tool's pose, velocity and mass to the soil, and wrenches and the ground under the tracks to the machine.
#include "trainer/sim/coupling.h"

#include <math.h>
#include <string.h>

#include "data/core/elementary.h"
#include "data/core/tool_geometry.h"

static void find_tool(const Machine *machine, const MachineState *state, int index, SoilTool *tool)
{
    const MachineToolParams *own = &machine_params(machine)->tool[index];
    *tool = (SoilTool){.shape = &own->shape, .cuts = own->cuts, .steel_friction = 1.0};
    machine_get_body(machine, state, own->body, &tool->motion);
}

void coupling_tool(const Machine *machine, const MachineState *state, SoilTool *tool)
{
    find_tool(machine, state, 0, tool);
}

int coupling_tools(const Machine *machine, const MachineState *state, SoilTool tools[COUPLING_MAX_TOOLS])
{
    int count = machine_params(machine)->tool_count;
    for (int k = 0; k < count; k++) {
        find_tool(machine, state, k, &tools[k]);
    }
    return count;
}

/// The lowest corner of a tool over the ground decides: a mound may reach it where it does not reach the tracks.
static bool tool_starts_clear(const Soil *soil, const SoilTool *tool, const char *name, Status *status)
{
    enum { ACROSS = 9 };
    for (int k = 0; k < tool->shape->piece_count; k++) {
        const ToolPiece *piece = &tool->shape->pieces[k];
        for (int c = 0; c < ACROSS * piece->corner_count; c++) {
            const double *corner = piece->corners[c / ACROSS];
            double y = piece->y_min + (piece->y_max - piece->y_min) * (c % ACROSS) / (ACROSS - 1);
            Vec3 at = pose_apply(&tool->motion.frame, vec3(corner[0], y, corner[1]));
            double height = soil_get_height(soil, at.x, at.y);
            if (at.z < height) {
                return status_fail(status, STATUS_BAD_FILE,
                                   "machine: its %s starts inside the ground: %.4g m high at %.4g, %.4g, "
                                   "allowed above %.4g m there",
                                   name, at.z, at.x, at.y, height);
            }
        }
    }
    return true;
}

bool coupling_tools_start_clear(const Machine *machine, const MachineState *state, const Soil *soil, Status *status)
{
    const MachineParams *params = machine_params(machine);
    SoilTool tools[COUPLING_MAX_TOOLS];
    int count = coupling_tools(machine, state, tools);
    for (int k = 0; k < count; k++) {
        const char *name = params->body[params->tool[k].body].name;
        if (!tool_starts_clear(soil, &tools[k], name, status)) {
            return false;
        }
    }
    return true;
}

void coupling_loads(const Machine *machine, const Wrench wrenches[COUPLING_MAX_TOOLS], Wrench loads[MACHINE_MAX_BODIES])
{
    const MachineParams *params = machine_params(machine);
    memset(loads, 0, MACHINE_MAX_BODIES * sizeof *loads);
    for (int k = 0; k < params->tool_count; k++) {
        loads[params->tool[k].body] = wrenches[k];
    }
}

// Loose soil has no bonds, and shears at a lower angle than the soil in place.
static void shear_strength(const SoilParams *soil, double looseness, MachineGround *ground)
{
    ground->friction = (1.0 - 0.2 * looseness) * same_tan(soil->friction_angle);
    ground->cohesion = (1.0 - looseness) * soil->cohesion;
}

enum { PATCH_ALONG = 4, PATCH_ACROSS = 3, PATCH_POINTS = PATCH_ALONG * PATCH_ACROSS };

/// The places below a track's patch at which the ground is read, from its middle on.
typedef struct PatchGrid {
    double u[PATCH_POINTS], v[PATCH_POINTS]; ///< m along the track and to its left
    double uu, vv; ///< sums of their squares
    double c, s; ///< cosine and sine of where the track leads
} PatchGrid;

static PatchGrid patch_grid(double length, double width, double yaw)
{
    PatchGrid grid = {.c = same_cos(yaw), .s = same_sin(yaw)};
    for (int k = 0; k < PATCH_POINTS; k++) {
        grid.u[k] = ((k % PATCH_ALONG + 0.5) / PATCH_ALONG - 0.5) * length;
        grid.v[k] = ((k / PATCH_ALONG + 0.5) / PATCH_ACROSS - 0.5) * width;
        grid.uu += grid.u[k] * grid.u[k];
        grid.vv += grid.v[k] * grid.v[k];
    }
    return grid;
}

/// The plane that lies best through the ground below a patch's shoes: height at its middle, and normal.
static void patch_plane(const Soil *soil, Vec3 at, const PatchGrid *grid, MachineGround *ground)
{
    const double c = grid->c, s = grid->s;
    double sum = 0.0, by_u = 0.0, by_v = 0.0;
    for (int k = 0; k < PATCH_POINTS; k++) {
        double u = grid->u[k], v = grid->v[k];
        double height = soil_get_height(soil, at.x + u * c - v * s, at.y + u * s + v * c);
        sum += height;
        by_u += height * u;
        by_v += height * v;
    }
    double along = by_u / grid->uu, across = by_v / grid->vv;
    ground->height = sum / PATCH_POINTS;
    ground->normal = vec3_unit(vec3(across * s - along * c, -along * s - across * c, 1.0), vec3(0.0, 0.0, 1.0));
}

/// Loose soil carries about a third of the pressure that firm soil does at the same sinkage.
static double firmness_of(const SoilSurface *surface)
{
    return 1.0 - 0.65 * surface->looseness;
}

/// m by which the undercarriage gives under a pressure, Pa, for `firmness` of the ground: stiffness is that of both,
/// one on the other.
static double undercarriage_give(const MachineTracks *tracks, double pressure, double firmness)
{
    return pressure / firmness * (1.0 / tracks->stiffness - 1.0 / tracks->ground_stiffness);
}

enum { HALVINGS = 12 }; ///< of the pressure's interval: to a part in 4096

/// Pa that the ground bears under a patch `depth` m below it before it sinks for good. Of that depth the soil has only
/// what the undercarriage does not give, so that the pressure p follows from p = bearing(depth - give(p)), whose right
/// side falls with p.
static double bearing_at(const Soil *soil, const MachineTracks *tracks, Vec3 at, double depth, double firmness)
{
    double high = tracks->stiffness * firmness * depth, low = 0.0;
    double bearing = soil_get_track_bearing(soil, at.x, at.y, tracks->shoe_width,
                                            depth - undercarriage_give(tracks, high, firmness));
    if (bearing >= high ||
        tracks->ground_stiffness <= tracks->stiffness) { // the spring bears it, or nothing else gives
        return bearing;
    }
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        bearing = soil_get_track_bearing(soil, at.x, at.y, tracks->shoe_width,
                                         depth - undercarriage_give(tracks, middle, firmness));
        low = bearing >= middle ? middle : low;
        high = bearing >= middle ? high : middle;
    }
    return low;
}

void coupling_ground(const Soil *soil, const SoilParams *soils, const MachineTracks *tracks, const Vec3 *positions,
                     int count, MachineGround *ground)
{
    Vec3 track = vec3_sub(positions[count / 2 - 1], positions[0]); // from the rear to the front
    const PatchGrid grid =
        patch_grid(tracks->contact_length / tracks->patches, tracks->shoe_width, same_atan2(track.y, track.x));
    for (int k = 0; k < count; k++) {
        SoilSurface surface = soil_get_surface(soil, positions[k].x, positions[k].y);
        patch_plane(soil, positions[k], &grid, &ground[k]);
        ground[k].firmness = firmness_of(&surface);
        ground[k].bearing =
            bearing_at(soil, tracks, positions[k], ground[k].height - positions[k].z, ground[k].firmness);
        shear_strength(&soils[surface.soil], surface.looseness, &ground[k]);
    }
}

/// Cosine: a machine that leans more does not stand on its tracks. Chosen: 60 degrees, beyond any slope it climbs.
#define STANDS 0.5

/// The underside of each patch of the tracks. Returns their number; 0 of a machine that lies on its side or stands on
/// an end.
static int place_footprints(const Machine *machine, const MachineState *state,
                            SoilFootprint footprints[MACHINE_MAX_PATCHES])
{
    const MachineTracks *tracks = &machine_params(machine)->tracks;
    Vec3 positions[MACHINE_MAX_PATCHES];
    int count = machine_track_patches(machine, state, positions);
    Pose frame;
    machine_get_body_frame(machine, state, MACHINE_BASE, &frame);
    if (frame.rotation.m[2][2] < STANDS) {
        return 0;
    }
    Vec3 along = mat3_mul(&frame.rotation, vec3(1.0, 0.0, 0.0)), left = mat3_mul(&frame.rotation, vec3(0.0, 1.0, 0.0));
    const SoilFootprint any = {.heading = same_atan2(along.y, along.x),
                               .slope = {along.z / same_hypot(along.x, along.y), left.z / same_hypot(left.x, left.y)},
                               .length = tracks->contact_length / (tracks->patches - 1), // a track has no gaps
                               .width = tracks->shoe_width,
                               .track_length = tracks->contact_length};
    for (int k = 0; k < count; k++) {
        footprints[k] = any;
        footprints[k].middle = positions[k];
    }
    return count;
}

void coupling_standing(const Machine *machine, const MachineState *state, SoilFootprint footprints[MACHINE_MAX_PATCHES])
{
    double patches = machine_params(machine)->tracks.patches;
    int count = place_footprints(machine, state, footprints);
    for (int k = 0; k < count; k++) { // of the first and the last half reaches beyond the track
        footprints[k].pressure = machine_patch_pressure(machine, state, k) * (patches - 1.0) / patches;
    }
    for (int k = count; k < MACHINE_MAX_PATCHES; k++) {
        footprints[k] = (SoilFootprint){.length = 0.0};
    }
}

/// The same, with `pressure` (Pa, of each) and how stiff the ground below is; undersides lie as high as the
/// undercarriage has given.
static void press_footprints(const Soil *soil, const MachineTracks *tracks, int count,
                             const double pressure[MACHINE_MAX_PATCHES], SoilFootprint footprints[MACHINE_MAX_PATCHES])
{
    for (int k = 0; k < count; k++) {
        SoilSurface surface = soil_get_surface(soil, footprints[k].middle.x, footprints[k].middle.y);
        double firmness = firmness_of(&surface);
        footprints[k].stiffness = firmness * tracks->ground_stiffness;
        footprints[k].pressure = pressure[k];
        footprints[k].middle.z += undercarriage_give(tracks, pressure[k], firmness);
    }
}

void coupling_ruts(Soil *soil, const Machine *machine, const MachineState *state, double dt)
{
    SoilFootprint footprints[MACHINE_MAX_PATCHES];
    double pressure[MACHINE_MAX_PATCHES] = {0.0};
    int count = place_footprints(machine, state, footprints);
    for (int k = 0; k < count; k++) {
        pressure[k] = machine_patch_pressure(machine, state, k);
    }
    press_footprints(soil, &machine_params(machine)->tracks, count, pressure, footprints);
    for (int k = 0; k < count; k++) {
        footprints[k].sheared = dt * machine_patch_shearing(machine, state, k);
        if (footprints[k].pressure > 0.0) {
            soil_press(soil, &footprints[k]);
        }
    }
}

/// Lowers a plane with the unit normal `up` through `place` to the one that lies best below `count` places of it, where
/// the ground sank by `depths`, m straight down. The places lie in rows, two tracks of the same length, so that the
/// slopes along and across them do not depend on each other.
static void sink_plane(const SoilFootprint *footprints, const double *depths, int count, Vec3 *place, Vec3 *up)
{
    Vec3 along = vec3_sub(footprints[count / 2 - 1].middle, footprints[0].middle); // from the rear to the front
    along = vec3_sub(along, vec3_scale(*up, vec3_dot(along, *up)));
    along = vec3_unit(along, vec3(1.0, 0.0, 0.0));
    Vec3 left = vec3_cross(*up, along);
    double sum = 0.0, u_sum = 0.0, v_sum = 0.0;
    for (int k = 0; k < count; k++) {
        Vec3 off = vec3_sub(footprints[k].middle, *place);
        sum += depths[k];
        u_sum += vec3_dot(off, along);
        v_sum += vec3_dot(off, left);
    }
    double uu = 0.0, vv = 0.0, by_u = 0.0, by_v = 0.0, u_mean = u_sum / count, v_mean = v_sum / count;
    for (int k = 0; k < count; k++) {
        Vec3 off = vec3_sub(footprints[k].middle, *place);
        double u = vec3_dot(off, along) - u_mean, v = vec3_dot(off, left) - v_mean;
        uu += u * u;
        vv += v * v;
        by_u += depths[k] * u;
        by_v += depths[k] * v;
    }
    double by_along = by_u / uu, by_left = by_v / vv;
    place->z -= sum / count - by_along * u_mean - by_left * v_mean;
    by_along *= up->z; // at right angles to the plane
    by_left *= up->z;
    *up = vec3_add(*up, vec3_add(vec3_scale(along, by_along), vec3_scale(left, by_left)));
    *up = vec3_unit(*up, vec3(0.0, 0.0, 1.0));
}

void coupling_stand(Soil *soil, const Machine *machine, const MachineState *state, Vec3 *place, Vec3 *up)
{
    const MachineTracks *tracks = &machine_params(machine)->tracks;
    SoilFootprint footprints[MACHINE_MAX_PATCHES];
    double pressure[MACHINE_MAX_PATCHES] = {0.0}, depths[MACHINE_MAX_PATCHES];
    int count = place_footprints(machine, state, footprints);
    for (int k = 0; k < count; k++) {
        SoilSurface surface = soil_get_surface(soil, footprints[k].middle.x, footprints[k].middle.y);
        double gives = fmax(0.0, vec3_dot(vec3_sub(*place, footprints[k].middle), *up));
        pressure[k] = gives * firmness_of(&surface) * tracks->stiffness;
    }
    press_footprints(soil, tracks, count, pressure, footprints);
    for (int k = 0; k < count; k++) {
        SoilFootprint *footprint = &footprints[k];
        double depth =
            soil_get_sinkage(soil, footprint->middle.x, footprint->middle.y, footprint->width, footprint->pressure);
        depths[k] = fmax(0.0, depth - footprint->pressure / footprint->stiffness);
        footprint->middle.z -= depths[k];
    }
    for (int k = 0; k < count; k++) {
        soil_press(soil, &footprints[k]);
    }
    if (count > 0) {
        sink_plane(footprints, depths, count, place, up);
    }
}

/// ---- the steel beside the tools ------------------------------------------------------------------------------------

/// m, beside what a body moves in a tick: soil so far from a piece is near. Chosen: more than a grain and a column
#define HULL_MARGIN 0.15
/// m: the same of ground below and beside, which does not come nearer by itself.
#define GROUND_MARGIN 0.05

void coupling_hull_create(const Machine *machine, CouplingHull *hull)
{
    memset(hull, 0, sizeof *hull);
    for (int body = 0; body < machine_params(machine)->body_count; body++) {
        machine_get_steel(machine, body, &hull->shape[body]);
        tool_shape_finish(&hull->shape[body]);
    }
    ToolPiece grain = {
        .corner_count = 3, .corners = {{0.0, 0.0}, {0.01, 0.0}, {0.0, 0.01}}, .y_min = -0.01, .y_max = 0.01};
    hull->nothing = (ToolShape){.piece_count = 1, .pieces = {grain}};
    tool_shape_finish(&hull->nothing);
}

/// True when a column in a rectangle is higher than `z` m, of those beyond the edge of the site too.
static bool rises_within(const SoilGridView *grid, Vec3 low, Vec3 high, double z)
{
    double spacing = grid->spacing;
    int first_row = (int)fmin(grid->rows, fmax(-1.0, floor((low.y - grid->origin_y) / spacing))),
        first_column = (int)fmin(grid->columns, fmax(-1.0, floor((low.x - grid->origin_x) / spacing)));
    int last_row = (int)fmax(-1.0, fmin(grid->rows, ceil((high.y - grid->origin_y) / spacing))),
        last_column = (int)fmax(-1.0, fmin(grid->columns, ceil((high.x - grid->origin_x) / spacing)));
    bool inside = first_row >= 0 && last_row < grid->rows && first_column >= 0 && last_column < grid->columns;
    for (int row = first_row; row <= last_row; row++) {
        const float *heights = inside ? grid->height + (size_t)row * (size_t)grid->columns : NULL;
        bool rises = false;
        for (int column = first_column; column <= last_column; column++) {
            double height = inside ? (double)heights[column] : soil_grid_height(grid, row, column);
            rises |= height > z;
        }
        if (rises) {
            return true;
        }
    }
    return false;
}

/// True when a piece comes within `margin` m of the site's ground.
static bool ground_is_near(const SoilGridView *grid, const Pose *frame, const ToolPiece *piece, double margin)
{
    Vec3 points[2 * TOOL_MAX_CORNERS], low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    int count = tool_piece_points(piece, points);
    for (int k = 0; k < count; k++) {
        Vec3 at = pose_apply(frame, points[k]);
        low = vec3(fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z));
        high = vec3(fmax(high.x, at.x), fmax(high.y, at.y), fmax(high.z, at.z));
    }
    Vec3 beside = vec3(margin, margin, 0.0);
    return rises_within(grid, vec3_sub(low, beside), vec3_add(high, beside), low.z - margin);
}

/// True when a grain, or what is settled in a tray, comes within `margin` m of a body's steel.
static bool grains_are_near(const Soil *soil, const Pose *frame, const ToolShape *shape, double margin)
{
    Vec3 middle, center;
    double radius = tool_bounding_sphere(shape, &middle) + margin;
    center = pose_apply(frame, middle);
    SoilParticleView grains = soil_get_particles(soil);
    for (int i = 0; i < grains.count; i++) {
        double x = grains.x[i] - center.x, y = grains.y[i] - center.y, z = grains.z[i] - center.z;
        if (x * x + y * y + z * z < radius * radius &&
            tool_is_within(shape, pose_apply_inverse(frame, vec3(grains.x[i], grains.y[i], grains.z[i])), margin)) {
            return true;
        }
    }
    SoilTrayMotion motion;
    const SoilTray *tray;
    for (int k = 0; (tray = soil_get_tray(soil, k, &motion)) != NULL; k++) {
        Vec3 local = pose_apply_inverse(&motion.frame, center);
        if (fabs(local.x) < 0.5 * tray->length + radius && fabs(local.y) < 0.5 * tray->width + radius &&
            fabs(local.z) < tray->wall + radius) {
            return true;
        }
    }
    return false;
}

void coupling_hull_begin_tick(CouplingHull *hull, const Machine *machine, const MachineState *state, const Soil *soil,
                              double dt)
{
    SoilGridView grid = soil_get_grid(soil);
    for (int body = 0; body < machine_params(machine)->body_count; body++) {
        const ToolShape *shape = &hull->shape[body];
        hull->near[body] = false;
        if (shape->piece_count == 0) {
            continue;
        }
        RigidMotion motion;
        machine_get_body(machine, state, body, &motion);
        Vec3 middle;
        double size = 2.0 * tool_bounding_sphere(shape, &middle);
        double margin = HULL_MARGIN + dt * (vec3_length(motion.velocity) + size * vec3_length(motion.spin));
        for (int k = 0; k < shape->piece_count && !hull->near[body]; k++) {
            hull->near[body] =
                ground_is_near(&grid, &motion.frame, &shape->pieces[k], margin - HULL_MARGIN + GROUND_MARGIN);
        }
        hull->near[body] = hull->near[body] || grains_are_near(soil, &motion.frame, shape, margin);
    }
}

int coupling_hull_tools(const CouplingHull *hull, const Machine *machine, const MachineState *state,
                        SoilTool tools[MACHINE_MAX_BODIES])
{
    int count = machine_params(machine)->body_count;
    for (int body = 0; body < count; body++) {
        SoilTool *tool = &tools[body];
        if (hull->near[body]) {
            *tool = (SoilTool){.shape = &hull->shape[body], .presses = true, .steel_friction = 1.0};
            machine_get_body(machine, state, body, &tool->motion);
        } else {
            *tool = (SoilTool){.shape = &hull->nothing, .steel_friction = 1.0};
            tool->motion.frame = (Pose){vec3(0.0, 0.0, -2e3 - body), mat3_identity()};
            tool->motion.center = tool->motion.frame.position;
        }
    }
    return count;
}

void coupling_hull_set_wrenches(CouplingHull *hull, const Wrench *wrenches, int count)
{
    memcpy(hull->pending, wrenches, (size_t)count * sizeof *wrenches);
}

void coupling_hull_add_loads(const CouplingHull *hull, Wrench loads[MACHINE_MAX_BODIES])
{
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        wrench_add(&loads[body], &hull->pending[body], 1.0);
    }
}

void coupling_hull_visit(CouplingHull *hull, StateVisitor *visitor)
{
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        STATE_VISIT(visitor, "hull.pending_force", hull->pending[body].force);
        STATE_VISIT(visitor, "hull.pending_moment", hull->pending[body].moment);
    }
}

bool coupling_hull_is_finite(const CouplingHull *hull)
{
    double sum = 0.0;
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        sum += vec3_length(hull->pending[body].force) + vec3_length(hull->pending[body].moment);
    }
    return isfinite(sum);
}

/// ---- forces on the tools -------------------------------------------------------------------------------------------
///
/// Sums the forces on the body that carries each tool.

static void add_scaled(Vec3 *sum, Vec3 force, double share)
{
    *sum = vec3_add(*sum, vec3_scale(force, share));
}

Vec3 tool_force_total(const ToolForce *force)
{
    Vec3 sum = vec3_add(vec3_add(force->soil, force->rocks), force->solids);
    return vec3_add(sum, vec3_add(force->sling, force->blows));
}

/// Pull of a mover's ropes on a body.
static Vec3 pull_of_ropes(const MachineMover *mover, int body)
{
    Vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < mover->rope_count; k++) {
        const MachineRope *rope = &mover->rope[k];
        Vec3 along = vec3_sub(rope->to, rope->from);
        double length = vec3_length(along);
        if (rope->body == body && length > 0.0) {
            add_scaled(&sum, along, rope->tension / length);
        }
    }
    return sum;
}

void tool_forces_add_step(ToolForces *forces, const ToolForceSources *sources, double share)
{
    const MachineParams *params = machine_params(sources->machine);
    MachineChisel chisel;
    machine_get_chisel(sources->machine, sources->state, &chisel);
    for (int k = 0; k < params->tool_count; k++) {
        int body = params->tool[k].body;
        Vec3 *solids = &forces->solids[k][forces->step_count];
        for (int n = 0; n < sources->touch_count; n++) {
            if (sources->touches[n].body == body) {
                add_scaled(solids, sources->touches[n].force, 1.0);
            }
        }
        for (int n = 0; n < sources->mover_count; n++) {
            if (sources->movers[n].mass > 0.0) {
                add_scaled(&forces->force[k].sling, pull_of_ropes(&sources->movers[n], body), share);
            }
        }
        add_scaled(&forces->force[k].blows, chisel.axis, k == 0 ? -chisel.thrust * share : 0.0);
    }
    forces->step_count++;
}

void tool_forces_add_soil(ToolForces *forces, const ToolForceSources *sources, double share)
{
    const MachineParams *params = machine_params(sources->machine);
    for (int k = 0; k < params->tool_count; k++) {
        int body = params->tool[k].body;
        add_scaled(&forces->force[k].soil, sources->soil[k].force, share);
        add_scaled(&forces->force[k].soil, sources->hull->pending[body].force, share);
        add_scaled(&forces->force[k].rocks, session_rocks_on_body(sources->rocks, body).force, share);
    }
}

/// The force of median size, of two in the middle the smaller one.
static Vec3 median_force(const Vec3 *forces, int count)
{
    for (int k = 0; k < count; k++) {
        int below = 0;
        double size = vec3_length(forces[k]);
        for (int n = 0; n < count; n++) {
            double other = vec3_length(forces[n]);
            below += other < size || (other == size && n < k);
        }
        if (below == (count - 1) / 2) {
            return forces[k];
        }
    }
    return vec3(0.0, 0.0, 0.0);
}

void tool_forces_end(ToolForces *forces)
{
    for (int k = 0; k < MACHINE_MAX_TOOLS; k++) {
        forces->force[k].solids = median_force(forces->solids[k], forces->step_count);
    }
}
