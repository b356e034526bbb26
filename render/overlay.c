#include "render/overlay.h"
#include <stdlib.h>
struct Overlay {
    int unused;
};
Overlay *overlay_create(const char *shader_folder, Status *status)
{
    (void)shader_folder;
    (void)status;
    return calloc(1, sizeof(Overlay));
}
void overlay_destroy(Overlay *overlay)
{
    free(overlay);
}
void overlay_draw(Overlay *overlay, const RenderView *view, bool has_picture, int width, int height)
{
    (void)overlay;
    (void)view;
    (void)has_picture;
    (void)width;
    (void)height;
}
