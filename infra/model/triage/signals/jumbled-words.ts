/** What English sentences are held together by: of forty words in a row one in four is one of these. */
const glue: ReadonlySet<string> = new Set(
  "the a an of to and in is for that it on with be are was at as by from this".split(" "),
);
/**
 * Words that children learn first, none of them what shops sell, people are called or lists are made of, and few of them words of another
 * language.
 */
const simple: ReadonlySet<string> = new Set(
  [
    "agree appear ask ate began begin behind believe blow broke brother brought build burn came carry catch caught cause climb clothe consider cook cover",
    "cross crowd cry dance dead decide describe differ divide draw dream drink drive eat enter except father fear feel fell felt fight fish flow fly follow",
    "forest found gather gave glad gold got grew grow guess had happen has he hear heard heart her him his hold hope horse hot how hunt hurry imagine",
    "instant invent join jump kept kill kind knew lake laugh lay lead learn leave led left let lie lift listen live lone loud love melody might miss moon",
    "mother move must my near neck never noise nor nothing notice occur often once our own pair paint path perhaps plant poem poor prepare pretty proper",
    "pull push quick quiet quite ran rather reach ready remember repeat rise river rock roll root rub run said sail sang sat saw seem send settle shall",
    "shape sharp she shine shoe shore should shout sight silent since sing sister sit skin sky sleep slip slow smell smile snow soft soil soldier soon",
    "speak spell spoke spread stand star stay steam stick still stood strange stream stretch sudden suggest sun surprise swim talk teach tell their them",
    "then there these they thick thin those though thought through throw thus tie tiny together told tone too took touch toward tree try turn until us",
    "usual vary very voice wait walk warm wash watch we wear went were wheel when where whether which while who whole whose why wide wild win wing wish",
    "woman wonder wood would write wrote yes yet you your",
  ].flatMap((words) => words.split(" ")),
);
const inRow = 40;
/** A sentence of so many simple words has more of what holds it together; a number or a sign is of a list or of code. */
const perGlue = 3;
const fewest = 5;
const enough = 2;

/**
 * How surely a text holds simple words in no order, which advertising puts beside its own so that filters take it for a letter: `snow my name notice
 * equate four, develop. earth, rub separate.` From 0 to 1: forty words in a row, many of them simple, and next to nothing that would make a
 * sentence of them.
 * @param text in lower case, without addresses
 */
export function jumbledWords(text: string): number {
  const tokens = text.match(/[a-z]+(?:['’][a-z]+)?|[\d<>=/(){}#*@|+_:&$%-]+/g) ?? [];
  const weights = tokens.map((token) =>
    simple.has(token) ? 1 : glue.has(token) || !/[a-z]/.test(token) ? -perGlue : 0,
  );
  let [sum, most] = [0, 0];
  for (const [at, weight] of weights.entries()) {
    sum += weight - (weights[at - inRow] ?? 0);
    if (at >= inRow - 1) most = Math.max(most, sum);
  }
  return Math.min(1, Math.max(0, most - fewest) / enough);
}
