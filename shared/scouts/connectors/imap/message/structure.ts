import type { FetchMessageObject, MessageStructureObject } from "imapflow";
import { bodyText } from "../../mail/charset/older-charsets.ts";
import { decodedField } from "../../mail/fields.ts";
import { isMachineCalendar } from "../../mail/machine-parts.ts";
import { type HeaderField, type MailPart, partLimits } from "../../mail/part.ts";
import { isShownText } from "../../mail/shown-text.ts";
import { headerFields } from "./header-fields.ts";
import { transferDecoded } from "./transfer.ts";

/** Texts by the number of their part, as they came: encoded, perhaps cut. */
export type PartBytes = ReadonlyMap<string, Uint8Array>;

/** Parts beyond these are looked into by nobody; each is asked for by name. */
const mostTexts = 20;

/**
 * The parts whose text a mail program would show, each with its share of the bytes.
 *
 * @param maxBytes of all of them together
 */
export function textParts(
  root: MessageStructureObject,
  maxBytes: number,
): { key: string; start: number; maxLength: number }[] {
  const texts = leaves(root)
    .filter((node) => isRead(node))
    .slice(0, mostTexts);
  // A size of 0 is that of an empty part, or of one whose size nobody told: those share what the others leave.
  const told = texts.reduce((sum, { size = 0 }) => sum + size, 0);
  const untold = texts.filter(({ size = 0 }) => size === 0).length;
  const share = Math.floor(Math.max(0, maxBytes - told) / Math.max(1, untold));
  let left = maxBytes;
  return texts.flatMap((node) => {
    const maxLength = Math.min(left, node.size || share);
    left -= maxLength;
    return maxLength > 0 ? [{ key: numberOf(node), start: 0, maxLength }] : [];
  });
}

/** Text of the letter, and calendars also where they are files. */
function isRead(node: MessageStructureObject): boolean {
  const part = partOf(node, []);
  if (isMachineCalendar(part)) return true;
  return isShownText(part) && node.disposition?.toLowerCase() !== "attachment";
}

/** A message as a tree of parts: structure as the server tells it, with the texts that were read. */
export function partTreeOf(root: MessageStructureObject, header: readonly HeaderField[], texts: PartBytes): MailPart {
  let left: number = partLimits.parts;
  const convert = (node: MessageStructureObject, headers: readonly HeaderField[], depth: number): MailPart => {
    const children = depth < partLimits.depth ? (node.childNodes ?? []).slice(0, Math.max(0, left)) : [];
    left -= children.length;
    const read = children.length === 0 ? texts.get(numberOf(node)) : undefined;
    const bytes = read instanceof Uint8Array ? read : undefined;
    const part = partOf(node, headers);
    return {
      ...part,
      ...(bytes ? { text: (most: number) => textOf(bytes, node, most) } : {}),
      ...(bytes && bytes.length < (node.size ?? 0) ? { isCut: true } : {}),
      parts: children.map((child) => convert(child, fieldsOf(child), depth + 1)),
    };
  };
  return convert(root, [...header, ...fieldsOf(root)], 0);
}

/** The header of a message that was read with `BODY[HEADER]`. */
export const headerOf = (message: FetchMessageObject): HeaderField[] =>
  // What a server says is NIL comes as `false`.
  message.headers instanceof Uint8Array ? headerFields(message.headers) : [];

function leaves(root: MessageStructureObject): MessageStructureObject[] {
  const found: MessageStructureObject[] = [];
  const waiting: { node: MessageStructureObject; depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = waiting.shift(); next !== undefined && found.length < partLimits.parts; next = waiting.shift()) {
    const { node, depth } = next;
    // An attached message is a file: what is in it is not read.
    if (/^message\//i.test(node.type ?? "")) continue;
    const children = node.childNodes ?? [];
    if (children.length === 0) found.push(node);
    else if (depth < partLimits.depth) waiting.unshift(...children.map((child) => ({ node: child, depth: depth + 1 })));
  }
  return found;
}

/** A message that is one part has no numbers; its text is part 1 (RFC 9051 §6.4.5). */
const numberOf = ({ part }: MessageStructureObject): string => part || "1";

function partOf(node: MessageStructureObject, headers: readonly HeaderField[]): MailPart {
  const base64 = node.encoding?.toLowerCase() === "base64";
  const sizeBytes = Math.floor((node.size ?? 0) * (base64 ? 3 / 4 : 1));
  return {
    mimeType: (node.type ?? "").toLowerCase(),
    fileName: decodedField(node.dispositionParameters?.["filename"] || node.parameters?.["name"] || ""),
    headers,
    sizeBytes,
    parts: [],
  };
}

/** What a server tells of a part in other words than its header's. */
function fieldsOf({ type, parameters, disposition, id, envelope }: MessageStructureObject): HeaderField[] {
  const typed = Object.entries(parameters ?? {}).map(([name, value]) => `; ${name}="${value.replaceAll('"', "")}"`);
  return [
    { name: "content-type", value: `${type ?? ""}${typed.join("")}` },
    ...(disposition ? [{ name: "content-disposition", value: disposition }] : []),
    ...(id ? [{ name: "content-id", value: id }] : []),
    ...(envelope?.subject ? [{ name: "subject", value: envelope.subject }] : []),
  ];
}

function textOf(bytes: Uint8Array, node: MessageStructureObject, most: number): string {
  const { type = "", encoding = "", parameters } = node;
  // A character takes four bytes at most, and an encoded byte three characters.
  const decoded = transferDecoded(bytes.subarray(0, most * 12), encoding);
  return bodyText(decoded, parameters?.["charset"] ?? "", type.toLowerCase()).slice(0, most);
}
