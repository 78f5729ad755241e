import i18next from "i18next";
import type { Proposal } from "./api.ts";
import { preferencesNow } from "./preferences.ts";
import { line } from "./shown-text.ts";

/** Several that come within this time are told at once. */
const gatherMs = 1_000;

const told = new Set<string>();
let fresh: Proposal[] = [];

/** Tells of a proposal that is new, when the person wants that and does not look at the page anyway. */
export function notifyOf(proposal: Proposal): void {
  const isNews = proposal.status === "pending" && !told.has(proposal.id);
  told.add(proposal.id);
  if (!isNews || preferencesNow().notifications === "off" || !document.hidden) return;
  fresh.push(proposal);
  if (fresh.length === 1) setTimeout(show, gatherMs);
}

/** How many, and what it is about only where the person has asked for that. */
function show(): void {
  const [first, ...others] = fresh;
  fresh = [];
  if (first === undefined || Notification.permission !== "granted") return;
  const isOpen = preferencesNow().notifications === "subject" && others.length === 0;
  const count = 1 + others.length;
  const notification = new Notification("Scouts", {
    body: isOpen ? line(first.rawSubject ?? "") || i18next.t("card.noSubject") : i18next.t("notify.arrived", { count }),
    tag: "scouts",
  });
  // A browser leaves it to the page whether a click on it leads anywhere.
  notification.onclick = () => {
    window.focus();
    notification.close();
  };
}

/** Asks the browser for the right to show something. @returns whether it is given */
export async function mayNotify(): Promise<boolean> {
  return (await Notification.requestPermission()) === "granted";
}
