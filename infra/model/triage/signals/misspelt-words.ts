/** Words that advertising misspells so that filters do not know them and readers do. */
const meantWords: ReadonlySet<string> = new Set(
  [
    "viagra cialis levitra valium vicodin xanax ambien phentermine codeine hydrocodone tramadol meridia lipitor propecia",
    "pharmacy prescription prescriptions medication medications medicine tablets pills drugs cheap cheapest affordable shipping delivery quality online exclusive special discount",
    "windows microsoft adobe photoshop acrobat office symantec macromedia software replica rolex watches cartier breitling luxury",
    "mortgage refinance lenders approved credit erection orgasm sexual penis hardcore lesbian naked women pleasure casino gambling",
    "university diploma degree bachelor investor investors stocks profit million bitcoin password verify invoice",
  ].flatMap((words) => words.split(" ")),
);
/** Of these nobody's word in another language is one letter longer. */
const names = "viagra cialis levitra valium vicodin xanax sexual".split(" ");
/** Words of dictionaries (English, French, German, Italian, Portuguese, Spanish) that look like one of them, and how people spell by mistake. */
const otherWords: ReadonlySet<string> = new Set(
  "cassino watchers watchets deliverly clartier gamboling mediciners mortgagee pennis windrows vidicon diplomais degreee parleuse payement pharmaciens profitas amibien vagira cansino levitara meditacion mediria midiera medicineis replicais tabletas tabletes casinho libasen pulseare eroticen orgasmo".split(
    " ",
  ),
);
const leastLetters = 6;
const mostLetters = 14;
const leastToGrow = 8;
/** A word's first letter, its inner letters in order, and its last one: who reads `wnidows` reads _windows_. */
const shuffled = (word: string): string => `${word[0]}${[...word.slice(1, -1)].sort().join("")}${word.at(-1)}`;
const byLetters = new Set([...meantWords].filter((word) => word.length >= leastLetters).map(shuffled));

/**
 * Words that are one of advertising's but for a letter said twice (`cheeap`), inner letters in another order (`prescripiton`) or one letter too
 * many (`vkiagra`): each spelling once. Honest mail hardly ever has one: of the 10,700 wanted mails of the data, one.
 * @param text in lower case, without addresses
 */
export function misspeltWords(text: string): readonly string[] {
  const found = new Set(text.match(/(?<![\w@./'-])[a-z]{6,14}(?![\w@/'-]|\.[a-z])/g));
  return [...found].filter(isMisspelt);
}

function isMisspelt(word: string): boolean {
  if (word.length < leastLetters || word.length > mostLetters || meantWords.has(word) || otherWords.has(word))
    return false;
  if (meantWords.has(word.replace(/(?:s|es|ed|er|ers|ly|ing)$/, ""))) return false;
  return byLetters.has(shuffled(word)) || isOneLetterLonger(word);
}

function isOneLetterLonger(word: string): boolean {
  for (let at = 1; at < word.length - 1; at += 1) {
    const shorter = word.slice(0, at) + word.slice(at + 1);
    const isTwice = word[at] === word[at - 1];
    const isPlain = isTwice || word.length >= leastToGrow ? meantWords.has(shorter) : names.includes(shorter);
    if (isPlain) return true;
  }
  return false;
}
