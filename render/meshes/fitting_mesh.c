/// Builds the housings of lamps and mirrors in their own frames and moves them to their places.
#include "render/meshes/fitting_mesh.h"

#include "render/meshes/parts.h"

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
            Pose pose = fitting_lamp_pose(&lamps[k]);
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
