/// Places lamps, mirrors and hoses on machines and trucks. Lamps are where makers of the classes put them: two over the
/// windscreen, two on the boom of an excavator, two over a dozer's rear window. A mirror is turned so that the law of
/// reflection holds between the driver's eye and what the mirror shows. A hose is a cubic Bezier curve as long as the
/// hose. Places of fittings and what mirrors show are chosen by eye.
#include "render/meshes/fittings.h"

#include "data/schema/machine_params.h"

/// ---- lines of arm, house and cab -----------------------------------------------------------------------------------

/// Two straight parts with a rounded bend between them.
double excavator_boom_line(const MachineParams *params, double share)
{
    const double bend = 0.42, round = 0.34, rise = 0.150 * excavator_boom_length(params);
    double a = share / bend, b = (1.0 - share) / (1.0 - bend);
    double h = fmin(fmax(0.5 + 0.5 * (b - a) / round, 0.0), 1.0);
    return rise * (b + (a - b) * h - round * h * (1.0 - h));
}

double excavator_boom_half_width(const MachineParams *params)
{
    double beside_cab = params->cab.corner[1] - 0.005; // m
    return fmin(0.083 * params->upper_width, fmax(beside_cab, 0.05 * params->upper_width));
}

double excavator_stick_half_width(const MachineParams *params)
{
    return 0.9 * excavator_boom_half_width(params);
}

double excavator_boom_half(const MachineParams *params, double share)
{
    double from_end = share < 0.42 ? share / 0.42 : (1.0 - share) / 0.58;
    double end = share < 0.42 ? 0.205 : 0.175;
    from_end = from_end * from_end * (3.0 - 2.0 * from_end);
    return (end + (0.355 - end) * from_end) * excavator_boom_length(params) / 5.7;
}

Vec3 excavator_boom_back(const MachineParams *params, double share, double y, double over, Vec3 *along)
{
    double length = excavator_boom_length(params), lift = excavator_boom_half(params, share) + over;
    double rise = excavator_boom_line(params, share + 0.01) - excavator_boom_line(params, share - 0.01);
    *along = vec3_unit(vec3(0.02 * length, 0.0, rise), vec3(1.0, 0.0, 0.0));
    return vec3(share * length - lift * along->z, y, excavator_boom_line(params, share) + lift * along->x);
}

void excavator_house_factors(const MachineParams *params, double factors[3])
{
    // m, of the 22-t class that the house is drawn in: behind the swing axis, across, cab's roof over the house frame.
    const double class_tail = 2.83, class_width = 2.78, class_roof = 1.90;
    factors[0] = params->tail_radius / class_tail;
    factors[1] = params->upper_width / class_width;
    factors[2] = (params->cab.corner[2] + params->cab.size[2]) / class_roof;
}

double truck_cab_width(const TruckParams *truck)
{
    return fmin(truck->bed.width, 2.5);
}

/// ---- lamps and mirrors ---------------------------------------------------------------------------------------------

/// Unit vector ahead (ahead = 1) or back (-1), turned to the left by `aside` and down by `down` rad.
static Vec3 beam(double ahead, double aside, double down)
{
    return vec3(ahead * cos(down) * cos(aside), cos(down) * sin(aside), -sin(down));
}

int machine_lamps(const MachineParams *params, FittingLamp lamps[FITTINGS_MAX_LAMPS])
{
    const MachineCab *cab = &params->cab;
    double front = cab->corner[0] + cab->size[0] - 0.268, roof = cab->corner[2] + cab->size[2] + 0.075;
    double middle = cab->corner[1] + 0.5 * cab->size[1], apart = 0.5 * cab->size[1] - 0.16;
    for (int k = 0; k < FITTINGS_MAX_LAMPS; k++) {
        double side = k % 2 == 0 ? 1.0 : -1.0;
        lamps[k].body = params->cab_body;
        if (k < 2) {
            lamps[k].at = vec3(front, middle + side * apart, roof);
            lamps[k].direction = beam(1.0, 0.12 * side, 0.30);
        } else if (params->type == MACHINE_EXCAVATOR) {
            double share = 0.36, x = share * excavator_boom_length(params) + 0.118;
            lamps[k].body = EXCAVATOR_BOOM;
            lamps[k].at =
                vec3(x, side * (excavator_boom_half_width(params) + 0.067), excavator_boom_line(params, share) + 0.01);
            lamps[k].direction = beam(1.0, 0.05 * side, 0.70);
        } else {
            lamps[k].at = vec3(cab->corner[0] + 0.02, middle + side * apart, roof);
            lamps[k].direction = beam(-1.0, 0.12 * side, 0.40);
        }
    }
    return FITTINGS_MAX_LAMPS;
}

int truck_lamps(const TruckParams *truck, FittingLamp lamps[FITTINGS_MAX_LAMPS])
{
    for (int k = 0; k < 2; k++) {
        double side = k == 0 ? 1.0 : -1.0, y = 0.5 * truck_cab_width(truck) - 0.24;
        lamps[k] = (FittingLamp){.at = vec3(truck->front + 0.01, side * y, 0.64), .direction = beam(1.0, 0.0, 0.05)};
    }
    return 2;
}

Pose fitting_frame(Vec3 at, Vec3 x)
{
    Vec3 y = vec3_unit(vec3_cross(vec3(0.0, 0.0, 1.0), x), vec3(0.0, 1.0, 0.0));
    Vec3 z = vec3_cross(x, y);
    return (Pose){at, {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}};
}

/// Returns the mirror at `at` in which the eye sees `shown`.
static FittingMirror place_mirror(const MachineParams *params, Vec3 at, Vec3 shown, double width, double height)
{
    const double *seat = params->cab.eye;
    Vec3 back = vec3(-1.0, 0.0, 0.0);
    Vec3 to_eye = vec3_unit(vec3_sub(vec3(seat[0], seat[1], seat[2]), at), back);
    Vec3 to_shown = vec3_unit(vec3_sub(shown, at), back);
    return (FittingMirror){.body = params->cab_body,
                           .glass = fitting_frame(at, vec3_unit(vec3_add(to_eye, to_shown), back)),
                           .width = width,
                           .height = height,
                           .shown = shown};
}

int machine_mirrors(const MachineParams *params, FittingMirror mirrors[FITTINGS_MAX_MIRRORS])
{
    const MachineCab *cab = &params->cab;
    double front = cab->corner[0] + cab->size[0], top = cab->corner[2] + cab->size[2];
    if (params->type != MACHINE_EXCAVATOR) {
        double middle = cab->corner[1] + 0.5 * cab->size[1];
        mirrors[0] = place_mirror(params, vec3(front - 0.42, middle, top - 0.22),
                                  vec3(-params->tail_radius - 1.0, middle, 0.8), 0.34, 0.12);
        return 1;
    }
    double half = 0.5 * params->upper_width, back = -params->tail_radius - 1.0,
           ground = -excavator_swing_height(params);
    double left = cab->corner[1] + cab->size[1], houses[3];
    excavator_house_factors(params, houses);
    mirrors[0] = place_mirror(params, vec3(front + 0.07, left + 0.30, top - 0.55), vec3(back, half + 0.7, 0.5 * ground),
                              0.18, 0.33);
    Vec3 right = vec3(1.62 * houses[0], -half - 0.04, 1.30 * houses[2]);
    mirrors[1] = place_mirror(params, right, vec3(back, -half - 0.7, 0.5 * ground), 0.20, 0.30);
    return 2;
}

/// ---- housings of lamps and mirrors ---------------------------------------------------------------------------------

static const double lens_half_width = 0.060, lens_half_height = 0.042; ///< m

static const MeshMaterial lens_dark = {{196, 204, 208, 255}, {250, 60, 20, 0}};
static const MeshMaterial lens_lit = {{255, 248, 228, 255}, {250, 0, 0, 255}};
static const MeshMaterial mirror_glass = {{150, 166, 178, 255}, {255, 230, 0, 0}};

void fitting_mesh_lamps(const FittingLamp *lamps, int count, int body, Mesh *mesh)
{
    double w = lens_half_width + 0.014, h = lens_half_height + 0.014;
    for (int k = 0; k < count; k++) {
        if (lamps[k].body == body) {
            int first = mesh->vertex_count;
            Pose pose = fitting_frame(lamps[k].at, lamps[k].direction);
            const double shell[6][2] = {{0.0, -h},  {0.004, -h + 0.004}, {0.004, h - 0.004},
                                        {0.022, h}, {-0.06, 0.8 * h},    {-0.075, -0.4 * h}};
            mesh_prism(mesh, MESH_PLANE_XZ, shell, 6, -w, w, 0.01, &paint_black);
            part_box(mesh, -0.05, -0.02, -0.02, 0.02, -0.095, -0.03, 0.006, &paint_black);
            mesh_place(mesh, first, &pose);
        }
    }
}

void fitting_mesh_lens(bool lit, Mesh *mesh)
{
    double w = lens_half_width, h = lens_half_height;
    part_box(mesh, -0.004, 0.007, -w, w, -h, h, 0.004, lit ? &lens_lit : &lens_dark);
}

void fitting_mesh_mirrors(const MachineParams *params, Mesh *mesh)
{
    FittingMirror mirrors[FITTINGS_MAX_MIRRORS];
    int count = machine_mirrors(params, mirrors);
    for (int k = 0; k < count; k++) {
        double w = 0.5 * mirrors[k].width, h = 0.5 * mirrors[k].height, rim = 0.012;
        int first = mesh->vertex_count;
        part_box(mesh, -0.045, -0.004, -w - rim, w + rim, -h - rim, h + rim, 0.018, &paint_black);
        const double pane[4][3] = {{0.0, -w, -h}, {0.0, w, -h}, {0.0, w, h}, {0.0, -w, h}};
        mesh_pane(mesh, pane, &mirror_glass);
        mesh_place(mesh, first, &mirrors[k].glass);
    }
}

/// ---- hoses ---------------------------------------------------------------------------------------------------------

/// A curve leaves its fittings in their directions; how far its two handles reach is found by halving. Handles hang
/// down by a share of their length, as the hose's weight bends it.
static const double sag = 0.20; ///< of a handle's length
static const double thick = 0.022, thin = 0.016; ///< m: radii of hoses of 1 1/4 and 3/4 inch with their jackets

static void bezier(const Vec3 p[4], int count, Vec3 *points)
{
    for (int k = 0; k < count; k++) {
        double t = (double)k / (count - 1), s = 1.0 - t;
        Vec3 at = vec3_scale(p[0], s * s * s);
        at = vec3_madd(at, 3.0 * s * s * t, p[1]);
        at = vec3_madd(at, 3.0 * s * t * t, p[2]);
        points[k] = vec3_madd(at, t * t * t, p[3]);
    }
}

static double length_of(const Vec3 *points, int count)
{
    double length = 0.0;
    for (int k = 1; k < count; k++) {
        length += vec3_length(vec3_sub(points[k], points[k - 1]));
    }
    return length;
}

void hose_curve(const Hose *hose, const Pose frames[2], int count, Vec3 points[HOSE_MAX_POINTS])
{
    enum { HALVINGS = 16 };
    Vec3 end[2], out[2];
    for (int k = 0; k < 2; k++) {
        end[k] = pose_apply(&frames[k], hose->end[k].at);
        out[k] = vec3_add(mat3_mul(&frames[k].rotation, hose->end[k].out), vec3(0.0, 0.0, -sag));
    }
    double low = 0.0, high = 3.0 * hose->length;
    for (int k = 0; k < HALVINGS; k++) {
        double reach = 0.5 * (low + high);
        const Vec3 p[4] = {end[0], vec3_madd(end[0], reach, out[0]), vec3_madd(end[1], reach, out[1]), end[1]};
        bezier(p, count, points);
        bool longer = length_of(points, count) > hose->length;
        low = longer ? low : reach;
        high = longer ? reach : high;
    }
}

/// Returns the largest distance of a hose's ends, on the two bodies of a joint, over the joint's range.
static double most_apart(const MachineJointParams *joint, const Hose *hose)
{
    enum { STEPS = 24 };
    double most = 0.0;
    for (int k = 0; k <= STEPS; k++) {
        double angle = joint->range[0] + (joint->range[1] - joint->range[0]) * k / STEPS;
        double c = cos(angle), s = sin(angle);
        Vec3 a = hose->end[0].at, b = hose->end[1].at;
        Vec3 turned = vec3(joint->origin.x + c * b.x - s * b.z, b.y, joint->origin.z + s * b.x + c * b.z);
        most = fmax(most, vec3_length(vec3_sub(turned, a)));
    }
    return most;
}

PlanePoint excavator_stick_cylinder_foot(const MachineParams *params)
{
    PlanePoint foot = params->joint[EXCAVATOR_JOINT_STICK].cylinder.base;
    double length = excavator_boom_length(params), share = 0.475;
    double top = excavator_boom_line(params, foot.x / length) + excavator_boom_half(params, foot.x / length);
    if (foot.z < top) {
        foot.x = share * length;
        foot.z = excavator_boom_line(params, share) + excavator_boom_half(params, share) + 0.036 * length;
    }
    return foot;
}

Vec3 hose_cylinder_pin(const MachineParams *params, const HoseEnd *end)
{
    const MachineCylinder *cylinder = &params->joint[end->joint].cylinder;
    bool lifted = params->type == MACHINE_EXCAVATOR && end->joint == EXCAVATOR_JOINT_STICK;
    PlanePoint pin = lifted ? excavator_stick_cylinder_foot(params) : cylinder->base;
    return vec3(pin.x, (0.5 * (cylinder->count - 1) - end->cylinder) * cylinder->spacing, pin.z);
}

double excavator_stick_cylinder_longer(const MachineParams *params)
{
    const MachineJointParams *stick = &params->joint[EXCAVATOR_JOINT_STICK];
    double shortest[2] = {1e9, 1e9};
    const PlanePoint foot[2] = {stick->cylinder.base, excavator_stick_cylinder_foot(params)};
    for (int k = 0; k <= 16; k++) {
        double angle = stick->range[0] + (stick->range[1] - stick->range[0]) * k / 16.0;
        double c = cos(angle), s = sin(angle);
        PlanePoint head = {stick->origin.x + c * stick->cylinder.head.x - s * stick->cylinder.head.z,
                           stick->origin.z + s * stick->cylinder.head.x + c * stick->cylinder.head.z};
        for (int m = 0; m < 2; m++) {
            shortest[m] = fmin(shortest[m], hypot(head.x - foot[m].x, head.z - foot[m].z));
        }
    }
    return shortest[1] - shortest[0];
}

static Vec3 backwards(Vec3 v)
{
    return vec3_scale(v, -1.0);
}

/// Adds the hoses from the pipes along the stick to a hammer after the first `count`; returns their number together.
static int hammer_hoses(const MachineParams *params, Hose hoses[HOSES_MAX], int count)
{
    double scale = excavator_boom_length(params) / 5.7;
    for (int k = 0; k < 2; k++) {
        double side = k == 0 ? 1.0 : -1.0, inner = side * excavator_stick_half_width(params);
        Vec3 from = vec3(0.80 * excavator_stick_length(params), inner + side * 0.05 * scale, 0.02);
        Hose *hose = &hoses[count++];
        *hose = (Hose){.end = {{EXCAVATOR_STICK, -1, 0, from, vec3(1.0, side * 0.35, 0.1)},
                               {EXCAVATOR_BUCKET, -1, 0, vec3(0.30, inner + side * 0.13, 0.20), vec3(-0.6, side, 0.0)}},
                       .radius = thin * scale};
        hose->length = 1.06 * most_apart(&params->joint[EXCAVATOR_JOINT_BUCKET], hose) + 0.05;
    }
    return count;
}

static int excavator_hoses(const MachineParams *params, Hose hoses[HOSES_MAX])
{
    int count = 0;
    double length = excavator_boom_length(params), scale = length / 5.7, half = excavator_boom_half_width(params);
    const MachineJointParams *joint = params->joint;
    PlanePoint foot = excavator_boom_foot(params);
    Vec3 along;
    // Over the boom's foot, to the four pipes on its back.
    for (int k = 0; k < 4; k++) {
        double y = half * (k % 2 == 0 ? 0.80 : 0.24) * (k < 2 ? 1.0 : -1.0);
        Hose *hose = &hoses[count++];
        Vec3 at = excavator_boom_back(params, 0.125, y, 0.03, &along);
        *hose = (Hose){.end = {{EXCAVATOR_HOUSE, -1, 0, vec3(foot.x - 0.44 * scale, 0.8 * y, foot.z - 0.34 * scale),
                                vec3(-0.25, 0.0, 1.0)},
                               {EXCAVATOR_BOOM, -1, 0, at, backwards(along)}},
                       .radius = thick * scale};
        hose->length = 1.10 * most_apart(&joint[EXCAVATOR_JOINT_BOOM], hose) + 0.12 * scale;
    }
    // Beside the stick's joint, and on to the bucket's cylinder.
    for (int k = 0; k < 2; k++) {
        double side = k == 0 ? 1.0 : -1.0, y = side * (half + 0.10 * scale),
               inner = side * excavator_stick_half_width(params);
        Hose *hose = &hoses[count++];
        excavator_boom_back(params, 0.875, y, 0.0, &along);
        *hose =
            (Hose){.end = {{EXCAVATOR_BOOM, -1, 0, vec3(0.875 * length, y, excavator_boom_line(params, 0.875)), along},
                           {EXCAVATOR_STICK, -1, 0, vec3(0.46 * scale, y, 0.10 * scale), vec3(-1.0, 0.0, 0.10)}},
                   .radius = thick * scale};
        hose->length = 1.05 * most_apart(&joint[EXCAVATOR_JOINT_STICK], hose);
        const MachineCylinder *bucket = &joint[EXCAVATOR_JOINT_BUCKET].cylinder;
        double r = 0.5 * bucket->bore, port = bucket->closed * (k == 0 ? 0.11 : 0.30);
        Vec3 from = vec3(bucket->base.x + 0.10 * scale, inner + side * 0.06 * scale, bucket->base.z - 0.26 * scale);
        hose = &hoses[count++];
        *hose = (Hose){.end = {{EXCAVATOR_STICK, -1, 0, from, vec3(0.45, side * 0.5, 1.0)},
                               {EXCAVATOR_STICK, EXCAVATOR_JOINT_BUCKET, 0, vec3(port, side * (r + 0.05), 0.0),
                                vec3(-0.3, side, 0.2)}},
                       .radius = thin * scale};
        hose->length = 1.12 * (hypot(bucket->base.x - from.x, bucket->base.z - from.z) + port);
    }
    // From the boom's back to the stick's cylinder.
    for (int k = 0; k < 2; k++) {
        double side = k == 0 ? 1.0 : -1.0, y = side * 0.24 * half;
        const MachineCylinder *stick = &joint[EXCAVATOR_JOINT_STICK].cylinder;
        PlanePoint pin = excavator_stick_cylinder_foot(params);
        Vec3 from = excavator_boom_back(params, 0.40, y, 0.03, &along);
        double port = (k == 0 ? 0.12 : 0.26) * stick->closed;
        Hose *hose = &hoses[count++];
        *hose = (Hose){.end = {{EXCAVATOR_BOOM, -1, 0, from, along},
                               {EXCAVATOR_BOOM, EXCAVATOR_JOINT_STICK, 0,
                                vec3(port, side * (0.5 * stick->bore + 0.05), 0.0), vec3(-0.4, side, 0.3)}},
                       .radius = thin * scale};
        hose->length = 1.12 * (hypot(pin.x - from.x, pin.z - from.z) + port);
    }
    return params->hammer.blow_energy > 0.0 ? hammer_hoses(params, hoses, count) : count;
}

static int dozer_hoses(const MachineParams *params, Hose hoses[HOSES_MAX])
{
    int count = 0;
    const MachineCylinder *lift = &params->joint[DOZER_JOINT_LIFT].cylinder;
    for (int k = 0; k < 2; k++) {
        double side = k == 0 ? 1.0 : -1.0, y = side * (0.5 * lift->spacing - 0.13);
        for (int port = 0; port < 2; port++) {
            double far = lift->closed * (port == 0 ? 0.10 : 0.62), r = 0.5 * lift->bore + 0.045;
            Vec3 from = vec3(lift->base.x - 0.26, y, lift->base.z - 0.05 - 0.10 * port);
            hoses[count] = (Hose){
                .end = {{DOZER_CHASSIS, -1, 0, from, vec3(0.5, side, 0.3)},
                        {DOZER_CHASSIS, DOZER_JOINT_LIFT, k, vec3(far, -side * r, 0.0), vec3(-0.6, -side * 0.7, 0.3)}},
                .length = 1.15 * (hypot(0.26, 0.05 + 0.1 * port) + far),
                .radius = thin};
            count++;
        }
    }
    // To the tilt cylinder behind the blade, in the middle where angling moves it least.
    double beam = params->joint[DOZER_JOINT_ANGLE].origin.x;
    for (int k = 0; k < 2; k++) {
        double y = 0.12 * k - 0.16;
        hoses[count++] = (Hose){.end = {{DOZER_FRAME, -1, 0, vec3(beam - 0.30, y, 0.17), vec3(0.1, 0.0, 1.0)},
                                        {DOZER_YOKE, -1, 0, vec3(-0.06, y, 0.42), vec3(-0.8, 0.0, 0.2)}},
                                .length = 0.72,
                                .radius = thin};
    }
    return count;
}

int machine_hoses(const MachineParams *params, Hose hoses[HOSES_MAX])
{
    int count = params->type == MACHINE_EXCAVATOR ? excavator_hoses(params, hoses)
                : params->type == MACHINE_DOZER   ? dozer_hoses(params, hoses)
                                                  : 0;
    for (int k = 0; k < count; k++) {
        for (int end = 0; end < 2; end++) {
            hoses[k].end[end].out = vec3_unit(hoses[k].end[end].out, vec3(0.0, 0.0, 1.0));
        }
    }
    return count;
}
