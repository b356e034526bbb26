#!/bin/sh
# Mesa 22.3.6 with llvmpipe: glReadPixels of a multisampled EGL surface returns one sample a pixel, not the resolved colour.
# One would guess: the edge of a white triangle on black comes back in greys, since OpenGL has the samples of a surface (unlike those of a
# framebuffer object) resolve to one colour for every reader; EXT_framebuffer_multisample, overview, quotes it. What happens: glReadPixels
# returns black and white alone, without an error, although GL_SAMPLES is 4; glCopyTexImage2D and glBlitFramebuffer from the same surface
# give the greys. Who meets it: a user who makes pictures on a computer without display or graphics card (a server, a container) with
# smooth edges and gets jagged ones. Seen 2026-11-29 with libgl1-mesa-dri 22.3.6-1+deb12u2 and libllvm15 15.0.6-4+b1 of Debian 12.
#   sh mesa_readpixels_of_multisampled_surface.sh    needs Debian 12 with its package lists, gcc, libexpat1; ends with 1 when it changes
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mesa=22.3.6-1+deb12u2 glvnd=1.6.0-1 drm=2.4.114-1+b1 xcb=1.15-1 wayland=1.21.0-1
apt-get download -qq libegl-mesa0=$mesa libgl1-mesa-dri=$mesa libglapi-mesa=$mesa libgbm1=$mesa libllvm15=1:15.0.6-4+b1 \
    libegl1=$glvnd libopengl0=$glvnd libglvnd0=$glvnd libegl-dev=$glvnd libgl-dev=$glvnd \
    libdrm2=$drm libdrm-amdgpu1=$drm libdrm-intel1=$drm libdrm-nouveau2=$drm libdrm-radeon1=$drm libpciaccess0=0.17-2 \
    libxcb1=$xcb libxcb-dri2-0=$xcb libxcb-dri3-0=$xcb libxcb-present0=$xcb libxcb-randr0=$xcb libxcb-sync1=$xcb libxcb-xfixes0=$xcb \
    libxau6=1:1.0.9-1 libxdmcp6=1:1.1.2-3 libx11-xcb1=2:1.8.4-2+deb12u2 libxshmfence1=1.3-1 libbsd0=0.11.7-2 libmd0=1.0.4-2 \
    libwayland-client0=$wayland libwayland-server0=$wayland libz3-4=4.8.12-3.1 libelf1=0.188-2.1 libsensors5=1:3.6.0-7.1 \
    libedit2=3.1-20221030-2 libxml2=2.9.14+dfsg-1.3~deb12u6 libicu72=72.1-3+deb12u1 libffi8=3.4.4-1 2>log ||
    { cat log && echo "cannot get the packages" && exit 4; }
for package in ./*.deb; do
    dpkg -x "$package" root
done

cat >edge.c <<'END_OF_C'
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
enum { SIDE = 64 };
static unsigned char pixels[SIDE][SIDE][4];
static void tell(const char *way)
{
    int black = 0, white = 0, between = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            *(pixels[y][x][0] == 0 ? &black : pixels[y][x][0] == 255 ? &white : &between) += 1;
    printf("%s: %s pixels of the edge are grey, error %#x\n", way, between > 0 ? "some" : "no", glGetError());
    fprintf(stderr, "    black %d, white %d, between %d\n", black, white, between);
}
int main(void)
{
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_RED_SIZE, 8, EGL_SAMPLE_BUFFERS, 1,
                             EGL_SAMPLES, 4, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, SIDE, EGL_HEIGHT, SIDE, EGL_NONE};
    EGLConfig config;
    EGLint found = 0;
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API)) return 3;
    if (!eglChooseConfig(display, wanted, &config, 1, &found) || found == 0) return 3;
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    if (!eglMakeCurrent(display, surface, surface, eglCreateContext(display, config, EGL_NO_CONTEXT, NULL))) return 3;
    int samples = 0;
    glGetIntegerv(GL_SAMPLES, &samples);
    fprintf(stderr, "%s\n", glGetString(GL_RENDERER));
    printf("%s, GL_SAMPLES %d\n", glGetString(GL_VERSION), samples);
    glViewport(0, 0, SIDE, SIDE);
    glEnable(GL_MULTISAMPLE);
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_TRIANGLES);
    glVertex2f(-1, -1);
    glVertex2f(1, -1);
    glVertex2f(1, -0.3F);
    glEnd();
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    tell("glReadPixels");

    GLuint texture, buffer, target;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 0, 0, SIDE, SIDE, 0);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    tell("glCopyTexImage2D, glGetTexImage");

    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIDE, SIDE);
    glGenFramebuffers(1, &target);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
    glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    glBlitFramebuffer(0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target);
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    tell("glBlitFramebuffer, glReadPixels");
    return 0;
}
END_OF_C
folder=$work/root/usr/lib/x86_64-linux-gnu
gcc edge.c -I root/usr/include -o edge -L "$folder" -l:libEGL.so.1 -l:libOpenGL.so.0 -Wl,--allow-shlib-undefined || exit 4
LD_LIBRARY_PATH=$folder LIBGL_DRIVERS_PATH=$folder/dri GALLIUM_DRIVER=llvmpipe LIBGL_ALWAYS_SOFTWARE=1 \
    __EGL_VENDOR_LIBRARY_FILENAMES=$work/root/usr/share/glvnd/egl_vendor.d/50_mesa.json ./edge >seen || { cat seen && exit 4; }
cat seen
cat >expected <<'END'
4.5 (Compatibility Profile) Mesa 22.3.6, GL_SAMPLES 4
glReadPixels: no pixels of the edge are grey, error 0
glCopyTexImage2D, glGetTexImage: some pixels of the edge are grey, error 0
glBlitFramebuffer, glReadPixels: some pixels of the edge are grey, error 0
END
cmp -s seen expected && echo "as seen before" || { echo "ANOTHER BEHAVIOUR than was seen before" && exit 1; }
