import { errorKinds } from "../../events/error-kinds.ts";
import type { DismissedAtSource } from "../../events/http/items.ts";
import { counted } from "../output/counted.ts";
import { truncated } from "../output/printable.ts";

/** Terminal columns: the subject says more. */
const widestSender = 28;

/** An item whose sender and subject were asked of its source. */
export interface AskedAtSource {
  readonly atSource?: DismissedAtSource | undefined;
}

const isRead = (at: DismissedAtSource | undefined): at is Exclude<DismissedAtSource, { code: unknown }> =>
  at !== undefined && !("code" in at);

/** As a mail program shows it; empty where it was not read. */
export function senderOf({ atSource }: AskedAtSource): string {
  if (!isRead(atSource)) return "";
  const { name, address } = atSource.sender;
  return truncated(name === "" || address === "" ? name || address : `${name} <${address}>`, widestSender);
}

/** The subject of an item as it was read now, or in brackets why there is none. */
export function subjectOf({ atSource }: AskedAtSource): string {
  if (isRead(atSource)) return atSource.subject.trim() === "" ? "(no subject)" : atSource.subject;
  return atSource?.code === "item_gone" ? "(gone at the source)" : "(not read)";
}

/** Why some could not be read, once for each reason. */
export function unreadOf(items: readonly AskedAtSource[]): string[] {
  const codes = items.flatMap(({ atSource }) => (atSource !== undefined && "code" in atSource ? [atSource.code] : []));
  const counts = Map.groupBy(
    codes.filter((code) => code !== "item_gone"),
    (code) => code,
  );
  return [...counts].map(([code, { length }]) => `${counted(length, "item")} not read: ${errorKinds[code].sentence}`);
}
