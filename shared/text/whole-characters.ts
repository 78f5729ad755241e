/** A character above U+FFFF takes two UTF-16 code units (The Unicode Standard, 3.8, D74 and D75); these say where it is halved. */
const isFirstHalf = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;
const isSecondHalf = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** Whether a place of a text, in code units, lies between the two halves of a character. */
export const isWithinCharacter = (text: string, at: number): boolean =>
  isFirstHalf(text, at - 1) && isSecondHalf(text, at);

/** At most so many code units of a text, without a first half at their end. */
export const wholeCharacters = (text: string, atMost: number): string =>
  text.slice(0, isFirstHalf(text, atMost - 1) ? atMost - 1 : atMost);
