import { createHmac, randomBytes } from "node:crypto";
import { findCredentials } from "../../access/redaction/find-credentials.ts";

/**
 * What stands in a credential's place: `⟦redacted:kind#a1b2c3⟧`. The number is a keyed digest, so that the same credential
 * is recognised within one run of the program and can be guessed from in none.
 */
const sentinel = /[\u27e6\u301a\u3010[]{1,2}\s*redacted:[a-z0-9-]{1,40}#[0-9a-f]{6}\s*[\u27e7\u301b\u3011\]]{1,2}/i;

export interface Redacted {
  readonly text: string;
  readonly count: number;
}

/** Takes credentials out of texts; the number of lines stays. */
export class Redactor {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array = randomBytes(32)) {
    this.#key = key;
  }

  redact(text: string): Redacted {
    const credentials = findCredentials(text);
    let shown = "";
    let at = 0;
    for (const { start, end, kind } of credentials) {
      const secret = text.slice(start, end);
      const mark = `\u27e6redacted:${kind}#${createHmac("sha256", this.#key).update(secret).digest("hex").slice(0, 6)}\u27e7`;
      const breaks = secret.match(/\r\n|\r|\n/g) ?? [];
      shown += text.slice(at, start) + mark + breaks.map((each) => each + mark).join("");
      at = end;
    }
    return { text: shown + text.slice(at), count: credentials.length };
  }
}

/** The first placeholder of a removed credential in a text, also when a model has changed its brackets. */
export function sentinelIn(text: string): string | undefined {
  return sentinel.exec(text)?.[0];
}
