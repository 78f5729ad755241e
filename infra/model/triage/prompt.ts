import { type MailTrait, mailTraits } from "../../../events/sources/mail-traits.ts";
import { traitTexts } from "../../../shared/scouts/connectors/mail/form/trait-texts.ts";
import type { HeaderFacts, MailView } from "./view.ts";

const opening = /<<<ITEM ([0-9a-f]{16,})>>>/;

/**
 * The item in a prompt: what stands between the first `<<<ITEM nonce>>>` and the last `<<<END nonce>>>` of the same
 * nonce, so that markers a mail invents stay text. The whole prompt when there is no such block.
 */
export function itemBlock(prompt: string): string {
  const start = opening.exec(prompt);
  if (!start) return prompt;
  const end = prompt.lastIndexOf(`<<<END ${start[1]}>>>`);
  const from = start.index + start[0].length;
  return end < from ? prompt : prompt.slice(from, end).trim();
}

/** What the person wants the scout for, which stands before the item; empty when the prompt does not say. */
export function purposeOf(prompt: string): string {
  const start = opening.exec(prompt)?.index ?? 0;
  return /^Purpose: (.*)$/m.exec(prompt.slice(0, start))?.[1] ?? "";
}

/** The lines the prompt puts before an item's text (shared/scouts/triage/triage-prompt.ts). */
const headerLine = /^(subject|from|sender|date|to|addressed|list|automatic|form|attachments):\s?(.*)$/i;

const addressed: Readonly<Record<string, HeaderFacts["addressed"]>> = {
  "to the reader": "reader",
  "in copy to the reader": "reader",
  "to a list the reader is on": "list",
  "to many alike": "many",
};

/**
 * Reads the header lines, an empty line and the body back into a view; a block without them is all body. A mail may write
 * such lines into its text: they end with the first line that is none, and of each name the first counts.
 */
export function parseItem(block: string): MailView {
  const lines = block.split(/\r?\n/);
  const said = new Map<string, string>();
  let read = 0;
  for (const line of lines) {
    const header = headerLine.exec(line);
    if (!header) break;
    read += 1;
    const name = header[1]?.toLowerCase() ?? "";
    const key = name === "sender" ? "from" : name;
    if (!said.has(key)) said.set(key, header[2] ?? "");
  }
  const header = headerOf(said);
  const form = said.get("form");
  return {
    subject: said.get("subject") ?? "",
    sender: said.get("from") ?? "",
    body: lines.slice(read).join("\n").trim(),
    ...(header === undefined ? {} : { header }),
    ...(form === undefined ? {} : { traits: traitsOf(form) }),
  };
}

const traitBy = new Map(mailTraits.map((trait) => [traitTexts[trait], trait]));

function traitsOf(line: string): MailTrait[] {
  return line.split("; ").flatMap((words) => traitBy.get(words) ?? []);
}

function headerOf(said: ReadonlyMap<string, string>): HeaderFacts | undefined {
  if (!["addressed", "list", "automatic", "attachments"].some((name) => said.has(name))) return undefined;
  return {
    addressed: addressed[said.get("addressed") ?? ""] ?? "unknown",
    hasListId: said.has("list"),
    isAutomatic: said.get("automatic") === "yes",
    attachments: said.get("attachments") ?? "",
  };
}
