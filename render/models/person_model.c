/// The figure of a person: parts in frames of their own, and the angles of walking and of the arm signals of EU
/// directive 92/58/EEC, Annex IX. Proportions are chosen by eye.
#include "render/models/person_model.h"

#include <math.h>
#include <string.h>

#include "render/meshes/mesh.h"

/// ---- parts ---------------------------------------------------------------------------------------------------------

static const MeshMaterial cloth_orange = {{255, 96, 10, 255}, {25, 0, 20, 40}};
static const MeshMaterial cloth_stripe = {{235, 238, 220, 255}, {200, 0, 0, 60}};
static const MeshMaterial cloth_dark = {{38, 44, 62, 255}, {20, 0, 60, 0}};
static const MeshMaterial skin = {{205, 160, 128, 255}, {40, 0, 0, 0}};
static const MeshMaterial glove_light = {{232, 236, 90, 255}, {60, 0, 20, 40}};
static const MeshMaterial helmet = {{245, 240, 228, 255}, {190, 0, 20, 10}};

/// m: size in which the figure is built, before it is stretched.
#define FIGURE_HEIGHT 1.80
#define FIGURE_RADIUS 0.25

static void add_round(Mesh *mesh, const double (*profile)[2], int points, const MeshMaterial *material)
{
    mesh_lathe(mesh, (double[]){0, 0, 0}, (double[]){0, 0, 1}, profile, points, 16, material);
}

/// Adds trunk and head: bodies turned about the middle; the trunk is flattened from front to back.
static void add_trunk(Mesh *mesh)
{
    static const double hips[][2] = {{0.80, 0.0}, {0.80, 0.150}, {0.92, 0.175}, {0.94, 0.175}, {0.94, 0.0}};
    static const double belly[][2] = {{0.90, 0.0}, {0.90, 0.188}, {1.05, 0.184}, {1.05, 0.0}};
    static const double stripe[][2] = {{1.05, 0.0}, {1.05, 0.188}, {1.11, 0.192}, {1.11, 0.0}};
    static const double chest[][2] = {{1.11, 0.0},   {1.11, 0.190}, {1.34, 0.212}, {1.42, 0.200},
                                      {1.46, 0.150}, {1.49, 0.075}, {1.50, 0.0}};
    static const double neck[][2] = {{1.47, 0.062}, {1.56, 0.058}};
    static const double head[][2] = {{1.53, 0.0},   {1.54, 0.055}, {1.58, 0.082}, {1.64, 0.096},
                                     {1.70, 0.098}, {1.74, 0.07},  {1.75, 0.0}};
    static const double hat[][2] = {{1.685, 0.0},  {1.685, 0.128}, {1.70, 0.128}, {1.708, 0.118},
                                    {1.75, 0.112}, {1.785, 0.075}, {1.80, 0.0}};
    int first = mesh->vertex_count;
    add_round(mesh, hips, 5, &cloth_dark);
    add_round(mesh, belly, 4, &cloth_orange);
    add_round(mesh, stripe, 4, &cloth_stripe);
    add_round(mesh, chest, 7, &cloth_orange);
    mesh_stretch(mesh, first, (double[]){0.68, 1.0, 1.0});
    for (int side = -1; side <= 1; side += 2) { // stripes over the shoulders
        const Vec3 brace[7] = {{0.136, side * 0.085, 1.10}, {0.150, side * 0.09, 1.30},   {0.128, side * 0.088, 1.42},
                               {0.02, side * 0.085, 1.487}, {-0.128, side * 0.088, 1.42}, {-0.150, side * 0.09, 1.30},
                               {-0.136, side * 0.085, 1.10}};
        mesh_sweep(mesh, brace, 7, vec3(0.0, 1.0, 0.0), 0.022, 5, &cloth_stripe);
    }
    add_round(mesh, neck, 2, &skin);
    add_round(mesh, head, 7, &skin);
    part_box(mesh, 0.080, 0.112, -0.014, 0.014, 1.605, 1.650, 0.010, &skin); // nose
    add_round(mesh, hat, 7, &helmet);
    const double peak[4][2] = {{0.06, 1.686}, {0.175, 1.676}, {0.175, 1.684}, {0.06, 1.704}};
    mesh_prism(mesh, MESH_PLANE_XZ, peak, 4, -0.085, 0.085, 0.004, &helmet);
}

/// Adds a limb's half from its upper joint down, `upper` and `lower` m its radii at the joints.
static void add_half(Mesh *mesh, double length, double upper, double lower, const MeshMaterial *cloth)
{
    const double profile[6][2] = {
        {-0.9 * upper, 0.0}, {-0.5 * upper, 0.8 * upper},         {0.0, upper},
        {length, lower},     {length + 0.5 * lower, 0.8 * lower}, {length + 0.6 * lower, 0.0}};
    mesh_lathe(mesh, (double[]){0, 0, 0}, (double[]){0, 0, -1}, profile, 6, 12, cloth);
}

/// Adds the stripe round the middle of a limb's half.
static void add_band(Mesh *mesh, double length, double radius)
{
    part_bar(mesh, 0.0, 0.0, -0.30 * length, 0.0, 0.0, -0.48 * length, radius, 12, &cloth_stripe);
}

#define FOREARM_LONG 0.24 ///< m, as the lengths below
#define SHIN_LONG    0.38

static void add_glove(Mesh *mesh)
{
    const double glove[5][2] = {{0.0, 0.036}, {0.03, 0.045}, {0.10, 0.040}, {0.14, 0.02}, {0.145, 0.0}};
    mesh_lathe(mesh, (double[]){0, 0, -FOREARM_LONG}, (double[]){0.02, 0, -FOREARM_LONG - 0.145}, glove, 5, 8,
               &glove_light);
}

static void add_boot(Mesh *mesh)
{
    const double low = -SHIN_LONG - 0.08; // the sole
    const double boot[6][2] = {{-0.085, low},       {0.185, low},       {0.195, low + 0.045},
                               {0.10, low + 0.085}, {0.05, low + 0.15}, {-0.085, low + 0.15}};
    mesh_prism(mesh, MESH_PLANE_XZ, boot, 6, -0.05, 0.05, 0.02, &paint_black);
}

enum { TRUNK, UPPER_ARM, FOREARM, THIGH, LOWER_LEG };

/// m: joints of a person of FIGURE_HEIGHT, and lengths of its limbs.
#define SHOULDER_OUT   0.212
#define SHOULDER_UP    1.38
#define HIP_OUT        0.092
#define HIP_UP         0.84
#define UPPER_ARM_LONG 0.27
#define THIGH_LONG     0.38

/// Adds one part in its own frame: limbs hang down from their upper joint, x ahead.
static void add_part(Mesh *mesh, int part)
{
    switch (part) {
    case TRUNK:
        add_trunk(mesh);
        break;
    case UPPER_ARM:
        add_half(mesh, UPPER_ARM_LONG, 0.062, 0.050, &cloth_orange);
        break;
    case FOREARM:
        add_half(mesh, FOREARM_LONG, 0.050, 0.042, &cloth_orange);
        add_band(mesh, FOREARM_LONG, 0.053);
        add_glove(mesh);
        break;
    case THIGH:
        add_half(mesh, THIGH_LONG, 0.088, 0.066, &cloth_dark);
        break;
    default:
        add_half(mesh, SHIN_LONG, 0.066, 0.056, &cloth_dark);
        add_band(mesh, SHIN_LONG, 0.068);
        add_boot(mesh);
        break;
    }
}

/// ---- posture -------------------------------------------------------------------------------------------------------

#define GAIT        1.4 ///< m of two steps
#define LEG_SWING   0.50 ///< rad of the thigh ahead and back at a comfortable walk
#define KNEE_BENDS  0.75 ///< rad of the knee of the leg that comes ahead
#define ARM_SWING   0.45 ///< rad
#define SIGNAL_TURN 1.5 ///< s of one movement of a signal

/// The same arm on the left (side 1) and on the right (-1): ahead, outwards, up.
static Vec3 on_side(int side, double ahead, double out, double up)
{
    return vec3_unit(vec3(ahead, side * out, up), vec3(0.0, 0.0, -1.0));
}

static void set_arm(PersonArms *arms, int side, Vec3 upper, Vec3 fore)
{
    int k = side > 0 ? 0 : 1;
    arms->part[k][0] = upper;
    arms->part[k][1] = fore;
}

/// Signals of both arms alike. `turn`: rad of the movement; `share`: 0..1, slowly there and quickly back.
static void set_both(PersonArms *arms, RenderSignal signal, double turn, double share)
{
    for (int side = -1; side <= 1; side += 2) {
        Vec3 upper = on_side(side, 0.2, 0.3, -0.9), fore = on_side(side, 0.8, 0.1, 0.2);
        if (signal == RENDER_SIGNAL_START) {
            upper = fore = on_side(side, 0.0, 1.0, 0.0);
        } else if (signal == RENDER_SIGNAL_END) {
            upper = on_side(side, 0.45, 0.5, -0.75);
            fore = on_side(side, 0.55, -0.85, 0.35);
        } else if (signal == RENDER_SIGNAL_FORWARD) {
            fore = on_side(side, 1.0 - 0.9 * share, 0.25, 0.05 + 0.95 * share);
        } else if (signal == RENDER_SIGNAL_BACKWARD) {
            fore = on_side(side, 0.25 + 0.75 * share, 0.25, 0.9 - 1.1 * share);
        } else if (signal == RENDER_SIGNAL_DISTANCE) {
            upper = on_side(side, 0.4, 0.45, -0.8);
            fore = on_side(side, 0.9, 0.35 - 0.25 * sin(turn), 0.35);
        } else if (signal == RENDER_SIGNAL_DANGER) {
            upper = on_side(side, 0.0, 0.45, 0.9);
            fore = on_side(side, 0.0, 0.25 - 0.25 * sin(2.0 * turn), 1.0);
        } else if (signal == RENDER_SIGNAL_WORK) {
            upper = on_side(side, 0.8, 0.15, 0.25);
            fore = on_side(side, 0.8, -0.15, 0.5 + 0.2 * sin(2.0 * turn + side));
        }
        set_arm(arms, side, upper, fore);
    }
}

PersonArms person_arms(RenderSignal signal, double time)
{
    PersonArms arms;
    double turn = 2.0 * M_PI * time / SIGNAL_TURN, c = cos(turn), s = sin(turn);
    double phase = time / SIGNAL_TURN - floor(time / SIGNAL_TURN);
    double share = phase < 0.7 ? phase / 0.7 : (1.0 - phase) / 0.3;
    for (int side = -1; side <= 1; side += 2) {
        set_arm(&arms, side, on_side(side, -0.07, 0.06, -1.0), on_side(side, side > 0 ? 0.45 : 0.25, -0.02, -0.9));
    }
    switch (signal) {
    case RENDER_SIGNAL_NONE:
        break;
    case RENDER_SIGNAL_STOP:
        set_arm(&arms, -1, on_side(-1, 0.0, 0.12, 1.0), on_side(-1, 0.0, 0.05, 1.0));
        break;
    case RENDER_SIGNAL_RAISE:
        set_arm(&arms, -1, on_side(-1, 0.0, 0.25, 1.0), on_side(-1, 0.55 * c, 0.15 + 0.55 * s, 1.0));
        break;
    case RENDER_SIGNAL_LOWER:
        set_arm(&arms, -1, on_side(-1, 0.1, 0.75, -0.7), on_side(-1, 0.5 * c, 0.35 + 0.5 * s, -1.0));
        break;
    case RENDER_SIGNAL_LEFT:
    case RENDER_SIGNAL_RIGHT: {
        int side = signal == RENDER_SIGNAL_LEFT ? 1 : -1;
        set_arm(&arms, side, on_side(side, 0.1, 1.0, -0.05), on_side(side, 0.55 - 0.55 * share, 1.0, 0.0));
        break;
    }
    default:
        set_both(&arms, signal, turn, share);
        break;
    }
    return arms;
}

/// A limb that hangs along a direction from its joint; x stays as much ahead as can be.
static Pose limb_along(Vec3 joint, Vec3 along)
{
    Vec3 z = vec3_scale(along, -1.0);
    Vec3 y = vec3_unit(vec3_cross(z, vec3(1.0, 0.0, 0.0)), vec3(0.0, 1.0, 0.0)), x = vec3_cross(y, z);
    return (Pose){joint, {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}};
}

typedef struct Figure {
    int count;
    int part[9];
    Pose pose[9]; ///< in the person's frame: feet, x ahead
} Figure;

static void put(Figure *figure, int part, Pose pose)
{
    figure->part[figure->count] = part;
    figure->pose[figure->count++] = pose;
}

static void put_arms(Figure *figure, const RenderPerson *person, double swing)
{
    PersonArms arms = person_arms(person->signal, person->signal_time);
    for (int k = 0; k < 2; k++) {
        int side = k == 0 ? 1 : -1;
        Vec3 upper = arms.part[k][0], fore = arms.part[k][1];
        if (person->signal == RENDER_SIGNAL_NONE && person->walks > 0.0) {
            double angle = -side * swing * ARM_SWING;
            upper = vec3_unit(vec3(sin(angle), 0.05 * side, -cos(angle)), upper);
            fore = vec3_unit(vec3(sin(angle + 0.35), 0.0, -cos(angle + 0.35)), fore);
        }
        Vec3 shoulder = vec3(0.0, side * SHOULDER_OUT, SHOULDER_UP);
        put(figure, UPPER_ARM, limb_along(shoulder, upper));
        put(figure, FOREARM, limb_along(vec3_madd(shoulder, UPPER_ARM_LONG, upper), fore));
    }
}

static void put_legs(Figure *figure, const RenderPerson *person, double phase, double swing)
{
    for (int side = -1; side <= 1; side += 2) {
        double stands = side > 0 ? 0.05 : -0.02; // one foot a little ahead, as people stand
        double walks = fmin(person->walks, 1.0);
        double thigh = side * swing * LEG_SWING + (1.0 - walks) * (0.06 + 0.5 * stands);
        double bends = 0.05 + walks * KNEE_BENDS * fmax(0.0, side * cos(phase));
        Vec3 hip = vec3(0.0, side * HIP_OUT, HIP_UP);
        Vec3 down = vec3_unit(vec3(sin(thigh), 0.02 * side, -cos(thigh)), vec3(0.0, 0.0, -1.0));
        Vec3 shin = vec3_unit(vec3(sin(thigh - bends), 0.02 * side, -cos(thigh - bends)), down);
        put(figure, THIGH, limb_along(hip, down));
        put(figure, LOWER_LEG, limb_along(vec3_madd(hip, THIGH_LONG, down), shin));
    }
}

static Figure figure_of(const RenderPerson *person)
{
    Figure figure = {.count = 0};
    double phase = 2.0 * M_PI * person->stride / GAIT, swing = fmin(person->walks, 1.0) * sin(phase);
    put(&figure, TRUNK, (Pose){vec3(0.0, 0.0, 0.0), mat3_yaw(0.0)});
    put_arms(&figure, person, swing);
    put_legs(&figure, person, phase, swing);
    return figure;
}

/// The frame of a person in the world: scaled to their height and width; one who is hurt lies on the back.
static Pose frame_of(const RenderPerson *person)
{
    double wide = person->radius / FIGURE_RADIUS, tall = person->height / FIGURE_HEIGHT;
    Mat3 turn = mat3_yaw(person->facing);
    if (person->lies) {
        const Mat3 back = {{{0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}}};
        turn = mat3_product(&turn, &back);
    }
    const Mat3 size = {{{wide, 0.0, 0.0}, {0.0, wide, 0.0}, {0.0, 0.0, tall}}};
    Vec3 feet = person->feet;
    feet.z += person->lies ? 0.15 : 0.0;
    return (Pose){feet, mat3_product(&turn, &size)};
}

/// ---- meshes --------------------------------------------------------------------------------------------------------

void person_mesh(const ScenePerson *person, double ground, double facing, Mesh *mesh)
{
    const RenderPerson stands = {.feet = vec3(person->x, person->y, ground),
                                 .facing = facing,
                                 .radius = person->radius,
                                 .height = person->height};
    Figure figure = figure_of(&stands);
    int first = mesh->vertex_count;
    for (int k = 0; k < figure.count; k++) {
        int from = mesh->vertex_count;
        add_part(mesh, figure.part[k]);
        mesh_place(mesh, from, &figure.pose[k]);
    }
    double wide = person->radius / FIGURE_RADIUS;
    mesh_stretch(mesh, first, (double[]){wide, wide, person->height / FIGURE_HEIGHT});
    const Pose place = {stands.feet, mat3_yaw(facing)};
    mesh_place(mesh, first, &place);
}

void person_model_destroy(PersonModel *model)
{
    solid_meshes_destroy(model->shape, PERSON_SHAPES);
    memset(model, 0, sizeof *model);
}

void person_model_follow(PersonModel *model)
{
    for (int k = 0; k < PERSON_SHAPES && !model->made; k++) {
        Mesh mesh = {0};
        add_part(&mesh, k);
        solid_mesh_create(&model->shape[k], &mesh);
    }
    model->made = true;
}

void person_model_draw(const PersonModel *model, const RenderPerson *persons, int count, const SolidPass *pass)
{
    for (int k = 0; k < count; k++) {
        const SolidProgram *program = solid_begin(pass, pass->programs->plain);
        Figure figure = figure_of(&persons[k]);
        Pose frame = frame_of(&persons[k]);
        for (int n = 0; n < figure.count; n++) {
            Pose part = {pose_apply(&frame, figure.pose[n].position),
                         mat3_product(&frame.rotation, &figure.pose[n].rotation)};
            solid_draw(program, &model->shape[figure.part[n]], &part);
        }
    }
}
