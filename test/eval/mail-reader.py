"""Another reader of mail, for `npm run eval -- mime`: Python's own `email` and `html.parser`, by rules of its own.

Reads paths from standard input, one a line, and writes one JSON object a line: {"path", "text"}.

What a mail program shows: of `multipart/alternative` the HTML version, rendered, else the plain one; of other containers
their inline text parts in order. Files (a disposition of attachment, or a file's name) and attached messages are skipped.
"""
import email
import email.policy
import json
import re
import sys
from html.parser import HTMLParser

UNSHOWN = {"head", "style", "script", "title", "template", "noscript"}
BREAKS = {"p", "br", "div", "tr", "li", "td", "th", "h1", "h2", "h3", "h4", "table", "ul", "ol", "blockquote", "hr", "pre"}


class Rendered(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.pieces = []
        self.unshown = 0

    def handle_starttag(self, tag, attrs):
        if tag in UNSHOWN:
            self.unshown += 1
        if tag in BREAKS:
            self.pieces.append("\n")
        if tag == "body":
            # A head that was never closed does not swallow the body.
            self.unshown = 0
        if tag == "img":
            self.pieces.append(" " + (dict(attrs).get("alt") or "") + " ")

    def handle_endtag(self, tag):
        if tag in UNSHOWN and self.unshown:
            self.unshown -= 1
        if tag in BREAKS:
            self.pieces.append("\n")

    def handle_data(self, data):
        if not self.unshown:
            self.pieces.append(data)


def rendered(html):
    parser = Rendered()
    parser.feed(html)
    parser.close()
    return "".join(parser.pieces)


def decoded(part):
    encoding = part.get("Content-Transfer-Encoding")
    if encoding is not None:
        # Blanks around it are no part of it; `email` takes them for one.
        del part["Content-Transfer-Encoding"]
        part["Content-Transfer-Encoding"] = str(encoding).strip()
    data = part.get_payload(decode=True) or b""
    charset = part.get_content_charset() or ""
    # What says ASCII, and has more, says nothing.
    declared = [] if charset in ("", "us-ascii", "ascii") else [charset]
    for name in [*declared, "utf-8"]:
        try:
            return data.decode(name)
        except (LookupError, UnicodeError):
            pass
    try:
        return data.decode((declared or ["cp1252"])[0], "replace")
    except LookupError:
        return data.decode("cp1252", "replace")


def is_file(part):
    return part.get_content_disposition() == "attachment" or bool(part.get_filename())


def shown(part):
    """The text of a part, and whether HTML is in it."""
    kind = part.get_content_type()
    if part.get_content_maintype() == "multipart" and isinstance(part.get_payload(), list):
        children = [(child, *shown(child)) for child in part.get_payload()]
        if kind == "multipart/alternative":
            said = [(text, html) for _, text, html in children if text.strip()]
            rich = [each for each in said if each[1]]
            return (rich or said or [("", False)])[-1]
        return "\n".join(text for _, text, _ in children), any(html for _, _, html in children)
    if part.get_content_maintype() == "multipart":
        # No boundary was found: all there is, is text.
        return str(part.get_payload() or ""), False
    if part.get_content_maintype() != "text" or is_file(part) or kind in ("text/calendar", "text/rfc822-headers"):
        return "", False
    text = decoded(part)
    if kind == "text/html":
        return rendered(text), True
    if kind in ("text/enriched", "text/richtext"):
        text = re.sub(r"(?s)<(param|comment)>.*?</\1>", "", text.replace("<<", "&lt;"))
        return rendered(text), False
    return text, False


def letter(raw):
    # A byte order mark, and the line that archives put before a mail, are not its header.
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    if raw.startswith((b"From ", b">From ")):
        raw = raw.split(b"\n", 1)[-1]
    try:
        return shown(email.message_from_bytes(raw, policy=email.policy.default))[0]
    except Exception:  # The newer reader stumbles on some broken headers, the older one on folded boundaries.
        return shown(email.message_from_bytes(raw, policy=email.policy.compat32))[0]


def main():
    for line in sys.stdin:
        path = line.rstrip("\n")
        with open(path, "rb") as file:
            raw = file.read()
        try:
            text = letter(raw)
            answer = {"path": path, "text": text.encode("utf-8", "replace").decode("utf-8")}
        except Exception as error:  # Whatever it stumbles on is its own.
            answer = {"path": path, "failure": type(error).__name__}
        print(json.dumps(answer), flush=True)


main()
