/// A station's key: the Ed25519 pair by which a computer signs the recordings that are made on it, and the public keys
/// of other stations that are trusted here. Signing and checking are libsodium's.
///
/// The pair lies in station.key in the user's data folder, for its owner alone; trusted keys in stations.txt beside it,
/// one a line: the key in 64 hexadecimal digits, a blank, the station's name; a line that begins with # is a comment.
#ifndef SPADEWORK_TRAINER_STATION_H
#define SPADEWORK_TRAINER_STATION_H

#include <stdbool.h>
#include <stddef.h>

#include "data/core/status.h"

enum {
    STATION_NAME = 64, ///< bytes with the closing 0
    STATION_KEY = 32, ///< bytes of a public key
    STATION_SECRET = 64, ///< bytes of a secret key
    STATION_SIGNATURE = 64, ///< bytes
    STATION_HEX = 2 * STATION_KEY + 1, ///< bytes of a public key as text
};

typedef struct Station {
    char name[STATION_NAME]; ///< "" = this computer has no key
    unsigned char key[STATION_KEY], secret[STATION_SECRET];
} Station;

/// Makes a new pair and writes station.key. name  1..63 bytes of printable text. False with `status` (STATUS_BAD_USAGE:
/// a name that is none; STATUS_LACKING: there is a key already, which is left as it is, or it cannot be written).
bool station_make(const char *name, Station *station, Status *status);
/// Reads station.key; no name where there is none. False with `status` (STATUS_BAD_FILE) when it is damaged, or when
/// others than its owner may read it.
bool station_load(Station *station, Status *status);
/// Wipes the secret from memory.
void station_forget(Station *station);

/// Signs `size` bytes.
void station_sign(const Station *station, const void *bytes, size_t size, unsigned char signature[STATION_SIGNATURE]);
/// True when the signature was made of these bytes with the secret that belongs to `key`.
bool station_signed(const unsigned char key[STATION_KEY], const void *bytes, size_t size,
                    const unsigned char signature[STATION_SIGNATURE]);

/// A public key as 64 hexadecimal digits, and back; false when the text is none.
void station_key_text(const unsigned char key[STATION_KEY], char text[STATION_HEX]);
bool station_key_read(const char *text, unsigned char key[STATION_KEY]);

/// Adds a key to stations.txt, or gives it another name there. False with `status` (STATUS_BAD_USAGE, STATUS_BAD_FILE,
/// STATUS_LACKING).
bool station_trust(const char *name, const unsigned char key[STATION_KEY], Status *status);
/// Looks a key up: this computer's own, or one of stations.txt. `*name` is "" when it is not known. False with `status`
/// (STATUS_BAD_FILE, with the line) when a file cannot be read.
bool station_find(const unsigned char key[STATION_KEY], char name[STATION_NAME], Status *status);

#endif
