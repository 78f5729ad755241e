import * as z from "zod";

/**
 * Why an item was judged as it was, as a closed list. The code is what a row may keep at rest (P1): it names a kind
 * of mail and quotes nothing. `account_or_security` is a genuine notice (a sign-in code, a password change);
 * the forged kind is `phishing`.
 */
export const reasonCodes = [
  "personal",
  "work_request",
  "invoice_or_payment",
  "calendar",
  "delivery_or_travel",
  "account_or_security",
  "newsletter",
  "list",
  "notification",
  "marketing",
  "phishing",
  "scam",
  "adult_or_pharma",
  "malware",
  "unsure",
  "other",
] as const;

/** One of {@link reasonCodes}: what a model may answer. */
export const reasonCodeSchema = z.enum(reasonCodes);
export type ReasonCode = z.infer<typeof reasonCodeSchema>;

/** Codes of what was dismissed: those of a verdict, and `muted`, which no model may answer: its owner muted the sender. */
export const spamReasonCodeSchema = z.enum([...reasonCodes, "muted"]);
export type SpamReasonCode = z.infer<typeof spamReasonCodeSchema>;

/**
 * Codes a proposal may carry: those of a verdict; `unjudged`, which no model may answer: the item can be read and nobody
 * could judge it, so its owner does; and `muted`, of what its owner took back.
 */
export const shownReasonCodeSchema = z.enum([...reasonCodes, "unjudged", "muted"]);
export type ShownReasonCode = z.infer<typeof shownReasonCodeSchema>;

/** Longest free-text reason of a verdict, in characters. */
export const maxReasonCharacters = 200;

/**
 * A triage verdict: what the model must answer with (structured output) and what the worker acts on.
 *
 * `reason` may quote the mail, so it lives in memory and in the proposal frame only. `confidence` is the probability
 * (0 to 1) that `verdict` is right; the worker turns spam below the scout's threshold into relevant.
 */
export const verdictSchema = z.strictObject({
  verdict: z.enum(["relevant", "spam"]),
  // A model that says more than it should has still judged.
  reason: z.string().max(maxReasonCharacters).meta({ mayBeCut: true }),
  reasonCode: reasonCodeSchema,
  confidence: z.number().min(0).max(1),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** A sentence for a person, by code: shown when a proposal is delivered later and the free-text reason is gone. */
export const reasonSentences: Record<ShownReasonCode, string> = {
  personal: "Somebody wrote to you personally.",
  work_request: "Somebody asks you for something at work.",
  invoice_or_payment: "It is about an invoice, a receipt or a payment.",
  calendar: "It is about an appointment or an invitation.",
  delivery_or_travel: "It is about a delivery, a booking or a journey.",
  account_or_security: "It is a notice about one of your accounts or its security.",
  newsletter: "It is an issue of a newsletter.",
  list: "Somebody wrote to a mailing list you are on.",
  notification: "It is an automatic notification from a service.",
  marketing: "It advertises something.",
  phishing: "It looks like an attempt to get at your password, account or payment details.",
  scam: "It looks like a fraud that promises money or a prize.",
  adult_or_pharma: "It advertises adult content, medicines or gambling.",
  malware: "It looks like an attempt to make you open something harmful.",
  unsure: "It may be unwanted, but the scout was not sure.",
  other: "It fits none of the usual kinds.",
  muted: "You muted its sender, and took it back.",
  unjudged: "The scout could not judge it, so have a look yourself.",
};

/** Why an item that is spam was left where it is although its scout may move spam to Trash. */
export const keptReasons = [
  "switched_off",
  "not_granted",
  "starred",
  "important",
  "correspondent",
  "sender_unknown",
  "changed",
  "gone",
  "unavailable",
] as const;
export type KeptReason = (typeof keptReasons)[number];

/** How a person may decide a proposal. */
export const decisionOutcomes = ["approved", "rejected"] as const;
export type DecisionOutcome = (typeof decisionOutcomes)[number];
