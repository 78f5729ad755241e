import { conceptCounts } from "../lexicon/concepts.ts";
import { type Concept, persuasion } from "../lexicon/lexicon.ts";
import { fold, joined, plainText, withoutAddresses, withoutListTag, words } from "../text.ts";
import type { MailView } from "../view.ts";
import { isLabelled } from "./advertising-label.ts";
import { disguiseSignals } from "./disguise.ts";
import { hostSignals, senderSignals } from "./sender.ts";
import { type Setter, saturate } from "./signal.ts";
import { automatic, styleSignals } from "./style.ts";

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
  ["congrats", "prize"],
  ["congrats", "click"],
  ["congrats", "gift"],
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
  ["medicine", "bargain"],
  ["medicine", "discount"],
  ["medicine", "click"],
  ["medicine", "pharma"],
  ["software", "bargain"],
  ["luxury", "bargain"],
  ["adult", "medicine"],
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
  set("says it is advertising", isLabelled(view.subject) ? 1 : 0);
  const subject = plainText(joined(withoutListTag(view.subject)));
  const body = plainText(joined(view.body));
  conceptSignals(set, fold(subject.text), fold(withoutAddresses(body.text)));
  disguiseSignals(set, subject, body);
  senderSignals(set, view.sender, fold(subject.text), fold(body.text));
  hostSignals(set, view, subject.text, body.text);
  styleSignals(set, subject.text, body.text);
  jointSignals(set, signals, `${subject.text} ${body.text}`);
  return signals;
}

/** What only together means something. */
function jointSignals(set: Setter, signals: Signals, text: string): void {
  const isUnnamed = signals.delete("sender's domain not named");
  set("pushes, sender's domain not named", isUnnamed && signals.has("persuasion>=3") ? 1 : 0);
  // News are about brands too; who borrows one speaks of what forgers want.
  const isNews = !forged.some((concept) => signals.has(`subject:${concept}`)) && !signals.has("body short");
  if (isNews) signals.delete("brand in subject, not in address");
  // Who fills a post says what the firm does and what is paid.
  if ((signals.get("often:vacancy") ?? 0) >= 0.5) for (const name of ofFirm) signals.delete(name);
  const borrows = ["brand in name, not in address", "brand in subject, not in address", "sender of free mail"];
  const isOrder = (signals.has("concept:ordered") || signals.has("concept:receipt")) && orderNumber.test(text);
  const leadsAway = signals.has("links to other hosts alone") && signals.has("persuasion>=3");
  set("order by number", isOrder && !leadsAway && !borrows.some((name) => signals.has(name)) ? 1 : 0);
}

const ofFirm = ["often:zh_trade", "concept:home_work", "often:home_work"];
const forged: readonly Concept[] = [
  "account",
  "credential",
  "verify",
  "suspended",
  "security",
  "mailbox",
  "parcel",
  "payment",
  "prize",
  "gift",
  "congrats",
  "survey",
  "urgency",
  "lockout",
  "held_mail",
  "fee_or_prize",
];
const orderNumber =
  /(?:#|n[°ºo]\.?|nr\.?|no\.|number|nummer|numero|número|numéro|№|番号|번호|编号|号)\s*(?::\s*)?[A-Z]{0,4}-?\d{2,}/i;

/** About so many characters make a passage: what stands further apart was not said together. */
const passageCharacters = 300;

/** A text in passages, cut where a line or a sentence ends. */
function passagesOf(text: string): string[] {
  const passages: string[] = [];
  let passage = "";
  for (const piece of text.split(/(?<=\n|[.!?。！？](?=\s)|[。！？])/u)) {
    passage += piece;
    if (passage.length < passageCharacters) continue;
    passages.push(passage);
    passage = "";
  }
  return passage === "" ? passages : [...passages, passage];
}

function conceptSignals(set: Setter, subject: string, body: string): void {
  const inSubject = conceptCounts(subject);
  const passages = passagesOf(body).map(conceptCounts);
  const inBody = new Map<Concept, number>();
  for (const counts of passages) {
    for (const [concept, count] of counts) inBody.set(concept, (inBody.get(concept) ?? 0) + count);
  }
  const present = new Set([...inSubject.keys(), ...inBody.keys()]);
  for (const concept of present) {
    set(`concept:${concept}`, 1);
    set(`often:${concept}`, saturate(Math.max(0, (inBody.get(concept) ?? 0) - 1), 2));
    set(`subject:${concept}`, inSubject.has(concept) ? 1 : 0);
  }
  // The subject stands beside the first passage, and a passage beside the next.
  const near = [inSubject, ...passages].map(
    (counts, at, all) => new Set([...counts.keys(), ...(all[at + 1]?.keys() ?? [])]),
  );
  for (const [one, other] of pairs) {
    if (near.some((concepts) => concepts.has(one) && concepts.has(other))) set(`pair:${one}+${other}`, 1);
  }
  const pushes = [...present].filter((concept) => persuasive.has(concept)).length;
  const length = words(body).length;
  for (const least of [1, 2, 3, 4, 6, 8]) if (pushes >= least) set(`persuasion>=${least}`, 1);
  const mayPush = present.has("click") || present.has("unsubscribe") || present.has("removal");
  set("short and pushing", length > 0 && length < 40 && mayPush && !automatic.test(body) ? 1 : 0);
  set("persuasion per word", saturate(pushes / (length + 20), 0.05));
  const pushesInSubject = [...inSubject.keys()].filter((concept) => persuasive.has(concept)).length;
  set("persuasion in subject", saturate(pushesInSubject, 1));
}
