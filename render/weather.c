/// Draws rain and dust, each in one call of instanced squares whose colours blend over the picture. Neither is kept
/// from frame to frame: a drop follows from its number, a puff of dust from its age.
#include "render/weather.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

/// Draws `count` instances of a square of the current program and array, blended.
static void draw_squares(int count)
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}

/// ---- rain ----------------------------------------------------------------------------------------------------------

enum { FEWEST = 500, MORE = 3600 }; ///< drops in the lightest rain, and how many more in the heaviest

bool rain_create(Rain *rain, bool plain, const GlShaders *shaders, Status *status)
{
    rain->plain = plain;
    rain->program = gl_program_create(shaders, "rain", "", status);
    rain->seconds = glGetUniformLocation(rain->program, "seconds");
    rain->nearest = glGetUniformLocation(rain->program, "nearest");
    glGenVertexArrays(1, &rain->array);
    return rain->program != 0;
}

void rain_destroy(Rain *rain)
{
    glDeleteProgram(rain->program);
    glDeleteVertexArrays(1, &rain->array);
    *rain = (Rain){0};
}

void rain_draw(const Rain *rain, double share, double seconds, double nearest)
{
    if (!(share > 0.0)) {
        return;
    }
    int drops = (int)(FEWEST + MORE * share) / (rain->plain ? 4 : 1);
    glUseProgram(rain->program);
    glUniform1f(rain->seconds, (float)fmod(seconds, 3600.0));
    glUniform1f(rain->nearest, (float)nearest);
    glBindVertexArray(rain->array);
    draw_squares(drops);
}

/// ---- dust ----------------------------------------------------------------------------------------------------------

bool dust_create(Dust *dust, const GlShaders *shaders, Status *status)
{
    char defines[64];
    snprintf(defines, sizeof defines, "#define LIFE %.2f\n", RENDER_PUFF_LIFE);
    dust->program = gl_program_create(shaders, "dust", defines, status);
    if (dust->program == 0) {
        return false;
    }
    dust->soil_color = glGetUniformLocation(dust->program, "soil_color");
    dust->seconds = glGetUniformLocation(dust->program, "seconds");
    glGenVertexArrays(1, &dust->array);
    glGenBuffers(1, &dust->instances);
    glBindVertexArray(dust->array);
    glBindBuffer(GL_ARRAY_BUFFER, dust->instances);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(RenderPuff) * RENDER_MAX_PUFFS, NULL, GL_STREAM_DRAW);
    const size_t offsets[3] = {offsetof(RenderPuff, at), offsetof(RenderPuff, born), offsetof(RenderPuff, number)};
    for (GLuint k = 0; k < 2; k++) {
        glVertexAttribPointer(k, 4, GL_FLOAT, GL_FALSE, (GLsizei)sizeof(RenderPuff), (const void *)offsets[k]);
    }
    glVertexAttribIPointer(2, 1, GL_UNSIGNED_INT, (GLsizei)sizeof(RenderPuff), (const void *)offsets[2]);
    for (GLuint k = 0; k < 3; k++) {
        glEnableVertexAttribArray(k);
        glVertexAttribDivisor(k, 1);
    }
    glBindVertexArray(0);
    return true;
}

void dust_destroy(Dust *dust)
{
    glDeleteProgram(dust->program);
    glDeleteVertexArrays(1, &dust->array);
    glDeleteBuffers(1, &dust->instances);
    *dust = (Dust){0};
}

void dust_update(const Dust *dust, const RenderView *view)
{
    if (view->dust.count > 0) {
        glBindBuffer(GL_ARRAY_BUFFER, dust->instances);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(RenderPuff) * RENDER_MAX_PUFFS, NULL, GL_STREAM_DRAW);
        glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)sizeof(RenderPuff) * view->dust.count, view->dust.puffs);
    }
}

void dust_draw(const Dust *dust, const RenderView *view)
{
    if (view->dust.count == 0) {
        return;
    }
    float colors[SCENE_MAX_SOILS][4] = {{0.0f}};
    for (int soil = 0; soil < view->scene->soil_count && soil < SCENE_MAX_SOILS; soil++) {
        for (int k = 0; k < 3; k++) {
            colors[soil][k] = view->scene->soils[soil].color_fresh[k];
        }
    }
    glUseProgram(dust->program);
    glUniform4fv(dust->soil_color, SCENE_MAX_SOILS, colors[0]);
    glUniform1f(dust->seconds, (float)view->dust.now);
    glBindVertexArray(dust->array);
    draw_squares(view->dust.count);
}
