import { createHmac, randomBytes } from "node:crypto";
import { type Credential, findCredentials } from "./find-credentials.ts";

/**
 * What stands in a credential's place: `⟦redacted:kind#a1b2c3⟧`. The number is a keyed digest, so that the same credential
 * is recognised within one run of the program and can be guessed from in none.
 */
const sentinel = /[\u27e6\u301a\u3010[]{1,2}\s*redacted:[a-z0-9-]{1,40}#[0-9a-f]{6}\s*[\u27e7\u301b\u3011\]]{1,2}/i;

export interface Redacted {
  readonly text: string;
  readonly count: number;
}

/** A credential that only shows once another is gone is found by a further look; no text needs more. */
const maxLooks = 6;

/** Takes credentials out of texts; the number of lines stays, and a text that was redacted stays as it is. */
export class Redactor {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array = randomBytes(32)) {
    this.#key = key;
  }

  redact(text: string): Redacted {
    const redactions = this.#redactions(text);
    return { text: without(text, redactions, 0, text.length), count: credentialsIn(redactions) };
  }

  /**
   * A part of a text, with what of a credential lies in it under its mark: what is one is told by what stands around it.
   *
   * @param start in UTF-16 code units; half open
   */
  redactPart(text: string, start: number, end: number): Redacted {
    const redactions = this.#redactions(text).filter((each) => each.start < end && each.end > start);
    return { text: without(text, redactions, start, end), count: credentialsIn(redactions) };
  }

  /** What is taken out of a text, by its own places, ascending and disjoint. */
  #redactions(text: string): Redaction[] {
    let found: Redaction[] = [];
    for (let look = 0; look < maxLooks; look++) {
      const shown = without(text, found, 0, text.length);
      const credentials = outsideSentinels(shown, findCredentials(shown));
      if (credentials.length === 0) break;
      found = merged(found, this.#marked(shown, credentials));
    }
    return found;
  }

  #marked(text: string, credentials: readonly Credential[]): Redaction[] {
    return credentials.flatMap((credential) => {
      const secret = text.slice(credential.start, credential.end);
      const digest = createHmac("sha256", this.#key).update(secret).digest("hex").slice(0, 6);
      const mark = `\u27e6redacted:${credential.kind}#${digest}\u27e7`;
      // Each of its lines has a mark, and its line breaks stay.
      let start = credential.start;
      return secret.split(/(\r\n|\r|\n)/).flatMap((piece, index) => {
        const line = { start, end: start + piece.length, mark, credential };
        start = line.end;
        return index % 2 === 0 ? [line] : [];
      });
    });
  }
}

/** One line of a credential, in the places of the text. */
interface Redaction {
  readonly start: number;
  readonly end: number;
  readonly mark: string;
  readonly credential: Credential;
}

const credentialsIn = (redactions: readonly Redaction[]) => new Set(redactions.map((each) => each.credential)).size;

/** A part of a text with the marks in their places; one that reaches over its edge is there as a whole. */
function without(text: string, redactions: readonly Redaction[], start: number, end: number): string {
  const pieces: string[] = [];
  let at = start;
  for (const each of redactions) {
    pieces.push(text.slice(at, Math.max(at, each.start)), each.mark);
    at = each.end;
  }
  return pieces.join("") + text.slice(Math.min(at, end), end);
}

/** Adds what a further look has found, in the places of the text after the looks before. */
function merged(found: readonly Redaction[], further: readonly Redaction[]): Redaction[] {
  const result: Redaction[] = [];
  let [next, shift] = [0, 0];
  for (const each of further) {
    // Between two marks of the looks before, everything is moved by as much as these are longer than what they stand for.
    for (let known = found[next]; known !== undefined && known.start + shift <= each.start; known = found[next]) {
      shift += known.mark.length - (known.end - known.start);
      result.push(known);
      next++;
    }
    result.push({ ...each, start: each.start - shift, end: each.end - shift });
  }
  return [...result, ...found.slice(next)];
}

const ownSentinel = /\u27e6redacted:[a-z0-9-]{1,40}#[0-9a-f]{6}\u27e7/g;

/** What is left of credentials when what already stands in for one is left alone. */
function outsideSentinels(text: string, credentials: readonly Credential[]): Credential[] {
  if (credentials.length === 0 || !text.includes("\u27e6redacted:")) return [...credentials];
  const sentinels = Array.from(
    text.matchAll(ownSentinel),
    ({ index, 0: mark }) => [index, index + mark.length] as const,
  );
  let next = 0;
  return credentials.filter(({ start, end }) => {
    while ((sentinels[next]?.[1] ?? Number.POSITIVE_INFINITY) <= start) next++;
    return (sentinels[next]?.[0] ?? Number.POSITIVE_INFINITY) >= end;
  });
}

/** The first placeholder of a removed credential in a text, also when a model has changed its brackets. */
export function sentinelIn(text: string): string | undefined {
  return sentinel.exec(text)?.[0];
}
