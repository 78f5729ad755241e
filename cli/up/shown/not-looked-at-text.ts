import type { NotLookedAt as LeftOut } from "../../../infra/local/world/world.ts";
import type { LookAt } from "../../home/up-options.ts";

/** Messages of the mailbox that the scout does not look at, by reason; `before`: they had come before it was made anew. */
export type NotLookedAt = LeftOut & { readonly before?: number };

const placeNames = { sent: "Sent", spam: "Spam", drafts: "Drafts", trash: "Trash", chat: "Chat" } as const;

/** The sentence about mail that is not watched, `Not looked at: 113 in Sent, Spam.`; nothing when all of it is. */
export function notLookedAtText(aside: NotLookedAt, lookAt: LookAt | undefined): string | undefined {
  const places = Object.entries(placeNames).flatMap(([reason, name]) => {
    const count = aside[reason as keyof typeof placeNames] ?? 0;
    return count > 0 ? [{ name, count }] : [];
  });
  const elsewhere = places.reduce((sum, { count }) => sum + count, 0);
  const parts = [
    ...(elsewhere > 0 ? [`${elsewhere} in ${places.map(({ name }) => name).join(", ")}`] : []),
    ...(aside.since ? [`${aside.since} older than ${dayOf(lookAt?.sinceMs)}`] : []),
    ...(aside.limit ? [`${aside.limit} older than the newest ${lookAt?.limit ?? ""}`.trimEnd()] : []),
    ...(aside.before ? [`${aside.before} from before the scout was added again`] : []),
    ...(aside.labels ? [`${aside.labels} without ${lookAt?.labels ? "these labels" : "a place in the inbox"}`] : []),
  ];
  return parts.length === 0 ? undefined : `Not looked at: ${parts.join(", ")}.`;
}

function dayOf(atMs: number | undefined): string {
  if (atMs === undefined) return "the day asked for";
  const day = new Date(atMs);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
