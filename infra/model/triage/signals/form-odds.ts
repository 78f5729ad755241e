import type { MailTrait } from "../../../../events/sources/mail-traits.ts";
import type { MailView } from "../view.ts";

/**
 * What a mail's form says, as log-odds of spam. Set by hand and never trained: in collections the form gives the source away
 * (decision 0391).
 */
export const traitOdds: Readonly<Record<MailTrait, number>> = {
  // Anybody can write that they answer.
  answers: -0.5,
  own_links: -0.5,
  picture: 1.5,
  foreign_links: 0.8,
  rare_host: 1,
  borrowed_host: 0.8,
  number_host: 1.2,
  odd_link: 0.8,
  asks_input: 0.6,
  urgent: 0.7,
  no_recipient: 0.5,
  free_reply: 0.8,
  home_sender: 1.2,
  failed_check: 0.8,
  unsigned: 0.8,
  // What it says is told by doubt.ts.
  undelivered: 0,
};
/** The most its form speaks against a mail: a third of it ends a doubt (doubt.ts), with nothing else that can be named. */
const mostAgainst = 3;

/** What it says for a mail that its form is known and nothing in it speaks against it. */
const blameless = -0.6;

/** Log-odds by the form of a mail: what speaks for it, from 0 down, and against it, from 0 up. */
export interface FormOdds {
  readonly wanted: number;
  readonly accusing: number;
}

/** Sums a mail's traits; nothing where its form is not known. */
export function formOdds({ traits }: MailView): FormOdds {
  if (traits === undefined) return { wanted: 0, accusing: 0 };
  let [wanted, accusing] = [0, 0];
  for (const trait of traits) {
    const odds = traitOdds[trait];
    if (odds < 0) wanted += odds;
    else accusing += odds;
  }
  if (accusing === 0) wanted += blameless;
  return { wanted, accusing: Math.min(mostAgainst, accusing) };
}

/**
 * What a person is told of a mail's form: the trait that speaks most against a mail that is not trusted, and of any other that its sender's
 * address may be forged. Undefined where there is nothing to tell.
 */
export function tellingTrait({ traits = [] }: MailView, isSuspect: boolean): MailTrait | undefined {
  const told = traits.filter((trait) => (isSuspect ? traitOdds[trait] > 0 : trait === "failed_check"));
  return told.sort((one, other) => traitOdds[other] - traitOdds[one])[0];
}
