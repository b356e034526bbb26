/// Creates an OpenGL context by EGL on a device that needs no display server, and a framebuffer to draw into.
#include "trainer/api/picture_context.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdlib.h>

enum { MOST_DEVICES = 16 };

struct PictureContext {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; ///< EGL_NO_SURFACE where the driver needs none
    GLuint framebuffer, color, depth;
    int width, height, samples;
};

/// ---- the context ---------------------------------------------------------------------------------------------------

/// libepoxy ends the process where a library lacks that it needs.
static bool has_libraries(void)
{
    void *gl = dlopen("libOpenGL.so.0", RTLD_LAZY | RTLD_LOCAL);
    gl = gl != NULL ? gl : dlopen("libGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    return gl != NULL && epoxy_has_egl();
}

static void close_context(PictureContext *own)
{
    eglMakeCurrent(own->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (own->context != EGL_NO_CONTEXT) {
        eglDestroyContext(own->display, own->context);
    }
    if (own->surface != EGL_NO_SURFACE) {
        eglDestroySurface(own->display, own->surface);
    }
    own->context = EGL_NO_CONTEXT;
    own->surface = EGL_NO_SURFACE;
}

/// Makes a context of the display current. False where it has none of OpenGL 3.3.
static bool open_context(PictureContext *own, EGLDisplay display)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    static const EGLint version[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    static const EGLint least[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) || epoxy_egl_version(display) < 14 ||
        (epoxy_egl_version(display) < 15 && !epoxy_has_egl_extension(display, "EGL_KHR_create_context")) ||
        !eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &count) || count < 1) {
        return false;
    }
    own->display = display;
    own->context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (own->context != EGL_NO_CONTEXT && !epoxy_has_egl_extension(display, "EGL_KHR_surfaceless_context")) {
        own->surface = eglCreatePbufferSurface(display, config, least);
    }
    if (own->context != EGL_NO_CONTEXT && eglMakeCurrent(display, own->surface, own->surface, own->context) &&
        epoxy_gl_version() >= 33) {
        return true;
    }
    close_context(own);
    return false;
}

static bool open_any(PictureContext *own)
{
    EGLDeviceEXT devices[MOST_DEVICES];
    EGLint count = 0;
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base")) {
        return false;
    }
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") &&
        epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") &&
        eglQueryDevicesEXT(MOST_DEVICES, devices, &count)) {
        for (EGLint k = 0; k < count; k++) {
            if (open_context(own, eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[k], NULL))) {
                return true;
            }
        }
    }
    return epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") &&
           open_context(own, eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL));
}

bool picture_context_is_lost(const PictureContext *own)
{
    EGLint kind = 0;
    return own->context == EGL_NO_CONTEXT ||
           !eglQueryContext(own->display, own->context, EGL_CONTEXT_CLIENT_TYPE, &kind);
}

bool picture_context_renew(PictureContext *own, Status *status)
{
    *own = (PictureContext){.context = EGL_NO_CONTEXT, .surface = EGL_NO_SURFACE};
    return (has_libraries() && open_any(own))
               ? status_good(status)
               : status_fail(status, STATUS_LACKING,
                             "picture: this computer cannot draw OpenGL 3.3 without a window; install Mesa's "
                             "libgl1-mesa-dri, libegl1 and libopengl0");
}

PictureContext *picture_context_create(Status *status)
{
    PictureContext *own = calloc(1, sizeof *own);
    if (own == NULL) {
        status_fail(status, STATUS_LACKING, "picture: no memory for an OpenGL context");
    } else if (!picture_context_renew(own, status)) {
        free(own);
        own = NULL;
    }
    return own;
}

/// ---- the framebuffer -----------------------------------------------------------------------------------------------

static void destroy_target(PictureContext *own)
{
    glDeleteFramebuffers(1, &own->framebuffer);
    glDeleteRenderbuffers(1, &own->color);
    glDeleteRenderbuffers(1, &own->depth);
    own->framebuffer = own->color = own->depth = 0;
}

static GLuint make_buffer(const PictureContext *own, GLenum format, GLenum attachment)
{
    GLuint buffer = 0;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, own->samples > 1 ? own->samples : 0, format, own->width,
                                     own->height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
    return buffer;
}

bool picture_context_aim(PictureContext *own, int width, int height, int samples, Status *status)
{
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    samples = samples < most ? samples : most;
    if (own->framebuffer != 0 && own->width == width && own->height == height && own->samples == samples) {
        glBindFramebuffer(GL_FRAMEBUFFER, own->framebuffer);
        return status_good(status);
    }
    destroy_target(own);
    own->width = width;
    own->height = height;
    own->samples = samples;
    glGenFramebuffers(1, &own->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, own->framebuffer);
    // Mesa fills a window's framebuffer from the top, any other from below: outlines would differ from a window's.
    if (epoxy_has_gl_extension("GL_MESA_framebuffer_flip_y")) {
        glFramebufferParameteriMESA(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, GL_TRUE);
    }
    own->color = make_buffer(own, GL_RGBA8, GL_COLOR_ATTACHMENT0);
    own->depth = make_buffer(own, GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL_ATTACHMENT);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        destroy_target(own);
        return status_fail(status, STATUS_LACKING, "picture: OpenGL has no memory for %d x %d pixels", width, height);
    }
    return status_good(status);
}

void picture_context_destroy(PictureContext *own)
{
    if (own != NULL && !picture_context_is_lost(own)) {
        destroy_target(own);
        close_context(own);
        eglReleaseThread();
    }
    free(own);
}
