/// Sentences about devices, for who reads them.
#include <stdio.h>

#include "input/input.h"

#include "data/schema/control_names.h"
#include "data/core/language.h"

static void button_text(const InputNews *news, const TextReader *reader, char text[INPUT_NEWS_TEXT])
{
    int hat = 0;
    const char *way = "";
    if (control_hat_way(news->index, &hat, &way)) {
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s hat %d %s came pressed: let it go and pause once"),
                 news->id, hat + 1, reader_text(reader, way));
    } else {
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s button %d came pressed: let it go and pause once"),
                 news->id, news->index);
    }
}

void input_news_text(const InputNews *news, const TextReader *reader, char text[INPUT_NEWS_TEXT])
{
    switch (news->kind) {
    case INPUT_NEWS_CONNECTED:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s connected"), news->name);
        break;
    case INPUT_NEWS_CONNECTED_AS:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s connected as %s"), news->name, news->id);
        break;
    case INPUT_NEWS_STANDS_FOR:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s is %s"), news->name, news->id);
        break;
    case INPUT_NEWS_MISSING:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s is not plugged in"), news->id);
        break;
    case INPUT_NEWS_LOST:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s lost: its levers are neutral"), news->name);
        break;
    case INPUT_NEWS_TOO_MANY:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s not used: too many pads"), news->name);
        break;
    case INPUT_NEWS_CANNOT_OPEN:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s cannot be opened"), news->name);
        break;
    case INPUT_NEWS_STANDS_BY_SOCKET:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s is %s by the order of sockets: set it up to keep that"),
                 news->name, news->id);
        break;
    case INPUT_NEWS_STANDS_BY_CHANCE:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s is %s by chance: nothing tells it from an equal one"),
                 news->name, news->id);
        break;
    case INPUT_NEWS_STRANGER:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s moves nothing until it is set up"), news->name);
        break;
    case INPUT_NEWS_STRANGER_LOST:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s unplugged"), news->name);
        break;
    case INPUT_NEWS_HELD:
        snprintf(text, INPUT_NEWS_TEXT, reader_text(reader, "%s came with something held: let it go and pause once"),
                 news->name);
        break;
    case INPUT_NEWS_AXIS_HELD:
        snprintf(text, INPUT_NEWS_TEXT,
                 reader_text(reader, "%s axis %d came at %+.2f and rests at %+.2f: let it go and pause once"), news->id,
                 news->index, news->first, news->rest);
        break;
    case INPUT_NEWS_BUTTON_HELD:
        button_text(news, reader, text);
        break;
    case INPUT_NEWS_NONE:
        text[0] = '\0';
        break;
    }
}
