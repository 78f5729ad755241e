import { drawn, masqueradeOdds, masqueradeWeights, mostOfDrawn } from "../masquerade.ts";

/** Signals of what a mail says, as against how it is written or sent. */
const said = /^(?:concept|often|subject|pair):/;
/** How a mail is sent and its letters are set, where that speaks against it by itself. */
const form: ReadonlySet<string> = new Set([
  ...Object.keys(masqueradeWeights),
  "brand in subject, not in address",
  "brand in body, not in address",
  "mixed scripts in body",
  "letters spaced out",
  "digits in words",
  "disguised words",
  "broken words",
  "unsayable words",
  "random words",
  "unrelated words",
  "jumbled words",
  "says it is advertising",
  "sender shouts",
  "subject shouts",
  "subject exclaims",
  "host with rare ending",
  "host of digits and hyphens",
  "numbers as address",
  "pushes, sender's domain not named",
]);
/** What speaks for a mail because of whom its sender says they are. */
const bySender = [
  "sender's name is its domain's",
  "sender's name fits address",
  "sender's address is an office's",
  "brand in address",
  "links to sender's host",
];
/** Less than this is no accusation. */
const least = 0.1;

/** Log-odds by what a mail says and by everything else that is known of it by name. */
export interface NamedOdds {
  /** What speaks for the mail of what it says, from 0 down. */
  readonly wanted: number;
  readonly rest: number;
  /** What of both speaks against it and can be named: what it says, how it hides who it is from. */
  readonly accusing: number;
  /** How much it hides who it is from, which is not part of `rest`. */
  readonly masquerade: number;
}

/** Sums a mail's signals. Tone and length accuse nobody and count in `rest` alone. */
export function namedOdds(weights: ReadonlyMap<string, number>, signals: ReadonlyMap<string, number>): NamedOdds {
  const masquerade = masqueradeOdds(signals);
  let [wanted, rest, accusing, random] = [0, 0, masquerade, 0];
  for (const [name, value] of signals) {
    const odds = (weights.get(name) ?? 0) * value;
    const isSaid = said.test(name);
    if (drawn.has(name)) random += odds;
    else if (isSaid && odds < 0) wanted += odds;
    else rest += odds;
    if (odds > least && !drawn.has(name) && (isSaid || form.has(name))) accusing += odds;
  }
  random = Math.min(mostOfDrawn, random);
  rest += random;
  accusing += Math.max(0, random);
  return { wanted, rest, accusing, masquerade };
}

/** What a sender's address says for a mail, from 0 down. */
export function senderOdds(weights: ReadonlyMap<string, number>, signals: ReadonlyMap<string, number>): number {
  const odds = bySender.map((name) => (weights.get(name) ?? 0) * (signals.get(name) ?? 0));
  return odds.reduce((sum, each) => sum + Math.min(0, each), 0);
}
