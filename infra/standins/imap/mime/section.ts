import { fieldsIn } from "./header.ts";
import type { Part } from "./part.ts";

const form =
  /^(?<path>[1-9]\d*(?:\.[1-9]\d*)*)?\.?(?<what>HEADER|TEXT|MIME|HEADER\.FIELDS(?:\.NOT)? \((?<names>[^()]*)\))?$/i;

/**
 * A piece of a message by its section (RFC 3501 §6.4.5): `1.2`, `HEADER`, `2.TEXT`, `1.MIME`, `HEADER.FIELDS (FROM)`,
 * empty for all of it.
 *
 * @returns `undefined` when there is no such part; null when it is no section
 */
export function sectionOf(bytes: Buffer, root: Part, section: string): Buffer | undefined | null {
  const groups = form.exec(section)?.groups;
  if (groups === undefined) return null;
  const { path, what = "", names } = groups;
  const wanted = what.toUpperCase();
  if (path === undefined && wanted === "MIME") return null;
  const part = partAt(root, path);
  if (part === undefined) return undefined;
  if (path === undefined && wanted === "") return bytes;
  if (wanted === "") return bytes.subarray(part.bodyStart, part.end);
  if (wanted === "MIME") return bytes.subarray(part.start, part.bodyStart);
  // With a number, HEADER and TEXT are those of the message the part holds.
  const message = path === undefined ? root : part.type.word === "message/rfc822" ? part.parts[0] : undefined;
  if (message === undefined) return undefined;
  if (wanted === "TEXT") return bytes.subarray(message.bodyStart, message.end);
  const header = bytes.subarray(message.start, message.bodyStart);
  return wanted === "HEADER" ? header : someFields(header, names ?? "", wanted.startsWith("HEADER.FIELDS.NOT"));
}

/** Part 1 of what is no multipart is its body; a message in a message is gone through. */
function partAt(root: Part, path: string | undefined): Part | undefined {
  let part: Part | undefined = root;
  for (const index of path?.split(".").map(Number) ?? []) {
    const content: Part | undefined = part?.parts[0];
    const holder: Part | undefined = part?.type.word === "message/rfc822" && part !== root ? content : part;
    if (holder?.type.word.startsWith("multipart/")) part = holder.parts[index - 1];
    else part = index === 1 ? holder : undefined;
    if (part === undefined) return undefined;
  }
  return part;
}

function someFields(header: Buffer, names: string, isNot: boolean): Buffer {
  const wanted = new Set(names.split(/\s+/).map((name) => name.replaceAll('"', "").toLowerCase()));
  const kept = fieldsIn(header).filter(({ name }) => wanted.has(name) !== isNot);
  return Buffer.from(`${kept.map(({ lines }) => withLineEnd(lines)).join("")}\r\n`, "latin1");
}

const withLineEnd = (lines: string): string => (/\n$/.test(lines) ? lines : `${lines}\r\n`);
