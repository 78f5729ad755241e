import { bodyStructure } from "../mime/body-structure.ts";
import { emptyEnvelope, envelope } from "../mime/envelope.ts";
import { parseMessage } from "../mime/part.ts";
import { sectionOf } from "../mime/section.ts";
import type { Message } from "../store/message.ts";
import { writeDateTime } from "../wire/dates.ts";
import { SyntaxFault } from "../wire/values.ts";
import { literal } from "../wire/written.ts";

/** What may be wrong with an answer. */
interface Faulty {
  /** Bytes by which the length of a literal is another than it is. */
  readonly lies: number;
  readonly isNil: boolean;
}

/** Something FETCH is asked for (RFC 3501 §6.4.5). */
export interface FetchItem {
  /** In upper case, without section. */
  readonly name: string;
  /** As it is answered. */
  readonly label: string;
  readonly marksSeen: boolean;
  readonly write: (message: Message, faulty: Faulty) => Buffer | string;
}

const plain = (name: string, write: FetchItem["write"]): FetchItem => ({ name, label: name, marksSeen: false, write });
const structureOf = (isExtended: boolean): FetchItem["write"] => {
  return ({ raw }, { isNil }) => bodyStructure(raw(), parseMessage(raw()), isExtended, isNil);
};

const items: Readonly<Record<string, FetchItem>> = Object.fromEntries(
  [
    plain("UID", ({ uid }) => String(uid)),
    plain("FLAGS", ({ flags }) => `(${[...flags].join(" ")})`),
    plain("MODSEQ", ({ modseq }) => `(${modseq})`),
    plain("INTERNALDATE", ({ internalDateMs }) => `"${writeDateTime(internalDateMs)}"`),
    plain("RFC822.SIZE", ({ raw }) => String(raw().length)),
    plain("ENVELOPE", ({ raw }, { isNil }) => (isNil ? emptyEnvelope() : envelope(parseMessage(raw()).fields))),
    plain("BODY", structureOf(false)),
    plain("BODYSTRUCTURE", structureOf(true)),
  ].map((item) => [item.name, item]),
);

/** The older names of sections. */
const older: Readonly<Record<string, { section: string; marksSeen: boolean }>> = {
  RFC822: { section: "", marksSeen: true },
  "RFC822.HEADER": { section: "HEADER", marksSeen: false },
  "RFC822.TEXT": { section: "TEXT", marksSeen: true },
};

const bodyForm = /^BODY(\.PEEK)?\[([^\]]*)\](?:<(\d{1,10})\.([1-9]\d{0,9})>)?$/i;

/** @throws SyntaxFault */
export function parseItem(text: string): FetchItem {
  const name = text.toUpperCase();
  const known = items[name];
  if (known !== undefined) return known;
  const old = older[name];
  if (old !== undefined) return section(name, old.section, old.marksSeen, undefined);
  const [whole, peek, wanted = "", from, length] = bodyForm.exec(text) ?? [];
  if (whole === undefined) throw new SyntaxFault("That is not known of a message");
  const part = from === undefined || length === undefined ? undefined : { from: Number(from), length: Number(length) };
  const label = `BODY[${wanted.toUpperCase()}]${part === undefined ? "" : `<${part.from}>`}`;
  return section(label, wanted, peek === undefined, part);
}

function section(
  label: string,
  wanted: string,
  marksSeen: boolean,
  part: { from: number; length: number } | undefined,
): FetchItem {
  const write: FetchItem["write"] = ({ raw }, { lies, isNil }) => {
    const bytes = raw();
    const found = sectionOf(bytes, parseMessage(bytes), wanted);
    if (found === null) throw new SyntaxFault("That is no section");
    if (found === undefined || isNil) return "NIL";
    const cut = part === undefined ? found : found.subarray(part.from, part.from + part.length);
    return literal(cut, lies);
  };
  return { name: "BODY[]", label, marksSeen, write };
}
