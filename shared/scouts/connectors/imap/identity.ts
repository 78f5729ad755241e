import type { FetchMessageObject, FetchQueryObject } from "imapflow";
import { type ItemRef, itemRef } from "../../../../events/ids.ts";
import { fieldOf } from "../mail/part.ts";
import { headerFields } from "./message/header-fields.ts";
import { blinded, type ImapAccess } from "./settings.ts";

/** What a message is known by, for `FETCH`. */
export const identityQuery = {
  uid: true,
  internalDate: true,
  size: true,
  headers: ["message-id"],
} satisfies FetchQueryObject;

/** The same with the beginning of the whole header, for a message whose Message-ID is longer than a response may be. */
export const boundedIdentityQuery = {
  uid: true,
  internalDate: true,
  size: true,
  bodyParts: [{ key: "HEADER", start: 0, maxLength: 16_384 }],
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
 * moved back: Message-ID, time of arrival and size. So a folder that is read again gives the refs it gave before, and
 * nothing comes twice. Time and size stand in it as they are, to search by; the Message-ID is blinded, for it leaks.
 * A message without one is known by its number, which does not outlive a renumbering.
 */
export function refOf(access: ImapAccess, message: FetchMessageObject, uidValidity: bigint): ItemRef {
  const messageId = messageIdOf(message);
  if (messageId === "") return numberedRef(access, message, uidValidity);
  return named(access, `id ${messageId}`, message);
}

/**
 * Whether a ref is this message's, also when it was made while less of the message could be read than now: without its
 * Message-ID, or by its number alone.
 */
export function isRefOf(ref: ItemRef, access: ImapAccess, message: FetchMessageObject, uidValidity: bigint): boolean {
  if (ref === refOf(access, message, uidValidity) || ref === numberedRef(access, message, uidValidity)) return true;
  return isNumberedRef(ref, access, message.uid, uidValidity);
}

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

function numberedRef(access: ImapAccess, message: Arrival & { uid: number }, uidValidity: bigint): ItemRef {
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

function messageIdOf(message: FetchMessageObject): string {
  const { headers: bytes } = message;
  return bytes instanceof Uint8Array ? fieldOf(headerFields(bytes), "message-id").trim().slice(0, 998) : "";
}
