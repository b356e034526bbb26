/// The words of `spadework station`.
#include "trainer/cli/cli_station.h"

#include <stdio.h>
#include <string.h>

#include "trainer/cli/cli_commands.h"
#include "trainer/record/record.h"

/// A line that `spadework station trust` takes on another computer.
static void print_station(const Station *station)
{
    char text[STATION_HEX];
    station_key_text(station->key, text);
    printf("%s %s\n", text, station->name);
}

static bool show(Status *status)
{
    Station station;
    if (!station_load(&station, status)) {
        return false;
    }
    bool there = station.name[0] != '\0';
    if (there) {
        print_station(&station);
    }
    station_forget(&station);
    return there ||
           status_fail(status, STATUS_LACKING,
                       "this computer has no key: recordings are sealed and not signed; to make one: spadework "
                       "station init NAME");
}

static bool init(const char *name, Status *status)
{
    Station station;
    bool good = station_make(name, &station, status);
    if (good) {
        print_station(&station);
    }
    station_forget(&station);
    return good;
}

static bool trust(const char *text, const char *name, Status *status)
{
    unsigned char key[STATION_KEY];
    if (!station_key_read(text, key)) {
        return status_fail(status, STATUS_BAD_USAGE, "station trust %.80s: no key, allowed 64 hexadecimal digits",
                           text);
    }
    if (!station_trust(name, key, status)) {
        return false;
    }
    printf("%s: trusted\n", name);
    return true;
}

int cli_station(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    const char *const *words = options->files;
    int count = options->file_count;
    bool good = count == 0                                    ? show(&status)
                : count == 2 && strcmp(words[0], "init") == 0 ? init(words[1], &status)
                : count == 3 && strcmp(words[0], "trust") == 0
                    ? trust(words[1], words[2], &status)
                    : status_fail(&status, STATUS_BAD_USAGE,
                                  "station %.80s: nothing, init NAME or trust "
                                  "KEY NAME is allowed; see: spadework station "
                                  "--help",
                                  words[0]);
    int written = cli_flush();
    return good ? written : cli_fail(&status);
}
