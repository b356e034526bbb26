/// Lays out a belt and builds the parts of all tracked machines: shoes, track frames, rollers, idlers and sprockets.
/// The shoes' inner faces run along a stadium of the track's height and length; their number is the whole one whose
/// pitch is nearest to 190 mm, as on machines of 20 t.
#include "render/meshes/machine_mesh.h"

#include <math.h>

static const double grouser = 0.055; ///< m: ribs of a shoe under its plate's inner face

TrackPath track_path(const MachineTracks *tracks)
{
    TrackPath path = {0};
    path.radius = fmax(0.5 * tracks->height - grouser, 0.1);
    path.half_length = fmax(0.5 * tracks->length - 0.5 * tracks->height, 0.1);
    path.center_z = path.radius + grouser;
    path.length = 4.0 * path.half_length + 2.0 * M_PI * path.radius;
    path.shoes = (int)lrint(fmin(fmax(path.length / 0.19, 12.0), TRACK_MAX_SHOES));
    path.pitch = path.length / path.shoes;
    return path;
}

void track_path_at(const TrackPath *path, double s, float out[4])
{
    s = fmod(s, path->length);
    s = s < 0.0 ? s + path->length : s;
    double run = 2.0 * path->half_length, arc = M_PI * path->radius;
    double x, z, angle;
    if (s < run) {
        x = s - path->half_length;
        z = path->center_z - path->radius;
        angle = 0.0;
    } else if (s < run + arc) {
        angle = (s - run) / path->radius;
        x = path->half_length + path->radius * sin(angle);
        z = path->center_z - path->radius * cos(angle);
    } else if (s < 2.0 * run + arc) {
        x = path->half_length - (s - run - arc);
        z = path->center_z + path->radius;
        angle = M_PI;
    } else {
        angle = M_PI + (s - 2.0 * run - arc) / path->radius;
        x = -path->half_length + path->radius * sin(angle);
        z = path->center_z - path->radius * cos(angle);
    }
    out[0] = (float)x;
    out[1] = (float)z;
    out[2] = (float)cos(angle);
    out[3] = (float)sin(angle);
}

void machine_mesh_shoe(const MachineParams *params, Mesh *mesh)
{
    double pitch = track_path(&params->tracks).pitch, half = 0.47 * pitch, width = params->tracks.shoe_width;
    part_box(mesh, -half, half, -0.5 * width, 0.5 * width, -0.022, 0.0, 0.006, &paint_shoe);
    for (int rib = 0; rib < 3; rib++) {
        double x = (rib - 1) * 0.62 * half;
        double depth = rib == 0 ? grouser : 0.7 * grouser;
        int first = mesh->vertex_count;
        part_box(mesh, x - 0.011, x + 0.011, -0.49 * width, 0.49 * width, -depth, -0.018, 0.005, &paint_shoe);
        for (int k = first; k < mesh->vertex_count; k++) { // the ribs' edges are worn bright
            if ((double)mesh->vertices[k].position[2] < -depth + 0.012) {
                mesh_paint(&mesh->vertices[k], &paint_grouser);
            }
        }
    }
    // Soil that is packed between the ribs.
    part_box(mesh, -0.60 * half, -0.02 * half, -0.40 * width, 0.24 * width, -0.034, -0.018, 0.0, &paint_mud);
    part_box(mesh, 0.04 * half, 0.58 * half, -0.20 * width, 0.44 * width, -0.031, -0.018, 0.0, &paint_mud);
    for (int side = -1; side <= 1; side += 2) {
        double y = side * 0.075;
        part_box(mesh, -0.54 * pitch, 0.54 * pitch, y - 0.022, y + 0.022, 0.0, 0.075, 0.01, &paint_steel);
    }
}

/// Adds a box's six sides, without bevels.
static void add_plain_box(Mesh *mesh, const double low[3], const double high[3], const MeshMaterial *material)
{
    static const int sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int side = 0; side < 6; side++) {
        double corners[4][3];
        for (int k = 0; k < 4; k++) {
            int corner = sides[side][k];
            corners[k][0] = (corner & 1) != 0 ? high[0] : low[0];
            corners[k][1] = (corner & 2) != 0 ? high[1] : low[1];
            corners[k][2] = (corner & 4) != 0 ? high[2] : low[2];
        }
        mesh_pane(mesh, (const double(*)[3])corners, material);
    }
}

void machine_mesh_plain_shoe(const MachineParams *params, Mesh *mesh)
{
    double pitch = track_path(&params->tracks).pitch, half = 0.47 * pitch, width = params->tracks.shoe_width;
    const double plate[2][3] = {{-half, -0.5 * width, -0.022}, {half, 0.5 * width, 0.0}};
    const double rib[2][3] = {{-0.62 * half - 0.011, -0.49 * width, -grouser},
                              {-0.62 * half + 0.011, 0.49 * width, -0.02}};
    const double links[2][3] = {{-0.54 * pitch, -0.097, 0.0}, {0.54 * pitch, 0.097, 0.075}};
    add_plain_box(mesh, plate[0], plate[1], &paint_shoe);
    add_plain_box(mesh, rib[0], rib[1], &paint_grouser);
    add_plain_box(mesh, links[0], links[1], &paint_steel);
}

static void add_wheel(Mesh *mesh, double x, double z, double y, double radius, double width, const MeshMaterial *rim)
{
    const double a[3] = {x, y - 0.5 * width, z}, b[3] = {x, y + 0.5 * width, z};
    const double profile[10][2] = {{0.1 * width, 0.0},
                                   {0.1 * width, 0.45 * radius},
                                   {0.22 * width, 0.55 * radius},
                                   {0.22 * width, 0.80 * radius},
                                   {0.0, 0.86 * radius},
                                   {0.0, radius},
                                   {width, radius},
                                   {width, 0.86 * radius},
                                   {0.78 * width, 0.80 * radius},
                                   {0.9 * width, 0.0}};
    mesh_lathe(mesh, a, b, profile, 10, radius > 0.2 ? 28 : 14, rim);
}

/// Adds soil that lies on a track frame, in heaps as high as the carrier rollers leave room for.
static void add_frame_soil(const TrackPath *path, double y, Mesh *mesh)
{
    enum { HEAPS = 7 };
    static const double high[HEAPS] = {0.035, 0.06, 0.03, 0.075, 0.045, 0.065, 0.03}; // m
    double end = path->half_length - 0.45, foot = path->center_z + 0.16;
    double outline[HEAPS + 2][2] = {{-end, foot}, {end, foot}};
    for (int k = 0; k < HEAPS; k++) {
        outline[2 + k][0] = end * (1.0 - 2.0 * (k + 0.5) / HEAPS);
        outline[2 + k][1] = foot + high[k];
    }
    mesh_prism(mesh, MESH_PLANE_XZ, (const double(*)[2])outline, HEAPS + 2, y - 0.15, y + 0.15, 0.03, &paint_mud);
}

static void add_track_frame(const MachineParams *params, const TrackPath *path, double y, Mesh *mesh)
{
    const MachineTracks *tracks = &params->tracks;
    double r = path->radius - 0.075, end = path->half_length;
    double lower = path->center_z - path->radius + 0.075;
    const double outline[8][2] = {{-end + 0.25, lower + 0.18},          {end - 0.30, lower + 0.18},
                                  {end - 0.05, path->center_z - 0.08},  {end - 0.05, path->center_z + 0.09},
                                  {end - 0.35, path->center_z + 0.17},  {-end + 0.40, path->center_z + 0.17},
                                  {-end + 0.10, path->center_z + 0.10}, {-end + 0.10, path->center_z - 0.10}};
    mesh_prism(mesh, MESH_PLANE_XZ, outline, 8, y - 0.17, y + 0.17, 0.03, &paint_dark);
    add_wheel(mesh, end, path->center_z, y, r, 0.14, &paint_steel);
    add_wheel(mesh, -end, path->center_z, y, r * 0.97, 0.12, &paint_worn);
    const double hub_a[3] = {-end, y - 0.21, path->center_z}, hub_b[3] = {-end, y + 0.21, path->center_z};
    mesh_cylinder(mesh, hub_a, hub_b, 0.5 * r, 0.03, 24, &paint_yellow);
    // Teeth of the sprocket.
    for (int tooth = 0; tooth < 21; tooth++) {
        double angle = 2.0 * M_PI * tooth / 21.0, c = cos(angle), s = sin(angle), q = 0.03;
        const double corners[4][2] = {
            {-end + 0.9 * r * c + q * s, path->center_z + 0.9 * r * s - q * c},
            {-end + (r + 0.05) * c + 0.4 * q * s, path->center_z + (r + 0.05) * s - 0.4 * q * c},
            {-end + (r + 0.05) * c - 0.4 * q * s, path->center_z + (r + 0.05) * s + 0.4 * q * c},
            {-end + 0.9 * r * c - q * s, path->center_z + 0.9 * r * s + q * c}};
        mesh_prism(mesh, MESH_PLANE_XZ, corners, 4, y - 0.035, y + 0.035, 0.006, &paint_worn);
    }
    add_frame_soil(path, y, mesh);
    int rollers = tracks->patches;
    for (int k = 0; k < rollers; k++) {
        double x = tracks->contact_length * ((k + 0.5) / rollers - 0.5);
        add_wheel(mesh, x, lower + 0.09, y, 0.09, 0.26, &paint_steel);
    }
    for (int k = -1; k <= 1; k += 2) {
        add_wheel(mesh, k * 0.28 * tracks->contact_length, path->center_z + path->radius - 0.075 - 0.07, y, 0.07, 0.22,
                  &paint_steel);
    }
}

void machine_mesh_track_frames(const MachineParams *params, Mesh *mesh)
{
    TrackPath path = track_path(&params->tracks);
    add_track_frame(params, &path, 0.5 * params->tracks.gauge, mesh);
    add_track_frame(params, &path, -0.5 * params->tracks.gauge, mesh);
}
