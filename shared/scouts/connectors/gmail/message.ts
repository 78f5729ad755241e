import { createHash } from "node:crypto";
import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { Transient } from "../../../privacy/transient.ts";
import type { Reading } from "../../triage/readable-text.ts";
import { readableText } from "../../triage/readable-text.ts";
import type { Attachment, ItemContent, ItemMetadata } from "../connector.ts";
import { envelopeOf } from "../mail/envelope.ts";
import { addressesIn } from "../mail/fields.ts";
import { traitsOf } from "../mail/form/form.ts";
import { letterOf, shownLetterOf } from "../mail/letter.ts";
import { carriedParts } from "../mail/machine-parts.ts";
import { fieldOf, type HeaderField } from "../mail/part.ts";
import { itemMetadata, shownHeader } from "../metadata.ts";
import { headersOf, partTreeOf } from "./part-tree.ts";

/** Labels under which a message is not (or no longer) incoming mail. */
const excluded: ReadonlySet<string> = new Set(["DRAFT", "SENT", "CHAT", "TRASH", "SPAM"]);
/** Gmail's snippets have some 200 characters. */
const maxSnippetCharacters = 4_000;

/** Whether a message with these labels is one a scout judges. */
export function isWatched(labels: readonly string[]): boolean {
  return labels.includes("INBOX") && !labels.some((label) => excluded.has(label));
}

/**
 * What is asked for of a message that is not to be read: its parts without what they hold, as deep as real mail nests.
 * `format=metadata` would cost as much quota and leave the parts out, and with them what is attached.
 */
export const metadataFields = `id,threadId,labelIds,snippet,internalDate,payload(${partFields(8)})`;

function partFields(levels: number): string {
  const own = "mimeType,filename,headers,body(size,attachmentId)";
  return levels === 0 ? own : `${own},parts(${partFields(levels - 1)})`;
}

/**
 * What a message says without its text.
 *
 * @param message with {@link metadataFields} at least
 * @param webUrl Gmail's web interface, where the message is in it
 */
export function metadataOf(message: gmail_v1.Schema$Message, webUrl?: string): ItemMetadata {
  return metadataWith(message, letterOf(partTreeOf(message.payload ?? undefined)).attachments, webUrl);
}

function metadataWith(
  message: gmail_v1.Schema$Message,
  attachments: readonly Attachment[],
  webUrl: string | undefined,
): ItemMetadata {
  const headers = headersOf(message.payload);
  return itemMetadata({
    ...envelopeOf(headers),
    // Gmail escapes the snippet as HTML.
    snippet: readableText({ html: (message.snippet ?? "").slice(0, maxSnippetCharacters) }),
    receivedAtMs: Number(message.internalDate ?? 0),
    present: isWatched(message.labelIds ?? []),
    threadRef: message.threadId ?? undefined,
    attachments,
    sourceLink: webUrl === undefined ? undefined : linkOf(webUrl, message, headers),
    state: stateOf(message),
  });
}

/** A digest of a message's labels: whatever a person does to a message changes them. */
export function stateOf({ id, labelIds }: gmail_v1.Schema$Message): string {
  const labels = [...(labelIds ?? [])].sort().join("\n");
  return createHash("sha256").update(`${id}\n${labels}`).digest("base64url").slice(0, 22);
}

/** @param webUrl as in {@link metadataOf} @param files as in {@link partTreeOf} @param reading of its text */
export function contentOf(
  message: gmail_v1.Schema$Message,
  webUrl?: string,
  files?: ReadonlyMap<string, string>,
  reading: Reading = "words",
): ItemContent {
  const tree = partTreeOf(message.payload ?? undefined, files);
  const { text, otherText, isCut, attachments } = letterOf(tree);
  return {
    ...metadataWith(message, attachments, webUrl),
    ...carriedParts(tree),
    header: shownHeader(headersOf(message.payload)),
    text: new Transient(reading === "shown" ? shownLetterOf(tree) : text),
    traits: traitsOf(tree, text),
    ...(otherText === undefined ? {} : { otherText: new Transient(otherText) }),
    ...(isCut && { isCut }),
  };
}

/** The first field of that name as Gmail gives it; empty when there is none. */
export function header(message: gmail_v1.Schema$Message, name: string): string {
  return fieldOf(headersOf(message.payload), name);
}

/**
 * The message in Gmail's web interface. A browser may be signed in to several accounts: `authuser` names the one the
 * mail was delivered to.
 */
function linkOf(webUrl: string, { id }: gmail_v1.Schema$Message, headers: readonly HeaderField[]): string | undefined {
  if (!id) return undefined;
  const [own = ""] = addressesIn(headers, "Delivered-To");
  const account = own === "" ? "" : `?authuser=${encodeURIComponent(own)}`;
  return `${webUrl}${account}#all/${encodeURIComponent(id)}`;
}
