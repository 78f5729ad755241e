import { maxReadableCharacters, type Reading } from "../../triage/readable-text.ts";
import type { Attachment } from "../connector.ts";
import { attachmentOf, isAttachment } from "./attachments.ts";
import { type MailPart, partLimits } from "./part.ts";
import { calendarLetter, isCalendar, isShownText, richnessOf, shownText } from "./shown-text.ts";
import { isMessage } from "./split.ts";
import { saysOther } from "./versions.ts";

/** How much source text of a mail is looked at, all its parts together: real letters are a tenth of it. */
const mostSourceCharacters = 2_000_000;
/** Of one part; a style sheet as long as this before the letter is a trick, and more is not read. */
const mostPartCharacters = 1_000_000;
/** More versions of one text than this are not compared. */
const mostVersions = 5;

/** A mail as a mail program shows it. */
export interface Letter {
  /** What is read, from top to bottom; at most {@link maxReadableCharacters}. */
  readonly text: string;
  /** What programs that show another version show instead, where that is another letter. */
  readonly otherText?: string;
  /** It goes on behind what is read of it. */
  readonly isCut?: true;
  /** Files, and attached messages under their subjects, in order. Named and not read. */
  readonly attachments: readonly Attachment[];
}

/**
 * Reads a mail as its reader sees it: of `multipart/alternative` the richest version that says anything, of all other
 * containers the inline text parts in order. Attached messages and files are named and not read, hidden text is left
 * out. Never throws; time and memory are bounded whatever the mail is built of.
 */
export function letterOf(root: MailPart): Letter {
  const reader = new LetterReader("words");
  const text = reader.read(letterIn(root));
  const otherText = reader.otherText();
  return {
    text: text.slice(0, maxReadableCharacters).toWellFormed(),
    ...(otherText === "" ? {} : { otherText: otherText.slice(0, maxReadableCharacters).toWellFormed() }),
    attachments: reader.attachments,
    ...(reader.isCut || text.length >= maxReadableCharacters ? { isCut: true } : {}),
  };
}

/** The same mail for a person to look at: with where its links lead, and the form of its tables. */
export const shownLetterOf = (root: MailPart): string =>
  new LetterReader("shown").read(letterIn(root)).slice(0, maxReadableCharacters).toWellFormed();

/** Where the letter is: of a mail that is nothing but another one, handed on without a word, in that, as mail programs show it. */
export function letterIn(root: MailPart): MailPart {
  let part = root;
  for (let depth = 0; depth < partLimits.depth && isMessage(part.mimeType); depth += 1) {
    const [inner] = part.parts;
    if (inner === undefined) break;
    part = inner;
  }
  return part;
}

class LetterReader {
  readonly attachments: Attachment[] = [];
  /** A text was not read to its end. */
  isCut = false;
  readonly #other: string[] = [];
  #sourceLeft = mostSourceCharacters;
  #partsLeft: number = partLimits.parts;
  /** Text that is named like a file, in the place of the letter: a name must not hide a letter. */
  #named: MailPart | undefined;
  #calendar: MailPart | undefined;
  /** What is shown of that beside other words. */
  #card: string | undefined;
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  read(root: MailPart): string {
    const text = this.#shown(root, 0, true);
    if (text !== "" && text !== this.#card) return text;
    if (this.#calendar) return calendarLetter(this.#calendar, this.#take(this.#calendar));
    return this.#named ? shownText(this.#named, this.#take(this.#named), this.#reading).text : "";
  }

  otherText(): string {
    return this.#other.filter((text) => text !== "").join("\n");
  }

  /** @param first whether the part stands where the letter is expected: first of the first */
  #shown(part: MailPart, depth: number, first: boolean): string {
    this.#partsLeft -= 1;
    if (this.#partsLeft < 0 || depth > partLimits.depth) return "";
    if (part.mimeType.startsWith("multipart/") && part.parts.length > 0) {
      if (part.mimeType === "multipart/alternative") return this.#richest(part.parts, depth, first);
      return joined(part.parts.map((child, index) => this.#shown(child, depth + 1, first && index === 0)));
    }
    // A container that came without parts is shown as it is.
    const isShown = isShownText(part) || part.mimeType.startsWith("multipart/");
    if (part.mimeType.startsWith("message/") || isAttachment(part) || !part.text || !isShown) {
      const named = attachmentOf(part);
      if (named) this.attachments.push(named);
      if (first && part.text && isShownText(part)) this.#named = part;
      return "";
    }
    const { text, files } = shownText(part, this.#take(part), this.#reading);
    this.attachments.push(...files);
    if (isCalendar(part) && this.#calendar === undefined) [this.#calendar, this.#card] = [part, text];
    return text;
  }

  /** The version a mail program chooses; one that says nothing (pictures alone) gives way to the next. */
  #richest(versions: readonly MailPart[], depth: number, first: boolean): string {
    const ranked = versions
      .map((part, index) => ({ part, index, richness: richest(part, depth) }))
      .toSorted((one, other) => other.richness - one.richness || other.index - one.index);
    let chosen = "";
    for (const [place, { part, index }] of ranked.entries()) {
      const text = this.#shown(part, depth + 1, first && index === 0);
      if (chosen === "") chosen = text;
      else if (isCalendar(part)) chosen = joined([chosen, text]);
      else if (place <= mostVersions && saysOther(chosen, text)) this.#other.push(text);
    }
    return chosen;
  }

  /** How much of a part may be read yet. */
  #take(part: MailPart): number {
    const granted = Math.max(0, Math.min(mostPartCharacters, this.#sourceLeft));
    if (part.isCut || part.sizeBytes > granted) this.isCut = true;
    this.#sourceLeft -= Math.min(granted, part.sizeBytes);
    return granted;
  }
}

/** The richest text in a part, attached messages not counted; 0 when there is none. */
function richest(part: MailPart, depth: number): number {
  if (part.mimeType.startsWith("multipart/")) {
    if (depth > partLimits.depth) return 0;
    return part.parts.reduce((most, child) => Math.max(most, richest(child, depth + 1)), 0);
  }
  return part.text && isShownText(part) && !isAttachment(part) ? richnessOf(part) : 0;
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n");
}
