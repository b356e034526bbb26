/// Soil that has settled higher than the fixture it leans on turns into grains, which run over its top.
#include "soil/exchange/exchange.h"

void overflow_mark(Soil *soil)
{
    const Ground *site = soil->state.grounds.site;
    const Fixtures *fixtures = &soil->state.grounds.fixtures;
    for (int k = 0; k < fixtures->border_count; k++) {
        const FixtureBorder *border = &fixtures->border[k];
        double height = (double)site->height[border->index], behind = (double)site->height[border->behind];
        double top = (double)border->top;
        if (height > top + soil->model.layer_height && behind < top) {
            cut_mark(soil, border->index / site->columns, border->index % site->columns, top, false);
        }
    }
}
