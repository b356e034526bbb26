/// Builds the shader programs. Each is one file of data/shaders that holds both stages, put behind common.glsl and a
/// few #defines, so that variants (into the shadow map, blurred, of a belt's shoes) share their source. A failure tells
/// the file and the line as the driver does, because shaders may be edited without building the program.
#include "render/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/regular_file.h"

enum {
    PATH_LENGTH = 768, ///< bytes; chosen: a folder and a name
    DEFINES_LENGTH = 256, ///< bytes
    SHADER_MAX_BYTES = 1 << 20, ///< chosen: far above the longest shader
    LOG_LENGTH = 600 ///< bytes of the driver's log that are looked at
};

/// Returns the whole text of a file, to be freed by the caller; NULL with `status` set.
static char *read_text(const char *path, Status *status)
{
    FILE *file = regular_file_open(path, status);
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

/// Cuts a log to its first line that says something.
static void cut_to_first_line(char *log)
{
    size_t start = strspn(log, " \r\n\t");
    memmove(log, log + start, strlen(log + start) + 1);
    log[strcspn(log, "\r\n")] = '\0';
}

/// Compiles one stage; 0 with `status` set when it does not.
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
        char log[LOG_LENGTH] = "";
        glGetShaderInfoLog(shader, LOG_LENGTH, NULL, log);
        cut_to_first_line(log);
        status_fail(status, STATUS_LACKING, "%s: %s shader does not compile (0 = common.glsl, 1 = this file): %s", path,
                    stage_name, log);
        glDeleteShader(shader);
        return 0;
    }
    return shader;
}

/// Binds the samplers and the uniform block that every program finds in the same place.
static void bind_fixed_units(GLuint program)
{
    static const struct {
        const char *name;
        GLint unit;
    } samplers[] = {{"noise_map", GL_UNIT_NOISE},     {"shadow_map", GL_UNIT_SHADOW}, {"height_map", GL_UNIT_HEIGHT},
                    {"color_map", GL_UNIT_COLOR},     {"design_map", GL_UNIT_DESIGN}, {"overlay_map", GL_UNIT_OVERLAY},
                    {"outline_map", GL_UNIT_OUTLINE}, {"strata_map", GL_UNIT_STRATA}, {"look_map", GL_UNIT_LOOK},
                    {"mark_map", GL_UNIT_MARKS},      {"grain_map", GL_UNIT_GRAINS},  {"relief_map", GL_UNIT_RELIEF},
                    {"place_map", GL_UNIT_PLACES}};
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

/// Links two stages; 0 with `status` set when they do not fit.
static GLuint link_program(GLuint vertex, GLuint fragment, const char *path, Status *status)
{
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        char log[LOG_LENGTH] = "";
        glGetProgramInfoLog(program, LOG_LENGTH, NULL, log);
        cut_to_first_line(log);
        status_fail(status, STATUS_LACKING, "%s: the program does not link: %s", path, log);
        glDeleteProgram(program);
        return 0;
    }
    bind_fixed_units(program);
    return program;
}

GLuint gl_program_create(const GlShaders *shaders, const char *name, const char *own, Status *status)
{
    char common_path[PATH_LENGTH], path[PATH_LENGTH], defines[DEFINES_LENGTH];
    snprintf(common_path, sizeof(common_path), "%s/common.glsl", shaders->folder);
    snprintf(path, sizeof(path), "%s/%s.glsl", shaders->folder, name);
    snprintf(defines, sizeof(defines), "%s%s", shaders->defines, own);
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

void gl_texture_sampling(GLint minify, GLint wrap)
{
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, minify);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
}
