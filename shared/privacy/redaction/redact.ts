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
    let shown = text;
    let count = 0;
    for (let look = 0; look < maxLooks; look++) {
      const credentials = outsideSentinels(shown, findCredentials(shown));
      if (credentials.length === 0) break;
      shown = this.#replaced(shown, credentials);
      count += credentials.length;
    }
    return { text: shown, count };
  }

  #replaced(text: string, credentials: readonly Credential[]): string {
    const pieces: string[] = [];
    let at = 0;
    for (const { start, end, kind } of credentials) {
      const secret = text.slice(start, end);
      const digest = createHmac("sha256", this.#key).update(secret).digest("hex").slice(0, 6);
      const mark = `\u27e6redacted:${kind}#${digest}\u27e7`;
      const breaks = secret.match(/\r\n|\r|\n/g) ?? [];
      pieces.push(text.slice(at, start), mark, ...breaks.map((each) => each + mark));
      at = end;
    }
    return pieces.join("") + text.slice(at);
  }
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
