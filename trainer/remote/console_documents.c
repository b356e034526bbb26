/// What a browser opens by itself, without a header of the page's: a ticket in the address stands for the token. It
/// lets nobody order anything.
#include <stdlib.h>
#include <string.h>

#include "trainer/remote/console_internal.h"

const char *console_ticket(const Console *console)
{
    return console->ticket;
}

void console_offer(Console *console, int document, const char *bytes, size_t size)
{
    char *copy = size > 0 ? malloc(size) : NULL;
    if (copy != NULL) {
        memcpy(copy, bytes, size);
    }
    pthread_mutex_lock(&console->lock);
    char *before = console->documents[document].bytes;
    console->documents[document] = (ConsoleOffer){copy, copy != NULL ? size : 0};
    pthread_mutex_unlock(&console->lock);
    free(before);
}

bool console_is_wanted(Console *console, int document)
{
    pthread_mutex_lock(&console->lock);
    double asked = console->asked[document];
    pthread_mutex_unlock(&console->lock);
    return asked > 0.0 && console_clock() - asked < CONSOLE_INTEREST;
}

/// Takes a time that depends on no letter of it.
static bool is_ticket(const char *text, const char ticket[CONSOLE_TICKET])
{
    unsigned char differs = 0;
    if (strlen(text) < CONSOLE_TICKET - 1) {
        return false;
    }
    for (size_t k = 0; k < CONSOLE_TICKET - 1; k++) {
        differs |= (unsigned char)(text[k] ^ ticket[k]);
    }
    return differs == 0;
}

int console_find_document(const Console *console, const char *path)
{
    static const char folder[] = "offered/";
    const ConsolePage *page = console->kinds[CONSOLE_OWN].page;
    if (strncmp(path, folder, sizeof folder - 1) != 0 || !is_ticket(path + sizeof folder - 1, console->ticket)) {
        return -1;
    }
    const char *rest = path + sizeof folder - 1 + CONSOLE_TICKET - 1;
    int found = -1;
    for (int k = 0; k < page->document_count && rest[0] == '/'; k++) {
        found = strcmp(page->documents[k].path, rest + 1) == 0 ? k : found;
    }
    return found;
}

enum MHD_Result console_answer_document(Console *console, struct MHD_Connection *connection, int document)
{
    static const char nothing[] = "there is none yet";
    const ConsoleDocumentRow *row = &console->kinds[CONSOLE_OWN].page->documents[document];
    pthread_mutex_lock(&console->lock);
    const ConsoleOffer *text = &console->documents[document];
    console->asked[document] = console_clock();
    bool is_there = text->bytes != NULL;
    const char *bytes = is_there ? text->bytes : nothing;
    // MHD copies it, though it asks for bytes that it may write to.
    struct MHD_Response *response = MHD_create_response_from_buffer(is_there ? text->size : sizeof nothing - 1,
                                                                    (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY);
    pthread_mutex_unlock(&console->lock);
    if (response == NULL) {
        return MHD_NO;
    }
    console_add_policy_headers(response, is_there ? row->type : "text/plain", row->policy);
    enum MHD_Result result = MHD_queue_response(connection, is_there ? MHD_HTTP_OK : MHD_HTTP_NOT_FOUND, response);
    MHD_destroy_response(response);
    return result;
}
