import { featuresOf, hash } from "../../infra/model/triage/features.ts";
import type { MailKind } from "../../infra/model/triage/kinds/mail-kinds.ts";
import type { MailView } from "../../infra/model/triage/view.ts";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import type { LabelledMail } from "./corpus.ts";
import { letters, lettersSource } from "./letters.ts";
import { madeMail, neutralSender } from "./templates.ts";
import type { Example } from "./trainer.ts";

/** Mail to learn from, with what sort of mail it is where that is known. */
export interface TrainingExample extends Example {
  readonly id: string;
  /** Near-duplicates share a cluster. */
  readonly cluster: string;
  readonly kind: MailKind | undefined;
  /** Empty where its source does not say. */
  readonly language: string;
  /** Words that tell near-duplicates, by hash; none of made-up mail, which is never left out. */
  readonly shingles: readonly number[];
}

/** What made-up mail is called as a source. */
export const madeSource = "made";

/** A source's wanted or unwanted mail counts as so many mails at most: none outvotes the others by its size. */
const mostOfSource = 800;
/** The project's own letters are of no source in particular, so that more of them may count. */
const mostOfLetters = 3_200;
/** Newsletters are few in the sources and a large part of what people get. */
const newsletterWeight = 4;
const madePerSection = 12;
/** All made-up mails of a kind in a language count as so many. */
const madeWeight = 100;

/** Mails of the sources as examples: senders masked where they are invented, dropped or replaced at random elsewhere. */
export function examplesOf(mails: readonly LabelledMail[]): TrainingExample[] {
  const groupOf = ({ source, spam }: LabelledMail): string => `${source} ${spam}`;
  const sizes = new Map([...Map.groupBy(mails, groupOf)].map(([group, { length }]) => [group, length] as const));
  return mails.map((mail) => {
    const kind = kindOfMail(mail);
    const most = mail.source === lettersSource ? mostOfLetters : mostOfSource;
    const share = most / Math.max(mostOfSource, sizes.get(groupOf(mail)) ?? 1);
    return {
      id: mail.id,
      source: mail.source,
      cluster: mail.cluster,
      spam: mail.spam,
      kind,
      language: mail.language,
      weight: share * (kind === "newsletter" ? newsletterWeight : 1),
      features: featuresOf(masked(mail)),
      shingles: mail.shingles,
    };
  });
}

/** Mail of no source: the project's own letters, and mail made from its sentences. */
export function ownExamples(seed: number): TrainingExample[] {
  return [...examplesOf(letters()), ...madeExamples(seed)];
}

/** Mail made from the project's own sentences, in a dozen languages. */
function madeExamples(seed: number): TrainingExample[] {
  const mails = madeMail(madePerSection, seed);
  const groups = Map.groupBy(mails, ({ language, kind }) => `${language} ${kind}`);
  return mails.map(({ id, language, kind, spam, view }) => {
    const draw = hash(`mask ${id}`) % 8;
    const shown = { ...view, ...(draw < 2 ? { sender: "" } : {}), ...(draw === 2 ? { subject: "" } : {}) };
    return {
      id,
      source: madeSource,
      cluster: id,
      spam,
      kind: kind === "receipt" || kind === "notice" ? "transactional" : kind,
      language,
      weight: madeWeight / (groups.get(`${language} ${kind}`)?.length ?? 1),
      features: featuresOf(shown),
      shingles: [],
    };
  });
}

/** What sort of mail a row is: as its source says, or as the source is known to be. */
export function kindOfMail({ kind, source, spam, subset }: LabelledMail): MailKind | undefined {
  if (kind !== "") return kind;
  if (spam) return source === "spamassassin" || source === "bogofilter" ? "advertising" : undefined;
  if (subset.startsWith("hard_ham")) return "newsletter";
  return ["usrp_users", "apache_lists", "notmuch_lists"].includes(source) ? "list" : undefined;
}

/**
 * A collector's invented sender or subject says which collection a mail is from: it is left out or replaced by one that
 * says nothing. Of other mail the sender is hidden now and then, on both labels, so that its absence means nothing.
 */
function masked({ id, view, invented }: LabelledMail): MailView {
  const draw = hash(`drop ${id}`) % 10;
  const neutral = (): string => neutralSender(seededRandom(hash(id)));
  const subject = invented.includes("subject") ? "" : view.subject;
  if (invented.includes("from")) return { ...view, subject, sender: draw < 5 ? neutral() : "" };
  if (draw < 3) return { ...view, subject, sender: "" };
  return draw < 5 ? { ...view, subject, sender: neutral() } : { ...view, subject };
}
