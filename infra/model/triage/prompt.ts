import type { MailView } from "./view.ts";

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

/** The lines the prompt puts before an item's text (shared/scouts/triage/triage-prompt.ts). */
const headerLine = /^(subject|from|sender|date|to|addressed|list|automatic|attachments):\s?(.*)$/i;

/**
 * Reads the header lines, an empty line and the body back into a view; a block without them is all body. Of the lines
 * only `Subject` and `From` are used: the weights were trained without the others.
 */
export function parseItem(block: string): MailView {
  const lines = block.split(/\r?\n/);
  let subject = "";
  let sender = "";
  let read = 0;
  for (const line of lines) {
    const header = headerLine.exec(line);
    if (!header) break;
    read += 1;
    const name = header[1]?.toLowerCase();
    if (name === "subject") subject = header[2] ?? "";
    else if (name === "from" || name === "sender") sender = header[2] ?? "";
  }
  return { subject, sender, body: lines.slice(read).join("\n").trim() };
}
