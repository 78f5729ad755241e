import { delimited } from "../../shared/privacy/delimiters.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredProposal } from "../store/schema.ts";
import type { Task } from "../work/entities.ts";

/** Mails that are given along; of more, the newest. */
const mostMails = 5;

/**
 * What this device holds of the mails a task came from, or that were merged into it, as data between marker lines like a
 * file's content; empty where there are none. The mails themselves are at their source.
 */
export function mailOfTask(
  store: DeviceStore,
  { id, sourceSuggestionId }: Pick<Task, "id" | "sourceSuggestionId">,
): string {
  const source = sourceSuggestionId === null ? undefined : store.proposals.find(sourceSuggestionId);
  const merged = store.proposals.list({ became: { type: "task", id } }).filter((each) => each.id !== source?.id);
  const mails = [...(source === undefined ? [] : [source]), ...merged];
  if (mails.length === 0) return "";
  const shown = mails.slice(0, mostMails).map((row) => delimited(saidBy(row), "mail"));
  const more = mails.length - shown.length;
  return ["The mail it came from:", ...shown, ...(more === 0 ? [] : [`Older ones are left out: ${more}.`])].join("\n");
}

function saidBy({ metadata, payload, rawSubject, rawSnippet }: StoredProposal): string {
  const sender = metadata === null ? "" : `${metadata.sender.name} <${metadata.sender.address}>`;
  const lines = [
    ["from", sender],
    ["subject", rawSubject ?? ""],
    ["due", payload?.due ?? ""],
    ...(payload?.quotes ?? []).map((quote) => ["says", quote]),
    ["begins", rawSnippet ?? ""],
  ].filter(([, value]) => value !== "");
  // A quotation has the line breaks of its mail: no line of it passes for another field.
  return lines.map(([name, value = ""]) => `${name}: ${value.replace(/\s+/gu, " ")}`).join("\n");
}
