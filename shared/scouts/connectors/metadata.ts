import { threadRef as threadRefSchema } from "../../../events/ids.ts";
import type { ItemHeader } from "../../../events/proposals/item.ts";
import { furthestClockMinutes, longestDateMs, metadataBounds } from "../../../events/proposals/metadata.ts";
import { Transient } from "../../privacy/transient.ts";
import type { Attachment, ItemMetadata, Relation, Sees, Sender } from "./connector.ts";
import type { HeaderField } from "./mail/part.ts";

/** More than this of a text is not even looked at: white space at its front must not cost work. */
const mostRead = 20_000;

/** An item's metadata as its source gives them: of any length, with line breaks and controls. */
export interface FoundMetadata {
  readonly subject: string;
  readonly sender: Sender;
  readonly snippet: string;
  readonly receivedAtMs: number;
  readonly present: boolean;
  readonly relation: Relation;
  readonly automatic: boolean;
  readonly sentAt?: number | undefined;
  readonly sentOffsetMinutes?: number | undefined;
  readonly arrivedAt?: number | undefined;
  readonly threadRef?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
  readonly listId?: string | undefined;
  readonly sourceLink?: string | undefined;
  readonly state?: string | undefined;
}

/** One line of at most `maxCharacters`, cut between code points with an ellipsis. */
export function clipped(text: string, maxCharacters: number): string {
  const line = text
    .slice(0, mostRead)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .toWellFormed();
  if (line.length <= maxCharacters && text.length <= mostRead) return line;
  const cut = line.slice(0, maxCharacters - 1);
  return `${(cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd()}…`;
}

/** An item's metadata as the product carries them: bounded, on one line each, readable ones Transient. */
export function itemMetadata(found: FoundMetadata): ItemMetadata {
  const bounds = metadataBounds;
  const { receivedAtMs, present, relation, automatic, state } = found;
  const sentOffsetMinutes = offsetOfClock(found.sentOffsetMinutes);
  const sentAt = wholeMoment(found.sentAt);
  const arrivedAt = wholeMoment(found.arrivedAt);
  const name = clipped(found.sender.name, bounds.senderName);
  const address = clipped(found.sender.address, bounds.senderAddress);
  const link = found.sourceLink === undefined ? undefined : usableLink(found.sourceLink);
  const listId = found.listId === undefined ? "" : clipped(found.listId, bounds.listId);
  const threadRef = threadRefSchema.safeParse(found.threadRef);
  return {
    subject: new Transient(clipped(found.subject, bounds.subject)),
    sender: new Transient({ name, address }),
    snippet: new Transient(clipped(found.snippet, bounds.snippet)),
    receivedAtMs,
    present,
    relation,
    automatic,
    ...(sentAt === undefined ? {} : { sentAt }),
    ...(sentOffsetMinutes === undefined ? {} : { sentOffsetMinutes }),
    ...(arrivedAt === undefined ? {} : { arrivedAt }),
    ...(threadRef.success ? { threadRef: threadRef.data } : {}),
    ...(found.attachments === undefined ? {} : { attachments: new Transient(boundedAttachments(found.attachments)) }),
    ...(listId === "" ? {} : { listId: new Transient(listId) }),
    ...(link === undefined ? {} : { sourceLink: new Transient(link) }),
    ...(state === undefined ? {} : { state }),
  };
}

/** A header as the product carries it: its first fields, each in one line of bounded length, and how many follow. */
export function shownHeader(fields: readonly HeaderField[]): Transient<ItemHeader> {
  const { headerFields, headerField, header: mostCharacters } = metadataBounds;
  const shown: HeaderField[] = [];
  let left = mostCharacters;
  for (const field of fields.slice(0, headerFields)) {
    const name = clipped(field.name, headerField);
    const value = clipped(field.value, headerField);
    left -= name.length + value.length;
    if (left < 0) break;
    shown.push({ name, value });
  }
  return new Transient({ fields: shown, leftOut: fields.length - shown.length });
}

/** What a scout sees, as the product carries it: its place is one line of bounded length, and so is each of its folders. */
export function seen(
  place: string,
  {
    folders = [],
    missing = [],
    ...counts
  }: { folders?: readonly string[]; missing?: readonly string[]; items?: number; unread?: number } = {},
): Sees {
  const named = (name: string) => clipped(name, metadataBounds.place);
  return {
    place: new Transient(named(place)),
    folders: new Transient(folders.map(named)),
    missing: new Transient(missing.map(named)),
    ...counts,
  };
}

/** `Name <address>`, or the one there is. */
export function senderLine({ name, address }: Sender): string {
  if (name === "" || address === "") return name || address;
  return `${name} <${address}>`;
}

/** A source's word for a time may be any number; undefined for one that no clock shows. */
function wholeMoment(ms: number | undefined): number | undefined {
  return ms !== undefined && Math.abs(ms) <= longestDateMs ? Math.trunc(ms) : undefined;
}

/** Undefined for minutes that no clock is ahead. */
function offsetOfClock(minutes: number | undefined): number | undefined {
  return minutes !== undefined && Number.isInteger(minutes) && Math.abs(minutes) <= furthestClockMinutes
    ? minutes
    : undefined;
}

/** The first ones; the last place says how many more there are, so that none is left out in silence. */
function boundedAttachments(all: readonly Attachment[]): Attachment[] {
  const { attachments: most, attachmentName } = metadataBounds;
  const named = (some: readonly Attachment[]) =>
    some.map(({ name, sizeBytes }) => ({ name: clipped(name, attachmentName), sizeBytes: wholeBytes(sizeBytes) }));
  if (all.length <= most) return named(all);
  const rest = all.slice(most - 1);
  const sizeBytes = rest.reduce((sum, each) => wholeBytes(sum + wholeBytes(each.sizeBytes)), 0);
  return [...named(all.slice(0, most - 1)), { name: `… and ${rest.length} more`, sizeBytes }];
}

/** A source's word for a size may be any number, or none. */
function wholeBytes(size: number): number {
  return size > 0 ? Math.min(Math.trunc(size), Number.MAX_SAFE_INTEGER) : 0;
}

/** A link that was cut leads nowhere, and only the web's own schemes are opened. */
function usableLink(link: string): string | undefined {
  const trimmed = link.trim();
  if (trimmed.length > metadataBounds.sourceLink || !URL.canParse(trimmed)) return undefined;
  const { protocol, href } = new URL(trimmed);
  if (href.length > metadataBounds.sourceLink) return undefined;
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
