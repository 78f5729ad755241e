import { head } from "../../../shared/llm/shown-text.ts";
import { clean, workLine } from "../../actions/work/work-line.ts";
import type { ItemView } from "../item-view.ts";
import { writtenAt } from "../written-at.ts";

/** Of an item that is read by a model: what is asked of somebody stands at its front. */
const mostCharacters = 12_000;

/** An item as `read_item` gives it: a line of JSON about it, then its text, without credentials. */
export function itemText(item: ItemView): string {
  const { subject, text, metadata } = item;
  const sender = metadata?.sender;
  const about = workLine({
    from: sender === undefined ? "" : sender.name === "" ? sender.address : `${sender.name} <${sender.address}>`,
    to: metadata?.relation,
    sent: metadata?.sentAt === undefined ? "" : new Date(writtenAt(item)).toISOString().slice(0, 16),
    subject,
    attachments: metadata?.attachments?.map(({ name }) => name),
  });
  const left = text.length - mostCharacters;
  const more = left > 0 ? `\n[${left} more characters are not shown]` : "";
  return `${about}\n\n${clean(head(text, mostCharacters))}${more}`;
}
