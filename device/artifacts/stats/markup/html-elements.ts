/** Elements whose text nobody sees. */
export const unseenElements: ReadonlySet<string> = new Set(
  "script style noscript template title svg textarea iframe".split(" "),
);
/** Elements around the main text. */
export const asideElements: ReadonlySet<string> = new Set("nav header footer aside".split(" "));
export const mainElements: ReadonlySet<string> = new Set("main article".split(" "));
/** Elements within a line; every other one ends a word. */
export const inlineElements: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo cite code em font i ins kbd mark q s samp small span strong sub sup u var".split(" "),
);
