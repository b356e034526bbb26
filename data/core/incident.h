/// What may go wrong on a site and is told as an event.
#ifndef SPADEWORK_DATA_INCIDENT_H
#define SPADEWORK_DATA_INCIDENT_H

/// Kinds of incidents, and their names in recordings and in the rules of scenes, and what people are told.
#define INCIDENTS(X)                                                                                                   \
    X(TOUCH, touch, "touched something") /* a part of the machine runs into a fixture or a truck */                    \
    X(PERSON_HIT, person_hit, "a person was hit") /* a part of the machine, or a truck, reaches a person */            \
    X(PERSON_ZONE, person_zone, "too near to a person") /* a part comes into its zone, not higher than it */           \
    X(SWING_OVER_PERSON, swing_over_person, "swung over a person") /* arm or tool pass over a person's zone */         \
    X(LOAD_OVER_PERSON, load_over_person, "a load hung over a person") /* over its zone, or over itself */             \
    X(TIP_BEGINS, tip_begins, "began to tip") /* the tracks lift off under its own load */                             \
    X(TIP_ENDS, tip_ends, "tipped and stood again") /* and stands again */                                             \
    X(TIPPED_OVER, tipped_over, "tipped over") /* the machine lies */                                                  \
    X(LIFTED, lifted, "lifted off its tracks") /* the tool presses the machine off its tracks */                       \
    X(FELL_INTO_HOLE, fell_into_hole, "fell into a hole") /* over an edge, and into what is beyond */                  \
    X(TRACK_OFF_EDGE, track_off_edge, "a track went over an edge") /* its end has nothing below it */                  \
    X(BUCKET_OVER_CAB, bucket_over_cab, "bucket over a truck's cab") /* the tool is over a truck's cab */              \
    X(SLAM, slam, "a cylinder ran into its stop") /* a cylinder runs into its end stop */                              \
    X(TRUCK_OVERLOAD, truck_overload, "a truck was overloaded") /* a truck carries more than it may */                 \
    X(TRUCK_TIPPED, truck_tipped, "a truck tipped over") /* a truck lies */                                            \
    X(SITE_LEFT, site_left, "left the site") /* a track, or the tool's body, crosses the site's edge */

typedef enum Incident {
#define X(kind, name, phrase) INCIDENT_##kind,
    INCIDENTS(X)
#undef X
        INCIDENT_COUNT
} Incident;

extern const char *const incident_names[INCIDENT_COUNT]; ///< "touch", "person_hit", ...
extern const char *const incident_phrases[INCIDENT_COUNT]; ///< "touched something", "a person was hit", ...

#endif
