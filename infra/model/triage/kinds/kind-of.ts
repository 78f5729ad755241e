import type { Features } from "../features.ts";
import type { MailView } from "../view.ts";
import { type KindWords, oddsOfKinds } from "./kind-words.ts";
import { type MailKind, unwantedKinds, wantedKinds } from "./mail-kinds.ts";

const answers = ["subject is a reply", "quoted lines", "quotes a mail", "subject with list tag"];

/** For each kind the weights of its signals, `""` being the intercept. */
export type KindWeights = Readonly<Partial<Record<MailKind, ReadonlyMap<string, number>>>>;

/** What a mail's kind is told by. */
export interface KindEvidence {
  readonly kinds: KindWeights;
  readonly words: KindWords;
  readonly ratings: KindWords;
}

/** What a rated word says of a wanted mail's kind counts by so much beside its signals. */
const shareOfRatings = 0.8;

/**
 * The kind of a mail among those its verdict leaves: what its header says first, else by its signals and its words: of unwanted mail
 * what was learned of them, of wanted mail how they are rated. What was learned of wanted mail's words knows the collections it was
 * learned from better than kinds.
 *
 * A list's post and a newsletter are told by how they came; that a program sent it makes it no letter.
 */
export function kindOf({ header }: MailView, features: Features, by: KindEvidence, spam: boolean): MailKind {
  const { signals } = features;
  const said = oddsOfKinds(spam ? by.words : by.ratings, features.vocabulary);
  const share = spam ? 1 : shareOfRatings;
  const among = (kinds: readonly MailKind[]): MailKind =>
    likeliest(kinds, (kind) => oddsOf(kind, signals, by.kinds) + share * (said.get(kind) ?? 0));
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

function oddsOf(kind: MailKind, signals: ReadonlyMap<string, number>, weights: KindWeights): number {
  const own = weights[kind];
  if (own === undefined) return Number.NEGATIVE_INFINITY;
  let sum = own.get("") ?? 0;
  for (const [name, value] of signals) sum += (own.get(name) ?? 0) * value;
  return sum;
}

function likeliest(kinds: readonly MailKind[], odds: (kind: MailKind) => number): MailKind {
  let best: MailKind = kinds[0] ?? "personal";
  let most = Number.NEGATIVE_INFINITY;
  for (const kind of kinds) {
    const reached = odds(kind);
    if (reached > most) {
      most = reached;
      best = kind;
    }
  }
  return best;
}
