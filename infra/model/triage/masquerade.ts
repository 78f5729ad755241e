/**
 * What somebody does who hides who they are: a borrowed name, an address that is none, letters and words made up at random.
 * Weights in log-odds, set by hand. They are priors of training (test/training/priors.ts) and count once more by themselves,
 * because a collection whose senders are masked or invented teaches that senders say nothing.
 */
export const masqueradeWeights: Readonly<Record<string, number>> = {
  "brand in name, not in address": 1.8,
  "sender's name is another address": 1,
  "address in subject": 0.9,
  "mixed scripts in subject": 1.8,
  "styled letters": 1.5,
  "sender disguised": 1.8,
  "sender's domain incomplete": 1.2,
  "brand glued into address": 1,
  "office at free mail": 1.2,
  "greets by address": 0.8,
  "random tail of subject": 0.8,
  "sender's local part mixes digits": 0.5,
  "sender's local part random": 0.5,
  "sender's local part with digits": 0.3,
  "sender's local part mixes case": 0.9,
  "sender's domain random": 0.9,
  "sender's domain with digits": 0.3,
  "sender's domain deep": 0.4,
  "sender's domain rare ending": 0.5,
  "sender's name random": 1,
  "sender's name with digits": 0.5,
  "sender's name decorated": 0.4,
  "short and pushing": 0.7,
  "subject alone": 0.5,
  "template not filled in": 1,
};

/**
 * Letters and digits drawn at random, which newsletters' return addresses and invented names have as well: together they count
 * for one such sign, so that they hide nothing by themselves.
 */
export const drawn: ReadonlySet<string> = new Set([
  "random tail of subject",
  "sender's local part mixes digits",
  "sender's local part random",
  "sender's local part with digits",
  "sender's local part mixes case",
  "sender's domain random",
  "sender's domain with digits",
  "sender's name random",
  "sender's name with digits",
]);
/** The most they weigh, in log-odds, each time they are counted. */
export const mostOfDrawn = 1;

/** Less than this is chance: one odd letter in an honest address. */
const chance = 1;

/** How much a mail hides who it is from, in log-odds from 0. */
export function masqueradeOdds(signals: ReadonlyMap<string, number>): number {
  let meant = 0;
  let random = 0;
  for (const [name, value] of signals) {
    const odds = (masqueradeWeights[name] ?? 0) * value;
    if (drawn.has(name)) random += odds;
    else meant += odds;
  }
  return Math.max(0, meant + Math.min(mostOfDrawn, random) - chance);
}
