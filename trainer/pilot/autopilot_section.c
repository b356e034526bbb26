/// What a pass or a sweep would cut of the ground along its way, and the line that cuts as much as is wanted.
#include "trainer/pilot/autopilot_section.h"

#include <math.h>

double pilot_mean_across(const PilotSection *section, int k)
{
    double sum = 0.0;
    for (int i = 0; i < section->across; i++) {
        sum += section->heights[k][i];
    }
    return sum / section->across;
}

double pilot_highest_across(const PilotSection *section, int k)
{
    double highest = -1e9;
    for (int i = 0; i < section->across; i++) {
        highest = fmax(highest, section->heights[k][i]);
    }
    return highest;
}

double pilot_line_at(const PilotSection *section, double base, double s)
{
    double rise = fmax(s - section->curl, 0.0), line = fmax(section->floor, base + section->slope * s);
    double entered = section->entry > 0.0 ? fmax(line, section->surface - section->entry * s) : line;
    return entered + 0.5 * rise * rise / PILOT_CURL_RADIUS;
}

double pilot_volume_above(const PilotSection *section, int count, double base)
{
    double volume = 0.0;
    for (int k = 0; k < count && k < section->count; k++) {
        double line = pilot_line_at(section, base, k * PILOT_PROBE);
        for (int i = 0; i < section->across; i++) {
            volume += section->width / section->across * PILOT_PROBE * fmax(0.0, section->heights[k][i] - line);
        }
    }
    return volume;
}

double pilot_find_base(const PilotSection *section, double deepest, double wanted)
{
    double highest = -1e9;
    for (int k = 0; k < section->count; k++) {
        highest = fmax(highest, pilot_mean_across(section, k) - section->slope * k * PILOT_PROBE);
    }
    double low = highest - deepest, high = highest;
    if (pilot_volume_above(section, section->count, low) <= wanted) {
        return low;
    }
    for (int k = 0; k < 12; k++) {
        double middle = 0.5 * (low + high);
        *(pilot_volume_above(section, section->count, middle) > wanted ? &low : &high) = middle;
    }
    return low;
}

double pilot_ground_slope(const PilotSection *section, double down, double up)
{
    int third = section->count / 3;
    double far = 0.0, near = 0.0;
    for (int k = 0; k < third; k++) {
        far += pilot_mean_across(section, k);
        near += pilot_mean_across(section, section->count - 1 - k);
    }
    double slope = (near - far) / (third * (section->count - third) * PILOT_PROBE);
    return fmax(-down, fmin(up, slope));
}
