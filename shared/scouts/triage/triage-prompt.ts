import { randomBytes } from "node:crypto";
import { scoutTriageSystem } from "../../llm/prompts/scout-triage-system.ts";
import { head, shownCharacters } from "../../llm/shown-text.ts";
import { Transient } from "../../privacy/transient.ts";
import { withoutBlankLines } from "../../text/without-blank-lines.ts";
import type { Attachment, ItemContent, Relation } from "../connectors/connector.ts";
import { plainForm, traitTexts } from "../connectors/mail/form/trait-texts.ts";
import { senderLine } from "../connectors/metadata.ts";
import type { ScoutProfile } from "../scout-row.ts";

/** What the model sees of an item's text, in characters: enough to judge, and a bound on cost. */
const maxBodyCharacters = shownCharacters.letter;

export interface TriagePrompt {
  readonly system: string;
  readonly user: Transient<string>;
}

/** What of an item goes into the prompt. A source that does not know a thing leaves it out, and its line is not there. */
export type PromptItem = Pick<ItemContent, "subject" | "sender" | "text"> &
  Partial<Pick<ItemContent, "sentAt" | "relation" | "listId" | "automatic" | "attachments" | "otherText" | "traits">>;

const relations: Readonly<Record<Relation, string>> = {
  to: "to the reader",
  cc: "in copy to the reader",
  list: "to a list the reader is on",
  bulk: "to many alike",
  unknown: "not said",
};

/**
 * The request for one verdict. The item stands between markers with a nonce it cannot know, so it cannot pretend to
 * have ended; each of its header lines is one line, whatever is in it.
 */
export function triagePrompt(
  sourceType: string,
  profile: Transient<ScoutProfile>,
  item: PromptItem,
  nowMs: number,
  nonce: string = randomBytes(12).toString("hex"),
): TriagePrompt {
  const { name, purpose } = profile.reveal();
  const lines = [
    `Source type: ${sourceType}`,
    `Scout: ${oneLine(name)}`,
    `Purpose: ${oneLine(purpose)}`,
    `Today: ${day(nowMs)}`,
    `<<<ITEM ${nonce}>>>`,
    ...headerLines(item),
    "",
    bodyOf(item),
    `<<<END ${nonce}>>>`,
  ];
  return { system: scoutTriageSystem.text, user: new Transient(lines.join("\n")) };
}

function headerLines(item: PromptItem): string[] {
  const { subject, sender, sentAt, relation, listId, automatic, attachments, traits } = item;
  const files = attachments?.reveal() ?? [];
  return [
    `Subject: ${oneLine(subject.reveal())}`,
    `From: ${oneLine(senderLine(sender.reveal()))}`,
    ...(sentAt === undefined ? [] : [`Date: ${minute(sentAt)}`]),
    ...(relation === undefined ? [] : [`Addressed: ${relations[relation]}`]),
    ...(listId === undefined ? [] : [`List: ${oneLine(listId.reveal())}`]),
    ...(automatic ? ["Automatic: yes"] : []),
    ...(traits === undefined ? [] : [`Form: ${traits.map((trait) => traitTexts[trait]).join("; ") || plainForm}`]),
    ...(files.length === 0 ? [] : [`Attachments: ${filesLine(files)}`]),
  ];
}

/** Where a mail shows different programs different letters, the model sees the beginning of both. */
function bodyOf({ text, otherText }: PromptItem): string {
  const shown = withoutBlankLines(text.reveal());
  const other = withoutBlankLines(otherText?.reveal() ?? "");
  if (other === "") return head(shown, maxBodyCharacters);
  const half = maxBodyCharacters / 2;
  const first = shown.slice(0, Math.max(half, maxBodyCharacters - other.length));
  const second = other.slice(0, maxBodyCharacters - first.length);
  return `${first.toWellFormed()}\n[Some mail programs show this text instead:]\n${second.toWellFormed()}`;
}

/** Their number is bounded (`metadataBounds`), the last place says how many more there are. */
function filesLine(files: readonly Attachment[]): string {
  const names = files.map(({ name }) => {
    const line = oneLine(name);
    // The end of a name says what a file is.
    const cut = line.length > shownCharacters.attachmentName ? `${line.slice(0, 60)}…${line.slice(-16)}` : line;
    return cut.toWellFormed();
  });
  return names.join(", ");
}

/** `2026-11-22` in UTC; a time no calendar has is left out. */
function day(atMs: number): string {
  return Math.abs(atMs) <= 8.64e15 ? new Date(atMs).toISOString().slice(0, 10) : "unknown";
}

function minute(atMs: number): string {
  return Math.abs(atMs) <= 8.64e15 ? `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC` : "unknown";
}

/** Well formed as well: a cut may leave half a character, and model services refuse such JSON. */
function oneLine(text: string): string {
  return head(text.replace(/\s+/g, " ").trim(), shownCharacters.header);
}
