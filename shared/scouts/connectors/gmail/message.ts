import { createHash } from "node:crypto";
import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { decodeWords } from "postal-mime";
import { Transient } from "../../../privacy/transient.ts";
import { readableText } from "../../triage/readable-text.ts";
import type { ItemContent, ItemMetadata } from "../connector.ts";

/** Labels under which a message is not (or no longer) incoming mail. */
const excluded: ReadonlySet<string> = new Set(["DRAFT", "SENT", "CHAT", "TRASH", "SPAM"]);
/** Message parts deeper or more than this are not looked at: real mail has a handful. */
const maxDepth = 20;
const maxParts = 500;
/** Text parts larger than this are cut before decoding; a verdict reads 2,000 characters. */
const maxPartBytes = 256 * 1024;

/** Whether a message with these labels is one a scout judges. */
export function isWatched(labels: readonly string[]): boolean {
  return labels.includes("INBOX") && !labels.some((label) => excluded.has(label));
}

export function metadataOf(message: gmail_v1.Schema$Message): ItemMetadata {
  return {
    subject: new Transient(header(message, "subject")),
    sender: new Transient(header(message, "from")),
    // Gmail escapes the snippet as HTML.
    snippet: new Transient(readableText({ html: message.snippet ?? "" })),
    receivedAtMs: Number(message.internalDate ?? 0),
    present: isWatched(message.labelIds ?? []),
    state: stateOf(message),
  };
}

/** A digest of a message's labels: whatever a person does to a message changes them. */
export function stateOf({ id, labelIds }: gmail_v1.Schema$Message): string {
  const labels = [...(labelIds ?? [])].sort().join("\n");
  return createHash("sha256").update(`${id}\n${labels}`).digest("base64url").slice(0, 22);
}

export function contentOf(message: gmail_v1.Schema$Message): ItemContent {
  const parts = textParts(message.payload);
  const text = parts.find((part) => part.mimeType === "text/plain");
  const html = parts.find((part) => part.mimeType === "text/html");
  const input = { ...(text ? { text: decoded(text) } : {}), ...(html ? { html: decoded(html) } : {}) };
  return { ...metadataOf(message), text: new Transient(readableText(input)) };
}

export function header(message: gmail_v1.Schema$Message, name: string): string {
  const found = message.payload?.headers?.find((each) => each.name?.toLowerCase() === name);
  return decodeWords(found?.value ?? "");
}

/**
 * The parts with readable text, in order; bounded however the message is built. Those that are named like files count
 * only when there are no others: mail programs show them, so a name must not hide a letter.
 */
function textParts(root: gmail_v1.Schema$MessagePart | undefined): gmail_v1.Schema$MessagePart[] {
  const found: gmail_v1.Schema$MessagePart[] = [];
  const named: gmail_v1.Schema$MessagePart[] = [];
  const waiting = root ? [{ part: root, depth: 0 }] : [];
  for (let seen = 0; seen < maxParts; seen += 1) {
    const next = waiting.shift();
    if (!next) break;
    const { part, depth } = next;
    if (part.mimeType?.startsWith("text/") && part.body?.data) (part.filename ? named : found).push(part);
    if (depth < maxDepth) waiting.unshift(...(part.parts ?? []).map((child) => ({ part: child, depth: depth + 1 })));
  }
  return found.length > 0 ? found : named;
}

/** Gmail hands text over as UTF-8; where it is not, the part's own charset is tried. */
function decoded(part: gmail_v1.Schema$MessagePart): string {
  const bytes = Buffer.from((part.body?.data ?? "").slice(0, Math.ceil((maxPartBytes * 4) / 3)), "base64url");
  try {
    // `stream`: the cut may have split a character, which is no reason to doubt the encoding.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder(knownCharset(part)).decode(bytes);
  }
}

function knownCharset(part: gmail_v1.Schema$MessagePart): string {
  const type = part.headers?.find((each) => each.name?.toLowerCase() === "content-type")?.value ?? "";
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1] ?? "windows-1252";
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return "windows-1252";
  }
}
