/// load STATES BROKER_PORT URL TOKEN STATIONS SECONDS HZ BROKER_PID CLASSROOM_PID: plays stations and prints a table.
/// Ends with 1 when something was lost or refused; times are told and not judged. tests/load.sh starts all it needs.
#include "tests/load/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DRAIN 3.0 ///< s for what is under way at the end

enum { STEP = 2 }; ///< ms of a poll

/// s of processor time of a process; 0: there is none.
static double processor_time(int pid)
{
    char path[64], line[1024];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return 0.0;
    }
    const char *rest = fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    fclose(file);
    if (rest == NULL || sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2) {
        return 0.0;
    }
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/// Plays until `until`, or when `publishes` is false only hands over what is under way.
static bool run(LoadPlay *play, LoadPage *page, double until, bool publishes)
{
    static struct pollfd polls[LOAD_STATIONS + 1];
    bool is_open = true;
    for (double now = load_clock(); now < until && is_open; now = load_clock()) {
        if (publishes) {
            load_play_step(play, now);
        }
        load_play_ask(play, polls);
        polls[play->count] = (struct pollfd){.fd = page->socket, .events = POLLIN};
        poll(polls, (nfds_t)play->count + 1, STEP);
        load_play_answer(play, polls, load_clock());
        is_open = polls[play->count].revents == 0 || load_page_read(page, play);
    }
    return is_open || (fprintf(stderr, "load: the page was closed\n"), false);
}

/// ---- the table -----------------------------------------------------------------------------------------------------

static int compare(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/// s of the lag that a share of all are not above.
static double quantile(const LoadPage *page, double share)
{
    size_t place = (size_t)(share * (double)(page->lag_count - 1) + 0.5);
    return page->lag_count > 0 ? (double)page->lags[place] : 0.0;
}

typedef struct Sums {
    long states, events, bytes, orders;
} Sums;

static Sums sum(const LoadPlay *play)
{
    Sums sums = {0};
    for (int k = 0; k < play->count; k++) {
        sums.states += play->stations[k].states;
        sums.events += play->stations[k].events;
        sums.bytes += play->stations[k].bytes;
        sums.orders += play->stations[k].orders;
    }
    return sums;
}

static void print_row(const char *name, long sent, long received)
{
    printf("| %s | %ld | %ld | %ld |\n", name, sent, received, sent - received);
}

/// Prints all; false when something is missing, came twice, or was refused.
static bool print_table(const LoadPlay *play, LoadPage *page, double seconds, const double used[3])
{
    Sums sums = sum(play);
    const LoadCounts *counts = &page->counts;
    if (page->lag_count > 0) {
        qsort(page->lags, page->lag_count, sizeof page->lags[0], compare);
    }
    printf("%d stations, %g states a second each, %.0f s\n\n", play->count, play->rate, seconds);
    printf("| | sent | received | lost |\n|---|---|---|---|\n");
    print_row("states (QoS 0)", sums.states, counts->states);
    print_row("events (QoS 2)", sums.events, counts->events);
    printf("\n| figure | value |\n|---|---|\n");
    printf("| messages a second to the broker | %.0f |\n", (double)(sums.states + sums.events) / seconds);
    printf("| bytes of a state | %.0f |\n", (double)sums.bytes / (double)(sums.states > 0 ? sums.states : 1));
    printf("| lag of the page, from sent to shown: median, p99, worst | %.3f s, %.3f s, %.3f s |\n",
           quantile(page, 0.5), quantile(page, 0.99), quantile(page, 1.0));
    printf("| texts of the page a second, kB each | %.1f, %.1f |\n", (double)page->texts / seconds,
           (double)page->text_bytes / (double)(page->texts > 0 ? page->texts : 1) * 1e-3);
    printf("| processor: broker, classroom, the %d stations | %.1f %%, %.1f %%, %.1f %% of one |\n", play->count,
           100.0 * used[0] / seconds, 100.0 * used[1] / seconds, 100.0 * used[2] / seconds);
    bool good = sums.states == counts->states && sums.events == counts->events && counts->states_lost == 0 &&
                counts->events_lost == 0 && counts->events_again == 0 && counts->refused == 0 &&
                counts->online == play->count;
    if (!good) {
        printf("\nWRONG: gaps %ld and %ld, twice %ld, refused %ld, online %d of %d\n", counts->states_lost,
               counts->events_lost, counts->events_again, counts->refused, counts->online, play->count);
    }
    return good;
}

int main(int count, char **words)
{
    static LoadPlay play;
    LoadTape tape;
    LoadPage page;
    if (count != 10) {
        fprintf(stderr, "load: STATES BROKER_PORT URL TOKEN STATIONS SECONDS HZ BROKER_PID CLASSROOM_PID\n");
        return 2;
    }
    double seconds = atof(words[6]);
    int broker = atoi(words[8]), classroom = atoi(words[9]);
    play = (LoadPlay){.tape = &tape, .port = atoi(words[2]), .rate = atof(words[7]), .count = atoi(words[5])};
    if (play.count < 1 || play.count > LOAD_STATIONS || !(play.rate > 0.0) || !(seconds > 0.0)) {
        fprintf(stderr, "load: 1..%d stations, and more than 0 seconds and Hz are allowed\n", LOAD_STATIONS);
        return 2;
    }
    if (!load_tape_read(&tape, words[1]) || !load_page_open(&page, words[3], words[4]) || !load_play_begin(&play)) {
        return 4;
    }
    double start = load_clock();
    double before[3] = {processor_time(broker), processor_time(classroom), processor_time((int)getpid())};
    bool good = run(&play, &page, start + seconds, true);
    double used[3] = {processor_time(broker) - before[0], processor_time(classroom) - before[1],
                      processor_time((int)getpid()) - before[2]};
    double played = load_clock() - start;
    good = good && run(&play, &page, load_clock() + DRAIN, false);
    good = print_table(&play, &page, played, used) && good;
    load_play_end(&play);
    load_page_close(&page);
    load_tape_free(&tape);
    return good ? 0 : 1;
}
