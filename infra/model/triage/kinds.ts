import type { MailView } from "./view.ts";

/** What sort of mail it is; the last three are unwanted. */
export const mailKinds = [
  "personal",
  "list",
  "newsletter",
  "transactional",
  "advertising",
  "phishing",
  "fraud",
] as const;
export type MailKind = (typeof mailKinds)[number];

/** Kinds of mail that people want, and kinds that nobody asked for. */
export const wantedKinds: readonly MailKind[] = ["personal", "list", "newsletter", "transactional"];
export const unwantedKinds: readonly MailKind[] = ["advertising", "phishing", "fraud"];

const answers = ["subject is a reply", "quoted lines", "quotes a mail", "subject with list tag"];

/** For each kind the weights of its signals, `""` being the intercept. */
export type KindWeights = Readonly<Partial<Record<MailKind, ReadonlyMap<string, number>>>>;

/**
 * The kind of a mail among those its verdict leaves: what its header says first, else by its signals.
 *
 * A list's post and a newsletter are told by how they came; that a program sent it makes it no letter.
 */
export function kindOf(
  { header }: MailView,
  signals: ReadonlyMap<string, number>,
  weights: KindWeights,
  spam: boolean,
): MailKind {
  const among = (kinds: readonly MailKind[]): MailKind => likeliest(kinds, signals, weights);
  if (spam) return among(unwantedKinds);
  if (header?.addressed === "list") return header.isAutomatic ? "transactional" : "list";
  if (header?.addressed === "many" || header?.hasListId) {
    // Lists that name no address to write to are told from newsletters by what is answered there.
    if (answers.some((name) => signals.has(name))) return "list";
    return among(["newsletter", "transactional"]);
  }
  if (header?.isAutomatic) return "transactional";
  // A list's post bears its id; only where no header is known may the words tell it.
  return among(header === undefined ? wantedKinds : wantedKinds.filter((kind) => kind !== "list"));
}

function likeliest(kinds: readonly MailKind[], signals: ReadonlyMap<string, number>, weights: KindWeights): MailKind {
  let best: MailKind = kinds[0] ?? "personal";
  let most = Number.NEGATIVE_INFINITY;
  for (const kind of kinds) {
    const own = weights[kind];
    if (own === undefined) continue;
    let sum = own.get("") ?? 0;
    for (const [name, value] of signals) sum += (own.get(name) ?? 0) * value;
    if (sum > most) {
      most = sum;
      best = kind;
    }
  }
  return best;
}
