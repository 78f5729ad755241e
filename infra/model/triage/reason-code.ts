import type { ReasonCode } from "../../../events/verdict.ts";
import type { Concept } from "./lexicon.ts";
import { conceptCounts } from "./signals.ts";
import { fold, plainText } from "./text.ts";
import type { MailView } from "./view.ts";

/** What a rule may look at. */
interface Evidence {
  /** A concept's occurrences in the body, those in the subject counting three times. */
  readonly weight: (concept: Concept) => number;
  readonly has: (signal: string) => boolean;
  readonly says: (expression: RegExp) => boolean;
}

type Rule = readonly [code: ReasonCode, points: (evidence: Evidence) => number];

const unwanted: readonly Rule[] = [
  [
    "phishing",
    ({ weight, has }) =>
      (has("brand in name, not in address") ? 3 : 0) +
      (has("sender disguised") || has("mixed scripts in subject") ? 2 : 0) +
      Math.min(2, weight("account") + weight("mailbox")) +
      Math.min(3, weight("verify") + weight("suspended") + weight("credential")) +
      Math.min(2, weight("security")) +
      Math.min(2, weight("parcel") + weight("payment")),
  ],
  [
    "scam",
    ({ weight }) =>
      Math.min(6, 2 * weight("fortune")) +
      Math.min(4, 2 * weight("prize")) +
      Math.min(4, 2 * weight("crypto")) +
      Math.min(4, weight("earning")) +
      Math.min(2, weight("loan")),
  ],
  [
    "adult_or_pharma",
    ({ weight }) =>
      2 * Math.min(4, weight("adult")) + 2 * Math.min(4, weight("pharma")) + 2 * Math.min(4, weight("gambling")),
  ],
  [
    "malware",
    ({ says }) =>
      (says(/\.(?:exe|scr|js|vbs|iso|lnk|bat|jar)\b/) ? 4 : 0) +
      (says(/enable (?:content|macros|editing)|inhalte? aktivieren|makros aktivieren/) ? 6 : 0) +
      (says(/password (?:for|to open|of) the (?:archive|attachment|file|zip)/) ? 4 : 0),
  ],
  [
    "marketing",
    ({ weight }) =>
      1 +
      Math.min(3, weight("discount")) +
      Math.min(2, weight("offer")) +
      Math.min(2, weight("free")) +
      Math.min(2, weight("unsubscribe")) +
      Math.min(2, weight("guarantee")),
  ],
];

const travel =
  /\b(?:flight|itinerary|boarding|booking|reservation|check-in|hotel|flug\w*|buchung\w*|zugticket|bahnticket|reise\w*|reservierung\w*|vol|reserva|reservacion|vuelo|vlucht|boeking)\b/;
const request =
  /\b(?:could you|can you|would you|please (?:review|send|check|confirm|reply|sign|let)|need (?:you|your)|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow|end of)|konnten sie|konntest du|kannst du|bitte (?:schick|prufe|send|gib)\w*|pouvez-vous|peux-tu|merci de|puedes|podrias|podria|pode|poderia|kun je|kunt u)\b/;

const wanted: readonly Rule[] = [
  [
    "calendar",
    ({ weight, says }) =>
      (says(/\binvit(?:ation|e)\b|\beinladung\b|\bwhen:|\bwann:|\bics\b/) ? 3 : 0) + Math.min(4, weight("meeting")),
  ],
  ["invoice_or_payment", ({ weight }) => (weight("payment") > 1 ? Math.min(6, weight("payment")) : 0)],
  ["delivery_or_travel", ({ weight, says }) => (says(travel) ? 3 : 0) + Math.min(4, weight("parcel"))],
  [
    "account_or_security",
    ({ weight, has }) =>
      has("sender's name is an office's") || has("sender's address is an office's")
        ? Math.min(3, weight("credential")) + Math.min(2, weight("security")) + Math.min(1, weight("account"))
        : 0,
  ],
  [
    "newsletter",
    ({ weight, says }) =>
      1.5 * Math.min(3, weight("unsubscribe")) + (says(/\bnewsletter\b|\bdigest\b|\bthis week\b|\bissue \d/) ? 3 : 0),
  ],
  [
    "marketing",
    ({ weight }) => (weight("discount") > 1 ? Math.min(4, weight("discount")) + Math.min(2, weight("offer")) : 0),
  ],
  [
    "notification",
    ({ has, says }) =>
      (has("sender's address is an office's") ? 2 : 0) +
      (says(/\bautomat\w+ (?:message|notification|generated|erstellt)|do not reply/) ? 2 : 0),
  ],
  ["work_request", ({ says, has }) => (says(request) ? 3 : 0) + (has("concept:technical") ? 0.5 : 0)],
  [
    "personal",
    ({ has, weight }) =>
      (has("sender's name fits address") && !has("sender's address is an office's") ? 1.5 : 0) +
      (has("first person") ? 0.5 : 0) +
      Math.min(2, 0.5 * weight("conversation")) -
      (weight("unsubscribe") > 0 ? 3 : 0),
  ],
];

/** The kind of mail, by the rule with the most points; `other` when none has any. */
export function reasonCodeOf(view: MailView, signals: ReadonlyMap<string, number>, spam: boolean): ReasonCode {
  const subject = fold(plainText(view.subject).text);
  const body = fold(plainText(view.body).text);
  const inSubject = conceptCounts(subject);
  const inBody = conceptCounts(body);
  const evidence: Evidence = {
    weight: (concept) => 3 * (inSubject.get(concept) ?? 0) + (inBody.get(concept) ?? 0),
    has: (signal) => signals.has(signal),
    says: (expression) => expression.test(subject) || expression.test(body),
  };
  let best: ReasonCode = "other";
  let most = 0;
  for (const [code, points] of spam ? unwanted : wanted) {
    const reached = points(evidence);
    if (reached > most) {
      most = reached;
      best = code;
    }
  }
  return best;
}
