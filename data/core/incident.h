/// What may go wrong on a site and is told as an event.
#ifndef SPADEWORK_DATA_INCIDENT_H
#define SPADEWORK_DATA_INCIDENT_H

/// Kinds of incidents, and their names in recordings and in the rules of scenes.
#define INCIDENTS(X)                                                                                                   \
    X(TOUCH, touch) /* a part of the machine runs into a fixture or a truck */                                         \
    X(PERSON_HIT, person_hit) /* a part of the machine, or a truck, reaches a person */                                \
    X(PERSON_ZONE, person_zone) /* a part comes into a person's zone, not higher than the person */                    \
    X(SWING_OVER_PERSON, swing_over_person) /* arm or tool pass over a person's zone */                                \
    X(TIP_BEGINS, tip_begins) /* one end or side of the tracks lifts off under the machine's own load */               \
    X(TIP_ENDS, tip_ends) /* and stands again */                                                                       \
    X(TIPPED_OVER, tipped_over) /* the machine lies */                                                                 \
    X(LIFTED, lifted) /* the tool presses the machine off its tracks */                                                \
    X(FELL_INTO_HOLE, fell_into_hole) /* the machine goes over an edge and sinks or leans into what is beyond */       \
    X(TRACK_OFF_EDGE, track_off_edge) /* the end of a track has nothing below it */                                    \
    X(BUCKET_OVER_CAB, bucket_over_cab) /* the tool is over a truck's cab */                                           \
    X(SLAM, slam) /* a cylinder runs into its end stop */                                                              \
    X(TRUCK_OVERLOAD, truck_overload) /* a truck carries more than it may */                                           \
    X(TRUCK_TIPPED, truck_tipped) /* a truck lies */

typedef enum Incident {
#define X(kind, name) INCIDENT_##kind,
    INCIDENTS(X)
#undef X
        INCIDENT_COUNT
} Incident;

extern const char *const incident_names[INCIDENT_COUNT]; ///< "touch", "person_hit", ...

#endif
