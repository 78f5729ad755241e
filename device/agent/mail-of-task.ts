import type { ProposalId } from "../../events/ids.ts";
import { delimited } from "../../shared/privacy/delimiters.ts";
import type { DeviceStore } from "../store/open.ts";

/**
 * What this device holds of the mail a task came from, as data between marker lines like a file's content; empty where it
 * came from none. The mail itself is at its source.
 */
export function mailOfTask(store: DeviceStore, from: ProposalId | null): string {
  const row = from === null ? undefined : store.proposals.find(from);
  if (row === undefined) return "";
  const { metadata, payload, rawSubject, rawSnippet } = row;
  const sender = metadata === null ? "" : `${metadata.sender.name} <${metadata.sender.address}>`;
  const lines = [
    ["from", sender],
    ["subject", rawSubject ?? ""],
    ["due", payload?.due ?? ""],
    ...(payload?.quotes ?? []).map((quote) => ["says", quote]),
    ["begins", rawSnippet ?? ""],
  ].filter(([, value]) => value !== "");
  const content = lines.map(([name, value]) => `${name}: ${value}`).join("\n");
  return `The mail it came from:\n${delimited(content, "mail")}`;
}
