import { fold, words } from "../../infra/model/triage/text.ts";
import type { MailView } from "../../infra/model/triage/view.ts";

/** The peer to beat: multinomial naive Bayes over the words of subject, sender and body, with add-one smoothing. */
export function trainNaiveBayes(mails: readonly { view: MailView; spam: boolean }[]): (view: MailView) => number {
  const counts = { spam: new Map<string, number>(), ham: new Map<string, number>() };
  const totals = { spam: 0, ham: 0 };
  const mailCounts = { spam: 0, ham: 0 };
  for (const { view, spam } of mails) {
    const kind = spam ? "spam" : "ham";
    mailCounts[kind] += 1;
    for (const word of wordsOf(view)) {
      counts[kind].set(word, (counts[kind].get(word) ?? 0) + 1);
      totals[kind] += 1;
    }
  }
  const known = new Set([...counts.spam.keys(), ...counts.ham.keys()]);
  const prior = Math.log((mailCounts.spam + 1) / (mailCounts.ham + 1));
  return (view) => {
    let odds = prior;
    for (const word of wordsOf(view)) {
      if (!known.has(word)) continue;
      odds += Math.log(((counts.spam.get(word) ?? 0) + 1) / (totals.spam + known.size));
      odds -= Math.log(((counts.ham.get(word) ?? 0) + 1) / (totals.ham + known.size));
    }
    return odds;
  };
}

function wordsOf(view: MailView): Set<string> {
  return new Set(words(fold(`${view.subject} ${view.sender} ${view.body}`)));
}
