#include "render/gpu/gl.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHADER_PATH_LENGTH = 768, SHADER_MAX_BYTES = 1 << 20 };

static char *read_text(const char *path, Status *status)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        status_fail(status, STATUS_LACKING, "%s: cannot be read; the shaders belong to data/shaders", path);
        return NULL;
    }
    char *text = malloc(SHADER_MAX_BYTES);
    size_t size = text == NULL ? 0 : fread(text, 1, SHADER_MAX_BYTES - 1, file);
    fclose(file);
    if (text == NULL || size == 0) {
        free(text);
        status_fail(status, STATUS_LACKING, "%s: empty or unreadable; a shader is expected", path);
        return NULL;
    }
    text[size] = '\0';
    return text;
}

/// The first line of a log that says something.
static void cut_to_first_line(char *log)
{
    size_t start = strspn(log, " \r\n\t");
    memmove(log, log + start, strlen(log + start) + 1);
    log[strcspn(log, "\r\n")] = '\0';
}

static GLuint compile(GLenum stage, const char *path, const char *defines, const char *common, const char *text,
                      Status *status)
{
    const char *stage_name = stage == GL_VERTEX_SHADER ? "vertex" : "fragment";
    const char *stage_define = stage == GL_VERTEX_SHADER ? "#define VERTEX\n" : "#define FRAGMENT\n";
    const char *parts[] = {"#version 330 core\n", stage_define, defines, "#line 1 0\n", common, "\n#line 1 1\n", text};
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, (GLsizei)(sizeof(parts) / sizeof(parts[0])), parts, NULL);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good) {
        char log[600] = "";
        glGetShaderInfoLog(shader, (GLsizei)sizeof(log), NULL, log);
        cut_to_first_line(log);
        status_fail(status, STATUS_LACKING, "%s: %s shader does not compile (0 = common.glsl, 1 = this file): %s", path,
                    stage_name, log);
        glDeleteShader(shader);
        return 0;
    }
    return shader;
}

static void bind_fixed_units(GLuint program)
{
    static const struct {
        const char *name;
        GLint unit;
    } samplers[] = {{"noise_map", GL_UNIT_NOISE},
                    {"shadow_map", GL_UNIT_SHADOW},
                    {"height_map", GL_UNIT_HEIGHT},
                    {"color_map", GL_UNIT_COLOR},
                    {"overlay_map", GL_UNIT_OVERLAY}};
    glUseProgram(program);
    for (size_t i = 0; i < sizeof(samplers) / sizeof(samplers[0]); i++) {
        GLint location = glGetUniformLocation(program, samplers[i].name);
        if (location >= 0) {
            glUniform1i(location, samplers[i].unit);
        }
    }
    GLuint block = glGetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX) {
        glUniformBlockBinding(program, block, GL_FRAME_BINDING);
    }
    glUseProgram(0);
}

static GLuint link_program(GLuint vertex, GLuint fragment, const char *path, Status *status)
{
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        char log[600] = "";
        glGetProgramInfoLog(program, (GLsizei)sizeof(log), NULL, log);
        cut_to_first_line(log);
        status_fail(status, STATUS_LACKING, "%s: the program does not link: %s", path, log);
        glDeleteProgram(program);
        return 0;
    }
    bind_fixed_units(program);
    return program;
}

GLuint gl_program_create(const char *folder, const char *name, const char *defines, Status *status)
{
    char common_path[SHADER_PATH_LENGTH], path[SHADER_PATH_LENGTH];
    snprintf(common_path, sizeof(common_path), "%s/common.glsl", folder);
    snprintf(path, sizeof(path), "%s/%s.glsl", folder, name);
    GLuint program = 0, vertex = 0, fragment = 0;
    char *common = read_text(common_path, status);
    char *text = common == NULL ? NULL : read_text(path, status);
    if (text != NULL) {
        vertex = compile(GL_VERTEX_SHADER, path, defines, common, text, status);
        fragment = vertex == 0 ? 0 : compile(GL_FRAGMENT_SHADER, path, defines, common, text, status);
    }
    if (fragment != 0) {
        program = link_program(vertex, fragment, path, status);
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    free(common);
    free(text);
    return program;
}

void gl_mesh_create(GlMesh *mesh, const Mesh *source)
{
    *mesh = (GlMesh){0};
    if (source->index_count == 0) {
        return;
    }
    glGenVertexArrays(1, &mesh->array);
    glGenBuffers(1, &mesh->vertices);
    glGenBuffers(1, &mesh->indices);
    glBindVertexArray(mesh->array);
    glBindBuffer(GL_ARRAY_BUFFER, mesh->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(MeshVertex) * source->vertex_count, source->vertices,
                 GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, mesh->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)sizeof(uint32_t) * source->index_count, source->indices,
                 GL_STATIC_DRAW);
    GLsizei stride = (GLsizei)sizeof(MeshVertex);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(MeshVertex, position));
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, (const void *)offsetof(MeshVertex, normal));
    glEnableVertexAttribArray(2);
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, (const void *)offsetof(MeshVertex, color));
    glEnableVertexAttribArray(3);
    glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, (const void *)offsetof(MeshVertex, surface));
    glBindVertexArray(0);
    mesh->count = (GLsizei)source->index_count;
}

void gl_mesh_destroy(GlMesh *mesh)
{
    glDeleteVertexArrays(1, &mesh->array);
    glDeleteBuffers(1, &mesh->vertices);
    glDeleteBuffers(1, &mesh->indices);
    *mesh = (GlMesh){0};
}

void gl_mesh_draw(const GlMesh *mesh)
{
    if (mesh->count > 0) {
        glBindVertexArray(mesh->array);
        glDrawElements(GL_TRIANGLES, mesh->count, GL_UNSIGNED_INT, NULL);
    }
}
