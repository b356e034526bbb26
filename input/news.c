/// Sentences about devices, for who reads them.
#include <stdio.h>

#include "input/input.h"

#include "data/language/language.h"

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
    case INPUT_NEWS_NONE:
        text[0] = '\0';
        break;
    }
}
