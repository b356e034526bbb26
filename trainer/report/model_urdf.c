/// Writes a machine as URDF (the XML of ROS's urdfdom) and its meshes as Wavefront OBJ. A link is a body, a joint a
/// hinge; frames and angles are the machine's own. OBJ is what ROS, Gazebo, MuJoCo, Bullet and Drake all read; as
/// not all of them read its colours, each material is a mesh of its own, with a colour in the URDF.
#include <math.h>
#include <string.h>

#include "data/core/system_files.h"
#include "trainer/report/model_internal.h"

/// ---- names ---------------------------------------------------------------------------------------------------------

bool model_is_in_tree(const ModelNode *node)
{
    return node->drawn && (node->part.kind == MODEL_BODY || node->part.kind == MODEL_BELT);
}

static void material_name(const ModelGroup *group, char name[MODEL_NAME])
{
    const uint8_t *c = group->color;
    snprintf(name, MODEL_NAME, "color_%02x%02x%02x%02x", c[0], c[1], c[2], c[3]);
}

void model_mesh_name(const Model *model, int node, int group, char name[2 * MODEL_NAME])
{
    snprintf(name, 2 * MODEL_NAME, "meshes/%s_%d.obj", model->node[node].name, group);
}

void model_hull_name(const Model *model, int part, char name[2 * MODEL_NAME])
{
    int body, other, number = 0;
    machine_part_hull(model->machine, part, &body);
    for (int k = 0; k < part; k++) {
        machine_part_hull(model->machine, k, &other);
        number += other == body;
    }
    snprintf(name, 2 * MODEL_NAME, "meshes/%s_hull_%d.obj", model->params.body[body].name, number);
}

/// ---- meshes --------------------------------------------------------------------------------------------------------

/// m: thickness that a mesh without any gets. Chosen: that of a pane.
#define PANE 0.004
/// m: mean thickness, volume over area, from which a mesh has one.
#define FLAT 1e-4

static Vec3 corner_of(const ModelGroup *group, int k)
{
    const float *p = group->vertices[group->indices[k]].position;
    return vec3((double)p[0], (double)p[1], (double)p[2]);
}

/// True of panes and the like. Programs that take a mesh for a solid refuse one without volume.
static bool is_flat(const ModelGroup *group)
{
    Vec3 origin = corner_of(group, 0);
    double volume = 0.0, area = 0.0;
    for (int k = 0; k + 2 < group->index_count; k += 3) {
        Vec3 a = vec3_sub(corner_of(group, k), origin), b = vec3_sub(corner_of(group, k + 1), origin),
             c = vec3_sub(corner_of(group, k + 2), origin);
        volume += vec3_dot(a, vec3_cross(b, c)) / 6.0;
        area += 0.5 * vec3_length(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    }
    return fabs(volume) < FLAT * area;
}

/// The back of a flat mesh: the same triangles, turned round.
static void write_back(const ModelGroup *group, FILE *file)
{
    for (int k = 0; k < group->vertex_count; k++) {
        const float *p = group->vertices[k].position, *n = group->vertices[k].normal;
        fprintf(file, "v %.6g %.6g %.6g\n", (double)p[0] - PANE * (double)n[0], (double)p[1] - PANE * (double)n[1],
                (double)p[2] - PANE * (double)n[2]);
    }
    for (int k = 0; k < group->vertex_count; k++) {
        const float *n = group->vertices[k].normal;
        fprintf(file, "vn %.5f %.5f %.5f\n", -(double)n[0], -(double)n[1], -(double)n[2]);
    }
    for (int k = 0; k + 2 < group->index_count; k += 3) {
        const uint32_t *i = &group->indices[k], first = (uint32_t)group->vertex_count + 1;
        fprintf(file, "f %u//%u %u//%u %u//%u\n", i[0] + first, i[0] + first, i[2] + first, i[2] + first, i[1] + first,
                i[1] + first);
    }
}

void model_write_mesh(const ModelGroup *group, FILE *file)
{
    fputs("# spadework: drawn mesh, m\n", file);
    for (int k = 0; k < group->vertex_count; k++) {
        const float *p = group->vertices[k].position;
        fprintf(file, "v %.6g %.6g %.6g\n", (double)p[0], (double)p[1], (double)p[2]);
    }
    for (int k = 0; k < group->vertex_count; k++) {
        const float *n = group->vertices[k].normal;
        fprintf(file, "vn %.5f %.5f %.5f\n", (double)n[0], (double)n[1], (double)n[2]);
    }
    for (int k = 0; k + 2 < group->index_count; k += 3) {
        const uint32_t *i = &group->indices[k];
        fprintf(file, "f %u//%u %u//%u %u//%u\n", i[0] + 1, i[0] + 1, i[1] + 1, i[1] + 1, i[2] + 1, i[2] + 1);
    }
    if (is_flat(group)) {
        write_back(group, file);
    }
}

void model_write_hull(const ConvexHull *hull, FILE *file)
{
    fputs("# spadework: convex piece that touches things, m\n", file);
    for (int k = 0; k < hull->point_count; k++) {
        fprintf(file, "v %.9g %.9g %.9g\n", hull->point[k].x, hull->point[k].y, hull->point[k].z);
    }
    for (int k = 0; k < hull->face_count; k++) {
        for (int n = 1; n + 1 < hull->face_size[k]; n++) {
            fprintf(file, "f %d %d %d\n", hull->face_point[k][0] + 1, hull->face_point[k][n] + 1,
                    hull->face_point[k][n + 1] + 1);
        }
    }
}

/// ---- the file ------------------------------------------------------------------------------------------------------

static void write_head(const Model *model, FILE *file)
{
    fprintf(
        file,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!--\n"
        "  Written by spadework model. SI units: m, kg, rad, N m.\n"
        "  Frames: x forward, y left, z up. base_link lies on the ground between the tracks: base_x, base_y, base_z,\n"
        "  yaw, pitch and roll of the telemetry are its place (rotation Rz(yaw) Ry(-pitch) Rx(roll)).\n"
        "  tip_link is the middle of the tool's edge: tip_x, tip_y, tip_z.\n"
        "  Joints have the names of the telemetry's columns, and take its angles unchanged: all frames are parallel\n"
        "  where all angles are 0, which may lie outside a joint's limits.\n"
        "  effort: relief pressure x area x lever arm, the most anywhere in the range; of a swing the motor's torque.\n"
        "  velocity: all of the flow that the function takes, the most anywhere in the range and in either direction.\n"
        "  A tree has no place for closed loops: cylinders, and the rocker and bar of a bucket's linkage, are left\n"
        "  out, and the joint that they drive is the tool's own. Tracks do not turn; they are a part of the base.\n"
        "  Collision meshes are the convex pieces that the simulator itself works with.\n"
        "-->\n"
        "<robot name=\"%s\">\n"
        "  <!-- for MuJoCo, which else leaves out what is drawn and merges the base with the world -->\n"
        "  <mujoco>\n"
        "    <compiler strippath=\"false\" fusestatic=\"false\" discardvisual=\"false\"/>\n"
        "  </mujoco>\n",
        model->name);
}

/// True when a material of this colour has come before group `group` of node `node`.
static bool is_known(const Model *model, int node, int group)
{
    const ModelGroup *own = &model->node[node].group[group];
    for (int k = 0; k <= node; k++) {
        const ModelNode *other = &model->node[k];
        for (int n = 0; model_is_in_tree(other) && n < (k < node ? other->group_count : group); n++) {
            if (memcmp(other->group[n].color, own->color, sizeof own->color) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void write_materials(const Model *model, FILE *file)
{
    for (int k = 0; k < model->node_count; k++) {
        for (int n = 0; model_is_in_tree(&model->node[k]) && n < model->node[k].group_count; n++) {
            const ModelGroup *group = &model->node[k].group[n];
            if (!is_known(model, k, n)) {
                char name[MODEL_NAME];
                material_name(group, name);
                fprintf(file, "  <material name=\"%s\"><color rgba=\"%.4f %.4f %.4f %.4f\"/></material>\n", name,
                        group->color[0] / 255.0, group->color[1] / 255.0, group->color[2] / 255.0,
                        group->color[3] / 255.0);
            }
        }
    }
}

static void write_geometry(const char *package, const char *mesh, FILE *file)
{
    fprintf(file,
            "      <origin xyz=\"0 0 0\" rpy=\"0 0 0\"/>\n      <geometry><mesh filename=\"%s%s%s%s\"/></geometry>\n",
            package != NULL ? "package://" : "", package != NULL ? package : "", package != NULL ? "/" : "", mesh);
}

/// Name of a mesh without folder and ending.
static void stem_of(const char *mesh, char stem[2 * MODEL_NAME])
{
    const char *name = file_name_of(mesh);
    snprintf(stem, 2 * MODEL_NAME, "%.*s", (int)strcspn(name, "."), name);
}

static void write_visuals(const Model *model, int body, const char *package, FILE *file)
{
    for (int k = 0; k < model->node_count; k++) {
        const ModelNode *node = &model->node[k];
        for (int n = 0; model_is_in_tree(node) && node->body == body && n < node->group_count; n++) {
            char mesh[2 * MODEL_NAME], stem[2 * MODEL_NAME], material[MODEL_NAME];
            model_mesh_name(model, k, n, mesh);
            stem_of(mesh, stem);
            material_name(&node->group[n], material);
            fprintf(file, "    <visual name=\"%s\">\n", stem);
            write_geometry(package, mesh, file);
            fprintf(file, "      <material name=\"%s\"/>\n    </visual>\n", material);
        }
    }
}

static void write_collisions(const Model *model, int body, const char *package, FILE *file)
{
    for (int k = 0; k < machine_part_count(model->machine); k++) {
        int carrier;
        machine_part_hull(model->machine, k, &carrier);
        if (carrier == body) {
            char mesh[2 * MODEL_NAME], stem[2 * MODEL_NAME];
            model_hull_name(model, k, mesh);
            stem_of(mesh, stem);
            fprintf(file, "    <collision name=\"%s\">\n", stem);
            write_geometry(package, mesh, file);
            fputs("    </collision>\n", file);
        }
    }
}

static void write_link(const Model *model, int body, const char *package, FILE *file)
{
    const MachineBodyParams *params = &model->params.body[body];
    Vec3 inertia = model_inertia(params);
    char name[MODEL_NAME];
    model_link_name(model, body, name);
    fprintf(file,
            "  <link name=\"%s\">\n"
            "    <inertial>\n"
            "      <origin xyz=\"%.9g %.9g %.9g\" rpy=\"0 0 0\"/>\n"
            "      <mass value=\"%.9g\"/>\n"
            "      <inertia ixx=\"%.9g\" ixy=\"0\" ixz=\"0\" iyy=\"%.9g\" iyz=\"0\" izz=\"%.9g\"/>\n"
            "    </inertial>\n",
            name, params->center[0], params->center[1], params->center[2], params->mass, inertia.x, inertia.y,
            inertia.z);
    write_visuals(model, body, package, file);
    write_collisions(model, body, package, file);
    fputs("  </link>\n", file);
}

static void write_joint(const Model *model, int joint, FILE *file)
{
    const MachineJointParams *one = &model->params.joint[joint];
    const MachineHinge *hinge = &model->hinge[joint];
    char parent[MODEL_NAME], child[MODEL_NAME];
    model_link_name(model, one->parent, parent);
    model_link_name(model, one->child, child);
    fprintf(file,
            "  <joint name=\"%s\" type=\"%s\">\n"
            "    <parent link=\"%s\"/>\n    <child link=\"%s\"/>\n"
            "    <origin xyz=\"%.9g %.9g %.9g\" rpy=\"0 0 0\"/>\n"
            "    <axis xyz=\"%g %g %g\"/>\n",
            one->column, hinge->endless ? "continuous" : "revolute", parent, child, hinge->origin.x, hinge->origin.y,
            hinge->origin.z, hinge->axis.x, hinge->axis.y, hinge->axis.z);
    if (hinge->endless) {
        fprintf(file, "    <limit effort=\"%.6g\" velocity=\"%.6g\"/>\n", hinge->torque, hinge->speed);
    } else {
        fprintf(file, "    <limit lower=\"%.9g\" upper=\"%.9g\" effort=\"%.6g\" velocity=\"%.6g\"/>\n", hinge->range[0],
                hinge->range[1], hinge->torque, hinge->speed);
    }
    fputs("  </joint>\n", file);
}

/// The middle of the first tool's cutting edge: tip_x, tip_y, tip_z of the telemetry.
static void write_tip(const Model *model, FILE *file)
{
    const MachineToolParams *tool = &model->params.tool[0];
    char parent[MODEL_NAME];
    model_link_name(model, tool->body, parent);
    fprintf(file,
            "  <link name=\"tip_link\"/>\n"
            "  <joint name=\"tip\" type=\"fixed\">\n"
            "    <parent link=\"%s\"/>\n    <child link=\"tip_link\"/>\n"
            "    <origin xyz=\"%.9g 0 %.9g\" rpy=\"0 0 0\"/>\n"
            "  </joint>\n",
            parent, tool->tip.x, tool->tip.z);
}

void model_write_urdf(const Model *model, const char *package, FILE *file)
{
    write_head(model, file);
    write_materials(model, file);
    // ROS's tree of solids (KDL) takes no mass in the root.
    char base[MODEL_NAME];
    model_link_name(model, MACHINE_BASE, base);
    fprintf(file,
            "  <link name=\"base_link\"/>\n"
            "  <joint name=\"base\" type=\"fixed\">\n"
            "    <parent link=\"base_link\"/>\n    <child link=\"%s\"/>\n"
            "    <origin xyz=\"0 0 0\" rpy=\"0 0 0\"/>\n"
            "  </joint>\n",
            base);
    for (int k = 0; k < model->params.body_count; k++) {
        write_link(model, k, package, file);
    }
    for (int k = 0; k < model->params.joint_count; k++) {
        write_joint(model, k, file);
    }
    write_tip(model, file);
    fputs("</robot>\n", file);
}
