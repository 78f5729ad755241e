/**
 * Words that sentences are held together by, in the languages of Latin letters that the lexicon knows and some more: in running text of
 * any of them one of these comes every few words.
 */
const little: ReadonlySet<string> = new Set(
  [
    "the this that these those and but nor then than for from into off onto out over with without about after before between through are was were been being does did done have has had having will would can could shall should may might must not yes you she they him her them your his its our their who whom whose which what when where why how all any both each few more most other some such only own same too very just there here now also one two because while until again further once get got going let please thanks thank see like new time",
    "der die das den dem des ein eine einen einem einer und oder aber nicht ist sind war ich sie wir ihr mit von zum zur auf aus bei nach fur uber auch noch nur wie wenn dass man sich hat haben wird werden kann als bis durch vom mir dir uns",
    "les une des est sont elle nous vous ils que qui dans pour par sur avec cette ces ses son aux plus tout pas mais",
    "los las pero son por para con del sus mas como esta este muy una dos nos nas com nao isso ele ela seu sua ser tem foi",
    "het een van dat niet zijn voor met aan ook maar nog wel naar deze dit",
    "gli che non per con della dei sono piu come anche nel alla questo una",
    "jest nie sie jak czy dla tym ten pod przy och att det som inte till ett men jag har till ikke jeg kan skal ved",
    "sen han mutta tai jos myos kuin ovat ole oli etta niin bir icin ile cok gibi ama var egy hogy nem azt meg van csak pro ale jako din mai cum care",
  ].flatMap((words) => words.split(" ")),
);
/** How English makes words of words. Names and places seldom end so, what a dictionary is full of does. */
const derived =
  /(?:tion|sion|ing|ed|ly|ous|ate|ity|ness|ment|ic|ical|able|ible|ism|ist|ive|ize|ise|ful|less|ish|ian|ant|ent|ance|ence|ary|ory|age|ude|ure|al)s?$/;
const leastLetters = 5;
/** Two rare words glued into one (`crankydelicious`), or a rare one by itself. */
const longWord = 12;
const shareOfRare = 0.2;
/** Other languages have long words, and hardly one that is made as English ones are. */
const leastDerived = 0.05;
/** From so many words in a row on it is no heading and no list of what is for sale; from so many more it is no list at all. */
const fewest = 12;
const enough = 8;
/** Sentences end, and the words go on. Commas, brackets and colons are how people list things. */
const pause = /^[.!?'’"-]+$/;
/** A line with less is an entry of a list. */
const fewestInLine = 4;

/**
 * How surely a text holds words drawn from a dictionary, which advertising puts beside its own so that filters do not know it: a long row of
 * small English words without one that would make a sentence of them. From 0 to 1. Names, which lists are full of, are written large and
 * are seldom derived from other words; what else is listed stands between commas or has a line of its own.
 * @param text as it stands, without addresses
 */
export function unrelatedWords(text: string): number {
  let most = 0;
  let row: string[] = [];
  const end = (): void => {
    if (row.length > most && isFromDictionary(row)) most = row.length;
    row = [];
  };
  for (const line of text.split("\n")) {
    const tokens = line.match(/[\p{L}'’-]+|\p{N}\S*|[^\s\p{L}\p{N}]+/gu) ?? [];
    if (tokens.length < fewestInLine) end();
    for (const token of tokens) {
      if (pause.test(token)) continue;
      if (/^[a-z][a-z'’-]{2,}$/.test(token) && !little.has(token)) row.push(token);
      else end();
    }
  }
  end();
  return Math.min(1, Math.max(0, most - fewest) / enough);
}

function isFromDictionary(row: readonly string[]): boolean {
  const made = row.filter((word) => word.length >= leastLetters && derived.test(word));
  const rare = row.filter((word) => made.includes(word) || (word.length >= longWord && !word.includes("-")));
  return made.length >= leastDerived * row.length && rare.length >= shareOfRare * row.length;
}
