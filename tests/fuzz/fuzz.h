/// What the targets of the fuzzer share. A target takes any bytes as one format that the program reads, and ends the
/// process where the program breaks a promise; the sanitizers do so where it breaks the language's.
#ifndef SPADEWORK_TESTS_FUZZ_H
#define SPADEWORK_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trainer/sim/session.h"

/// The targets: name, which is that of its function too.
#define FUZZ_TARGETS(X)                                                                                                \
    X(scene) /* with the shipped soils and machine; a first line `-KEY=VALUE` is an override */                        \
    X(machine)                                                                                                         \
    X(truck)                                                                                                           \
    X(attachment)                                                                                                      \
    X(coupler)                                                                                                         \
    X(soil)                                                                                                            \
    X(course)                                                                                                          \
    X(controls) /* and levers by the map */                                                                            \
    X(settings) /* and edits of them */                                                                                \
    X(expert) /* and what it does in its first ticks */                                                                \
    X(script) /* CSV of an operator's levers, or of an instructor's orders */                                          \
    X(mesh) /* OBJ, filled with grains */                                                                              \
    X(landxml)                                                                                                         \
    X(dxf)                                                                                                             \
    X(grid) /* ESRI ASCII */                                                                                           \
    X(geotiff)                                                                                                         \
    X(points)                                                                                                          \
    X(heights) /* PNG */                                                                                               \
    X(people) /* JSON of a class with its attempts */                                                                  \
    X(recording) /* bytes over the bytes of a file */                                                                  \
    X(rows) /* values in a recording's tables: inputs, keyframes, samples, maps, meta, ... */                          \
    X(journal) /* beside a recording */                                                                                \
    X(http) /* what the instructor's page may send: host, origin, token, an order */                                   \
    X(mqtt) /* what a classroom may send: topic, URL of the broker, a command */                                       \
    X(classroom) /* what stations publish, orders to many */                                                           \
    X(state) /* fields of a saved state, with a checksum that fits */                                                  \
    X(trace) /* a recording's samples and maps, reported */                                                            \
    X(env) /* what a socket may bring to the environment server */                                                     \
    X(door) /* calls of libspadework with hostile arguments, states and handles */

#define FUZZ_DECLARE(name) void fuzz_##name(const uint8_t *data, size_t size);
FUZZ_TARGETS(FUZZ_DECLARE)
#undef FUZZ_DECLARE

/// Ends the process unless `holds`.
void require(bool holds);
/// A path in this process' own folder, which lies in memory where the system has such a place, and is removed at the
/// end.
const char *fuzz_path(const char *name, char path[96]);
/// Makes the file anew.
void fuzz_write(const char *path, const void *bytes, size_t size);
/// Reads a file whole; the caller frees it.
unsigned char *fuzz_read(const char *path, size_t *size);
/// A session on a small flat site.
Session *fuzz_session(void);
/// Records `ticks` ticks of it.
void fuzz_record(const char *path, int ticks);

#endif
