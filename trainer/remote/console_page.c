/// The console's own page.
#include "trainer/remote/console_page.h"

// clang-format off
const ConsolePage console_page = {
    .file_count = 8,
    .files = {{"", "console/index.html", "text/html"},
              {"page.js", "console/page.js", "text/javascript"},
              {"console.js", "console/console.js", "text/javascript"},
              {"drawing.js", "console/drawing.js", "text/javascript"},
              {"console.css", "console/console.css", "text/css"},
              {"en.json", "console/en.json", "application/json"},
              {"de.json", "console/de.json", "application/json"},
              {"es.json", "console/es.json", "application/json"}},
    .channel_count = CONSOLE_CHANNELS,
    .channels = {"state", "ground", "scenes", "answers", "choices"},
    .document_count = CONSOLE_DOCUMENTS,
    .documents = {{"debrief", "text/html; charset=utf-8",
                   "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups; "
                   "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
                  {"picture", "image/png", "default-src 'none'"}},
};
// clang-format on
