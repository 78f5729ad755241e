import { randomBytes } from "node:crypto";

/** 128 bits: nobody who wrote the content beforehand can have known it. */
export const randomNonce = (): string => randomBytes(16).toString("hex");

/** A path or name as one harmless line: quoted, controls, separators and invisible characters escaped. */
export const escapedName = (name: string): string => escapedJson(name);

/** A value as one harmless line of JSON; read back it is the same. */
export function escapedJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

/**
 * File content as a model is shown it: between two lines that carry a number made for this very answer, so that no text in
 * the file can end the quotation or begin another one.
 */
export function delimited(content: string, about: string, newNonce: () => string = randomNonce): string {
  let nonce = newNonce();
  while (content.includes(nonce)) nonce = randomNonce();
  const separator = content === "" || content.endsWith("\n") ? "" : "\n";
  return `<file-content ${nonce} ${about}>\n${content}${separator}</file-content ${nonce}>`;
}
