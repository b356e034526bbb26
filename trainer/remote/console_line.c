/// Texts and numbers of JSON by hand.
#include "trainer/remote/console_line.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST 1e9 ///< of a number either way

enum { FIRST_ROOM = 1 << 14, DIGITS = 18 }; ///< bytes: of most states; of a number with point, sign and comma

/// Makes room for `more` bytes behind the end. False when memory is short.
static bool grow(ConsoleLine *line, size_t more)
{
    size_t room = line->room == 0 ? FIRST_ROOM : 2 * line->room;
    while (room < line->size + more) {
        room *= 2;
    }
    char *bytes = line->room != SIZE_MAX ? realloc(line->bytes, room) : NULL;
    if (bytes == NULL) {
        free(line->bytes);
        *line = (ConsoleLine){.room = SIZE_MAX};
        return false;
    }
    line->bytes = bytes;
    line->room = room;
    return true;
}

/// Where `more` bytes have room behind the end; NULL: memory is short.
static char *reserve(ConsoleLine *line, size_t more)
{
    bool fits = line->bytes != NULL && line->room - line->size >= more;
    return fits || grow(line, more) ? line->bytes + line->size : NULL;
}

void console_line_add(ConsoleLine *line, const char *text)
{
    size_t size = strlen(text);
    char *place = reserve(line, size + 1);
    if (place != NULL) {
        memcpy(place, text, size + 1); // what comes next takes the place of the NUL
        line->size += size;
    }
}

void console_line_add_string(ConsoleLine *line, const char *text)
{
    char *place = reserve(line, 2 * strlen(text) + 2);
    if (place == NULL) {
        return;
    }
    char *end = place;
    *end++ = '"';
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            *end++ = '\\';
        }
        *end++ = (unsigned char)*text < ' ' ? ' ' : *text;
    }
    *end++ = '"';
    line->size += (size_t)(end - place);
}

void console_line_add_number(ConsoleLine *line, double value, int decimals)
{
    static const double scales[] = {1.0, 10.0, 100.0, 1000.0};
    double scaled = (value < MOST ? value > -MOST ? value : -MOST : MOST) * scales[decimals];
    uint64_t left = (uint64_t)(fabs(scaled) + 0.5);
    char digits[DIGITS], *place = reserve(line, DIGITS);
    if (place == NULL) {
        return;
    }
    bool negative = scaled < 0.0 && left > 0;
    while (decimals > 0 && left % 10 == 0) {
        left /= 10;
        decimals--;
    }
    int first = DIGITS;
    digits[--first] = ',';
    for (int k = 0; left > 0 || k <= decimals; k++, left /= 10) {
        if (k > 0 && k == decimals) {
            digits[--first] = '.';
        }
        digits[--first] = (char)('0' + left % 10);
    }
    if (negative) {
        digits[--first] = '-';
    }
    memcpy(place, digits + first, (size_t)(DIGITS - first));
    line->size += (size_t)(DIGITS - first);
}

void console_line_end_list(ConsoleLine *line)
{
    if (line->size > 0 && line->bytes[line->size - 1] == ',') {
        line->size--;
    }
}

char *console_line_finish(ConsoleLine *line, size_t *size)
{
    char *end = reserve(line, 1);
    if (end != NULL) {
        *end = '\0';
    }
    *size = line->size;
    return line->bytes;
}
