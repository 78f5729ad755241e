/** A screen of a terminal: what is longer pushes its own beginning out of sight. */
const mostChars = 2_000;
/** Where a sentence ends is what to do. */
const endChars = 600;

/**
 * A sentence about what was typed, or pasted, as a person can read it: of a long one the beginning and the end, which say what is
 * wrong and what to do.
 */
export const shortened = (sentence: string): string =>
  sentence.length <= mostChars
    ? sentence
    : `${sentence.slice(0, mostChars - endChars)} … ${sentence.slice(-endChars)}`.toWellFormed();
