#include "render/models/machine_model.h"

#include <math.h>

#include "render/models/paint.h"

static bool program_create(struct SolidProgram *out, const char *folder, const char *defines, Status *status)
{
    out->program = gl_program_create(folder, "solid", defines, status);
    if (out->program == 0) {
        return false;
    }
    out->model = glGetUniformLocation(out->program, "model");
    out->dust_color = glGetUniformLocation(out->program, "dust_color");
    return true;
}

bool solid_shared_create(SolidShared *shared, const char *folder, Status *status)
{
    return program_create(&shared->plain, folder, "", status) &&
           program_create(&shared->plain_depth, folder, "#define DEPTH\n", status) &&
           program_create(&shared->shoes, folder, "#define SHOES\n", status) &&
           program_create(&shared->shoes_depth, folder, "#define SHOES\n#define DEPTH\n", status);
}

void solid_shared_destroy(SolidShared *shared)
{
    glDeleteProgram(shared->plain.program);
    glDeleteProgram(shared->plain_depth.program);
    glDeleteProgram(shared->shoes.program);
    glDeleteProgram(shared->shoes_depth.program);
    *shared = (SolidShared){0};
}

/// Meshes one metre long along x, of radius 1, that struts stretch.
static void create_strut_meshes(MachineModel *model)
{
    const double a[3] = {0.0, 0.0, 0.0}, b[3] = {1.0, 0.0, 0.0};
    const double barrel[8][2] = {{0.0, 0.0},   {0.0, 0.9},    {0.02, 1.0}, {0.90, 1.0},
                                 {0.90, 1.13}, {0.985, 1.13}, {1.0, 1.0},  {1.0, 0.0}};
    Mesh mesh = {0};
    mesh_lathe(&mesh, a, b, barrel, 8, 24, &paint_dark);
    gl_mesh_create(&model->barrel, &mesh);
    mesh_free(&mesh);
    mesh_cylinder(&mesh, a, b, 1.0, 0.0, 20, &paint_chrome);
    gl_mesh_create(&model->rod, &mesh);
    mesh_free(&mesh);
    const double low[3] = {0.0, -1.0, -1.0}, high[3] = {1.0, 1.0, 1.0};
    mesh_box(&mesh, low, high, 0.03, &paint_dark);
    gl_mesh_create(&model->bar, &mesh);
    mesh_free(&mesh);
    const double c[3] = {-1.0, 0.0, 0.0};
    mesh_cylinder(&mesh, c, b, 1.0, 0.12, 20, &paint_dark);
    gl_mesh_create(&model->eye, &mesh);
    mesh_free(&mesh);
}

static void create_shoes(MachineModel *model, const MachineParams *params)
{
    model->path = track_path(&params->tracks);
    Mesh mesh = {0};
    machine_mesh_shoe(model->path.pitch, params->tracks.shoe_width, &mesh);
    gl_mesh_create(&model->shoe, &mesh);
    mesh_free(&mesh);
    glGenBuffers(1, &model->shoe_places);
    glBindVertexArray(model->shoe.array);
    glBindBuffer(GL_ARRAY_BUFFER, model->shoe_places);
    glEnableVertexAttribArray(4);
    glVertexAttribPointer(4, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    glVertexAttribDivisor(4, 1);
    glBindVertexArray(0);
}

void machine_model_create(MachineModel *model, const MachineParams *params)
{
    static void (*const build[][MACHINE_MAX_BODIES])(const MachineParams *, Mesh *) = {
        [MACHINE_EXCAVATOR] = {machine_mesh_undercarriage, machine_mesh_house, machine_mesh_boom, machine_mesh_stick,
                               machine_mesh_bucket},
        [MACHINE_DOZER] = {machine_mesh_chassis, machine_mesh_ripper, machine_mesh_push_frame, machine_mesh_yoke,
                           machine_mesh_blade}};
    Mesh mesh = {0};
    for (int body = 0; body < params->body_count; body++) {
        build[params->type][body](params, &mesh);
        gl_mesh_create(&model->body[body], &mesh);
        mesh_free(&mesh);
    }
    machine_mesh_cab(params, &mesh);
    gl_mesh_create(&model->cab, &mesh);
    mesh_free(&mesh);
    machine_mesh_glass(params, &mesh);
    gl_mesh_create(&model->glass, &mesh);
    mesh_free(&mesh);
    create_strut_meshes(model);
    create_shoes(model, params);
}

void machine_model_destroy(MachineModel *model)
{
    for (int body = 0; body < MACHINE_MAX_BODIES; body++) {
        gl_mesh_destroy(&model->body[body]);
    }
    gl_mesh_destroy(&model->cab);
    gl_mesh_destroy(&model->glass);
    gl_mesh_destroy(&model->shoe);
    gl_mesh_destroy(&model->barrel);
    gl_mesh_destroy(&model->rod);
    gl_mesh_destroy(&model->bar);
    gl_mesh_destroy(&model->eye);
    glDeleteBuffers(1, &model->shoe_places);
    *model = (MachineModel){0};
}

static void use_program(const struct SolidProgram *program, const float dust[4])
{
    glUseProgram(program->program);
    glUniform4fv(program->dust_color, 1, dust);
}

static void draw_with(const struct SolidProgram *program, const GlMesh *mesh, mat4 matrix)
{
    glUniformMatrix4fv(program->model, 1, GL_FALSE, matrix[0]);
    gl_mesh_draw(mesh);
}

/// Draws `mesh` with its x along `axis`, its y as near `side` as can be, stretched by the three scales, from `origin`.
static void draw_stretched(const struct SolidProgram *program, const GlMesh *mesh, Vec3 origin, Vec3 axis, Vec3 side,
                           double along, double across, double up)
{
    Vec3 z = vec3_unit(vec3_cross(axis, side), vec3(0.0, 0.0, 1.0));
    Vec3 y = vec3_cross(z, axis);
    Pose pose = {origin,
                 {{{axis.x * along, y.x * across, z.x * up},
                   {axis.y * along, y.y * across, z.y * up},
                   {axis.z * along, y.z * across, z.z * up}}}};
    mat4 matrix;
    camera_pose_matrix(&pose, matrix);
    draw_with(program, mesh, matrix);
}

static void draw_strut(const MachineModel *model, const struct SolidProgram *program, const RenderStrut *strut,
                       Vec3 side, double half_width)
{
    Vec3 span = vec3_sub(strut->b, strut->a);
    double length = vec3_length(span);
    if (!(length > 0.0)) {
        return;
    }
    Vec3 axis = vec3_scale(span, 1.0 / length);
    double r = strut->radius;
    if (strut->bar) {
        // Two plates, outside the stick, on common pins.
        for (int plate = -1; plate <= 1; plate += 2) {
            Vec3 low = vec3_madd(vec3_madd(strut->a, -1.2 * r, axis), plate * half_width, side);
            draw_stretched(program, &model->bar, low, axis, side, length + 2.4 * r, 0.022, 1.25 * r);
        }
        draw_stretched(program, &model->eye, strut->a, side, axis, half_width + 0.05, 1.0 * r, 1.0 * r);
        draw_stretched(program, &model->eye, strut->b, side, axis, half_width + 0.05, 1.0 * r, 1.0 * r);
        return;
    }
    double barrel = fmin(fmax(strut->barrel, 0.1 * length), length);
    double rod = strut->rod_radius;
    draw_stretched(program, &model->barrel, strut->a, axis, side, barrel, r, r);
    draw_stretched(program, &model->rod, vec3_madd(strut->a, 0.9 * barrel, axis), axis, side, length - 0.9 * barrel,
                   rod, rod);
    draw_stretched(program, &model->eye, strut->a, side, axis, 1.0 * r, 1.15 * r, 1.15 * r);
    draw_stretched(program, &model->eye, strut->b, side, axis, 1.0 * r, 1.5 * rod, 1.5 * rod);
}

static void draw_belts(const MachineModel *model, const struct SolidProgram *program, const RenderView *view)
{
    float places[128][4];
    int shoes = model->path.shoes < 128 ? model->path.shoes : 128;
    if (model->shoe.count == 0) {
        return;
    }
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < shoes; k++) {
            // Driving forward, the lower run goes backwards under the machine.
            track_path_at(&model->path, k * model->path.pitch - view->track_travel[side], places[k]);
        }
        glBindBuffer(GL_ARRAY_BUFFER, model->shoe_places);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(places[0]) * shoes, places, GL_STREAM_DRAW);
        Pose pose = view->body[MACHINE_BASE];
        double y = (side == 0 ? 0.5 : -0.5) * view->machine->tracks.gauge;
        pose.position = pose_apply(&pose, vec3(0.0, y, 0.0));
        mat4 matrix;
        camera_pose_matrix(&pose, matrix);
        glUniformMatrix4fv(program->model, 1, GL_FALSE, matrix[0]);
        glBindVertexArray(model->shoe.array);
        glDrawElementsInstanced(GL_TRIANGLES, model->shoe.count, GL_UNSIGNED_INT, NULL, shoes);
    }
}

void machine_model_draw(const MachineModel *model, const SolidShared *shared, const RenderView *view,
                        const float dust[4], bool depth)
{
    const struct SolidProgram *plain = depth ? &shared->plain_depth : &shared->plain;
    const struct SolidProgram *shoes = depth ? &shared->shoes_depth : &shared->shoes;
    mat4 matrix;
    use_program(plain, dust);
    for (int body = 0; body < view->machine->body_count; body++) {
        camera_pose_matrix(&view->body[body], matrix);
        draw_with(plain, &model->body[body], matrix);
        if (body == view->machine->cab_body) {
            draw_with(plain, &model->cab, matrix);
        }
    }
    const Mat3 *house = &view->body[view->machine->cab_body].rotation;
    Vec3 side = vec3(house->m[0][1], house->m[1][1], house->m[2][1]);
    for (int k = 0; k < view->strut_count && k < RENDER_MAX_STRUTS; k++) {
        draw_strut(model, plain, &view->struts[k], side, 0.075 * view->machine->upper_width + 0.055);
    }
    use_program(shoes, dust);
    draw_belts(model, shoes, view);
}

void machine_model_draw_glass(const MachineModel *model, const SolidShared *shared, const RenderView *view,
                              const float dust[4])
{
    mat4 matrix;
    camera_pose_matrix(&view->body[view->machine->cab_body], matrix);
    use_program(&shared->plain, dust);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    draw_with(&shared->plain, &model->glass, matrix);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}
