/** Where the mail is that arrived. They add up to it: what is in none of them is lost. */
export interface Books {
  readonly arrived: number;
  readonly proposed: number;
  readonly hidden: number;
  /** Tried until there were no tries left: shown unjudged. */
  readonly failed: number;
  readonly waiting: number;
}

export function together(books: readonly Books[]): Books {
  const sum = (of: (each: Books) => number) => books.reduce((all, each) => all + of(each), 0);
  return {
    arrived: sum(({ arrived }) => arrived),
    proposed: sum(({ proposed }) => proposed),
    hidden: sum(({ hidden }) => hidden),
    failed: sum(({ failed }) => failed),
    waiting: sum(({ waiting }) => waiting),
  };
}

/** Mail that is nowhere, and mail that is in two places. */
export function balanceOf({ arrived, proposed, hidden, failed, waiting }: Books) {
  const found = proposed + hidden + failed + waiting;
  return { lost: Math.max(0, arrived - found), twice: Math.max(0, found - arrived) };
}
