/** What was given, as a sentence quotes it: an empty text, as of a variable that is not set, would leave a gap. */
export const called = (text: string): string => (text.trim() === "" ? '""' : text);
