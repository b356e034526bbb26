/// The monitor of the cab: what it shows, and its picture on the GPU, which is drawn again only when a figure changes.
///
/// Every function of a CabMonitor needs a current OpenGL 3.3 core context and must be called from the thread that it is
/// current on.
#ifndef SPADEWORK_RENDER_CAB_MONITOR_H
#define SPADEWORK_RENDER_CAB_MONITOR_H

#include "render/gpu.h"
#include "render/panels/panels.h"

/// Units that the monitor is laid out in; its smallest letters are 10.5 high.
static const double cab_monitor_width = 224.0, cab_monitor_height = 140.0;

/// Where the monitor shows the picture of the rear camera (RenderLayout.monitor_inset).
static const PanelPlace cab_monitor_rear = {80.0, 33.0, 136.0, 76.5};

typedef struct CabMonitor CabMonitor;

/// Returns a new monitor, which the caller frees with cab_monitor_destroy; NULL with `status` set.
/// rate  1/s of RenderHud.time: how often it is drawn again at most, more than 0
CabMonitor *cab_monitor_create(const GlShaders *shaders, double rate, Status *status);
/// Does nothing for NULL.
void cab_monitor_destroy(CabMonitor *monitor);
/// Draws the figures anew the next time, whatever has changed.
void cab_monitor_forget(CabMonitor *monitor);

/// Draws the figures of a view again where they changed, for a picture so many pixels high, and sends them.
void cab_monitor_update(CabMonitor *monitor, const RenderView *view, int height);
/// Draws the monitor's picture between its corners (m, world, in the order of mirror_corners), as the camera of the
/// frame's uniforms sees it.
void cab_monitor_draw(const CabMonitor *monitor, const float corners[4][3]);

/// Draws the rear camera's picture, a texture with its lower row first, over its place on the same monitor.
void cab_monitor_draw_rear(const CabMonitor *monitor, GLuint picture, const float corners[4][3]);

/// Draws what the monitor shows, in its units, without OpenGL.
void cab_monitor_paint(cairo_t *cairo, const RenderView *view);
/// Returns a number that changes when what the monitor shows changes visibly. Pure.
uint64_t cab_monitor_signature(const RenderView *view);

#endif
