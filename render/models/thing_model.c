/// Builds and draws the things of a walk-round. Sizes are those of the real parts of a machine of 20 t, a defect a
/// little larger than the least that must be reported, so that it shows from 2 m in a picture of 1280 pixels.
#include "render/models/thing_model.h"

#include <math.h>
#include <string.h>

#include "render/models/person_model.h"

static const MeshMaterial oil_amber = {{214, 140, 24, 255}, {230, 0, 0, 30}};
static const MeshMaterial oil_black = {{14, 12, 10, 255}, {250, 0, 0, 0}};
static const MeshMaterial water = {{92, 104, 112, 255}, {250, 0, 0, 0}};
static const MeshMaterial glass_pale = {{226, 230, 224, 255}, {220, 0, 10, 25}};
static const MeshMaterial rust = {{128, 62, 28, 255}, {20, 20, 60, 0}};
static const MeshMaterial hole = {{6, 6, 7, 255}, {0, 0, 0, 0}};
static const MeshMaterial ball_blue = {{24, 84, 200, 255}, {190, 0, 10, 30}};

static void add_bolt(Mesh *mesh, double y, double z, const MeshMaterial *material)
{
    part_bar(mesh, 0.0, y, z, 0.03, y, z, 0.014, 6, material);
}

/// A sight glass with marks at the highest and the lowest level.
/// level  m: height of the oil against the middle
static void add_glass(Mesh *mesh, double level)
{
    part_box(mesh, 0.0, 0.03, -0.085, 0.085, -0.16, 0.16, 0.006, &paint_dark);
    part_box(mesh, 0.02, 0.038, -0.035, 0.035, -0.12, 0.12, 0.004, &glass_pale);
    part_box(mesh, 0.02, 0.040, -0.033, 0.033, -0.12, level, 0.0, &oil_amber);
    part_box(mesh, 0.02, 0.043, -0.06, 0.06, 0.060, 0.068, 0.0, &paint_red);
    part_box(mesh, 0.02, 0.043, -0.06, 0.06, -0.058, -0.050, 0.0, &paint_red);
    add_bolt(mesh, 0.0, 0.142, &paint_steel);
    add_bolt(mesh, 0.0, -0.142, &paint_steel);
}

/// A pin in its boss. `out` m that it stands out; held by a retainer with a bolt, or not.
static void add_pin(Mesh *mesh, double out, bool held)
{
    part_bar(mesh, -0.02, 0.0, 0.0, 0.04, 0.0, 0.0, 0.115, 24, &paint_yellow);
    part_bar(mesh, 0.0, 0.0, 0.0, 0.05 + out, 0.0, 0.0, 0.062, 20, held ? &paint_steel : &paint_chrome);
    if (held) {
        part_box(mesh, 0.045, 0.062, -0.035, 0.035, 0.03, 0.15, 0.003, &paint_dark);
    }
    part_bar(mesh, 0.03, 0.0, 0.125, held ? 0.08 : 0.043, 0.0, 0.125, 0.018, 6, held ? &paint_edge : &hole);
}

static void add_fitting(Mesh *mesh, double y, double z)
{
    part_bar(mesh, 0.05, y - 0.05, z, 0.05, y + 0.05, z, 0.034, 6, &paint_steel);
}

static void add_hose(Mesh *mesh, bool leaks)
{
    const Vec3 line[7] = {{0.05, -0.42, 0.05}, {0.05, -0.28, 0.06}, {0.06, -0.14, 0.02}, {0.07, 0.0, -0.02},
                          {0.06, 0.14, -0.01}, {0.05, 0.28, 0.03},  {0.05, 0.42, 0.04}};
    mesh_sweep(mesh, line, 7, vec3(0.0, 0.0, 1.0), 0.024, 10, &paint_rubber);
    add_fitting(mesh, -0.40, 0.05);
    add_fitting(mesh, 0.40, 0.04);
    if (!leaks) {
        return;
    }
    // The wet hose, a run of oil below it and drops on their way.
    part_bar(mesh, 0.07, -0.10, -0.0, 0.07, 0.10, -0.02, 0.034, 10, &oil_black);
    part_box(mesh, 0.0, 0.012, -0.11, 0.07, -0.62, -0.02, 0.004, &oil_black);
    part_box(mesh, 0.0, 0.016, -0.03, 0.03, -0.78, -0.60, 0.006, &oil_black);
    for (int k = 0; k < 4; k++) {
        double z = -0.10 - 0.15 * k;
        const double drop[5][2] = {{-0.022, 0.0}, {-0.014, 0.012}, {0.0, 0.016}, {0.02, 0.008}, {0.035, 0.0}};
        const double a[3] = {0.075, 0.01, z}, b[3] = {0.075, 0.01, z + 1.0};
        mesh_lathe(mesh, a, b, drop, 5, 10, &oil_amber);
    }
}

static void add_shoe_part(Mesh *mesh, double from, double to)
{
    part_box(mesh, 0.0, 0.035, from, to, -0.10, 0.10, 0.004, &paint_shoe);
    for (int k = -1; k <= 1; k++) {
        part_box(mesh, 0.03, 0.065, from, to, 0.065 * k - 0.010, 0.065 * k + 0.010, 0.003, &paint_grouser);
    }
}

/// A track shoe, seen from outside the belt; a broken one is parted, one half hangs askew.
static void add_shoe(Mesh *mesh, bool broken)
{
    if (!broken) {
        add_shoe_part(mesh, -0.30, 0.30);
        add_bolt(mesh, -0.10, 0.03, &paint_edge);
        add_bolt(mesh, 0.10, 0.03, &paint_edge);
        return;
    }
    add_shoe_part(mesh, -0.30, -0.035);
    part_box(mesh, 0.0, 0.05, -0.037, -0.030, -0.10, 0.10, 0.0, &rust);
    int first = mesh->vertex_count;
    add_shoe_part(mesh, 0.0, 0.28);
    part_box(mesh, 0.0, 0.05, -0.005, 0.002, -0.10, 0.10, 0.0, &rust);
    double turn = 0.35;
    const Pose askew = {vec3(0.02, 0.035, -0.03),
                        {{{1.0, 0.0, 0.0}, {0.0, cos(turn), sin(turn)}, {0.0, -sin(turn), cos(turn)}}}};
    mesh_place(mesh, first, &askew);
    part_bar(mesh, 0.0, -0.10, 0.03, 0.037, -0.10, 0.03, 0.016, 6, &hole);
}

/// A guard of bars before a belt, or what is behind it where it is missing.
static void add_guard(Mesh *mesh, bool missing)
{
    part_box(mesh, -0.01, 0.02, -0.36, 0.36, -0.26, 0.26, 0.004, missing ? &hole : &paint_dark);
    for (int y = -1; y <= 1; y += 2) {
        for (int z = -1; z <= 1; z += 2) {
            part_bar(mesh, 0.0, 0.32 * y, 0.22 * z, 0.05, 0.32 * y, 0.22 * z, 0.016, 6, &paint_edge);
        }
    }
    if (missing) { // two pulleys with their belt
        part_bar(mesh, 0.02, -0.14, 0.03, 0.06, -0.14, 0.03, 0.11, 24, &paint_chrome);
        part_bar(mesh, 0.02, 0.17, -0.06, 0.06, 0.17, -0.06, 0.06, 20, &paint_chrome);
        part_bar(mesh, 0.04, -0.14, 0.145, 0.04, 0.17, 0.0, 0.012, 6, &paint_rubber);
        part_bar(mesh, 0.04, -0.14, -0.085, 0.04, 0.17, -0.12, 0.012, 6, &paint_rubber);
        return;
    }
    part_box(mesh, 0.02, 0.035, -0.34, 0.34, -0.24, 0.24, 0.004, &paint_yellow);
    for (int k = -3; k <= 3; k++) {
        part_box(mesh, 0.03, 0.042, -0.28, 0.28, 0.055 * k - 0.012, 0.055 * k + 0.012, 0.002, &paint_black);
    }
}

static void add_ball(Mesh *mesh)
{
    enum { RINGS = 8 };
    const double radius = 0.13, a[3] = {0.0, 0.0, radius}, b[3] = {0.3, 0.2, radius + 1.0};
    static const MeshMaterial *const paints[3] = {&paint_red, &paint_white, &ball_blue};
    for (int band = 0; band < 3; band++) {
        double profile[RINGS][2];
        for (int k = 0; k < RINGS; k++) {
            double angle = M_PI * (band + k / (RINGS - 1.0)) / 3.0;
            profile[k][0] = -radius * cos(angle);
            profile[k][1] = fmax(radius * sin(angle), 0.0);
        }
        mesh_lathe(mesh, a, b, (const double(*)[2])profile, RINGS, 24, paints[band]);
    }
}

/// A flat puddle of some lobes, thick enough to show on rough ground.
static void add_puddle(Mesh *mesh, const MeshMaterial *material)
{
    static const double lobes[4][3] = {{0.0, 0.0, 0.42}, {0.32, 0.18, 0.24}, {-0.22, 0.30, 0.22}, {-0.10, -0.34, 0.20}};
    for (int k = 0; k < 4; k++) {
        const double *lobe = lobes[k], a[3] = {lobe[0], lobe[1], 0.0}, b[3] = {lobe[0], lobe[1], 1.0};
        const double profile[4][2] = {
            {-0.05, lobe[2]}, {0.034, lobe[2]}, {0.040 + 0.001 * k, 0.9 * lobe[2]}, {0.040 + 0.001 * k, 0.0}};
        mesh_lathe(mesh, a, b, profile, 4, 24, material);
    }
}

void thing_mesh(SceneThingLook look, Mesh *mesh)
{
    switch (look) {
    case SCENE_THING_GLASS_LOW:
    case SCENE_THING_GLASS_FULL:
        add_glass(mesh, look == SCENE_THING_GLASS_LOW ? -0.095 : 0.025);
        break;
    case SCENE_THING_PIN_LOOSE:
    case SCENE_THING_PIN:
        add_pin(mesh, look == SCENE_THING_PIN_LOOSE ? 0.14 : 0.0, look == SCENE_THING_PIN);
        break;
    case SCENE_THING_HOSE_LEAKING:
    case SCENE_THING_HOSE:
        add_hose(mesh, look == SCENE_THING_HOSE_LEAKING);
        break;
    case SCENE_THING_SHOE_BROKEN:
    case SCENE_THING_SHOE:
        add_shoe(mesh, look == SCENE_THING_SHOE_BROKEN);
        break;
    case SCENE_THING_GUARD_MISSING:
    case SCENE_THING_GUARD:
        add_guard(mesh, look == SCENE_THING_GUARD_MISSING);
        break;
    case SCENE_THING_BALL:
        add_ball(mesh);
        break;
    case SCENE_THING_PERSON:
        person_mesh(&(ScenePerson){.radius = 0.25, .height = 1.75}, 0.0, 0.0, mesh);
        break;
    case SCENE_THING_PUDDLE_OIL:
        add_puddle(mesh, &oil_black);
        break;
    case SCENE_THING_PUDDLE_WATER:
        add_puddle(mesh, &water);
        break;
    case SCENE_THING_LOOK_COUNT:
        break;
    }
}

void thing_model_destroy(ThingModel *model)
{
    solid_meshes_destroy(model->mesh, SCENE_THING_LOOK_COUNT);
    memset(model, 0, sizeof *model);
}

void thing_model_follow(ThingModel *model, int thing_count)
{
    for (int k = 0; thing_count > 0 && !model->made && k < SCENE_THING_LOOK_COUNT; k++) {
        Mesh mesh = {0};
        thing_mesh((SceneThingLook)k, &mesh);
        solid_mesh_create(&model->mesh[k], &mesh);
    }
    model->made = model->made || thing_count > 0;
}

void thing_model_draw(const ThingModel *model, const SolidPass *pass, const RenderView *view)
{
    if (view->thing_count == 0) {
        return;
    }
    const SolidProgram *program = solid_begin(pass, pass->programs->plain);
    for (int k = 0; k < view->thing_count; k++) {
        solid_draw(program, &model->mesh[view->things[k].look], &view->things[k].frame);
    }
}
