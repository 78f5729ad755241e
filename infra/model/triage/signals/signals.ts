import { conceptCounts } from "../lexicon/concepts.ts";
import { type Concept, persuasion } from "../lexicon/lexicon.ts";
import { fold, joined, plainText, withoutListTag, words } from "../text.ts";
import type { MailView } from "../view.ts";
import { disguiseSignals } from "./disguise.ts";
import { hostSignals, senderSignals } from "./sender.ts";
import { type Setter, saturate } from "./signal.ts";
import { styleSignals } from "./style.ts";

/** Interpretable features by name, each from 0 to about 1. */
export type Signals = Map<string, number>;

const persuasive = new Set<Concept>(persuasion);
/** Pairs that make a pattern of fraud or advertising together. */
const pairs: readonly (readonly [Concept, Concept])[] = [
  ["account", "verify"],
  ["account", "suspended"],
  ["credential", "verify"],
  ["security", "click"],
  ["suspended", "click"],
  ["payment", "urgency"],
  ["payment", "suspended"],
  ["parcel", "payment"],
  ["prize", "click"],
  ["prize", "gift"],
  ["free", "click"],
  ["free", "unsubscribe"],
  ["discount", "click"],
  ["discount", "unsubscribe"],
  ["mailbox", "click"],
  ["crypto", "click"],
  ["earning", "free"],
  ["loan", "free"],
  ["impersonal", "click"],
  ["mailbox", "suspended"],
  ["mailbox", "verify"],
  ["credential", "suspended"],
  ["credential", "click"],
  ["security", "verify"],
  ["account", "security"],
  ["account", "click"],
  ["payment", "click"],
  ["document", "click"],
  ["document", "credential"],
  ["crypto", "verify"],
  ["crypto", "suspended"],
  ["parcel", "suspended"],
  ["impersonal", "verify"],
  ["impersonal", "suspended"],
  ["urgency", "suspended"],
  ["urgency", "verify"],
  ["receipt", "click"],
  ["receipt", "parcel"],
  ["consent", "publication"],
  ["consent", "unsubscribe"],
  ["campaign", "click"],
  ["campaign", "urgency"],
  ["stock", "earning"],
  ["software", "discount"],
  ["luxury", "discount"],
  ["pharma", "discount"],
  ["traffic", "telephone"],
  ["education", "telephone"],
  ["invoicing", "telephone"],
  ["publication", "click"],
];

/** The interpretable features of a mail. Pure; linear in the view's length. */
export function signalsOf(view: MailView): Signals {
  const signals: Signals = new Map();
  const set = (name: string, value: number): void => {
    if (value > 0) signals.set(name, value);
  };
  set("subject with list tag", withoutListTag(view.subject) === view.subject ? 0 : 1);
  const subject = plainText(joined(withoutListTag(view.subject)));
  const body = plainText(joined(view.body));
  conceptSignals(set, fold(subject.text), fold(body.text));
  disguiseSignals(set, subject, body);
  senderSignals(set, view.sender, fold(subject.text), fold(body.text));
  hostSignals(set, view, subject.text, body.text);
  styleSignals(set, subject.text, body.text);
  return signals;
}

function conceptSignals(set: Setter, subject: string, body: string): void {
  const inSubject = conceptCounts(subject);
  const inBody = conceptCounts(body);
  const present = new Set([...inSubject.keys(), ...inBody.keys()]);
  for (const concept of present) {
    set(`concept:${concept}`, 1);
    set(`often:${concept}`, saturate(Math.max(0, (inBody.get(concept) ?? 0) - 1), 2));
    set(`subject:${concept}`, inSubject.has(concept) ? 1 : 0);
  }
  for (const [one, other] of pairs) if (present.has(one) && present.has(other)) set(`pair:${one}+${other}`, 1);
  const pushes = [...present].filter((concept) => persuasive.has(concept)).length;
  const length = words(body).length;
  for (const least of [1, 2, 3, 4, 6, 8]) if (pushes >= least) set(`persuasion>=${least}`, 1);
  const mayPush = present.has("click") || present.has("unsubscribe") || present.has("removal");
  set("short and pushing", length > 0 && length < 40 && mayPush ? 1 : 0);
  set("persuasion per word", saturate(pushes / (length + 20), 0.05));
  const pushesInSubject = [...inSubject.keys()].filter((concept) => persuasive.has(concept)).length;
  set("persuasion in subject", saturate(pushesInSubject, 1));
}
