/// The names of incidents.
#include "data/core/incident.h"

const char *const incident_names[INCIDENT_COUNT] = {
#define X(kind, name) [INCIDENT_##kind] = #name,
    INCIDENTS(X)
#undef X
};
