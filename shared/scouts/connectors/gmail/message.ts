import { createHash } from "node:crypto";
import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { Transient } from "../../../privacy/transient.ts";
import { readableText } from "../../triage/readable-text.ts";
import type { Attachment, ItemContent, ItemMetadata } from "../connector.ts";
import { envelopeOf } from "../mail/envelope.ts";
import { addressesIn } from "../mail/fields.ts";
import { letterOf } from "../mail/letter.ts";
import { fieldOf, type HeaderField } from "../mail/part.ts";
import { itemMetadata } from "../metadata.ts";
import { headersOf, partTreeOf } from "./part-tree.ts";

/** Labels under which a message is not (or no longer) incoming mail. */
const excluded: ReadonlySet<string> = new Set(["DRAFT", "SENT", "CHAT", "TRASH", "SPAM"]);
/** Gmail's snippets have some 200 characters. */
const maxSnippetCharacters = 4_000;

/** Whether a message with these labels is one a scout judges. */
export function isWatched(labels: readonly string[]): boolean {
  return labels.includes("INBOX") && !labels.some((label) => excluded.has(label));
}

/** What `format=metadata` tells; its answer has no parts, so attachments are not known. */
export function metadataOf(message: gmail_v1.Schema$Message): ItemMetadata {
  return metadataWith(message, undefined);
}

function metadataWith(message: gmail_v1.Schema$Message, attachments: readonly Attachment[] | undefined): ItemMetadata {
  const headers = headersOf(message.payload);
  return itemMetadata({
    ...envelopeOf(headers),
    // Gmail escapes the snippet as HTML.
    snippet: readableText({ html: (message.snippet ?? "").slice(0, maxSnippetCharacters) }),
    receivedAtMs: Number(message.internalDate ?? 0),
    present: isWatched(message.labelIds ?? []),
    threadRef: message.threadId ?? undefined,
    attachments,
    sourceLink: linkOf(message, headers),
    state: stateOf(message),
  });
}

/** A digest of a message's labels: whatever a person does to a message changes them. */
export function stateOf({ id, labelIds }: gmail_v1.Schema$Message): string {
  const labels = [...(labelIds ?? [])].sort().join("\n");
  return createHash("sha256").update(`${id}\n${labels}`).digest("base64url").slice(0, 22);
}

export function contentOf(message: gmail_v1.Schema$Message): ItemContent {
  const { text, otherText, attachments } = letterOf(partTreeOf(message.payload ?? undefined));
  return {
    ...metadataWith(message, attachments),
    text: new Transient(text),
    ...(otherText === undefined ? {} : { otherText: new Transient(otherText) }),
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
function linkOf({ id }: gmail_v1.Schema$Message, headers: readonly HeaderField[]): string | undefined {
  if (!id) return undefined;
  const [own = ""] = addressesIn(headers, "Delivered-To");
  const account = own === "" ? "" : `?authuser=${encodeURIComponent(own)}`;
  return `https://mail.google.com/mail/${account}#all/${encodeURIComponent(id)}`;
}
