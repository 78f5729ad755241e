import { ScoutsError } from "../../../../events/errors.ts";
import type { CarriedMetadata, SourceAnswer } from "../../../../events/sources/reply.ts";
import { asScoutsError } from "../../../outcome/outcome.ts";
import { Transient } from "../../../privacy/transient.ts";
import type { Reading } from "../../triage/readable-text.ts";
import type { ItemContent, ItemMetadata, Sees } from "../connector.ts";
import { FoldersUnknown } from "../folders-unknown.ts";
import { itemMetadata, seen } from "../metadata.ts";

type Failed = Extract<SourceAnswer, { what: "failed" }>["failed"];
type CarriedContent = Omit<Extract<SourceAnswer, { what: "content" }>, "what">;

/** An item's metadata on their way from one function to another. */
export function carriedMetadata(read: ItemMetadata): CarriedMetadata {
  const {
    subject,
    sender,
    snippet,
    attachments,
    listId,
    sourceLink,
    threadRef,
    sentAt,
    sentOffsetMinutes,
    arrivedAt,
    state,
  } = read;
  const { receivedAtMs, relation, automatic, present } = read;
  return {
    subject: subject.reveal(),
    sender: sender.reveal(),
    snippet: snippet.reveal(),
    receivedAtMs,
    relation,
    automatic,
    present,
    ...(attachments && { attachments: [...attachments.reveal()] }),
    ...(listId && { listId: listId.reveal() }),
    ...(sourceLink && { sourceLink: sourceLink.reveal() }),
    ...(threadRef === undefined ? {} : { threadRef }),
    ...(sentAt === undefined ? {} : { sentAt }),
    ...(sentOffsetMinutes === undefined ? {} : { sentOffsetMinutes }),
    ...(arrivedAt === undefined ? {} : { arrivedAt }),
    ...(state === undefined ? {} : { state }),
  };
}

/** An item's content as JSON can carry it from one function to another; {@link contentOf} makes the same of it again. */
export function carriedContent(read: ItemContent): CarriedContent {
  const { header, text, otherText, isCut, traits, machineParts } = read;
  const parts = machineParts?.reveal();
  return {
    read: carriedMetadata(read),
    text: text.reveal(),
    ...(header && { header: header.reveal() }),
    ...(otherText && { otherText: otherText.reveal() }),
    ...(isCut && { isCut }),
    ...(traits && { traits: [...traits] }),
    ...(parts && { machineParts: { calendars: [...parts.calendars], linkedData: [...parts.linkedData] } }),
  };
}

/**
 * The content of an item from what was carried. Texts are transient again: no log takes them.
 *
 * @param reading the one that was asked for: an older function knows of none and gives both
 */
export function contentOf(carried: CarriedContent, reading: Reading = "words"): ItemContent {
  const { read, header, text, shown, otherText, isCut, traits, machineParts } = carried;
  return {
    ...itemMetadata(read),
    text: new Transient(reading === "shown" ? (shown ?? text) : text),
    ...(header && { header: new Transient(header) }),
    ...(otherText === undefined ? {} : { otherText: new Transient(otherText) }),
    ...(isCut && { isCut }),
    ...(traits && { traits }),
    ...(machineParts === undefined ? {} : { machineParts: new Transient(machineParts) }),
  };
}

interface CarriedSees {
  readonly place: string;
  readonly folders: string[];
  readonly missing: string[];
  readonly items?: number | undefined;
  readonly unread?: number | undefined;
}

/**
 * What a connector sees, as JSON can carry it; {@link seesOf} makes the same of it again. A count that is not known
 * stays out.
 */
export function carriedSees({ place, folders, missing, items, unread }: Sees): CarriedSees {
  return {
    place: place.reveal(),
    folders: [...folders.reveal()],
    missing: [...missing.reveal()],
    ...(items === undefined ? {} : { items }),
    ...(unread === undefined ? {} : { unread }),
  };
}

/** What a connector sees from what was carried. Names of places are transient again: no log takes them. */
export function seesOf({ place, folders, missing, items, unread }: CarriedSees): Sees {
  return seen(place, {
    folders,
    missing,
    ...(items === undefined ? {} : { items }),
    ...(unread === undefined ? {} : { unread }),
  });
}

/** Code and facts; what it was caused by stays where it happened, in that function's log. */
export function carriedFailure(error: unknown): Failed {
  const { code, data } = asScoutsError(error);
  const named = error instanceof FoldersUnknown ? { folders: [...error.folders.reveal()] } : {};
  return { code, data: { ...data }, ...named };
}

/** The error that was carried, without its cause: that has stayed where it happened. */
export function failureOf({ code, data, folders }: Failed): ScoutsError {
  return folders === undefined ? new ScoutsError(code, { data }) : new FoldersUnknown(new Transient(folders));
}
