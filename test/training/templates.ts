import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brands } from "../../infra/model/triage/lexicon/lexicon.ts";
import type { MailView } from "../../infra/model/triage/view.ts";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import { freeMailDomains } from "../../shared/scouts/connectors/mail/form/hosts.ts";

/** What a made-up mail is; the first three are unwanted. */
export type MadeKind = "phishing" | "fraud" | "advertising" | "receipt" | "notice" | "newsletter" | "list" | "personal";

/** A mail put together from sentences written for this project. */
export interface MadeMail {
  readonly id: string;
  readonly kind: MadeKind;
  readonly language: string;
  readonly spam: boolean;
  readonly view: MailView;
}

interface Section {
  readonly language: string;
  readonly kind: MadeKind;
  readonly subjects: string[];
  readonly lines: string[];
}

const kinds: readonly MadeKind[] = [
  "phishing",
  "fraud",
  "advertising",
  "receipt",
  "notice",
  "newsletter",
  "list",
  "personal",
];
const unwanted: ReadonlySet<MadeKind> = new Set<MadeKind>(["phishing", "fraud", "advertising"]);
const folder = join(import.meta.dirname, "templates");
const people =
  "Anna Ben Clara David Elena Farid Greta Hugo Ines Jonas Karla Leo Mara Noor Otto Paula Quentin Rosa Sami Tara Uwe Vera Wim Yara Zoe".split(
    " ",
  );
const families =
  "Abel Berg Costa Dubois Eriksen Fischer Garcia Huber Ito Jansen Kim Lopez Meyer Novak Okafor Petit Rossi Silva Tanaka Ueda Vogel Wang Yilmaz".split(
    " ",
  );
const shops =
  "Birchwood Northlight Kestrel Papierladen Lumina Oakfield Seabird Tintoria Velomar Zephyr Moorland Casabella Hofladen Quayside Brightwater".split(
    " ",
  );
const endings = "com net org info biz xyz top shop online ru cn co.za com.br de fr it pl in id".split(" ");
const offices =
  "support service info noreply no-reply admin contact help billing security alert newsletter news orders".split(" ");

/** Reads `templates/*.txt`: `# kind name`, then subjects (`S …`) and sentences (`B …`). */
function readSections(): Section[] {
  const sections: Section[] = [];
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .sort()) {
    for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
      const text = line.slice(2).trim();
      if (line.startsWith("# ")) {
        const kind = kinds.find((each) => text.startsWith(each));
        if (kind === undefined) throw new Error(`${file}: no such kind: ${text}`);
        sections.push({ language: file.slice(0, 2), kind, subjects: [], lines: [] });
      } else if (line.startsWith("S ")) sections.at(-1)?.subjects.push(text);
      else if (line.startsWith("B ")) sections.at(-1)?.lines.push(text);
    }
  }
  return sections;
}

/** A sender that says nothing of the mail: drawn alike for wanted and unwanted. */
export function neutralSender(random: () => number): string {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
  const [first, last] = [pick(people), pick(families)];
  const host = `${pick(["mail", "home", "shop", "studio", "office", "club", "post", "web"])}.${pick(["com", "org", "net", "de", "it", "example"])}`;
  const draw = random();
  if (draw < 0.25) return `${pick(offices)}@${host}`.replace(/^(.*)$/, "<$1>");
  const office = pick(["info", "team", "office", "contact", "news"]);
  if (draw < 0.4) return `${office.charAt(0).toUpperCase()}${office.slice(1)} <${office}@${host}>`;
  const local = pick([
    `${first}.${last}`,
    `${first.charAt(0)}${last}`,
    last,
    `${last}${Math.floor(random() * 99)}`,
  ]).toLowerCase();
  return draw < 0.6 ? `<${local}@${host}>` : `${first} ${last} <${local}@${host}>`;
}

/** Mails made from the templates, `perSection` of each section. The same seed gives the same mails. */
export function madeMail(perSection: number, seed: number): MadeMail[] {
  const random = seededRandom(seed);
  const chance = (share: number): boolean => random() < share;
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(from: readonly T[], otherwise: T): T => from[below(from.length)] ?? otherwise;
  const letters = (length: number): string =>
    Array.from({ length }, () => "abcdefghijklmnopqrstuvwxyz0123456789"[below(36)]).join("");

  const fill = (text: string, language: string): string =>
    text.replace(/\{(\w+)\}/g, (_all, slot: string) => {
      if (slot === "n") return String(chance(0.5) ? 1 + below(99) : 10_000 + below(900_000));
      if (slot === "name")
        return chance(0.5) ? pick(people, "Anna") : `${pick(people, "Anna")} ${pick(families, "Berg")}`;
      if (slot === "shop") return pick(shops, "Kestrel");
      const amount = chance(0.5) ? `${1 + below(900)}` : `${1 + below(90)}.${10 + below(90)}`;
      const sign =
        {
          en: "$",
          de: "€",
          fr: "€",
          es: "€",
          it: "€",
          pt: "R$",
          nl: "€",
          pl: "zł",
          ru: "руб.",
          zh: "元",
          ja: "円",
          ko: "원",
        }[language] ?? "€";
      return language === "en" || language === "pt" ? `${sign}${amount}` : `${amount} ${sign}`;
    });

  const word = (): string => `${pick(shops, "Kestrel")}${chance(0.4) ? pick(families, "Berg") : ""}`.toLowerCase();
  const strange = (): string => {
    const name = chance(0.5) ? word() : `${letters(3 + below(8))}${chance(0.3) ? `-${word()}` : ""}`;
    return `${chance(0.3) ? `${letters(2 + below(6))}.` : ""}${name}.${pick(endings, "com")}`;
  };
  const person = (): readonly [string, string] => [pick(people, "Anna"), pick(families, "Berg")];

  const senderOf = (kind: MadeKind): string => {
    // Any kind may come from an address that says nothing.
    if (chance(0.2)) return neutralSender(random);
    const [first, last] = person();
    const address = `${first}.${last}`.toLowerCase();
    const brand = pick(brands, "dhl");
    const spoken = chance(0.3) ? brand.toUpperCase() : brand.charAt(0).toUpperCase() + brand.slice(1);
    if (kind === "phishing") {
      const local = chance(0.5) ? pick(offices, "info") : chance(0.5) ? letters(4 + below(10)) : address;
      const office = pick(
        [
          "Mail Administrator",
          "Help Desk",
          "Webmail Support",
          "Customer Service",
          "Security Team",
          "Account Team",
          "IT Service",
          "Notification",
        ],
        "Support",
      );
      const name = chance(0.6)
        ? `${spoken}${chance(0.5) ? ` ${pick(["Service", "Support", "Security", "Delivery", "Team", "Online", "Info"], "Service")}` : ""}`
        : chance(0.6)
          ? office
          : `${first} ${last}`;
      return `${name} <${local}@${strange()}>`;
    }
    if (kind === "fraud")
      return `${chance(0.4) ? `${pick(["Mr.", "Mrs.", "Dr.", "Barrister"], "Mr.")} ` : ""}${first} ${last} <${address.replace(".", "")}${below(999)}@${pick(freeMailDomains, "gmail.com")}>`;
    if (kind === "advertising") {
      const name = chance(0.4)
        ? `${first} ${last}`
        : chance(0.5)
          ? pick(
              ["Best Offers", "Savings Today", "Daily Deals", "Health News", "Online Shop", "Member Bonus"],
              "Offers",
            )
          : letters(6);
      return `${name} <${chance(0.5) ? letters(5 + below(6)) : `${first}${below(99)}`.toLowerCase()}@${chance(0.3) ? pick(freeMailDomains, "gmail.com") : strange()}>`;
    }
    if (kind === "personal" || kind === "list") {
      const at = chance(0.5)
        ? pick(freeMailDomains, "gmail.com")
        : `${word()}.${pick(["com", "org", "net", "de", "fr", "it", "es", "nl", "co.uk", "ru", "jp", "co.kr", "cn"], "com")}`;
      return chance(0.15)
        ? `<${address}@${at}>`
        : `${first} ${last} <${chance(0.6) ? address : `${first}${below(99)}`.toLowerCase()}@${at}>`;
    }
    const shop = pick(shops, "Kestrel");
    const [name, host] = chance(0.4)
      ? [spoken, `${chance(0.4) ? "mail." : ""}${brand}.com`]
      : [
          shop,
          `${chance(0.3) ? "news." : ""}${shop.toLowerCase()}.${pick(["com", "org", "de", "fr", "co.uk", "net"], "com")}`,
        ];
    return `${kind === "newsletter" && chance(0.3) ? `${first} ${last}` : name} <${pick(offices, "info")}@${host}>`;
  };

  /** As advertising disguises its words. */
  const disguised = (text: string): string =>
    text.replace(/\p{L}{5,}/gu, (found) =>
      chance(0.25)
        ? found.replace(/[ioae]/, (letter) => ({ i: pick(["1", "l"], "1"), o: "0", a: "@", e: "3" })[letter] ?? letter)
        : found,
    );

  const greetingOf: Readonly<Record<string, readonly [known: string, unknown: string]>> = {
    en: ["Hi {name},", "Dear customer,"],
    de: ["Hallo {name},", "Sehr geehrte Kundin, sehr geehrter Kunde,"],
    fr: ["Bonjour {name},", "Cher client,"],
    es: ["Hola {name}:", "Estimado cliente:"],
    it: ["Ciao {name},", "Gentile cliente,"],
    pt: ["Olá {name},", "Prezado cliente,"],
    nl: ["Hallo {name},", "Beste klant,"],
    pl: ["Cześć {name},", "Szanowny Kliencie,"],
    ru: ["Здравствуйте, {name}!", "Уважаемый клиент!"],
    zh: ["{name}，您好：", "尊敬的用户："],
    ja: ["{name} 様", "お客様各位"],
    ko: ["{name}님, 안녕하세요.", "고객님께"],
  };

  const sections = readSections();
  return sections.flatMap(({ language, kind, subjects, lines }, index) =>
    Array.from({ length: perSection }, (_, copy): MadeMail => {
      const spam = unwanted.has(kind);
      const kept = lines.filter(() => chance(0.6));
      const chosen = kept.length > 0 ? kept : lines.slice(0, 2);
      const [known, unknown] = greetingOf[language] ?? ["", ""];
      const greeting = chance(0.4)
        ? []
        : [(spam ? chance(0.25) : kind === "personal" || kind === "list" || chance(0.6)) ? known : unknown];
      const link = chance(spam ? 0.3 : 0.15) ? [`https://${spam ? strange() : `www.${word()}.com`}/${letters(6)}`] : [];
      const body = fill([...greeting, ...chosen, ...link].join(chance(0.85) ? "\n" : " "), language);
      const subject = fill(pick(subjects, ""), language);
      const hides = kind === "advertising" && language === "en" && chance(0.35);
      return {
        id: `made ${language} ${index} ${copy}`,
        kind,
        language,
        spam,
        view: {
          subject: hides
            ? disguised(subject)
            : kind === "phishing" && chance(0.15)
              ? `${subject} #${letters(6).toUpperCase()}`
              : subject,
          sender: senderOf(kind),
          body: hides ? disguised(body) : body,
        },
      };
    }),
  );
}
