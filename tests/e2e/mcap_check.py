#!/usr/bin/env python3
"""Reads an MCAP file strictly, by the format's text alone (https://mcap.dev/spec), and holds it to what readers need.

    mcap_check.py FILE [--part] [--without TEXT]    counts, as JSON; ends with 1 and a line at the first fault
    mcap_check.py FILE --topic TOPIC                the messages of a topic, one line each: ns, JSON
    mcap_check.py --itself FILE                     checks that faults are found: copies of FILE, one fault each

Checked are: every record's size; the checksums of chunks, attachments, data and summary; each chunk's times against its
messages; message indexes, chunk indexes, summary offsets and statistics against what lies in the file; the order of
times; each message against its JSON schema. --part: the file was cut off, so that it ends within a record or without
summary; what is whole is checked. --without: a text that is in no byte of it, compressed or not. Needs zstd.
"""
import json
import struct
import subprocess
import sys
import zlib

MAGIC = b"\x89MCAP0\r\n"
(HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX, ATTACHMENT, ATTACHMENT_INDEX, STATISTICS,
 METADATA, METADATA_INDEX, SUMMARY_OFFSET, DATA_END) = range(1, 16)


class Fault(Exception):
    """What is wrong with a file."""


def expect(condition, what):
    if not condition:
        raise Fault(what)


class Fields:
    """The content of a record, read from its beginning to its end."""

    def __init__(self, data, what):
        self.data, self.at, self.what = data, 0, what

    def take(self, size):
        expect(self.at + size <= len(self.data), f"{self.what}: its fields are longer than it")
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, size):
        return int.from_bytes(self.take(size), "little")

    def text(self):
        return self.take(self.number(4)).decode("utf-8")

    def pairs(self, read):
        inner = Fields(self.take(self.number(4)), self.what)
        found = []
        while inner.at < len(inner.data):
            found.append(read(inner))
        return found

    def end(self):
        expect(self.at == len(self.data), f"{self.what}: {len(self.data) - self.at} bytes behind its fields")


def records(data, begin, end, part=False):
    """Yields place, opcode and content of each record."""
    at = begin
    while at < end:
        whole = at + 9 <= end and at + 9 + int.from_bytes(data[at + 1:at + 9], "little") <= end
        if part and not whole:
            return
        expect(whole, f"the record at {at} is longer than what it lies in")
        size = int.from_bytes(data[at + 1:at + 9], "little")
        yield at, data[at], data[at + 9:at + 9 + size]
        at += 9 + size


def decompress(packed, size):
    done = subprocess.run(["zstd", "-d", "-q", "-c"], input=packed, capture_output=True, check=False)
    expect(done.returncode == 0, "a chunk cannot be decompressed: " + done.stderr.decode())
    expect(len(done.stdout) == size, f"a chunk of {size} bytes decompresses to {len(done.stdout)}")
    return done.stdout


KINDS = {"object": dict, "array": list, "string": str, "boolean": bool}


def fits(value, schema, path):
    """Holds a value to the part of JSON schema that the files use; an unknown word in a schema is a fault, too."""
    known = {"title", "description", "type", "properties", "required", "items", "minimum", "maximum", "contentEncoding",
             "oneOf", "const"}
    expect(set(schema) <= known, f"{path}: the schema says {set(schema) - known}")
    if "oneOf" in schema:
        expect(value in [one["const"] for one in schema["oneOf"]], f"{path} is {value}, none of the schema's choices")
        return
    kind = schema["type"]
    if kind in ("number", "integer"):
        expect(isinstance(value, (int, float)) and not isinstance(value, bool), f"{path} is {value!r}, no number")
        expect(kind == "number" or isinstance(value, int), f"{path} is {value}, no whole number")
        expect(schema.get("minimum", value) <= value <= schema.get("maximum", value), f"{path} is {value}: out of range")
        return
    expect(isinstance(value, KINDS[kind]), f"{path} is {value!r}, no {kind}")
    if kind == "array":
        for k, one in enumerate(value):
            fits(one, schema["items"], f"{path}[{k}]")
    if kind == "object":
        for name in schema.get("required", []):
            expect(name in value, f"{path}.{name} is missing")
        for name, one in value.items():
            expect(name in schema["properties"], f"{path}.{name} is not in the schema")
            fits(one, schema["properties"][name], f"{path}.{name}")


def read_schema(data):
    fields = Fields(data, "a schema")
    number, name, encoding = fields.number(2), fields.text(), fields.text()
    text = fields.take(fields.number(4))
    fields.end()
    expect(number > 0 and encoding == "jsonschema", f"schema {number} {name} is {encoding}")
    schema = json.loads(text)
    expect(schema["type"] == "object", f"schema {name} is of no object")
    return number, (name, schema, bytes(data))


def read_channel(data):
    fields = Fields(data, "a channel")
    number, schema, topic, encoding = fields.number(2), fields.number(2), fields.text(), fields.text()
    fields.pairs(lambda inner: (inner.text(), inner.text()))
    fields.end()
    expect(encoding == "json", f"channel {topic} is {encoding}")
    return number, (topic, schema, bytes(data))


class File:
    """What a file holds, from its data section."""

    def __init__(self, data, part):
        self.data, self.part = data, part
        self.schemas, self.channels, self.metadata = {}, {}, {}
        self.messages = []  # topic, time, sequence, value
        self.chunks = []  # place, size, begin, end, packed size, size of its records, {channel: place of index}, size of indexes
        self.attachments, self.metadata_places, self.texts = [], [], []
        self.indexed = {}
        self.end = None

    def add(self, opcode, content):
        """A record that lies in a chunk."""
        expect(opcode in (SCHEMA, CHANNEL, MESSAGE), f"a chunk holds a record of kind {opcode}")
        if opcode == SCHEMA:
            number, schema = read_schema(content)
            expect(self.schemas.setdefault(number, schema) == schema, f"schema {number} changes")
        elif opcode == CHANNEL:
            number, channel = read_channel(content)
            expect(channel[1] in self.schemas, f"channel {channel[0]} stands before its schema")
            expect(self.channels.setdefault(number, channel) == channel, f"channel {number} changes")
        else:
            fields = Fields(content, "a message")
            channel, sequence, logged, published = (fields.number(size) for size in (2, 4, 8, 8))
            expect(channel in self.channels, f"a message of channel {channel}, which is not there yet")
            expect(logged == published, "a message was published at another time than logged")
            topic, schema, _ = self.channels[channel]
            value = json.loads(content[fields.at:].decode("utf-8"), parse_constant=lambda text: expect(False, text))
            fits(value, self.schemas[schema][1], f"{topic} at {logged}")
            self.messages.append((topic, logged, sequence, value))
            return channel, logged
        return None

    def chunk(self, place, content):
        fields = Fields(content, f"the chunk at {place}")
        begin, end, size, checksum = (fields.number(n) for n in (8, 8, 8, 4))
        compression, packed = fields.text(), fields.take(fields.number(8))
        fields.end()
        expect(compression == "zstd", f"a chunk is compressed by {compression}")
        inner = decompress(packed, size)
        self.texts.append(inner)
        expect(zlib.crc32(inner) == checksum, f"the chunk at {place} has another checksum")
        self.indexed, times = {}, []
        for at, opcode, data in records(inner, 0, len(inner)):
            found = self.add(opcode, data)
            if found is not None:
                self.indexed.setdefault(found[0], []).append((found[1], at))
                times.append(found[1])
        expect(times and (min(times), max(times)) == (begin, end), f"the chunk at {place} has other times than its messages")
        self.chunks.append([place, 9 + len(content), begin, end, len(packed), size, {}, 0])

    def message_index(self, place, content):
        fields = Fields(content, "a message index")
        channel = fields.number(2)
        found = fields.pairs(lambda inner: (inner.number(8), inner.number(8)))
        fields.end()
        expect(found == self.indexed.pop(channel, None), f"the index at {place} is not of its chunk's messages of {channel}")
        self.chunks[-1][6][channel] = place
        self.chunks[-1][7] += 9 + len(content)

    def attachment(self, place, content):
        fields = Fields(content, "an attachment")
        logged, created, name, media = fields.number(8), fields.number(8), fields.text(), fields.text()
        data = fields.take(fields.number(8))
        expect(fields.number(4) == zlib.crc32(content[:-4]), f"attachment {name} has another checksum")
        fields.end()
        self.attachments.append((place, 9 + len(content), logged, created, len(data), name, media))

    def read_data(self):
        expect(self.data[:8] == MAGIC, "it does not begin as MCAP does")
        for place, opcode, content in records(self.data, 8, len(self.data), self.part):
            if place == 8:
                expect(opcode == HEADER, "the first record is no header")
                header = Fields(content, "the header")
                expect(header.text() == "" and header.text().startswith("spadework "), "it is of another program")
                header.end()
            elif opcode == CHUNK:
                expect(not self.indexed, f"channels {sorted(self.indexed)} of a chunk have no index")
                self.chunk(place, content)
            elif opcode == MESSAGE_INDEX:
                self.message_index(place, content)
            elif opcode == ATTACHMENT:
                self.attachment(place, content)
            elif opcode == METADATA:
                fields = Fields(content, "metadata")
                name = fields.text()
                self.metadata[name] = dict(fields.pairs(lambda inner: (inner.text(), inner.text())))
                fields.end()
                self.metadata_places.append((place, 9 + len(content), name))
            elif opcode == DATA_END:
                expect(int.from_bytes(content, "little") == zlib.crc32(self.data[:place]), "the data have another checksum")
                self.end = place + 9 + len(content)
                break
            else:
                raise Fault(f"a record of kind {opcode} lies in the data")
        expect(self.part or not self.indexed, f"channels {sorted(self.indexed)} of a chunk have no index")
        expect(self.part or self.end is not None, "the data have no end")

    def check_times(self):
        last = {}
        for topic, time, sequence, _ in self.messages:
            before = last.get(topic, (0, -1))
            expect(time >= before[0] and sequence == before[1] + 1, f"{topic} goes from {before} to {time}, {sequence}")
            last[topic] = (time, sequence)

    def footer(self):
        data = self.data
        expect(data[-8:] == MAGIC, "it does not end as MCAP does")
        at = len(data) - 8 - 9 - 20
        expect(data[at] == FOOTER and int.from_bytes(data[at + 1:at + 9], "little") == 20, "the last record is no footer")
        summary, offsets, checksum = struct.unpack("<QQI", data[at + 9:at + 29])
        expect(summary == self.end, f"the summary begins at {self.end}, and not at {summary}")
        expect(checksum == zlib.crc32(data[summary:at + 25]), "the summary has another checksum")
        return summary, offsets, at

    def check_summary(self):
        summary, offsets, footer = self.footer()
        groups, kinds = {}, []
        schemas, channels, chunks, attachments, metadata, statistics = {}, {}, [], [], [], None
        for place, opcode, content in records(self.data, summary, footer):
            fields = Fields(content, f"the summary's record at {place}")
            if opcode != SUMMARY_OFFSET:
                expect(place < offsets, "a record stands behind the summary offsets")
                expect(kinds[-1:] == [opcode] or opcode not in kinds, f"records of kind {opcode} do not stand together")
                kinds.append(opcode)
                begin, size = groups.get(opcode, (place, 0))
                groups[opcode] = (begin, size + 9 + len(content))
            if opcode == SCHEMA:
                schemas.update([read_schema(content)])
            elif opcode == CHANNEL:
                channels.update([read_channel(content)])
            elif opcode == CHUNK_INDEX:
                begin, end, at, size = (fields.number(8) for _ in range(4))
                places = dict(fields.pairs(lambda inner: (inner.number(2), inner.number(8))))
                indexes, compression = fields.number(8), fields.text()
                packed, whole = fields.number(8), fields.number(8)
                expect(compression == "zstd", "a chunk index names another compression")
                chunks.append([at, size, begin, end, packed, whole, places, indexes])
                fields.end()
            elif opcode == ATTACHMENT_INDEX:
                attachments.append(tuple(fields.number(8) for _ in range(5)) + (fields.text(), fields.text()))
                fields.end()
            elif opcode == METADATA_INDEX:
                metadata.append((fields.number(8), fields.number(8), fields.text()))
                fields.end()
            elif opcode == STATISTICS:
                statistics = [fields.number(size) for size in (8, 2, 4, 4, 4, 4, 8, 8)]
                statistics.append(dict(fields.pairs(lambda inner: (inner.number(2), inner.number(8)))))
                fields.end()
            elif opcode == SUMMARY_OFFSET:
                kind, begin, size = fields.number(1), fields.number(8), fields.number(8)
                expect(place >= offsets and groups.pop(kind, None) == (begin, size), f"the summary offset of kind {kind} is wrong")
                fields.end()
            else:
                raise Fault(f"a record of kind {opcode} lies in the summary")
        expect(not groups, f"records of kinds {sorted(groups)} have no summary offset")
        expect(schemas == self.schemas and channels == self.channels, "the summary has other schemas or channels than the data")
        expect(chunks == self.chunks, "the chunk indexes are not those of the chunks")
        expect(attachments == self.attachments, "the attachment indexes are not those of the attachments")
        expect(metadata == self.metadata_places, "the metadata index is not that of the metadata")
        counts, times = {}, [time for _, time, _, _ in self.messages]
        for number, (topic, _, _) in self.channels.items():
            count = sum(1 for message in self.messages if message[0] == topic)
            counts.update({number: count} if count > 0 else {})
        expect(statistics == [len(self.messages), len(schemas), len(channels), len(attachments), len(metadata), len(chunks),
                              min(times), max(times), counts], "the statistics are not those of the file")


def read(path, part=False):
    with open(path, "rb") as opened:
        file = File(opened.read(), part)
    file.read_data()
    file.check_times()
    if not part:
        file.check_summary()
    return file


def counted(file):
    counts = {topic: 0 for topic, _, _ in file.channels.values()}
    for topic, _, _, _ in file.messages:
        counts[topic] += 1
    return {"messages": counts, "chunks": len(file.chunks), "last": max(time for _, time, _, _ in file.messages),
            "schemas": {topic: file.schemas[schema][0] for topic, schema, _ in file.channels.values()},
            "attachments": [one[5] for one in file.attachments], "metadata": file.metadata}


def check_itself(path):
    """Spoils a byte in each kind of record; every copy must be refused."""
    with open(path, "rb") as opened:
        good = opened.read()
    file = File(good, False)
    file.read_data()
    places = [file.chunks[0][0] + 60, file.chunks[0][6][0] + 20, file.attachments[0][0] + 60, file.metadata_places[0][0] + 40]
    places += [len(good) - 9, len(good) - 20, len(good) - 1]
    places += [place + 12 for place, _, _ in records(good, file.end, len(good) - 37)]
    for place in places:
        bad = bytearray(good)
        bad[place] ^= 1
        # A changed summary has to be found by what it says, too, and not by its checksum alone.
        for mended in (False, True):
            if mended and not file.end <= place < len(good) - 20:
                continue
            if mended:
                bad[-12:-8] = struct.pack("<I", zlib.crc32(bad[file.end:len(bad) - 12]))
            spoilt = File(bytes(bad), False)
            try:
                spoilt.read_data()
                spoilt.check_times()
                spoilt.check_summary()
            except (Fault, UnicodeDecodeError, ValueError):
                continue
            raise Fault(f"a wrong byte at {place} of {len(good)} is not found")


def main(words):
    try:
        if words[0] == "--itself":
            check_itself(words[1])
            return 0
        file = read(words[0], "--part" in words)
        if "--without" in words:
            text = words[words.index("--without") + 1].encode()
            expect(all(text not in data for data in [file.data] + file.texts), f"it holds {text.decode()}")
        if "--topic" in words:
            topic = words[words.index("--topic") + 1]
            for name, time, _, value in file.messages:
                if name == topic:
                    print(time, json.dumps(value))
        else:
            print(json.dumps(counted(file), indent=1))
        return 0
    except Fault as fault:
        print(f"mcap_check.py: {words[0]}: {fault}")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
