/// The files of a station's keys. Each is written beside itself and renamed, so that half of one is never found.
#include "trainer/record/station.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "data/core/plain_text.h"
#include "data/core/regular_file.h"
#include "data/core/data_files.h"

_Static_assert(STATION_KEY == (int)crypto_sign_PUBLICKEYBYTES, "a public key is Ed25519's");
_Static_assert(STATION_SECRET == (int)crypto_sign_SECRETKEYBYTES, "a secret key is libsodium's");
_Static_assert(STATION_SIGNATURE == (int)crypto_sign_BYTES, "a signature is Ed25519's");

static const char key_file[] = "station.key", trusted_file[] = "stations.txt";
static const char first_line[] = "spadework station key 1";

enum { LINE = 256 };

/// A name stays in its line, and is shown as it is.
static bool check_name(const char *name, Status *status)
{
    return visible_name_check("the station's name", name, STATION_NAME - 1, status) &&
           (name[0] != ' ' ||
            status_fail(status, STATUS_BAD_USAGE, "the station's name \"%.63s\": it may not begin with a blank", name));
}

/// ---- keys as text --------------------------------------------------------------------------------------------------

void station_key_text(const unsigned char key[STATION_KEY], char text[STATION_HEX])
{
    sodium_bin2hex(text, STATION_HEX, key, STATION_KEY);
}

static bool read_hex(const char *text, unsigned char *bytes, size_t size)
{
    size_t length = 0;
    return strlen(text) == 2 * size && sodium_hex2bin(bytes, size, text, 2 * size, NULL, &length, NULL) == 0 &&
           length == size;
}

bool station_key_read(const char *text, unsigned char key[STATION_KEY])
{
    return read_hex(text, key, STATION_KEY);
}

/// ---- signatures ----------------------------------------------------------------------------------------------------

void station_sign(const Station *station, const void *bytes, size_t size, unsigned char signature[STATION_SIGNATURE])
{
    crypto_sign_detached(signature, NULL, bytes, size, station->secret);
}

bool station_signed(const unsigned char key[STATION_KEY], const void *bytes, size_t size,
                    const unsigned char signature[STATION_SIGNATURE])
{
    return crypto_sign_verify_detached(signature, bytes, size, key) == 0;
}

/// ---- files ---------------------------------------------------------------------------------------------------------

static bool make_paths(const char *name, char path[DATA_PATH_LENGTH], char beside[DATA_PATH_LENGTH + 8], Status *status)
{
    char folder[DATA_PATH_LENGTH];
    if (!user_data_path("", folder, status) || !user_make_folder(folder, status) ||
        !user_data_path(name, path, status)) {
        return false;
    }
    snprintf(beside, DATA_PATH_LENGTH + 8, "%s.new", path);
    return true;
}

/// Writes `text` for the owner alone; with `anew` only where there is no such file.
static bool write_file(const char *name, const char *text, bool anew, Status *status)
{
    char path[DATA_PATH_LENGTH], beside[DATA_PATH_LENGTH + 8];
    if (!make_paths(name, path, beside, status)) {
        return false;
    }
    unlink(beside);
    int file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    size_t size = strlen(text);
    bool good = file >= 0 && write(file, text, size) == (ssize_t)size && fsync(file) == 0;
    int reason = errno;
    if (file >= 0) {
        close(file);
    }
    // A link refuses to take the place of another file, as a rename would.
    if (good && (anew ? link(beside, path) : rename(beside, path)) != 0) {
        reason = errno;
        good = false;
    }
    unlink(beside);
    if (!good && anew && reason == EEXIST) {
        return status_fail(status, STATUS_LACKING, "%s: this computer has a key already, which is left as it is", path);
    }
    return good || status_fail(status, STATUS_LACKING, "%s: cannot be written: %s", path, strerror(reason));
}

bool station_make(const char *name, Station *station, Status *status)
{
    char text[LINE + 2 * STATION_SECRET], secret[2 * STATION_SECRET + 1];
    *station = (Station){0};
    if (!check_name(name, status)) {
        return false;
    }
    if (sodium_init() < 0) {
        return status_fail(status, STATUS_LACKING, "the computer gives no random numbers for a key");
    }
    crypto_sign_keypair(station->key, station->secret);
    sodium_bin2hex(secret, sizeof secret, station->secret, STATION_SECRET);
    snprintf(text, sizeof text, "%s\nname %s\nsecret %s\n", first_line, name, secret);
    snprintf(station->name, sizeof station->name, "%s", name);
    bool good = write_file(key_file, text, true, status);
    sodium_memzero(secret, sizeof secret);
    sodium_memzero(text, sizeof text);
    return good;
}

/// The line without its end; false at the end of the file and for a line that is too long.
static bool read_line(FILE *file, char line[LINE])
{
    if (fgets(line, LINE, file) == NULL || (strchr(line, '\n') == NULL && !feof(file))) {
        return false;
    }
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static bool read_key(FILE *file, Station *station)
{
    char line[LINE];
    Status unused;
    bool good = read_line(file, line) && strcmp(line, first_line) == 0 && read_line(file, line) &&
                strncmp(line, "name ", 5) == 0 && check_name(line + 5, &unused);
    if (good) {
        snprintf(station->name, sizeof station->name, "%.*s", STATION_NAME - 1, line + 5);
        good = read_line(file, line) && strncmp(line, "secret ", 7) == 0 &&
               read_hex(line + 7, station->secret, STATION_SECRET);
    }
    sodium_memzero(line, sizeof line);
    return good && crypto_sign_ed25519_sk_to_pk(station->key, station->secret) == 0;
}

bool station_load(Station *station, Status *status)
{
    char path[DATA_PATH_LENGTH];
    struct stat info;
    *station = (Station){0};
    if (!user_data_path(key_file, path, status) || access(path, F_OK) != 0) {
        return status_good(status); // nowhere to have one
    }
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return false;
    }
    bool own = fstat(fileno(file), &info) == 0 && (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    bool good = own && read_key(file, station);
    fclose(file);
    if (good) {
        return status_good(status);
    }
    station_forget(station);
    return status_fail(status, STATUS_BAD_FILE,
                       own ? "%s: is no station's key; restore it from a copy, or delete it and make another"
                           : "%s: others may read this secret; allow it to its owner alone (chmod 600)",
                       path);
}

void station_forget(Station *station)
{
    sodium_memzero(station, sizeof *station);
}

/// ---- trusted stations ----------------------------------------------------------------------------------------------

typedef bool VisitTrusted(void *context, const char *line, const unsigned char key[STATION_KEY], const char *name);

/// Visits each line; of comments and blank lines the key and the name are NULL.
static bool each_trusted(VisitTrusted *visit, void *context, Status *status)
{
    char path[DATA_PATH_LENGTH], line[LINE];
    if (!user_data_path(trusted_file, path, status) || access(path, F_OK) != 0) {
        return true;
    }
    FILE *file = regular_file_open(path, status);
    if (file == NULL) {
        return false;
    }
    bool good = plain_text_check_file(path, file, status);
    for (int number = 1; good && read_line(file, line); number++) {
        char text[LINE];
        unsigned char key[STATION_KEY];
        bool comment = line[0] == '#' || line[0] == '\0';
        snprintf(text, sizeof text, "%.*s", STATION_HEX - 1, line);
        if (!comment &&
            (!station_key_read(text, key) || line[STATION_HEX - 1] != ' ' || !check_name(line + STATION_HEX, status))) {
            good = status_fail(status, STATUS_BAD_FILE,
                               "%s:%d:1: no trusted station, allowed 64 hexadecimal digits, a blank and a name", path,
                               number);
        } else if (!visit(context, line, comment ? NULL : key, comment ? NULL : line + STATION_HEX)) {
            break;
        }
    }
    if (good && !feof(file) && ferror(file)) {
        good = status_fail(status, STATUS_BAD_FILE, "%s: cannot be read", path);
    }
    fclose(file);
    return good;
}

enum { TRUSTED_BYTES = 1 << 16 };

typedef struct Rewriting {
    const unsigned char *key;
    size_t size;
    char text[TRUSTED_BYTES];
} Rewriting;

/// Copies every line but that of the key which is named anew.
static bool copy_other_line(void *context, const char *line, const unsigned char key[STATION_KEY], const char *name)
{
    Rewriting *self = context;
    (void)name;
    if (key == NULL || memcmp(key, self->key, STATION_KEY) != 0) {
        int length = snprintf(self->text + self->size, sizeof self->text - self->size, "%s\n", line);
        self->size += (size_t)length;
    }
    return self->size < sizeof self->text - 2 * LINE;
}

bool station_trust(const char *name, const unsigned char key[STATION_KEY], Status *status)
{
    static Rewriting self; // a command's, too large for a stack
    self = (Rewriting){.key = key};
    char text[STATION_HEX];
    if (!check_name(name, status) || !each_trusted(copy_other_line, &self, status)) {
        return false;
    }
    if (self.size >= sizeof self.text - 2 * LINE) {
        return status_fail(status, STATUS_LACKING, "there are too many trusted stations, allowed %d bytes",
                           TRUSTED_BYTES);
    }
    station_key_text(key, text);
    snprintf(self.text + self.size, sizeof self.text - self.size, "%s %s\n", text, name);
    return write_file(trusted_file, self.text, false, status);
}

typedef struct Search {
    const unsigned char *key;
    char *name;
} Search;

static bool match_line(void *context, const char *line, const unsigned char key[STATION_KEY], const char *name)
{
    Search *self = context;
    (void)line;
    if (key == NULL || memcmp(key, self->key, STATION_KEY) != 0) {
        return true;
    }
    snprintf(self->name, STATION_NAME, "%s", name);
    return false;
}

bool station_find(const unsigned char key[STATION_KEY], char name[STATION_NAME], Status *status)
{
    Station own;
    name[0] = '\0';
    if (!station_load(&own, status)) {
        return false;
    }
    bool is_own = own.name[0] != '\0' && memcmp(own.key, key, STATION_KEY) == 0;
    if (is_own) {
        memcpy(name, own.name, sizeof own.name);
    }
    station_forget(&own);
    return is_own || each_trusted(match_line, &(Search){key, name}, status);
}
