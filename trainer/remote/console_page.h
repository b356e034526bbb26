/// What a page is made of: its files, and the texts that are published to it. Constant; any thread.
#ifndef SPADEWORK_TRAINER_CONSOLE_PAGE_H
#define SPADEWORK_TRAINER_CONSOLE_PAGE_H

#include <stddef.h>

enum { CONSOLE_FILES_MOST = 12, CONSOLE_CHANNELS_MOST = 5, CONSOLE_DOCUMENTS_MOST = 2 };

/// A file of a page, read once at the start.
typedef struct ConsoleFileRow {
    const char *path; ///< behind the page's own: "", "console.js"
    const char *name; ///< below the shipped data: "console/console.js"
    const char *type; ///< media type
} ConsoleFileRow;

/// Something that a browser opens by its address, which holds a ticket in the place of the token.
typedef struct ConsoleDocumentRow {
    const char *path; ///< behind `offered/TICKET/`
    const char *type; ///< media type
    const char *policy; ///< what it may do: a Content-Security-Policy
} ConsoleDocumentRow;

typedef struct ConsolePage {
    int file_count; ///< 1..CONSOLE_FILES_MOST
    ConsoleFileRow files[CONSOLE_FILES_MOST];
    int channel_count; ///< 1..CONSOLE_CHANNELS_MOST
    const char
        *channels[CONSOLE_CHANNELS_MOST]; ///< name of the events, and path of the newest text behind the page's own
    int document_count; ///< 0..CONSOLE_DOCUMENTS_MOST; of the page at / alone
    ConsoleDocumentRow documents[CONSOLE_DOCUMENTS_MOST];
} ConsolePage;

/// What is published to the console's page. The newest of each counts.
typedef enum ConsoleChannel {
    CONSOLE_STATE, ///< what changes all the time
    CONSOLE_GROUND, ///< the ground around the machine, now and then
    CONSOLE_SCENES, ///< what may be loaded
    CONSOLE_ANSWERS, ///< how the last orders went, where that is known only later
    CONSOLE_CHOICES, ///< courses and trainees
    CONSOLE_CHANNELS
} ConsoleChannel;

/// What the console's page offers.
typedef enum ConsoleDocument {
    CONSOLE_DEBRIEF, ///< of the last drive that was recorded
    CONSOLE_PICTURE, ///< what the operator sees
    CONSOLE_DOCUMENTS
} ConsoleDocument;

/// The page of one drive: data/console/.
extern const ConsolePage console_page;

#endif
