/// Plays many stations to a broker and looks at a classroom's page as a browser would, by one clock: what was sent,
/// what came, and how late. One thread.
#ifndef SPADEWORK_TESTS_LOAD_H
#define SPADEWORK_TESTS_LOAD_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

enum { LOAD_STATIONS = 512, LOAD_LINES = 1024, LOAD_KEPT = 4096 };

/// s of a clock that never goes back.
double load_clock(void);

/// ---- stations ------------------------------------------------------------------------------------------------------

/// States of a real drive, to be played again.
typedef struct LoadTape {
    int count;
    char *line[LOAD_LINES]; ///< owned: a state's keys between its braces, behind those that are written anew
} LoadTape;
/// Reads a file of one state a line. False after one line on stderr.
bool load_tape_read(LoadTape *tape, const char *path);
void load_tape_free(LoadTape *tape);

typedef struct LoadStation {
    struct mosquitto *link;
    char name[16]; ///< "sim-001"
    bool connected, frozen;
    long states, events, orders; ///< sent, sent, taken
    long bytes; ///< of states
    double begin; ///< s, of load_clock: its first state
    double sent[LOAD_KEPT]; ///< s, of load_clock, by sequence modulo LOAD_KEPT
    long seen; ///< newest sequence that the page has shown; -1: none
} LoadStation;

typedef struct LoadPlay {
    const LoadTape *tape;
    int port; ///< of the broker on this computer
    double rate; ///< Hz, states of each station
    int count;
    LoadStation stations[LOAD_STATIONS];
    double tended; ///< s, of load_clock: links were last looked after
} LoadPlay;
/// Connects every station with its last will, and publishes its status. False after one line on stderr.
bool load_play_begin(LoadPlay *play);
/// Publishes what is due; an event beside every tenth state, or so.
void load_play_step(LoadPlay *play, double now);
/// Fills `polls` [count] with what the links wait for; hands over what came.
void load_play_ask(const LoadPlay *play, struct pollfd *polls);
void load_play_answer(LoadPlay *play, const struct pollfd *polls, double now);
/// Ends every link in good order.
void load_play_end(LoadPlay *play);

/// ---- the page ------------------------------------------------------------------------------------------------------

typedef struct LoadCounts {
    long states, states_lost, events, events_again, events_lost, refused; ///< as the page tells them
    int online; ///< stations
} LoadCounts;

typedef struct LoadPage {
    int socket;
    char *bytes; ///< [room], owned: what came of the next event
    size_t size, room; ///< bytes
    long texts; ///< of all stations, that came
    long text_bytes;
    LoadCounts counts; ///< of the last text
    float *lags; ///< [lag_count], owned: s from a state's sending until a text shows it, or a newer one
    size_t lag_count, lag_room;
} LoadPage;
/// Asks for /live. False after one line on stderr.
/// url  "http://127.0.0.1:PORT"
bool load_page_open(LoadPage *page, const char *url, const char *token);
/// Reads what came; false when the server has closed.
bool load_page_read(LoadPage *page, LoadPlay *play);
void load_page_close(LoadPage *page);

#endif
