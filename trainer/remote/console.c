/// Life of a console, what it holds for both sides, and its log.
#include "trainer/remote/console_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "data/core/regular_file.h"
#include "data/core/random_hex.h"

enum { SECRET_BYTES = (CONSOLE_TICKET - 1) / 2 };

double console_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// ---- log -----------------------------------------------------------------------------------------------------------

static void write_line(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "spadework: %s\n", line);
}

void console_log(Console *console, const char *format, ...)
{
    char line[CONSOLE_LOG_LINE];
    pthread_mutex_lock(&console->lock);
    bool may = guard_rate(&console->lines, console_clock(), GUARD_LINES_PER_SECOND, GUARD_LINES_BURST);
    int lost = console->lines_lost;
    console->lines_lost = may ? 0 : lost + 1;
    pthread_mutex_unlock(&console->lock);
    if (!may) {
        return;
    }
    int length = lost > 0 ? snprintf(line, sizeof line, "console: (%d lines left out) ", lost)
                          : snprintf(line, sizeof line, "console: ");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    va_end(arguments);
    status_make_plain(line, false);
    console->log(console->log_context, line);
}

/// ---- files ---------------------------------------------------------------------------------------------------------

static bool read_file(ConsoleFile *file, const char *folder, const char *name, Status *status)
{
    char path[DATA_PATH_LENGTH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *opened = regular_file_open(path, status);
    if (opened == NULL) {
        status->code = STATUS_LACKING;
        return false;
    }
    file->bytes = malloc(CONSOLE_FILE_MOST);
    file->size = file->bytes != NULL ? fread(file->bytes, 1, CONSOLE_FILE_MOST, opened) : 0;
    fclose(opened);
    return (file->size > 0 && file->size < CONSOLE_FILE_MOST) ||
           status_fail(status, STATUS_LACKING, "%s: %zu bytes were read; a file of the page has 1..%d", path,
                       file->size, CONSOLE_FILE_MOST - 1);
}

bool console_read_files(Console *console, const char *folder, Status *status)
{
    for (int kind = 0; kind < CONSOLE_KINDS; kind++) {
        const ConsolePage *page = console->kinds[kind].page;
        for (int k = 0; page != NULL && k < page->file_count; k++) {
            if (!read_file(&console->kinds[kind].files[k], folder != NULL ? folder : data_folder(), page->files[k].name,
                           status)) {
                return false;
            }
        }
    }
    return true;
}

/// ---- orders -------------------------------------------------------------------------------------------------------

bool console_queue(Console *console, const ConsoleCommand *command)
{
    pthread_mutex_lock(&console->lock);
    bool room = console->waiting < CONSOLE_QUEUE;
    if (room) {
        console->queue[(console->first + console->waiting) % CONSOLE_QUEUE] = *command;
        console->waiting++;
    }
    pthread_mutex_unlock(&console->lock);
    return room;
}

bool console_next(Console *console, ConsoleCommand *command)
{
    pthread_mutex_lock(&console->lock);
    bool is_there = console->waiting > 0;
    if (is_there) {
        *command = console->queue[console->first];
        console->first = (console->first + 1) % CONSOLE_QUEUE;
        console->waiting--;
    }
    pthread_mutex_unlock(&console->lock);
    return is_there;
}

/// ---- parts ---------------------------------------------------------------------------------------------------------

int console_find_part(Console *console, const char *name, size_t length)
{
    int found = -1;
    pthread_mutex_lock(&console->lock);
    for (int k = 1; k < console->part_count && found < 0; k++) {
        const char *other = console->parts[k].name;
        found = strlen(other) == length && memcmp(other, name, length) == 0 ? k : -1;
    }
    pthread_mutex_unlock(&console->lock);
    return found;
}

int console_part(Console *console, const char *name)
{
    int part = 0;
    pthread_mutex_lock(&console->lock);
    if (console->part_count < console->part_most) {
        part = console->part_count++;
        snprintf(console->parts[part].name, sizeof console->parts[part].name, "%s", name);
    }
    pthread_mutex_unlock(&console->lock);
    return part;
}

void console_rename_part(Console *console, int part, const char *name)
{
    pthread_mutex_lock(&console->lock);
    ConsolePart *own = &console->parts[part];
    for (int k = 0; k < CONSOLE_CHANNELS_MOST && own->lookers == 0; k++) {
        console_release(own->newest[k].event);
        own->newest[k] = (ConsoleNewest){0};
    }
    snprintf(own->name, sizeof own->name, "%s", name);
    pthread_mutex_unlock(&console->lock);
}

int console_lookers(Console *console, int part)
{
    pthread_mutex_lock(&console->lock);
    int lookers = console->parts[part].lookers;
    pthread_mutex_unlock(&console->lock);
    return lookers;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

static bool take_token(Console *console, const char *token, Status *status)
{
    if (token == NULL) {
        return random_hex(console->token, SECRET_BYTES, status);
    }
    if (!guard_token_is_one(token)) {
        return status_fail(status, STATUS_BAD_USAGE,
                           "--console-token: %zu bytes were read; allowed are %d..%d letters, digits, - and _",
                           strlen(token), GUARD_TOKEN_LEAST, GUARD_TOKEN_MOST);
    }
    memcpy(console->token, token, strlen(token) + 1);
    return true;
}

/// What is served, and who takes the orders.
static bool take_pages(Console *console, const ConsoleParams *params, Status *status)
{
    console->kinds[CONSOLE_OWN].page = params->page != NULL ? params->page : &console_page;
    console->kinds[CONSOLE_PARTS].page = params->part_page;
    console->take = params->take;
    console->take_context = params->take_context;
    console->body = params->take != NULL ? params->body : CONSOLE_BODY;
    console->part_most = 1 + params->parts;
    console->parts = calloc((size_t)console->part_most, sizeof *console->parts);
    console->part_count = 1;
    return console->parts != NULL || status_fail(status, STATUS_LACKING, "out of memory for the console");
}

static bool start(Console *console, const ConsoleParams *params, Status *status)
{
    const char *address = params->address != NULL ? params->address : "127.0.0.1";
    if (params->port < 0 || params->port > 65535) {
        return status_fail(status, STATUS_BAD_USAGE, "--console: %d was read; allowed is 0..65535", params->port);
    }
    console->port = params->port;
    console->patience = params->patience > 0.0 ? params->patience : GUARD_SECONDS;
    console->loopback = guard_is_loopback(address);
    console->takes_faults = params->takes_faults;
    console->takes_scenes = params->takes_scenes;
    console->log = params->log != NULL ? params->log : write_line;
    console->log_context = params->log_context;
    snprintf(console->station, sizeof console->station, "%s", params->station != NULL ? params->station : "");
    if (!take_pages(console, params, status) || !take_token(console, params->token, status) ||
        !random_hex(console->ticket, SECRET_BYTES, status) || !console_read_files(console, params->folder, status) ||
        !console_serve(console, address, status)) {
        return false;
    }
    bool six = strchr(address, ':') != NULL;
    snprintf(console->url, sizeof console->url, "http://%s%s%s:%d/#%s", six ? "[" : "", address, six ? "]" : "",
             console->port, console->token);
    return true;
}

Console *console_start(const ConsoleParams *params, Status *status)
{
    Console *console = calloc(1, sizeof *console);
    if (console == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the console");
        return NULL;
    }
    pthread_mutex_init(&console->lock, NULL);
    console->bell = -1;
    if (!start(console, params, status)) {
        console_stop(console);
        return NULL;
    }
    return console;
}

void console_stop(Console *console)
{
    if (console == NULL) {
        return;
    }
    console_end_serving(console);
    for (int part = 0; console->parts != NULL && part < console->part_count; part++) {
        for (int k = 0; k < CONSOLE_CHANNELS_MOST; k++) {
            console_release(console->parts[part].newest[k].event);
        }
    }
    free(console->parts);
    for (int k = 0; k < CONSOLE_DOCUMENTS_MOST; k++) {
        free(console->documents[k].bytes);
    }
    for (int kind = 0; kind < CONSOLE_KINDS; kind++) {
        for (int k = 0; k < CONSOLE_FILES_MOST; k++) {
            free(console->kinds[kind].files[k].bytes);
        }
    }
    pthread_mutex_destroy(&console->lock);
    free(console);
}

const char *console_url(const Console *console)
{
    return console->url;
}

int console_port(const Console *console)
{
    return console->port;
}
