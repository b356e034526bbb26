/// Counts what is handed to OpenGL, whoever in the process hands it over: bytes of buffers and textures, draw calls and
/// the largest of them. Epoxy calls OpenGL by pointers that are put right at their first use; gl_count_begin lays
/// functions that count before them.
///
/// Include it in one file of a program only, and call it from the thread that the context is current on.
#ifndef SPADEWORK_TESTS_GL_COUNT_H
#define SPADEWORK_TESTS_GL_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include <epoxy/gl.h>

typedef struct GlCount {
    int64_t uploaded; ///< bytes
    int draws; ///< draw calls
    int64_t most_instances, most_vertices; ///< of one draw call
} GlCount;

static GlCount gl_count;

/// Calls the function that `pointer` held: with it in its place, since epoxy's own puts another one there at its first
/// use.
#define GL_COUNT_CALL(pointer, own, kept, ...)                                                                         \
    do {                                                                                                               \
        (pointer) = (kept);                                                                                            \
        (pointer)(__VA_ARGS__);                                                                                        \
        (kept) = (pointer);                                                                                            \
        (pointer) = (own);                                                                                             \
    } while (0)

static PFNGLBUFFERDATAPROC gl_kept_buffer;
static PFNGLBUFFERSUBDATAPROC gl_kept_part;
static PFNGLTEXIMAGE2DPROC gl_kept_image;
static PFNGLTEXSUBIMAGE2DPROC gl_kept_rectangle;
static PFNGLDRAWARRAYSPROC gl_kept_arrays;
static PFNGLDRAWELEMENTSPROC gl_kept_elements;
static PFNGLDRAWARRAYSINSTANCEDPROC gl_kept_array_instances;
static PFNGLDRAWELEMENTSINSTANCEDPROC gl_kept_instances;

/// Bytes of a pixel.
static inline int64_t gl_count_pixel(GLenum format, GLenum type)
{
    int parts = format == GL_RED || format == GL_RED_INTEGER || format == GL_DEPTH_COMPONENT ? 1 : 4;
    parts = format == GL_RG || format == GL_RG_INTEGER ? 2 : format == GL_RGB || format == GL_RGB_INTEGER ? 3 : parts;
    bool packed = type == GL_UNSIGNED_INT_8_8_8_8 || type == GL_UNSIGNED_INT_8_8_8_8_REV;
    int size = type == GL_FLOAT || type == GL_UNSIGNED_INT || type == GL_INT ? 4 : 1;
    size = type == GL_UNSIGNED_SHORT || type == GL_SHORT || type == GL_HALF_FLOAT ? 2 : size;
    return packed ? 4 : parts * size;
}

static inline void gl_count_draw(int64_t vertices, int64_t instances)
{
    gl_count.draws++;
    gl_count.most_vertices = vertices > gl_count.most_vertices ? vertices : gl_count.most_vertices;
    gl_count.most_instances = instances > gl_count.most_instances ? instances : gl_count.most_instances;
}

static void EPOXY_CALLSPEC gl_own_buffer(GLenum target, GLsizeiptr size, const void *data, GLenum usage)
{
    gl_count.uploaded += data != NULL ? size : 0;
    GL_COUNT_CALL(epoxy_glBufferData, gl_own_buffer, gl_kept_buffer, target, size, data, usage);
}

static void EPOXY_CALLSPEC gl_own_part(GLenum target, GLintptr offset, GLsizeiptr size, const void *data)
{
    gl_count.uploaded += size;
    GL_COUNT_CALL(epoxy_glBufferSubData, gl_own_part, gl_kept_part, target, offset, size, data);
}

static void EPOXY_CALLSPEC gl_own_image(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height,
                                        GLint border, GLenum format, GLenum type, const void *pixels)
{
    gl_count.uploaded += pixels != NULL ? (int64_t)width * height * gl_count_pixel(format, type) : 0;
    GL_COUNT_CALL(epoxy_glTexImage2D, gl_own_image, gl_kept_image, target, level, internal, width, height, border,
                  format, type, pixels);
}

static void EPOXY_CALLSPEC gl_own_rectangle(GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height,
                                            GLenum format, GLenum type, const void *pixels)
{
    gl_count.uploaded += (int64_t)width * height * gl_count_pixel(format, type);
    GL_COUNT_CALL(epoxy_glTexSubImage2D, gl_own_rectangle, gl_kept_rectangle, target, level, x, y, width, height,
                  format, type, pixels);
}

static void EPOXY_CALLSPEC gl_own_arrays(GLenum mode, GLint first, GLsizei count)
{
    gl_count_draw(count, 1);
    GL_COUNT_CALL(epoxy_glDrawArrays, gl_own_arrays, gl_kept_arrays, mode, first, count);
}

static void EPOXY_CALLSPEC gl_own_elements(GLenum mode, GLsizei count, GLenum type, const void *indices)
{
    gl_count_draw(count, 1);
    GL_COUNT_CALL(epoxy_glDrawElements, gl_own_elements, gl_kept_elements, mode, count, type, indices);
}

static void EPOXY_CALLSPEC gl_own_array_instances(GLenum mode, GLint first, GLsizei count, GLsizei instances)
{
    gl_count_draw(count, instances);
    GL_COUNT_CALL(epoxy_glDrawArraysInstanced, gl_own_array_instances, gl_kept_array_instances, mode, first, count,
                  instances);
}

static void EPOXY_CALLSPEC gl_own_instances(GLenum mode, GLsizei count, GLenum type, const void *indices,
                                            GLsizei instances)
{
    gl_count_draw(count, instances);
    GL_COUNT_CALL(epoxy_glDrawElementsInstanced, gl_own_instances, gl_kept_instances, mode, count, type, indices,
                  instances);
}

/// From now on everything is counted, from 0.
static inline void gl_count_begin(void)
{
    gl_count = (GlCount){0};
    if (gl_kept_buffer != NULL) {
        return;
    }
    gl_kept_buffer = epoxy_glBufferData;
    gl_kept_part = epoxy_glBufferSubData;
    gl_kept_image = epoxy_glTexImage2D;
    gl_kept_rectangle = epoxy_glTexSubImage2D;
    gl_kept_arrays = epoxy_glDrawArrays;
    gl_kept_elements = epoxy_glDrawElements;
    gl_kept_array_instances = epoxy_glDrawArraysInstanced;
    gl_kept_instances = epoxy_glDrawElementsInstanced;
    epoxy_glBufferData = gl_own_buffer;
    epoxy_glBufferSubData = gl_own_part;
    epoxy_glTexImage2D = gl_own_image;
    epoxy_glTexSubImage2D = gl_own_rectangle;
    epoxy_glDrawArrays = gl_own_arrays;
    epoxy_glDrawElements = gl_own_elements;
    epoxy_glDrawArraysInstanced = gl_own_array_instances;
    epoxy_glDrawElementsInstanced = gl_own_instances;
}

#endif
