/// The names of incidents, and the words for them.
#include "data/core/incident.h"

const char *const incident_names[INCIDENT_COUNT] = {
#define X(kind, name, phrase) [INCIDENT_##kind] = #name,
    INCIDENTS(X)
#undef X
};

const char *const incident_phrases[INCIDENT_COUNT] = {
#define X(kind, name, phrase) [INCIDENT_##kind] = (phrase),
    INCIDENTS(X)
#undef X
};
