/// Finds the keys that failures of building a session begin with in the files that it was loaded from.
#include "trainer/sim/start_fault.h"

#include <stdio.h>
#include <string.h>

#include "data/schema/key_place.h"

/// Writes the key of an attachment's file that stands for a machine's key. True when the file has it.
static bool find_own_key(const DataFile *attachment, const MachineParams *machine, const char *key,
                         char own[KEY_PLACE_LENGTH])
{
    const char *tool = machine->body[machine->tool[0].body].name;
    char range[KEY_PLACE_LENGTH], cylinder[KEY_PLACE_LENGTH], body[KEY_PLACE_LENGTH];
    snprintf(range, sizeof range, "%s_range_deg", tool);
    snprintf(cylinder, sizeof cylinder, "%s_cylinder", tool);
    snprintf(body, sizeof body, "bodies.%s.", tool);
    snprintf(own, KEY_PLACE_LENGTH, "%s", key);
    if (strncmp(key, body, strlen(body)) == 0) {
        snprintf(own, KEY_PLACE_LENGTH, "body.%s", key + strlen(body));
    } else if (strcmp(key, "linkage") == 0 || strcmp(key, cylinder) == 0 || strcmp(key, range) == 0) {
        snprintf(own, KEY_PLACE_LENGTH, "%s",
                 key_place_has(attachment, "bucket_range_deg") ? "bucket_range_deg" : "link_pin");
    }
    return key_place_has(attachment, own);
}

/// `text`: behind the machine's name.
static void place_in_machine(const DataFiles *files, const MachineParams *machine, const char *text, Status *status)
{
    const DataFile *scene = data_files_find(files, "scenes", NULL);
    const DataFile *file = data_files_find(files, "machines", machine->name);
    const DataFile *attachment = data_files_find(files, "attachments", machine->attachment);
    char key[KEY_PLACE_LENGTH], own[KEY_PLACE_LENGTH];
    key_place_of_text(text, key);
    bool hangs = attachment != NULL && find_own_key(attachment, machine, key, own);
    if (file != NULL) {
        key_place_fail_in(hangs ? attachment : file, hangs ? own : key, text, status);
    }
    if (file != NULL && scene != NULL) {
        char outer[sizeof status->text + 32];
        const char *reference = hangs ? "machine.attachment" : "machine.file";
        snprintf(outer, sizeof outer, "%s: %s", reference, status->text);
        key_place_fail_in(scene, reference, outer, status);
    }
}

bool start_fault_place(const DataFiles *files, const MachineParams *machine, Status *status)
{
    size_t length = strlen(machine->name);
    if (status->code != STATUS_BAD_FILE) {
        return false;
    }
    if (strncmp(status->text, machine->name, length) == 0 && strncmp(status->text + length, ": ", 2) == 0) {
        place_in_machine(files, machine, status->text + length + 2, status);
        return true;
    }
    return key_place_text(data_files_find(files, "scenes", NULL), status);
}
