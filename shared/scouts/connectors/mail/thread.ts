import { createHmac } from "node:crypto";
import { fieldOf, type HeaderField } from "./part.ts";

/** The first id of References stands at its front; a field may have 100,000 characters all the same. */
const mostFieldCharacters = 8_000;
/** RFC 5322 §2.1.1: no line is longer, and an id is not folded. */
const mostIdCharacters = 998;

/**
 * The conversation a mail belongs to, for sources that have no id of their own for it: an HMAC-SHA-256 of the Message-ID
 * its conversation began with. Message-IDs name hosts, programs and times, and are sent around with every answer, so they
 * stay where they are; under a key of the person nobody can try out ids on what is kept of them.
 *
 * The root is the first id of References (RFC 5322 §3.6.4 keeps it when the field is shortened), else the one of
 * In-Reply-To, else the mail's own. An answer that names only a mail in the middle begins a conversation of its own.
 *
 * @param key a secret of the person, 32 bytes
 * @returns `undefined` when the mail names no id at all: it stands alone
 */
export function threadRefOf(key: Uint8Array, headers: readonly HeaderField[]): string | undefined {
  const root = rootIdOf(headers);
  return root && `t${createHmac("sha256", key).update(`thread\n${root}`).digest("base64url")}`;
}

function rootIdOf(headers: readonly HeaderField[]): string | undefined {
  for (const name of ["references", "in-reply-to", "message-id"]) {
    const id = firstIdIn(fieldOf(headers, name).slice(0, mostFieldCharacters));
    if (id !== undefined) return id;
  }
  return undefined;
}

/** White space within is what folding has left. */
function firstIdIn(field: string): string | undefined {
  const [, inner = ""] = /<([^<>]*)>/.exec(field) ?? [];
  const id = inner.replace(/\s+/g, "");
  return id === "" || id.length > mostIdCharacters ? undefined : id;
}
