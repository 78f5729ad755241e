import type { SessionSealer } from "../../privacy/session-sealer.ts";
import { Transient } from "../../privacy/transient.ts";
import type { Quoted } from "./conversation.ts";

const nonceCharacters = 22;

/**
 * Makes text of others data. The nonce is a MAC of the text under a key of the session: whoever wrote the text cannot know
 * it and no text can hold its own, and the same list of files is the same prompt as long as the session lives, so that a
 * provider's prefix cache knows it.
 *
 * @param about what it is: another nonce for each
 */
export function quote(sealer: SessionSealer, about: string, text: string): Quoted {
  const name = sealer.nameOf(new Transient(text), `quoted ${about}`);
  return { nonce: name.slice("fil_".length, "fil_".length + nonceCharacters), text };
}

/**
 * The text between its marker lines, without halves of characters, which model services refuse.
 * @param what of our own, never of the text's
 */
export function quotation({ nonce, text }: Quoted, what: string): string {
  return `<<<DATA ${nonce} ${what}>>>\n${text.toWellFormed()}\n<<<END ${nonce}>>>`;
}
