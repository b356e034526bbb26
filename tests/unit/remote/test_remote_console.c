/// The console over real connections: what it answers, what it refuses, and that whoever drives never waits for it.
// test: sanitized, waits
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/test.h"
#include "trainer/remote/console.h"
#include "trainer/remote/console_guard.h"

#define TOKEN    "0123456789abcdef"
#define KNOWN    "Authorization: Bearer " TOKEN "\r\n"
#define PATIENCE 1.0 ///< s: of the console that is tested

enum { ANSWER = 1 << 16, MANY = 1000 };

/// The log, from the console's threads.
typedef struct Log {
    pthread_mutex_t lock;
    char text[1 << 15];
    int lines;
} Log;
static Log told = {.lock = PTHREAD_MUTEX_INITIALIZER};
static Console *console;

static void keep_line(void *context, const char *line)
{
    Log *kept = context;
    pthread_mutex_lock(&kept->lock);
    size_t used = strlen(kept->text);
    snprintf(kept->text + used, sizeof kept->text - used, "%s\n", line);
    kept->lines++;
    pthread_mutex_unlock(&kept->lock);
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static void rest(double seconds)
{
    nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)}, NULL);
}

static int open_console(void **state)
{
    (void)state;
    Status status = {0};
    ConsoleParams params = {.token = TOKEN, .log = keep_line, .log_context = &told, .patience = PATIENCE};
    console = console_start(&params, &status);
    if (console == NULL) {
        fprintf(stderr, "%s\n", status.text);
    }
    return console == NULL;
}

static int close_console(void **state)
{
    (void)state;
    console_stop(console);
    return 0;
}

/// ---- a visitor -----------------------------------------------------------------------------------------------------

static int visit(void)
{
    struct sockaddr_in place = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)console_port(console)),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int opened = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(opened >= 0);
    if (connect(opened, (struct sockaddr *)&place, sizeof place) != 0) {
        close(opened);
        return -1;
    }
    return opened;
}

/// What comes within `seconds`, until the other side closes or the text `until` was read.
static void hear(int opened, char answer[ANSWER], const char *until, double seconds)
{
    size_t size = 0;
    double end = now() + seconds;
    answer[0] = '\0';
    while (size + 1 < ANSWER && now() < end && (until == NULL || strstr(answer, until) == NULL)) {
        struct pollfd one = {opened, POLLIN, 0};
        if (poll(&one, 1, 50) <= 0) {
            continue;
        }
        ssize_t got = recv(opened, answer + size, ANSWER - 1 - size, 0);
        if (got <= 0) {
            break;
        }
        size += (size_t)got;
        answer[size] = '\0';
    }
}

/// Asks once; the console closes behind the answer.
static const char *ask(const char *first, const char *headers, const char *body)
{
    static char answer[ANSWER], request[8192];
    snprintf(request, sizeof request, "%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n%s", first,
             console_port(console), headers);
    size_t length = strlen(request);
    if (body != NULL) {
        length += (size_t)snprintf(request + length, sizeof request - length, "Content-Length: %zu\r\n", strlen(body));
    }
    length += (size_t)snprintf(request + length, sizeof request - length, "\r\n%s", body != NULL ? body : "");
    int opened = visit();
    assert_true(opened >= 0);
    assert_int_equal(send(opened, request, length, MSG_NOSIGNAL), (ssize_t)length);
    hear(opened, answer, NULL, 5.0);
    close(opened);
    return answer;
}

#define REFUSED(code, first, headers, body) assert_contains(ask(first, headers, body), "HTTP/1.1 " code)

/// True once the log says it.
static bool is_told(const char *text)
{
    bool found = false;
    for (int k = 0; k < 40 && !found; k++) {
        pthread_mutex_lock(&told.lock);
        found = strstr(told.text, text) != NULL;
        pthread_mutex_unlock(&told.lock);
        if (!found) {
            rest(0.05);
        }
    }
    return found;
}

static void forget(void)
{
    pthread_mutex_lock(&told.lock);
    told.text[0] = '\0';
    told.lines = 0;
    pthread_mutex_unlock(&told.lock);
}

/// ---- what it answers -----------------------------------------------------------------------------------------------

TEST(the_page_is_there_and_is_alone_on_its_origin)
{
    const char *answer = ask("GET /", "", NULL);
    assert_contains(answer, "200 OK");
    assert_contains(answer, "<canvas id=\"plan\"");
    assert_contains(answer, "default-src 'none'");
    assert_contains(answer, "nosniff");
    assert_contains(ask("GET /de.json", "", NULL), "Anhalten");
    assert_contains(console_url(console), "#" TOKEN);
}

TEST(what_is_published_is_shown)
{
    console_publish(console, CONSOLE_STATE, "{\"time\":1}", 10);
    assert_contains(ask("GET /state", KNOWN, NULL), "{\"time\":1}");
    console_publish(console, CONSOLE_STATE, "{\"time\":2}", 10);
    assert_contains(ask("GET /state", KNOWN, NULL), "{\"time\":2}");
    assert_contains(ask("GET /ground", KNOWN, NULL), "\r\n\r\nnull");
}

TEST(who_looks_on_gets_the_newest)
{
    static char answer[ANSWER];
    char request[256];
    console_publish(console, CONSOLE_STATE, "{\"time\":3}", 10);
    int opened = visit();
    int length = snprintf(request, sizeof request, "GET /live HTTP/1.1\r\nHost: localhost:%d\r\n" KNOWN "\r\n",
                          console_port(console));
    assert_int_equal(send(opened, request, (size_t)length, MSG_NOSIGNAL), length);
    hear(opened, answer, "\"time\":3}", 5.0);
    assert_contains(answer, "text/event-stream");
    assert_contains(answer, "event: state\ndata: {\"time\":3}\n\n");
    rest(2.0 * PATIENCE); // who looks on may be silent
    double before = now();
    console_publish(console, CONSOLE_STATE, "{\"time\":4}", 10);
    hear(opened, answer, "\"time\":4}", 5.0);
    assert_contains(answer, "data: {\"time\":4}\n\n");
    assert_true(now() - before < 1.0);
    close(opened);
}

/// Of the events that hold one letter many times: reads on until that of `last`, and each is whole.
static void hear_letters(int opened, size_t size, char last)
{
    FILE *stream = fdopen(opened, "r");
    char *line = NULL, letter = '\0';
    size_t room = 0;
    while (letter != last) {
        ssize_t length = getline(&line, &room, stream);
        assert_true(length > 0);
        if ((size_t)length > size) {
            letter = line[6];
            assert_int_equal(strncmp(line, "data: ", 6), 0);
            assert_int_equal(strspn(line + 6, (char[]){letter, '\0'}), size);
            assert_string_equal(line + 6 + size, "\n");
        }
    }
    free(line);
    fclose(stream);
}

/// All who look on send the same bytes, each from where it stands, also while the next text takes the place of the one
/// that is on its way.
TEST(who_reads_late_gets_whole_events)
{
    enum { LOOKERS = 6, SIZE = 1 << 18 };
    static char text[SIZE];
    int opened[LOOKERS];
    char request[256];
    int length = snprintf(request, sizeof request, "GET /live HTTP/1.0\r\nHost: localhost:%d\r\n" KNOWN "\r\n",
                          console_port(console));
    for (int k = 0; k < LOOKERS; k++) {
        opened[k] = visit();
        assert_int_equal(send(opened[k], request, (size_t)length, MSG_NOSIGNAL), length);
    }
    for (int letter = 'a'; letter <= 'z'; letter++) {
        memset(text, letter, sizeof text);
        console_publish(console, CONSOLE_STATE, text, sizeof text);
        rest(0.01);
    }
    for (int k = 0; k < LOOKERS; k++) {
        hear_letters(opened[k], sizeof text, 'z');
    }
    console_publish(console, CONSOLE_STATE, "{}", 2);
}

TEST(a_text_is_known_again)
{
    console_publish(console, CONSOLE_SCENES, "[1]", 3);
    assert_true(console_is_newest(console, CONSOLE_SCENES, "[1]", 3));
    assert_false(console_is_newest(console, CONSOLE_SCENES, "[2]", 3));
    assert_false(console_is_newest(console, CONSOLE_SCENES, "[1] ", 4));
    assert_false(console_is_newest(console, CONSOLE_ANSWERS, "[1]", 3));
}

TEST(orders_come_in_their_order)
{
    ConsoleCommand command;
    assert_contains(ask("POST /command", KNOWN, "{\"command\":\"freeze\"}"), "202 Accepted");
    assert_contains(ask("POST /command", KNOWN, "{\"command\":\"mark\",\"text\":\"here\"}"), "202 Accepted");
    assert_true(console_next(console, &command));
    assert_int_equal(command.kind, CONSOLE_FREEZE);
    assert_true(console_next(console, &command));
    assert_string_equal(command.text, "here");
    assert_false(console_next(console, &command));
}

/// ---- what it refuses -----------------------------------------------------------------------------------------------

TEST(who_does_not_know_the_token_gets_nothing)
{
    forget();
    REFUSED("401", "GET /state", "", NULL);
    REFUSED("401", "GET /state?token=" TOKEN, "", NULL);
    REFUSED("401", "GET /live", "Authorization: Bearer 0123456789abcdeF\r\n", NULL);
    REFUSED("401", "POST /command", "Authorization: Basic " TOKEN "\r\n", "{\"command\":\"end\"}");
    assert_true(is_told("refused /state of 127.0.0.1 (401)"));
}

TEST(other_pages_and_other_names_get_nothing)
{
    ConsoleCommand command;
    static char answer[ANSWER];
    forget();
    REFUSED("403", "POST /command", KNOWN "Origin: http://evil.example\r\n", "{\"command\":\"end\"}");
    REFUSED("403", "GET /", "Sec-Fetch-Site: cross-site\r\n", NULL);
    assert_true(is_told("(403)"));
    int opened = visit();
    static const char rebound[] = "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert_true(send(opened, rebound, sizeof rebound - 1, MSG_NOSIGNAL) > 0);
    hear(opened, answer, NULL, 5.0);
    close(opened);
    assert_contains(answer, "421");
    assert_false(console_next(console, &command));
}

/// Of a header that came twice a proxy may have read the one and this server the other: neither decides.
TEST(headers_that_guards_read_come_once)
{
    char twice[256];
    ConsoleCommand command;
    forget();
    snprintf(twice, sizeof twice, KNOWN "Host: 127.0.0.1:%d\r\n", console_port(console));
    REFUSED("400", "GET /state", twice, NULL);
    REFUSED("400", "GET /", "host: evil.example\r\n", NULL); // whatever its letters, behind the right one
    assert_true(is_told("(400): Host: it came more than once; allowed is one"));
    snprintf(twice, sizeof twice, KNOWN "Origin: http://127.0.0.1:%d\r\nOrigin: http://evil.example\r\n",
             console_port(console));
    REFUSED("400", "POST /command", twice, "{\"command\":\"end\"}");
    REFUSED("400", "GET /state", KNOWN "Authorization: Bearer x\r\n", NULL);
    REFUSED("400", "GET /", "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n", NULL);
    REFUSED("400", "POST /command", KNOWN "Content-Length: 3\r\n", "{\"command\":\"end\"}");
    assert_contains(ask("GET /state", KNOWN "Accept: a\r\nAccept: b\r\n", NULL), "200 OK");
    assert_false(console_next(console, &command));
}

/// A browser opens them by their address alone, which holds a ticket; other tickets lead nowhere.
TEST(documents_are_for_who_knows_the_ticket)
{
    char line[128], wrong[128];
    const char *ticket = console_ticket(console);
    assert_int_equal(strlen(ticket), 32);
    snprintf(line, sizeof line, "GET /offered/%s/debrief", ticket);
    assert_false(console_is_wanted(console, CONSOLE_DEBRIEF));
    assert_non_null(strstr(ask(line, "", NULL), "HTTP/1.1 404"));
    assert_true(console_is_wanted(console, CONSOLE_DEBRIEF));
    assert_false(console_is_wanted(console, CONSOLE_PICTURE));
    console_offer(console, CONSOLE_DEBRIEF, "<h1>Done</h1>", 13);
    const char *answer = ask(line, "", NULL);
    assert_non_null(strstr(answer, "HTTP/1.1 200"));
    assert_non_null(strstr(answer, "<h1>Done</h1>"));
    assert_non_null(strstr(answer, "sandbox"));
    assert_null(strstr(answer, "script-src"));
    for (int k = 0; k < 32; k += 31) {
        snprintf(wrong, sizeof wrong, "%s", line);
        wrong[13 + k] = wrong[13 + k] == '0' ? '1' : '0';
        assert_non_null(strstr(ask(wrong, "", NULL), "HTTP/1.1 404"));
    }
    assert_non_null(strstr(ask("GET /offered/", "", NULL), "HTTP/1.1 404"));
    snprintf(wrong, sizeof wrong, "GET /offered/%s/state", ticket);
    assert_non_null(strstr(ask(wrong, "", NULL), "HTTP/1.1 404"));
    console_offer(console, CONSOLE_DEBRIEF, NULL, 0);
    assert_non_null(strstr(ask(line, "", NULL), "HTTP/1.1 404"));
    forget();
}

TEST(no_path_leads_out)
{
    static const char *const paths[] = {"GET /../../etc/passwd", "GET /..%2f..%2fetc/passwd",
                                        "GET /%2e%2e/x",         "GET //etc/passwd",
                                        "GET /state%00",         "GET /%00",
                                        "GET /state%00/x",       "GET /console.js%00",
                                        "GET /%00/state",        "GET /stat%65%00",
                                        "GET /console.js/",      "GET /index.html\\..",
                                        "GET /index.html",       "GET /data/scenes/trench.yaml"};
    rest(1.0); // the log takes five lines a second, and the case before has spent them
    forget();
    for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++) {
        REFUSED("404", paths[k], KNOWN, NULL);
    }
    assert_true(is_told("(404): there is no such path"));
    assert_contains(ask("GET /stat%65", KNOWN, NULL), "200 OK");
    REFUSED("405", "DELETE /", "", NULL);
    REFUSED("405", "GET /command", KNOWN, NULL);
    REFUSED("405", "POST /state", KNOWN, "x");
}

TEST(an_order_that_is_none_is_told)
{
    ConsoleCommand command;
    forget();
    rest(1.0); // orders may come again
    assert_contains(ask("POST /command", KNOWN, "{\"command\":\"fre"), "{\"error\":\"body: byte");
    assert_contains(ask("POST /command", KNOWN, "{\"command\":\"dig\"}"), "400 Bad Request");
    REFUSED("501", "POST /command", KNOWN, "{\"command\":\"fault\",\"name\":\"a\",\"part\":\"\",\"value\":1}");
    REFUSED("409", "POST /command", KNOWN, "{\"command\":\"load\",\"name\":\"a\",\"text\":\"\"}");
    char body[CONSOLE_BODY + 2];
    memset(body, ' ', sizeof body - 1);
    body[sizeof body - 1] = '\0';
    REFUSED("413", "POST /command", KNOWN, body);
    assert_true(is_told("\"dig\" was read"));
    assert_false(console_next(console, &command));
}

TEST(orders_have_a_rate_and_a_queue)
{
    ConsoleCommand command;
    int refused = 0, taken = 0;
    rest(2.0);
    for (int k = 0; k < 40; k++) {
        refused += strstr(ask("POST /command", KNOWN, "{\"command\":\"freeze\"}"), "429") != NULL;
    }
    assert_true(refused > 0);
    while (console_next(console, &command)) {
        taken++;
    }
    assert_int_equal(taken + refused, 40);
    assert_true(taken <= CONSOLE_QUEUE);
}

TEST(a_header_of_a_megabyte_is_refused)
{
    static char part[1 << 14], answer[ANSWER];
    rest(1.0); // lines may come again
    forget();
    memset(part, 'a', sizeof part);
    int opened = visit();
    static const char start[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ";
    send(opened, start, sizeof start - 1, MSG_NOSIGNAL);
    int sent = 0;
    while (sent < 64 && send(opened, part, sizeof part, MSG_NOSIGNAL) > 0) {
        sent++;
    }
    hear(opened, answer, NULL, 3.0);
    close(opened);
    assert_true(sent < 64 || answer[0] == '\0' || strstr(answer, " 431 ") != NULL);
    assert_null(strstr(answer, "200 OK"));
    assert_true(is_told("console:"));
    assert_contains(ask("GET /", "", NULL), "200 OK");
}

TEST(who_sends_a_byte_now_and_then_is_closed)
{
    forget();
    int opened = visit(), sent = 0;
    static const char slow[] =
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    double before = now();
    while (now() - before < 6.0 && send(opened, slow + sent, 1, MSG_NOSIGNAL) == 1) {
        sent = sent + 1 < (int)sizeof slow - 1 ? sent + 1 : sent;
        rest(0.2);
    }
    assert_true(now() - before < 5.0);
    close(opened);
    assert_true(is_told("took more than"));
}

TEST(log_lines_hold_no_commands_for_a_terminal)
{
    forget();
    REFUSED("404", "GET /%1b%5b2J%0aroot", "", NULL);
    assert_true(is_told("refused /?[2J?root"));
}

/// ---- whoever drives never waits ------------------------------------------------------------------------------------

/// s of the longest of 200 rounds in which a drive publishes and looks for orders.
static double longest_round(void)
{
    static char state[1 << 16];
    ConsoleCommand command;
    double longest = 0.0;
    memset(state, '1', sizeof state);
    for (int k = 0; k < 200; k++) {
        double before = now();
        console_publish(console, CONSOLE_STATE, state, sizeof state);
        while (console_next(console, &command)) {
        }
        longest = fmax(longest, now() - before);
        rest(0.002);
    }
    return longest;
}

TEST(a_thousand_visitors_do_not_hold_the_drive)
{
    static int visitors[MANY];
    forget();
    rest(1.0);
    int served = 0;
    for (int k = 0; k < MANY; k++) {
        visitors[k] = visit();
        if (visitors[k] >= 0) {
            char request[256]; // and none of them ever reads what it is sent
            int length = snprintf(request, sizeof request, "GET /live HTTP/1.1\r\nHost: localhost:%d\r\n" KNOWN "\r\n",
                                  console_port(console));
            send(visitors[k], request, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
            served++;
        }
    }
    assert_true(served > GUARD_CONNECTIONS);
    // Chosen: a tenth of a second is long for a lock that is held for a copy, and short for a network.
    assert_true(longest_round() < 0.1);
    for (int k = 0; k < MANY; k++) {
        if (visitors[k] >= 0) {
            close(visitors[k]);
        }
    }
    assert_true(is_told("(503)") || is_told("limit"));
    rest(0.5);
    assert_contains(ask("GET /", "", NULL), "200 OK");
}

/// ---- pages of parts ------------------------------------------------------------------------------------------------

static int orders_of[3]; ///< by part

static unsigned take(void *context, int part, const char *body, size_t size, char accepted[CONSOLE_ACCEPTED],
                     Status *status)
{
    (void)context;
    orders_of[part]++;
    if (size != 4 || memcmp(body, "good", 4) != 0) {
        status_fail(status, STATUS_BAD_FILE, "no good");
        return 409;
    }
    snprintf(accepted, CONSOLE_ACCEPTED, "{\"part\":%d}", part);
    return 202;
}

TEST(each_part_has_a_page_its_texts_and_its_orders)
{
    Console *own = console;
    Status status = {0};
    console = console_start(&(ConsoleParams){.token = TOKEN,
                                             .log = keep_line,
                                             .log_context = &told,
                                             .part_page = &console_page,
                                             .parts = 2,
                                             .take = take,
                                             .body = 64},
                            &status);
    assert_non_null(console);
    assert_int_equal(console_part(console, "one"), 1);
    assert_int_equal(console_part(console, "two"), 2);
    assert_int_equal(console_part(console, "three"), 0); // one too many
    console_publish_part(console, 2, CONSOLE_STATE, "{\"two\":2}", 9);
    assert_contains(ask("GET /station/one/", "", NULL), "<canvas id=\"plan\"");
    assert_contains(ask("GET /station/two/state", KNOWN, NULL), "{\"two\":2}");
    assert_contains(ask("GET /station/one/state", KNOWN, NULL), "\r\n\r\nnull");
    assert_contains(ask("GET /state", KNOWN, NULL), "\r\n\r\nnull");
    assert_contains(ask("POST /station/two/command", KNOWN, "good"), "{\"part\":2}");
    REFUSED("409", "POST /command", KNOWN, "bad");
    REFUSED("413", "POST /command", KNOWN, "good                                                             ");
    assert_int_equal(orders_of[0] + orders_of[1], 1);
    REFUSED("401", "GET /station/three/state", "", NULL); // nobody is told which there are
    REFUSED("404", "GET /station/three/state", KNOWN, NULL);
    REFUSED("404", "GET /station/two", KNOWN, NULL);
    REFUSED("404", "GET /station/two/../state", KNOWN, NULL);
    REFUSED("404", "GET /station/TWO/state", KNOWN, NULL);
    REFUSED("404", "GET /station//state", KNOWN, NULL);
    console_stop(console);
    console = own;
}

TEST(a_part_knows_who_looks_on)
{
    static char answer[ANSWER];
    Console *own = console;
    Status status = {0};
    console = console_start(
        &(ConsoleParams){
            .token = TOKEN, .log = keep_line, .log_context = &told, .part_page = &console_page, .parts = 1},
        &status);
    assert_non_null(console);
    int part = console_part(console, "one");
    assert_int_equal(console_lookers(console, part), 0);
    int opened = visit();
    char request[256];
    int length =
        snprintf(request, sizeof request, "GET /station/one/live HTTP/1.1\r\nHost: localhost:%d\r\n" KNOWN "\r\n",
                 console_port(console));
    assert_int_equal(send(opened, request, (size_t)length, MSG_NOSIGNAL), length);
    console_publish(console, CONSOLE_STATE, "{\"other\":1}", 11);
    console_publish_part(console, part, CONSOLE_GROUND, "{\"mine\":1}", 10);
    hear(opened, answer, "\"mine\"", 5.0);
    assert_contains(answer, "event: ground\ndata: {\"mine\":1}\n\n");
    assert_null(strstr(answer, "other"));
    assert_int_equal(console_lookers(console, part), 1);
    close(opened);
    for (int k = 0; k < 100 && console_lookers(console, part) > 0; k++) {
        console_publish_part(console, part, CONSOLE_GROUND, "{}", 2); // whoever has left is found out by sending
        rest(0.05);
    }
    assert_int_equal(console_lookers(console, part), 0);
    console_stop(console);
    console = own;
}

TEST(what_cannot_start_says_why)
{
    Status status = {0};
    assert_null(console_start(&(ConsoleParams){.port = 65536}, &status));
    assert_contains(status.text, "0..65535");
    assert_null(console_start(&(ConsoleParams){.token = "short"}, &status));
    assert_contains(status.text, "5 bytes were read; allowed are 16..64");
    assert_null(console_start(&(ConsoleParams){.address = "localhost"}, &status));
    assert_contains(status.text, "numeric address");
    assert_null(console_start(&(ConsoleParams){.port = console_port(console)}, &status));
    assert_contains(status.text, "in use");
    assert_null(console_start(&(ConsoleParams){.folder = "/nowhere"}, &status));
    assert_contains(status.text, "/nowhere/console/index.html");
    assert_int_equal(status.code, STATUS_LACKING);
}

TEST_GROUP(open_console, close_console)
