import type { ArtifactToolInput } from "../../../events/artifact-tools.ts";
import type { Artifacts } from "../artifacts.ts";
import { ArtifactError } from "../errors.ts";
import type { FileMetadata } from "../metadata.ts";
import type { ArtifactStore } from "../store/artifact-store.ts";
import { blockBytes, type PlaceIndex } from "../store/verified-files.ts";
import type { ArtifactSession, ArtifactToolAnswer } from "./artifact-session.ts";
import { usable } from "./usable.ts";

const newline = 0x0a;
/** Text in other encodings is read as a whole. */
const maxDecodedBytes = 64 * 1024 * 1024;
/** UTF-8 takes at most three bytes for a UTF-16 code unit. */
const bytesPerUnit = 3;

interface Part {
  readonly text: string;
  /** UTF-16 code units before it, as far as they are known. */
  readonly startChar?: number;
  readonly startLine?: number;
}

export async function artifactRead(
  session: ArtifactSession,
  input: ArtifactToolInput<"artifact_read">,
): Promise<ArtifactToolAnswer> {
  const { store, metadata } = await usable(session, input.id);
  if (metadata.encoding === undefined) throw new ArtifactError("not_text", { recovery: asReference(metadata.id) });
  session.artifacts.usage.add("reads");
  return session.artifacts.explaining(metadata, async () => {
    const text =
      metadata.encoding === "utf-8" ? new Utf8Text(store, metadata) : await decodedText(session.artifacts, metadata);
    const { startLine, endLine, startChar, maxChars } = input;
    if (startLine !== undefined && startChar !== undefined) {
      throw new ArtifactError("invalid_arguments", { detail: "Give lines or characters, not both." });
    }
    const byLines = startLine !== undefined || endLine !== undefined;
    const from = startLine ?? 1;
    if (endLine !== undefined && endLine < from)
      throw new ArtifactError("invalid_arguments", { detail: "endLine lies before startLine." });
    // One more than may be shown tells whether there is more.
    const part = byLines
      ? await text.lines(from, endLine, maxChars + 1)
      : await text.chars(startChar ?? 0, maxChars + 1);
    const shown = part.text.slice(0, maxChars).toWellFormed();
    const isCut = part.text.length > shown.length;
    const next = part.startChar === undefined ? undefined : part.startChar + shown.length;
    return {
      facts: {
        id: metadata.id,
        ...(part.startLine !== undefined && { startLine: part.startLine }),
        ...(part.startChar !== undefined && { startChar: part.startChar }),
        chars: shown.length,
        isCut,
        ...(isCut && next !== undefined && { nextChar: next }),
        totalBytes: metadata.sizeBytes,
      },
      text: shown,
    };
  });
}

const asReference = (id: string) => `Give it to a tool as {"$artifact": ${JSON.stringify(id)}, "as": "base64"}.`;

interface ReadableText {
  lines(from: number, to: number | undefined, maxChars: number): Promise<Part>;
  chars(from: number, maxChars: number): Promise<Part>;
}

/** UTF-8 text, whatever its size: places are found by the index that checking it made. */
class Utf8Text implements ReadableText {
  readonly #store: ArtifactStore;
  readonly #metadata: FileMetadata;

  constructor(store: ArtifactStore, metadata: FileMetadata) {
    this.#store = store;
    this.#metadata = metadata;
  }

  async lines(from: number, to: number | undefined, maxChars: number): Promise<Part> {
    const index = await this.#store.index(this.#metadata);
    const startByte = await this.#lineStart(index, from);
    if (startByte === undefined) return { text: "", startLine: from };
    const bytes = await this.#bytes(startByte, startByte + maxChars * bytesPerUnit);
    const end = to === undefined ? bytes.length : endOfLines(bytes, to - from + 1);
    const before = await this.#unitsBefore(index, startByte);
    return { text: decoded(bytes.subarray(0, end)), startLine: from, startChar: before };
  }

  async chars(from: number, maxChars: number): Promise<Part> {
    const index = await this.#store.index(this.#metadata);
    const block = lastBlockAtMost(index.units, from);
    const bytes = await this.#bytes(block * blockBytes, (block + 1) * blockBytes + maxChars * bytesPerUnit);
    let units = index.units[block] ?? 0;
    let at = 0;
    // The character that holds the wanted unit.
    for (; at < bytes.length && units < from; at++) units += unitsOf(bytes[at] ?? 0);
    while (at < bytes.length && unitsOf(bytes[at] ?? 0) === 0) at++;
    return { text: decoded(bytes.subarray(at, at + maxChars * bytesPerUnit)), startChar: units };
  }

  async #lineStart(index: PlaceIndex, line: number): Promise<number | undefined> {
    const wanted = line - 1;
    if (wanted === 0) return 0;
    if (wanted > (index.newlines.at(-1) ?? 0)) return undefined;
    let block = 0;
    while ((index.newlines[block + 1] ?? Number.POSITIVE_INFINITY) < wanted) block++;
    const bytes = await this.#bytes(block * blockBytes, (block + 1) * blockBytes);
    let [at, seen] = [-1, index.newlines[block] ?? 0];
    while (seen < wanted) {
      at = bytes.indexOf(newline, at + 1);
      if (at === -1) return undefined;
      seen++;
    }
    return block * blockBytes + at + 1;
  }

  async #unitsBefore(index: PlaceIndex, byte: number): Promise<number> {
    const block = Math.floor(byte / blockBytes);
    let units = index.units[block] ?? 0;
    for (const each of await this.#bytes(block * blockBytes, byte)) units += unitsOf(each);
    return units;
  }

  #bytes(start: number, end: number): Promise<Buffer> {
    return this.#store.read(this.#metadata, start, end);
  }
}

const unitsOf = (byte: number) => ((byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1);

function lastBlockAtMost(starts: readonly number[], wanted: number): number {
  let block = 0;
  while (block + 2 < starts.length && (starts[block + 1] ?? Number.POSITIVE_INFINITY) <= wanted) block++;
  return block;
}

function endOfLines(bytes: Buffer, count: number): number {
  let end = -1;
  for (let seen = 0; seen < count; seen++) {
    end = bytes.indexOf(newline, end + 1);
    if (end === -1) return bytes.length;
  }
  return end + 1;
}

/** A character that the end cuts through is left out. */
function decoded(bytes: Buffer): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
}

async function decodedText(artifacts: Artifacts, metadata: FileMetadata): Promise<ReadableText> {
  if (metadata.sizeBytes > maxDecodedBytes) {
    throw new ArtifactError("too_large", { detail: `Text that is not UTF-8 is read up to ${maxDecodedBytes} bytes.` });
  }
  const text = new TextDecoder(metadata.encoding).decode(await artifacts.read(metadata.id));
  return {
    lines: async (from, to, maxChars) => {
      const lines = text.split("\n");
      const startChar = lines.slice(0, from - 1).reduce((sum, line) => sum + line.length + 1, 0);
      return {
        text: lines
          .slice(from - 1, to)
          .join("\n")
          .slice(0, maxChars),
        startLine: from,
        startChar,
      };
    },
    chars: async (from, maxChars) => ({ text: text.slice(from, from + maxChars), startChar: from }),
  };
}
