import type { FetchMessageObject, FetchQueryObject } from "imapflow";
import { type ItemRef, itemRef } from "../../../../events/ids.ts";
import { fieldOf } from "../mail/part.ts";
import { maxHeaderBytes } from "./limits.ts";
import { rawHeaderFields } from "./message/raw-header-fields.ts";
import { blinded, type ImapAccess } from "./settings.ts";

/** Fields of a header that name a message, none of which a server or a move to another folder changes. */
const namingFields = ["message-id", "date", "from", "subject"] as const;

/** What a message is known by, for `FETCH`. */
export const identityQuery = {
  uid: true,
  internalDate: true,
  size: true,
  headers: [...namingFields],
} satisfies FetchQueryObject;

/** The same with the beginning of the whole header, for a message whose fields are longer than a response may be. */
export const boundedIdentityQuery = {
  uid: true,
  internalDate: true,
  size: true,
  bodyParts: [{ key: "HEADER", start: 0, maxLength: maxHeaderBytes }],
} satisfies FetchQueryObject;

/** What a message can be told from most others by, without its header. */
export const arrivalQuery = { uid: true, internalDate: true, size: true } satisfies FetchQueryObject;

/** The day and the size a message can be searched by. */
export interface Where {
  /** INTERNALDATE in seconds since 1970; 0 where the server gives none. */
  readonly seconds: number;
  readonly sizeBytes: number;
}

/** Midnight, UTC, for a search: IMAP's dates are days. */
export const startOfDay = (seconds: number): Date => new Date(Math.floor(seconds / 86_400) * 86_400_000);

/** When the server received a message, in milliseconds since 1970, if it says so. */
export function receivedAtMs({ internalDate }: Pick<FetchMessageObject, "internalDate">): number | undefined {
  const ms = internalDate instanceof Date ? internalDate.getTime() : Number.NaN;
  return Number.isNaN(ms) || ms <= 0 ? undefined : ms;
}

/**
 * A ref names a message by what stays the same when the server numbers its folders anew (UIDVALIDITY) or it is moved and
 * moved back: the fields that name it, time of arrival and size. So a folder that is read again gives the refs it gave
 * before, and nothing comes twice. Time and size stand in it as they are, to search by; the fields are blinded, for they
 * leak. A message of which none could be read is known by its number, which does not outlive a renumbering.
 *
 * @param namedFrom seconds since 1970; what arrived before goes by its Message-ID alone, or by its number without one, as
 * refs were made then
 */
export function refOf(
  access: ImapAccess,
  message: FetchMessageObject,
  uidValidity: bigint,
  namedFrom: number,
): ItemRef {
  const { messageId, fields } = namesOf(message);
  if (fields !== undefined && secondsOf(message) >= namedFrom) return named(access, fields, message);
  return messageId === "" ? numberedRef(access, message, uidValidity) : named(access, `id ${messageId}`, message);
}

/**
 * Every ref that may be a message's, also those that were made when less of it could be read than now, and by rules of
 * before.
 */
export function refsOf(access: ImapAccess, message: FetchMessageObject, uidValidity: bigint): readonly ItemRef[] {
  const { messageId, fields } = namesOf(message);
  return [
    ...(fields === undefined ? [] : [named(access, fields, message)]),
    ...(messageId === "" ? [] : [named(access, `id ${messageId}`, message)]),
    numberedRef(access, message, uidValidity),
    numberedRef(access, { uid: message.uid }, uidValidity),
  ];
}

/** Whether a message has no id of its own that its program gave it. */
export const isNameless = (message: FetchMessageObject): boolean => namesOf(message).messageId === "";

/** Whether a ref was made of a message's number alone, when nothing else of it could be read. */
export const isNumberedRef = (ref: ItemRef, access: ImapAccess, uid: number, uidValidity: bigint): boolean =>
  ref === numberedRef(access, { uid }, uidValidity);

/** Whether a message came at the second, and has the size, that a ref says. */
export const hasArrived = (message: Arrival, { seconds, sizeBytes }: Where): boolean =>
  secondsOf(message) === seconds && (message.size ?? 0) === sizeBytes;

type Arrival = Pick<FetchMessageObject, "internalDate" | "size">;

const secondsOf = (message: Arrival): number => Math.floor((receivedAtMs(message) ?? 0) / 1000);

/** Whether all that makes its ref came through: a header that breaks off would make another one. */
export function isWhole({ headers }: FetchMessageObject): boolean {
  return !(headers instanceof Uint8Array) || headers.length === 0 || headers.at(-1) === 0x0a;
}

/** By its number, for one that nothing else tells from another. */
export function numberedRef(access: ImapAccess, message: Arrival & { uid: number }, uidValidity: bigint): ItemRef {
  return named(access, `uid ${uidValidity} ${message.uid}`, message);
}

function named(access: ImapAccess, name: string, message: Arrival): ItemRef {
  const seconds = secondsOf(message);
  const sizeBytes = message.size ?? 0;
  const digest = blinded(access, "item", `${name}\n${seconds}\n${sizeBytes}`).slice(0, 27);
  return itemRef.parse(`${digest}.${seconds.toString(36)}.${sizeBytes.toString(36)}`);
}

/** @returns nothing for a text that is no ref of ours */
export function whereOf(ref: ItemRef): Where | undefined {
  const [, seconds, size] = /^[\w-]{27}\.([\da-z]{1,9})\.([\da-z]{1,9})$/.exec(ref) ?? [];
  if (seconds === undefined || size === undefined) return undefined;
  return { seconds: Number.parseInt(seconds, 36), sizeBytes: Number.parseInt(size, 36) };
}

/** RFC 5322 §2.1.1: a line has no more; of longer ones all count to here. */
const mostCharacters = 998;

interface Names {
  /** Empty when it has none. */
  readonly messageId: string;
  /** All that names it, in one text; nothing when none of it could be read, or not all. */
  readonly fields?: string;
}

/** Read as bytes: what a text is encoded in is guessed from what stands around it, which is not always all there. */
function namesOf({ headers: bytes }: FetchMessageObject): Names {
  if (!(bytes instanceof Uint8Array)) return { messageId: "" };
  const found = rawHeaderFields(bytes);
  const values = namingFields.map((name) => fieldOf(found, name).trim());
  const messageId = idIn(Buffer.from(values[0] ?? "", "latin1")).slice(0, mostCharacters);
  const isCut = bytes.length >= maxHeaderBytes && !/\n\r?\n/.test(Buffer.from(bytes).toString("latin1"));
  if (isCut || values.every((value) => value === "")) return { messageId };
  return { messageId, fields: ["mail", ...values.map((value) => value.slice(0, mostCharacters))].join("\n") };
}

/** An id as it always was read, in UTF-8 or else byte by byte, and never by a guess: another one would make another name of the same message. */
function idIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    // No UTF-8; it throws for nothing else.
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
