/** A text as it is judged and listed: blank lines, which set its paragraphs apart for who reads it, say nothing there. */
export const withoutBlankLines = (text: string): string => text.replace(/\n{2,}/g, "\n");
