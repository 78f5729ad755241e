import { randomBytes } from "node:crypto";
import { scoutTriageSystem } from "../llm/prompts/scout-triage-system.ts";
import { Transient } from "../privacy/transient.ts";
import type { ItemContent } from "./connectors/connector.ts";
import type { ScoutProfile } from "./scout-row.ts";

/** What the model sees of an item's text, in characters: enough to judge, and a bound on cost. */
export const maxBodyCharacters = 2000;
const maxHeaderCharacters = 300;

export interface TriagePrompt {
  readonly system: string;
  readonly user: Transient<string>;
}

/**
 * The request for one verdict. The item stands between markers with a nonce it cannot know, so it cannot pretend to
 * have ended.
 */
export function triagePrompt(
  sourceType: string,
  profile: Transient<ScoutProfile>,
  item: Pick<ItemContent, "subject" | "sender" | "text">,
  nonce: string = randomBytes(12).toString("hex"),
): TriagePrompt {
  const { name, purpose } = profile.reveal();
  const lines = [
    `Source type: ${sourceType}`,
    `Scout: ${oneLine(name)}`,
    `Purpose: ${oneLine(purpose)}`,
    `<<<ITEM ${nonce}>>>`,
    `Subject: ${oneLine(item.subject.reveal())}`,
    `From: ${oneLine(item.sender.reveal())}`,
    "",
    item.text.reveal().slice(0, maxBodyCharacters).toWellFormed(),
    `<<<END ${nonce}>>>`,
  ];
  return { system: scoutTriageSystem.text, user: new Transient(lines.join("\n")) };
}

/** Well formed as well: a cut may leave half a character, and model services refuse such JSON. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, maxHeaderCharacters).toWellFormed();
}
