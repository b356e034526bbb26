/// Requests to the instructor's console: what stands before the server's answer, and the body of an order.
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "trainer/remote/console_commands.h"
#include "trainer/remote/console_guard.h"

#define TOKEN "0123456789abcdef"

enum { LINES = 4, LINE = 256, PORT = 8080 };

/// Takes a line off the front of the bytes; cut, and ended at a NUL, as a header would be.
static void take_line(const uint8_t **data, size_t *size, char line[LINE])
{
    const uint8_t *end = memchr(*data, '\n', *size);
    size_t length = end != NULL ? (size_t)(end - *data) : *size, kept = length < LINE ? length : LINE - 1;
    memcpy(line, *data, kept);
    line[kept] = '\0';
    length += end != NULL;
    *data += length;
    *size -= length;
}

/// True when every byte is printable.
static bool is_plain(const char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f) {
            return false;
        }
    }
    return true;
}

/// A name leads out of no folder and to no hidden file.
static void check_name(const char *name, bool may_have_spaces)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_. ";
    require(name[0] != '.' && strspn(name, letters) == strlen(name));
    require(may_have_spaces || strchr(name, ' ') == NULL);
}

static void read_order(const uint8_t *data, size_t size)
{
    ConsoleCommand command;
    Status status = {STATUS_GOOD, ""};
    bool good = console_command_read((const char *)data, size, &command, &status);
    require(good || status.text[0] != '\0');
    require(good || is_plain(status.text));
    if (good) {
        require(command.kind >= 0 && command.kind < CONSOLE_COMMAND_COUNT && size <= CONSOLE_BODY);
        require(command.value >= 0.0 && command.value <= CONSOLE_VALUE_MOST);
        require(memchr(command.text, '\0', sizeof command.text) != NULL && is_plain(command.text));
        check_name(command.name, false);
        check_name(command.part, true);
        for (int k = 0; k < CONDITION_COUNT; k++) {
            check_name(command.conditions.name[k], false);
        }
    }
}

/// The first lines are request, host, origin and token; the rest is the body.
void fuzz_http(const uint8_t *data, size_t size)
{
    char lines[LINES][LINE];
    for (int k = 0; k < LINES; k++) {
        take_line(&data, &size, lines[k]);
    }
    char path[LINE];
    memcpy(path, lines[0], sizeof path);
    size_t decoded = guard_unescape(path);
    require(decoded == strlen(path) && decoded <= strlen(lines[0])); // no path is cut
    bool here = guard_host(lines[1], PORT, true);
    require(!here || guard_host(lines[1], PORT, false)); // what is refused to others is a part of what is refused here
    require(!here || strstr(lines[1], "8080") != NULL);
    bool own = guard_origin(lines[2], NULL, lines[1]);
    require(!own || strncmp(lines[2], "http://", 7) == 0);
    require(!guard_origin(lines[2], "cross-site", lines[1]));
    bool known = guard_knows_token(lines[3], TOKEN);
    require(!known || strcmp(lines[3] + strlen("Bearer "), TOKEN) == 0);
    require(!guard_token_is_one(lines[3]) || strlen(lines[3]) <= GUARD_TOKEN_MOST);
    read_order(data, size);
}
