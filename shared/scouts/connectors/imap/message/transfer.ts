/** What programs from before MIME call it (POSIX.1, uuencode). */
const uuencode: ReadonlySet<string> = new Set(["x-uuencode", "uuencode", "x-uue", "uue"]);

/** The bytes of a part, its transfer encoding undone (RFC 2045 §6). The text may end anywhere; what is left over goes. */
export function transferDecoded(bytes: Uint8Array, encoding: string): Uint8Array {
  // Some programs put it in quotes, or a remark behind it.
  const [, name = ""] = /^[\s"']*([\w-]{1,40})/.exec(encoding.toLowerCase()) ?? [];
  if (name === "base64") return unbase64(bytes);
  if (uuencode.has(name)) return unuuencoded(bytes);
  return name === "quoted-printable" ? unquoted(bytes) : bytes;
}

function unbase64(bytes: Uint8Array): Uint8Array {
  // Whatever is not of the alphabet is skipped (RFC 2045 §6.8); a pad ends a piece, and some programs put several one behind the other.
  const text = withoutFooter(Buffer.from(bytes).toString("latin1")).replace(/[^A-Za-z\d+/=]/g, "");
  return Buffer.concat(
    text
      .split(/=+/)
      .map((piece) => Buffer.from(piece.slice(0, piece.length - (piece.length % 4 === 1 ? 1 : 0)), "base64")),
  );
}

/**
 * Lists put their footer below a letter as it is, also where that is base64. It begins with the first line that is none,
 * unless nothing stands above that, or a line of base64 below: then the letter itself has something foreign in it.
 */
function withoutFooter(text: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => /[^A-Za-z\d+/=\s]|\S[ \t]\S/.test(line));
  const letter = lines.slice(0, Math.max(0, first)).join("\n");
  const goesOn = lines.slice(Math.max(0, first)).some((line) => /^[A-Za-z\d+/]{40,}={0,2}\s?$/.test(line));
  return letter.trim() === "" || goesOn ? text : letter;
}

function unquoted(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes)
    .toString("latin1")
    .replace(/(?<![ \t])[ \t]+(?=\r?\n)/g, "")
    .replace(/=\r?\n/g, "")
    .replace(/=(?:[\dA-Fa-f]?)$/, "")
    .replace(/=([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, "latin1");
}

/** What stands between its marks; all of it as it is where they are missing. */
function unuuencoded(bytes: Uint8Array): Uint8Array {
  const lines = Buffer.from(bytes).toString("latin1").split(/\r?\n/);
  const first = lines.findIndex((line) => /^begin [0-7]{3,4} /.test(line)) + 1;
  const found: Buffer[] = [];
  for (const line of first === 0 ? [] : lines.slice(first)) {
    if (line === "end") break;
    const length = (line.charCodeAt(0) - 32) & 63;
    if (line !== "" && length > 0) found.push(sixBitBytes(line.slice(1)).subarray(0, length));
  }
  return found.length === 0 ? bytes : Buffer.concat(found);
}

/** Four characters are three bytes: a blank or a backtick is 0, and what is missing at the end is left out. */
function sixBitBytes(characters: string): Buffer {
  const found = Buffer.alloc(Math.floor((characters.length * 3) / 4));
  for (let at = 0; at + 1 < characters.length; at += 4) {
    const bits = [0, 1, 2, 3].reduce(
      (sum, place) => sum * 64 + ((characters.charCodeAt(at + place) - 32) & 63 || 0),
      0,
    );
    for (const [place, shift] of [16, 8, 0].entries()) {
      const to = (at / 4) * 3 + place;
      if (to < found.length) found[to] = (bits >> shift) & 255;
    }
  }
  return found;
}
