import { base64Of } from "./base64.ts";

/** What was typed into a file and not saved, as one tab has it in memory. */
export interface Draft {
  readonly v: 1;
  /** Random: a draft's name says nothing of it. */
  readonly id: string;
  readonly project: string;
  /** For whoever looks when the project is gone. */
  readonly projectName: string;
  readonly path: string;
  /** What the text was made from, and what that is called; null: a new file. */
  readonly base: string;
  readonly baseHash: string | null;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** It was to be saved, and the device did not answer. */
  readonly isToSave: boolean;
}

const ivBytes = 12;
const encoder = new TextEncoder();

/** A name for a draft that nobody can guess: 16 random bytes as base64url. */
export const newDraftId = (): string =>
  base64Of(crypto.getRandomValues(new Uint8Array(16)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** A key of the device's, which cannot be taken out of the tab's memory again. */
export const keyOf = (text: string): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", bytesOf(text), "AES-GCM", false, ["encrypt", "decrypt"]);

/** A draft as it lies anywhere: AES-GCM (NIST SP 800-38D) under the device's key, bound to its name. */
export async function sealed(key: CryptoKey, draft: Draft): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const content = encoder.encode(JSON.stringify(draft));
  const closed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: encoder.encode(draft.id) },
    key,
    content,
  );
  const all = new Uint8Array(ivBytes + closed.byteLength);
  all.set(iv);
  all.set(new Uint8Array(closed), ivBytes);
  return base64Of(all);
}

/** @returns undefined for what this key did not close */
export async function opened(key: CryptoKey, id: string, text: string): Promise<Draft | undefined> {
  try {
    const all = bytesOf(text);
    const cipher = { name: "AES-GCM", iv: all.slice(0, ivBytes), additionalData: encoder.encode(id) };
    const content = await crypto.subtle.decrypt(cipher, key, all.slice(ivBytes));
    const draft: unknown = JSON.parse(new TextDecoder().decode(content));
    return isDraft(draft) ? draft : undefined;
  } catch (error) {
    if (error instanceof DOMException || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === "object" && value !== null && "v" in value && value.v === 1 && "text" in value;

const bytesOf = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
