import { brands, type Concept, concepts, freeMailDomains, persuasion, roleWords } from "./lexicon.ts";
import { fold, joined, type PlainText, plainText, withoutListTag, words } from "./text.ts";
import type { MailView } from "./view.ts";

/** Interpretable features by name, each from 0 to about 1. */
export type Signals = Map<string, number>;

interface Matcher {
  readonly concept: Concept;
  readonly exact: ReadonlySet<string>;
  readonly stems: ReadonlySet<string>;
  readonly phrases: readonly string[];
  readonly unspaced: readonly string[];
}

/** What is written without blanks between words matches wherever it stands. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const matchers: readonly Matcher[] = [...concepts].map(([concept, list]) => {
  const [first = "", ...phrases] = list.split("|").map(fold);
  const single = first.split(" ").filter((entry) => entry !== "");
  const spaced = single.filter((entry) => !unspaced.test(entry));
  return {
    concept,
    exact: new Set(spaced.filter((entry) => !entry.endsWith("*"))),
    stems: new Set(spaced.filter((entry) => entry.endsWith("*")).map((entry) => entry.slice(0, -1))),
    phrases: phrases.filter((phrase) => !unspaced.test(phrase)),
    unspaced: [...single, ...phrases].filter((entry) => unspaced.test(entry)),
  };
});
const brandSet = new Set(brands);
/** Those no ordinary word holds. */
const longBrands = brands.filter((brand) => brand.length > 5);
const freeMail = new Set(freeMailDomains);
const roles = new Set(roleWords);
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

/** How often each concept occurs, by concept. */
export function conceptCounts(folded: string): Map<Concept, number> {
  const counts = new Map<Concept, number>();
  const tokens = words(folded);
  const spaced = ` ${folded.replace(/\s+/g, " ")} `;
  const isUnspaced = unspaced.test(folded);
  for (const { concept, exact, stems, phrases, unspaced: runs } of matchers) {
    let count = 0;
    for (const token of tokens) if (exact.has(token) || startsWithStem(token, stems)) count += 1;
    for (const phrase of phrases) if (hasPhrase(spaced, phrase)) count += 1;
    if (isUnspaced) for (const run of runs) if (folded.includes(run)) count += 1;
    if (count > 0) counts.set(concept, count);
  }
  return counts;
}

/** Whether a phrase stands in a text, and not inside another word: `pret` is not in `interpret`. */
function hasPhrase(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    if (!isLetter.test(phrase.charAt(0)) || !isLetter.test(text.charAt(at - 1))) return true;
  }
  return false;
}

const isLetter = /\p{L}/u;

function startsWithStem(token: string, stems: ReadonlySet<string>): boolean {
  for (let length = 3; length <= token.length && length <= 14; length += 1) {
    if (stems.has(token.slice(0, length))) return true;
  }
  return false;
}

/** A share squeezed so that its low end counts: 0 stays 0, `half` becomes 0.5. */
function saturate(value: number, half: number): number {
  return value / (value + half);
}

function count(text: string, expression: RegExp): number {
  return text.match(expression)?.length ?? 0;
}

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

type Setter = (name: string, value: number) => void;

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

function disguiseSignals(set: Setter, subject: PlainText, body: PlainText): void {
  set("mixed scripts in subject", subject.mixedWords > 0 ? 1 : 0);
  set("mixed scripts in body", body.mixedWords > 1 ? 1 : 0);
  set("styled letters", subject.styledLetters + body.styledLetters > 3 ? 1 : 0);
  set(
    "letters spaced out",
    /\b(?:\p{L}[ ._*-]){4,}\p{L}\b/u.test(`${subject.text} ${body.text.slice(0, 500)}`) ? 1 : 0,
  );
  set(
    "digits in words",
    saturate(count(`${subject.text} ${body.text.slice(0, 800)}`, /(?<![\w/.-])\p{L}{2,}[013$@]\p{L}{2,}(?![\w/.])/gu), 2),
  );
  set(
    "random tail of subject",
    /[\s([#:-][a-z0-9]*\d[a-z]+\d[a-z0-9]*[)\]]?$|\s\d{5,}\)?$/i.test(subject.text) ? 1 : 0,
  );
}

function senderSignals(set: Setter, sender: string, subject: string, body: string): void {
  // Nothing is known, which is neither for nor against the mail.
  if (sender.trim() === "") return;
  const plain = plainText(sender);
  const folded = fold(plain.text);
  const address = /<([^<>]*)>\s*$/.exec(folded)?.[1] ?? (folded.includes("@") ? folded.trim() : "");
  const at = address.lastIndexOf("@");
  const local = at < 0 ? address : address.slice(0, at);
  const domain = at < 0 ? "" : address.slice(at + 1);
  // A mailing list that writes itself in as the sender leaves "Name via list".
  const name = folded
    .replace(/<[^<>]*>\s*$/, "")
    .replace(/"/g, "")
    .trim()
    .replace(/ via [\w-]+$/, "");
  const nameWords = words(name).filter((word) => /\p{L}/u.test(word));
  const labels = domain.split(".");
  set("sender without address", domain === "" ? 1 : 0);
  set("sender without name", name === "" ? 1 : 0);
  set("sender disguised", plain.mixedWords + plain.styledLetters > 0 ? 1 : 0);
  set("sender of free mail", freeMail.has(domain) ? 1 : 0);
  set("sender's name is an office's", nameWords.some((word) => roles.has(word)) ? 1 : 0);
  set("sender's address is an office's", words(local).some((word) => roles.has(word)) ? 1 : 0);
  const agrees = nameWords.some((word) => word.length > 2 && address.includes(word.slice(0, 6)));
  set("sender's name fits address", name !== "" && agrees ? 1 : 0);
  set("sender's name unlike address", name !== "" && !agrees ? 1 : 0);
  set("sender's local part with digits", /\d{3,}/.test(local) ? 1 : 0);
  set("sender's local part mixes digits", /[a-z]\d+[a-z]|\d[a-z]+\d/.test(local) ? 1 : 0);
  const random = (text: string): boolean =>
    (text.length >= 7 && (text.match(/\d[a-z]|[a-z]\d/g)?.length ?? 0) >= 2) || /[bcdfghjklmnpqrstvwxz]{6,}/.test(text);
  set("sender's local part random", random(local) ? 1 : 0);
  set("sender's domain random", labels.slice(0, -1).some(random) ? 1 : 0);
  set("sender's domain with digits", /\d/.test(labels.slice(0, -1).join(".")) ? 1 : 0);
  set("sender's domain deep", labels.length > 3 ? 1 : 0);
  set("sender's domain long", domain.length > 24 ? 1 : 0);
  set("sender's name random", /(?:^|[\s.])(?=\w*[b-df-hj-np-tv-xz]{4})[b-df-hj-np-tv-xz\d]{4,}|\b(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{6,}\b/.test(name) ? 1 : 0);
  set("sender's name with digits", /\d{2,}/.test(name) ? 1 : 0);
  set("sender shouts", /\p{Lu}{4,}\s+\p{Lu}{3,}/u.test(plain.text.replace(/<.*$/, "")) ? 1 : 0);
  set("sender's name decorated", /[^\p{L}\p{N}\s.,'"@()/&+-]/u.test(name) ? 1 : 0);
  set("sender's name is long", nameWords.length > 3 ? 1 : 0);
  // A brand has its own name in its domain, not a longer one that holds it (`paypal-service.example`).
  const isOwn = (brand: string): boolean => labels.includes(brand);
  const joinedName = nameWords.join("");
  const spoken = (text: string): string[] => words(text).filter((word) => brandSet.has(word));
  const inName = [...spoken(name), ...longBrands.filter((brand) => joinedName.includes(brand))];
  set("brand in name, not in address", inName.some((brand) => !isOwn(brand)) ? 1 : 0);
  set("brand in subject, not in address", spoken(subject).some((brand) => !isOwn(brand)) ? 1 : 0);
  set("brand glued into address", longBrands.some((brand) => !isOwn(brand) && (domain.includes(brand) || local.includes(brand))) ? 1 : 0);
  set("office at free mail", freeMail.has(domain) && (inName.length > 0 || nameWords.some((word) => roles.has(word))) ? 1 : 0);
  set("sender's domain incomplete", at >= 0 && (labels.length < 2 || /[^\w.-]/.test(domain)) ? 1 : 0);
  // A brand that speaks: named again and again by somebody with another address.
  const named = spoken(body).filter((brand) => !domain.includes(brand)).length;
  set("brand in body, not in address", saturate(named, 2));
  set("brand in address", brands.some((brand) => brand.length > 3 && labels.slice(-2, -1).includes(brand)) ? 1 : 0);
  const claimed = /[\w-]+\.(?:com|net|org|edu|gov|info|biz|[a-z]{2})\b/.exec(name)?.[0] ?? "";
  set("sender's name is another address", claimed !== "" && !domain.endsWith(claimed) ? 1 : 0);
  set("sender's domain rare ending", /\.(?:xyz|top|click|shop|site|online|icu|buzz|live|club|info|biz|ru|cn|tk|ml|cf|ga|pw|cc|vip|fun|space|website|store|monster|sbs|cfd|lat|bond|life|rest|quest|beauty|hair|skin|makeup|homes|digital|world|today|agency|solutions|win|bid|loan|men|stream|download|racing|party|review|trade|date|faith|science|work)$/.test(domain) ? 1 : 0);
}

const addressInText = /[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[a-z]{2,24}/i;
const hostInText = /(?:https?:\/\/|\bwww\.)([\w.-]{3,100})/gi;

function hostSignals(set: Setter, view: MailView, subject: string, body: string): void {
  set("address in subject", addressInText.test(subject) ? 1 : 0);
  const domain = /@([\w.-]+)>?\s*$/.exec(view.sender.toLowerCase())?.[1] ?? "";
  const own = domain.split(".").slice(-2).join(".");
  const hosts = [...body.matchAll(hostInText)].map(([, host = ""]) => host.toLowerCase().replace(/^www\./, ""));
  const others = hosts.filter((host) => own === "" || !host.endsWith(own));
  if (hosts.length > 0 && domain !== "") {
    set("links to sender's host", others.length < hosts.length ? 1 : 0);
    set("links to other hosts alone", others.length === hosts.length ? 1 : 0);
  }
  set("hosts shown", saturate(new Set(hosts).size, 3));
  set("host with rare ending", hosts.some((host) => rareEnding.test(host)) ? 1 : 0);
  set("host of digits and hyphens", hosts.some((host) => /\d{3,}|-.*-/.test(host)) ? 1 : 0);
}

const rareEnding = /\.(?:xyz|top|click|shop|site|online|icu|buzz|club|info|biz|ru|cn|tk|ml|cf|ga|pw|cc|vip|fun|space|website|store|monster|sbs|cfd|lat|bond|life|rest|quest|beauty|hair|skin|makeup|homes|digital|world|today|agency|solutions|win|bid|loan|men|stream|download|racing|party|review|trade|date|faith|science|work)$/;

/**
 * Letters and what is put for them made one: `v1agra`, `clalis` and `viagra`, `cialis` look the same. A word that looks like
 * a word of advertising and is not it was disguised.
 */
function lookOf(word: string): string {
  return word
    .replace(/[il1|!j]/g, "i")
    .replace(/0/g, "o")
    .replace(/[@4]/g, "a")
    .replace(/[$5]/g, "s")
    .replace(/3/g, "e")
    .replace(/v/g, "u")
    .replace(/(.)\1+/g, "$1");
}

const disguisable = ["drug", "pharma", "adult", "gambling", "software", "luxury", "loan", "stock", "discount", "free"] as const;
const plainWords = new Set(
  matchers.flatMap(({ exact, stems }) => [...exact, ...stems]),
);
const looks = new Set(
  matchers
    .filter(({ concept }) => disguisable.some((name) => name === concept))
    .flatMap(({ exact, stems }) => [...exact, ...stems])
    .filter((word) => word.length > 4 && /^[a-z]+$/.test(word))
    .map(lookOf),
);

const broken = "viagra cialis levitra valium xanax vicodin ambien phentermine codeine pharmacy medication prescription mortgage refinance software rolex diploma university erection".split(" ");

/** Words of advertising that were taken apart by signs, blanks or letters no reader minds: `v i a - g r a`, `mo . r tgage`. */
function brokenWords(text: string): number {
  const run = lookOf(text.slice(0, 2_000).replace(/[^\p{L}\p{N}@$|]/gu, ""));
  const whole = ` ${lookOf(text.slice(0, 2_000).replace(/[^\p{L}\p{N}@$|]+/gu, " "))} `;
  return brokenLooks.filter((word) => run.includes(word) && !whole.includes(word)).length;
}
const brokenLooks = broken.map(lookOf);

/** Words nobody could say: `rrsjfpp`, `kwxtlm`. */
function unsayable(text: string): number {
  return text
    .replace(/\S*(?:\/\/|www\.|@)\S*/g, " ")
    .match(/(?<![\w.@/-])[a-z]{0,12}[bcdfghjklmnpqrstvwxz]{5,12}[a-z]{0,12}(?![\w.@/-])/g)?.length ?? 0;
}

function disguisedWords(text: string): number {
  const found = text.match(/[a-z0-9@$|!]{5,20}/g) ?? [];
  const disguised = new Set(found.filter((word) => /[a-z]/.test(word) && !plainWords.has(word) && looks.has(lookOf(word.replace(/!+$/, "")))));
  return disguised.size;
}

const automatic =
  /do not reply|don't reply|please do not respond|automat\w+ (?:message|notification|generated|erstellt|e-?mail)|automatisch (?:erstellt|generiert|versendet)|nicht auf diese|ne pas repondre|ne repondez pas|message automatique|no responda|mensaje automatico|non rispondere|messaggio automatico|nao responda|mensagem automatica|niet beantwoorden|automatisch bericht|nie odpowiadaj|не отвечаите|автоматическ|请勿回复|自动发送|返信しないで|自動送信|返信はできません|회신하지|발신전용|自動配信/;

function styleSignals(set: Setter, subject: string, body: string): void {
  const letters = count(body, /\p{L}/gu);
  const capitals = count(body, /\p{Lu}/gu);
  const bodyWords = words(fold(body));
  const per = (value: number): number => value / (bodyWords.length + 20);
  const subjectLetters = count(subject, /\p{L}/gu);
  set("automatic wording", automatic.test(fold(body)) ? 1 : 0);
  set("list footer", /^_{20,}\s*$|mailing list\b.{0,80}(?:\n|$)|listinfo|to unsubscribe,? (?:e-?mail|send)|-unsubscribe@|posting to|hat geschrieben|newsgroup|usenet/im.test(body) ? 1 : 0);
  set("code shown", /(?<![\d.,:/-])\d{3}[ -]?\d{3}(?![\d.,:/-])|(?<![\d.,:/-])\d{4}(?![\d.,:/-])/.test(subject) ? 1 : 0);
  set("subject is a reply", /^\s*(?:re|aw|sv|antw|res|ref)(?:\[\d+\])?\s*:/i.test(subject) ? 1 : 0);
  set("subject is forwarded", /^\s*(?:fwd?|wg|enc|tr)\s*:/i.test(subject) ? 1 : 0);
  set("subject shouts", subjectLetters > 8 && count(subject, /\p{Lu}/gu) / subjectLetters > 0.6 ? 1 : 0);
  set("subject exclaims", saturate(count(subject, /!/g), 1));
  set("subject asks", subject.includes("?") ? 1 : 0);
  set("subject with emoji", /\p{Extended_Pictographic}/u.test(subject) ? 1 : 0);
  set("subject with money or percent", /[$€£%]|\b(?:usd|eur|rs)\b/i.test(subject) ? 1 : 0);
  set("subject ends with dots", /(?:\.{2,}|…)\s*$/.test(subject) ? 1 : 0);
  set("disguised words", saturate(disguisedWords(fold(`${subject} ${body}`)), 0.5));
  set("broken words", saturate(brokenWords(fold(`${subject} ${body}`)), 0.5));
  set("unsayable words", saturate(per(unsayable(fold(body))), 0.02));
  set("greets by name", /^\W{0,3}(?:dear|hi|hello|hey|hallo|liebe[rs]?|moin|servus|bonjour|salut|cher|chere|hola|querid[oa]|ola|oi|caro|cara|ciao|beste|hoi|czesc|привет|здравствуи\S*|дорог\S*|merhaba|sevgili|selam)\s+(?!customer|user|friend|sir|member|client|subscriber|account|beneficiary|kunde|kundin|cliente|klant)\p{L}{2,14}\s*[,!.\n-]/u.test(fold(body)) ? 1 : 0);
  set("template not filled in", /\{\{\w+\}\}|%[A-Z_]{4,}%|\[\[\w+\]\]|\{%\w+%\}/.test(`${subject} ${body}`) ? 1 : 0);
  set("subject alone", bodyWords.length === 0 && subjectLetters > 0 ? 1 : 0);
  set("body empty", bodyWords.length === 0 ? 1 : 0);
  set("body very short", bodyWords.length < 15 ? 1 : 0);
  set("body short", bodyWords.length < 60 ? 1 : 0);
  set("body long", bodyWords.length > 250 ? 1 : 0);
  set("body shouts", letters > 40 ? saturate(Math.max(0, capitals / letters - 0.08), 0.1) : 0);
  set("body exclaims", saturate(per(count(body, /!/g)), 0.02));
  set("body asks", saturate(per(count(body, /\?/g)), 0.01));
  set("body with money", saturate(count(body, /[$€£]\s?\d|\d\s?(?:[$€£]|usd|eur|dollars|euros?)\b/gi), 1));
  set("body with percent", saturate(count(body, /\d\s?%/g), 1));
  set("body with emoji", saturate(count(body, /\p{Extended_Pictographic}/gu), 3));
  set("addresses shown", saturate(count(body, /https?:\/\/|www\./gi), 2));
  set("numbers as address", /https?:\/\/\d{1,3}(?:\.\d{1,3}){3}/.test(body) ? 1 : 0);
  set("quoted lines", saturate(count(body, /^\s*[>|]/gm), 1));
  set(
    "quotes a mail",
    /\bwrote:|\bschrieb:|a écrit\s?:|escribió:|escreveu:|^-+\s?original message/im.test(body) ? 1 : 0,
  );
  set("code signs", saturate(per(count(body, /[{}[\]<>=_\\|;#*]/g)), 0.15));
  set(
    "first person",
    saturate(per(count(fold(body), /\b(?:i|i'm|i've|i'd|i'll|me|my|ich|mir|mich|je|j'ai|yo|eu|ik)\b/g)), 0.02),
  );
  set(
    "second person",
    saturate(
      per(
        count(
          fold(body),
          /\b(?:you|your|yours|sie|ihr|ihre|ihren|ihrem|ihnen|vous|votre|vos|usted|su|sus|voce|seu|sua|seus|suas|u|uw|je|jouw)\b/g,
        ),
      ),
      0.03,
    ),
  );
  set(
    "greets by address",
    /\b(?:dear|hello|hi|hallo|bonjour|hola|ola|beste|attn|attention)[:,]?\s+[\w.+-]+@[\w.-]+/i.test(body) ? 1 : 0,
  );
  set("long unbroken token", /[a-z0-9]{25,}/i.test(body) ? 1 : 0);
  set("dotted or ruled lines", /[.·_=*~-]{40,}/.test(body) ? 1 : 0);
}
