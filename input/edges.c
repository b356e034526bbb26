/// Queues what the inputs of all devices did until a tick takes it. The queue holds for each input only where it turns,
/// so that a stick that sends a thousand reports a second fills it no more than one that sends ten.
#include "input/edges.h"

#include <math.h>
#include <string.h>

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/// The last edge of an input, or NULL; `before` receives where the input was before it.
static Edge *find_last(InputEdges *edges, int input, double *before)
{
    Edge *last = NULL;
    *before = edges->taken[input];
    for (int k = edges->count - 1; k >= 0; k--) {
        Edge *edge = &edges->edge[k];
        if (edge->input != input) {
            continue;
        }
        if (last != NULL) {
            *before = edge->value;
            break;
        }
        last = edge;
    }
    return last;
}

/// True when an input that went from `before` to `last` leaves that as an excursion by going to `value`.
static bool turns(double before, double last, double value)
{
    double way = last - before, back = value - last;
    return isnan(way) || (fabs(way) >= EDGES_TREMBLE && way * back < 0.0);
}

void edges_note(InputEdges *edges, int input, double value, double time)
{
    double before = 0.0;
    if (is_same(edges->now[input], value)) {
        return;
    }
    if (value > 0.5 && !(edges->now[input] > 0.5) && edges->pressed[input] < UINT8_MAX) {
        edges->pressed[input]++;
    }
    edges->now[input] = value;
    Edge *last = find_last(edges, input, &before);
    if (last != NULL && !turns(before, last->value, value)) {
        last->value = value;
    } else if (edges->count < EDGES_MOST) {
        edges->edge[edges->count++] = (Edge){.input = input, .value = value, .time = time};
    } else {
        edges_forget(edges);
    }
}

double edges_take(InputEdges *edges)
{
    bool moved[EDGES_INPUTS] = {false};
    double oldest = (double)NAN;
    int left = 0;
    for (int k = 0; k < edges->count; k++) {
        const Edge edge = edges->edge[k];
        if (moved[edge.input]) {
            edges->edge[left++] = edge;
            continue;
        }
        moved[edge.input] = true;
        edges->taken[edge.input] = edge.value;
        oldest = fmin(oldest, edge.time);
    }
    edges->count = left;
    return oldest;
}

void edges_forget(InputEdges *edges)
{
    edges->count = 0;
    memcpy(edges->taken, edges->now, sizeof edges->taken);
}
