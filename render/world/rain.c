/// Draws rain: the vertex shader makes each drop from its number, so that nothing is kept or sent.
#include "render/world/rain.h"

#include <math.h>

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
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, drops);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}
