/// Builds and draws ranging poles, stakes, depth boards, profiles, and pipes with their slings.
#include "render/site_objects.h"

#include <math.h>
#include <string.h>

#include "render/meshes/mesh.h"

/// ---- staffs --------------------------------------------------------------------------------------------------------

// Bands are whole tenths or halves of a metre from the staff's zero, so that a picture alone shows how high something
// beside them is; they shine a little, so that they can be read in the shade of a trench.

#define POLE_BAND   0.5 ///< m
#define BAND        0.1 ///< m
#define POLE_RADIUS 0.03 ///< m: twice that of a real one, so that it is seen from 15 m
#define STAKE_HALF  0.025 ///< m: half the side of a stake
#define BOARD_THICK 0.03 ///< m
#define BOARD_BANDS 0.15 ///< m: width of the bands, which lie on the left of the figures
#define FIGURE_HIGH 0.20 ///< m
#define FIGURE_WIDE 0.09 ///< m
#define STROKE      0.026 ///< m
#define LATH_HALF   0.06 ///< m: half the width of a profile's lath
#define RAIL_LONG   0.62 ///< m from the lath's left edge to the rail's end
#define RAIL_HIGH   0.26 ///< m

static const MeshMaterial paint_band_red = {{206, 26, 20, 255}, {60, 0, 10, 22}};
static const MeshMaterial paint_band_white = {{238, 238, 232, 255}, {60, 0, 10, 22}};
static const MeshMaterial paint_band_blue = {{18, 70, 190, 255}, {60, 0, 10, 30}};
static const MeshMaterial paint_band_black = {{16, 16, 18, 255}, {60, 0, 10, 0}};
static const MeshMaterial paint_band_green = {{14, 120, 44, 255}, {60, 0, 10, 22}};
static const MeshMaterial paint_wood = {{196, 164, 112, 255}, {20, 0, 10, 14}};

/// Bands of the first metre from the zero, of the second and so on.
static const MeshMaterial *const metre_paints[] = {&paint_band_red, &paint_band_black, &paint_band_blue,
                                                   &paint_band_green};

/// The end of the band of `size` m that holds z, going up.
static double band_end(double z, double size)
{
    return (floor(z / size + 1e-6) + 1.0) * size;
}

/// The number of the band of `size` m whose lower end is z.
static int band_at(double z, double size)
{
    return (int)floor(z / size + 1e-6);
}

static void add_pole(const RenderStaff *staff, Mesh *mesh)
{
    for (double z = staff->low, end; z < staff->high - 1e-6; z = end) {
        end = fmin(band_end(z, POLE_BAND), staff->high);
        const MeshMaterial *paint = band_at(z, POLE_BAND) % 2 == 0 ? &paint_band_red : &paint_band_white;
        mesh_cylinder(mesh, (double[]){0.0, 0.0, z}, (double[]){0.0, 0.0, end}, POLE_RADIUS, 0.0, 8, paint);
    }
}

static void add_stake(const RenderStaff *staff, Mesh *mesh)
{
    const double half = STAKE_HALF;
    part_box(mesh, -half, half, -half, half, staff->low, fmin(-BAND, staff->high), 0.0, &paint_wood);
    for (double z = fmax(-BAND, staff->low), end; z < staff->high - 1e-6; z = end) {
        end = fmin(band_end(z, BAND), staff->high);
        int band = band_at(z, BAND);
        const MeshMaterial *paint = band % 2 == 0 ? &paint_band_red : &paint_band_white;
        part_box(mesh, -half, half, -half, half, z, end, 0.0, band < 0 ? &paint_band_blue : paint);
    }
}

/// A digit of seven strokes on the board, its left edge at y, its middle at z.
static void add_digit(int digit, double y, double z, Mesh *mesh)
{
    // Strokes: top, upper left, upper right, middle, lower left, lower right, bottom.
    static const unsigned char strokes[10] = {0x77, 0x24, 0x5d, 0x6d, 0x2e, 0x6b, 0x7b, 0x25, 0x7f, 0x6f};
    const double w = FIGURE_WIDE, h = 0.5 * FIGURE_HIGH, s = STROKE, x = 0.5 * BOARD_THICK;
    const double boxes[7][4] = {{0, w, h - s, h}, {0, s, 0, h},      {w - s, w, 0, h},  {0, w, -0.5 * s, 0.5 * s},
                                {0, s, -h, 0},    {w - s, w, -h, 0}, {0, w, -h, -h + s}};
    for (int k = 0; k < 7; k++) {
        if ((strokes[digit] >> k & 1) != 0) {
            // Seen from ahead the board's right is towards y.
            part_box(mesh, x, x + 0.004, y + boxes[k][0], y + boxes[k][1], z + boxes[k][2], z + boxes[k][3], 0.0,
                     &paint_band_black);
        }
    }
}

/// Decimetres from the zero, in two figures, with a line at their height.
static void add_figure(int decimetres, double z, Mesh *mesh)
{
    const double x = 0.5 * BOARD_THICK, left = 0.03;
    add_digit(decimetres / 10 % 10, left, z, mesh);
    add_digit(decimetres % 10, left + FIGURE_WIDE + 0.03, z, mesh);
    part_box(mesh, x, x + 0.006, -BOARD_BANDS, 0.02, z - 0.008, z + 0.008, 0.0, &paint_band_black);
}

static void add_board(const RenderStaff *staff, Mesh *mesh)
{
    const double x = 0.5 * BOARD_THICK, right = 2.0 * FIGURE_WIDE + 0.07;
    const int metres = sizeof metre_paints / sizeof metre_paints[0];
    part_box(mesh, -x, x, 0.0, right, staff->low, staff->high, 0.0, &paint_band_white);
    for (double z = staff->low, end; z < staff->high - 1e-6; z = end) {
        end = fmin(band_end(z, BAND), staff->high);
        int band = band_at(z, BAND), from_zero = band < 0 ? -band - 1 : band;
        const MeshMaterial *paint = metre_paints[from_zero / 10 % metres];
        part_box(mesh, -x, x, -BOARD_BANDS, 0.0, z, end, 0.0, from_zero % 2 == 0 ? paint : &paint_band_white);
    }
    for (int half = band_at(staff->low, POLE_BAND); half * POLE_BAND <= staff->high; half++) {
        double z = half * POLE_BAND;
        if (half != 0 && z - 0.5 * FIGURE_HIGH >= staff->low && z + 0.5 * FIGURE_HIGH <= staff->high) {
            add_figure(5 * (half < 0 ? -half : half), z, mesh);
        }
    }
}

/// The rail hangs away from what is marked, so that nothing that keeps to the mark touches it; its upper edge is the
/// height that its figures tell.
static void add_profile(const RenderStaff *staff, Mesh *mesh)
{
    const double x = 0.5 * BOARD_THICK, half = LATH_HALF;
    for (double z = staff->low, end; z < staff->high - 1e-6; z = end) {
        end = fmin(band_end(z, BAND), staff->high);
        int band = band_at(z, BAND);
        const MeshMaterial *paint = band % 2 == 0 ? &paint_band_red : &paint_band_white;
        part_box(mesh, -x, x, -half, half, z, end, 0.0, band == -1 ? &paint_band_blue : paint);
    }
    part_box(mesh, 0.002 - x, x - 0.002, -half, RAIL_LONG - half, staff->high - RAIL_HIGH, staff->high - 0.04, 0.0,
             &paint_band_white);
    part_box(mesh, -x - 0.003, x + 0.003, -half, RAIL_LONG - half, staff->high - 0.04, staff->high, 0.0,
             &paint_band_red);
    // Figures on both faces: the second ones are turned about the lath.
    const Pose about = {vec3(0.0, 0.0, 0.0), mat3_yaw(M_PI)};
    int decimetres = (int)lrint(staff->high / BAND);
    double left = half + 0.14, wide = 2.0 * FIGURE_WIDE + 0.04, middle = staff->high - 0.5 * (RAIL_HIGH + 0.03);
    for (int face = 0; face < 2; face++) {
        int first = mesh->vertex_count;
        double start = face == 0 ? left : -left - wide;
        add_digit(decimetres / 10 % 10, start, middle, mesh);
        add_digit(decimetres % 10, start + FIGURE_WIDE + 0.04, middle, mesh);
        if (face == 1) {
            mesh_place(mesh, first, &about);
        }
    }
}

void staff_mesh(const RenderStaff *staff, Mesh *mesh)
{
    int first = mesh->vertex_count;
    if (staff->kind == RENDER_STAFF_POLE) {
        add_pole(staff, mesh);
    } else if (staff->kind == RENDER_STAFF_STAKE) {
        add_stake(staff, mesh);
    } else if (staff->kind == RENDER_STAFF_PROFILE) {
        add_profile(staff, mesh);
    } else {
        add_board(staff, mesh);
    }
    const Pose pose = {staff->at, mat3_yaw(staff->heading)};
    mesh_place(mesh, first, &pose);
}

void staff_model_destroy(StaffModel *model)
{
    solid_meshes_destroy(&model->mesh, 1);
    memset(model, 0, sizeof *model);
}

void staff_model_follow(StaffModel *model, const RenderView *view)
{
    size_t size = (size_t)view->staff_count * sizeof *view->staffs;
    if (model->count == view->staff_count && memcmp(model->staffs, view->staffs, size) == 0) {
        return;
    }
    staff_model_destroy(model);
    Mesh mesh = {0};
    for (int k = 0; k < view->staff_count; k++) {
        staff_mesh(&view->staffs[k], &mesh);
    }
    solid_mesh_create(&model->mesh, &mesh);
    model->count = view->staff_count;
    memcpy(model->staffs, view->staffs, size);
}

void staff_model_draw(const StaffModel *model, const SolidPass *pass)
{
    if (model->count > 0) {
        const Pose world = {vec3(0.0, 0.0, 0.0), mat3_yaw(0.0)};
        solid_draw(solid_begin(pass, pass->programs->plain), &model->mesh, &world);
    }
}

/// ---- loads ---------------------------------------------------------------------------------------------------------

#define WALL_SHARE      0.93 ///< of the outer radius: the inner one
#define ROPE            0.014 ///< m: radius, a little thicker than it is, so that it is seen
#define SLING_BAND      0.10 ///< m along the pipe
#define SLING_BAND_OVER 1.02 ///< of the pipe's radius

// Of a trench box: struts from each end, of its length, and over and below its middle, of its height; their radius, m.
#define STRUT_END  0.12
#define STRUT_HIGH 0.36
#define STRUT_LOW  (-0.1)
#define STRUT      0.06

static const MeshMaterial plate_paint = {{196, 150, 30, 255}, {90, 90, 80, 0}};
static const MeshMaterial pipe_paint = {{122, 128, 134, 255}, {120, 60, 60, 0}};
static const MeshMaterial bark_paint = {{96, 72, 50, 255}, {20, 0, 200, 0}};
static const MeshMaterial wood_paint = {{196, 158, 106, 255}, {40, 0, 60, 0}};

static void build_part(Mesh *mesh, LoadPart part)
{
    const double a[3] = {0.0, 0.0, 0.0}, b[3] = {1.0, 0.0, 0.0};
    const double ring[5][2] = {{0.0, WALL_SHARE}, {0.0, 1.0}, {1.0, 1.0}, {1.0, WALL_SHARE}, {0.0, WALL_SHARE}};
    if (part == LOAD_PART_PIPE) {
        mesh_lathe(mesh, a, b, ring, 5, 40, &pipe_paint);
    } else if (part == LOAD_PART_LOG) {
        const double face[2][2] = {{0.0, 0.0}, {0.0, 0.94}}, other[2][2] = {{1.0, 0.94}, {1.0, 0.0}};
        const double bark[4][2] = {{0.0, 0.94}, {0.0, 1.0}, {1.0, 1.0}, {1.0, 0.94}};
        mesh_lathe(mesh, a, b, bark, 4, 24, &bark_paint);
        mesh_lathe(mesh, a, b, face, 2, 24, &wood_paint);
        mesh_lathe(mesh, a, b, other, 2, 24, &wood_paint);
    } else if (part == LOAD_PART_PLATE) {
        mesh_box(mesh, (const double[3]){0.0, -0.5, -0.5}, (const double[3]){1.0, 0.5, 0.5}, 0.0, &plate_paint);
    } else {
        mesh_cylinder(mesh, a, b, 1.0, 0.0, 24, part == LOAD_PART_ROPE ? &paint_steel : &paint_dark);
    }
}

void load_model_destroy(LoadModel *model)
{
    solid_meshes_destroy(model->part, LOAD_PART_COUNT);
    memset(model, 0, sizeof *model);
}

void load_model_follow(LoadModel *model, int load_count)
{
    for (int k = 0; load_count > 0 && !model->made && k < LOAD_PART_COUNT; k++) {
        Mesh mesh = {0};
        build_part(&mesh, (LoadPart)k);
        solid_mesh_create(&model->part[k], &mesh);
    }
    model->made = model->made || load_count > 0;
}

static void draw_between(const SolidProgram *program, const SolidMesh *mesh, Vec3 a, Vec3 b, double radius)
{
    Vec3 span = vec3_sub(b, a);
    double length = vec3_length(span);
    if (length > 0.0) {
        Vec3 axis = vec3_scale(span, 1.0 / length);
        Vec3 side = fabs(axis.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0);
        side = vec3_unit(vec3_madd(side, -vec3_dot(side, axis), axis), side);
        solid_draw_stretched(program, mesh, a, axis, side, vec3(length, radius, radius));
    }
}

/// A block whose middle line runs from a to b, `wide` m across and `high` m along `up`.
static void draw_block(const SolidProgram *program, const SolidMesh *mesh, Vec3 a, Vec3 b, Vec3 up, double wide,
                       double high)
{
    Vec3 span = vec3_sub(b, a);
    double length = vec3_length(span);
    Vec3 axis = vec3_unit(span, vec3(1.0, 0.0, 0.0));
    solid_draw_stretched(program, mesh, a, axis, vec3_cross(up, axis), vec3(length, wide, high));
}

/// Two plates and four struts between them.
static void draw_trench_box(const LoadModel *model, const SolidProgram *program, const RenderLoad *load)
{
    Vec3 axis = vec3_unit(vec3_sub(load->end[1], load->end[0]), vec3(1.0, 0.0, 0.0));
    Vec3 side = vec3_cross(load->up, axis);
    double out = 0.5 * (load->width - load->wall), length = vec3_length(vec3_sub(load->end[1], load->end[0]));
    for (int k = 0; k < 2; k++) {
        double off = k == 0 ? out : -out;
        draw_block(program, &model->part[LOAD_PART_PLATE], vec3_madd(load->end[0], off, side),
                   vec3_madd(load->end[1], off, side), load->up, load->wall, load->height);
    }
    for (int k = 0; k < 4; k++) {
        Vec3 at = vec3_madd(load->end[0], (k % 2 == 0 ? STRUT_END : 1.0 - STRUT_END) * length, axis);
        at = vec3_madd(at, (k < 2 ? STRUT_HIGH : STRUT_LOW) * load->height, load->up);
        draw_between(program, &model->part[LOAD_PART_ROPE], vec3_madd(at, out, side), vec3_madd(at, -out, side), STRUT);
    }
}

void load_model_draw(const LoadModel *model, const SolidPass *pass, const RenderView *view)
{
    const SolidProgram *program = solid_begin(pass, pass->programs->plain);
    for (int k = 0; k < view->load_count; k++) {
        const RenderLoad *load = &view->loads[k];
        if (load->height > 0.0) {
            draw_trench_box(model, program, load);
        } else {
            draw_between(program, &model->part[load->solid ? LOAD_PART_LOG : LOAD_PART_PIPE], load->end[0],
                         load->end[1], load->radius);
        }
        Vec3 axis = vec3_unit(vec3_sub(load->end[1], load->end[0]), vec3(1.0, 0.0, 0.0));
        for (int n = 0; n < load->leg_count; n++) {
            draw_between(program, &model->part[LOAD_PART_ROPE], load->eye, load->hitch[n], ROPE);
            if (load->height > 0.0) {
                continue; // hooked in, not around
            }
            double along = vec3_dot(vec3_sub(load->hitch[n], load->end[0]), axis);
            Vec3 low = vec3_madd(load->end[0], along - 0.5 * SLING_BAND, axis);
            draw_between(program, &model->part[LOAD_PART_BAND], low, vec3_madd(low, SLING_BAND, axis),
                         SLING_BAND_OVER * load->radius);
        }
    }
}
