/// The page of all stations has files of its own, and shares the console's looks.
#include "trainer/remote/classroom_page.h"

// clang-format off
const ConsolePage classroom_page = {
    .file_count = 9,
    .files = {{"", "classroom/index.html", "text/html"},
              {"page.js", "console/page.js", "text/javascript"},
              {"classroom.js", "classroom/classroom.js", "text/javascript"},
              {"lesson.js", "classroom/lesson.js", "text/javascript"},
              {"console.css", "console/console.css", "text/css"},
              {"classroom.css", "classroom/classroom.css", "text/css"},
              {"en.json", "classroom/en.json", "application/json"},
              {"de.json", "classroom/de.json", "application/json"},
              {"es.json", "classroom/es.json", "application/json"}},
    .channel_count = CLASSROOM_CHANNELS,
    .channels = {"stations", "lessons", "orders"},
};
// clang-format on
