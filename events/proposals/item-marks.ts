/**
 * What the cloud says in the text of an item, each as a paragraph's first line. Whoever shows the text in another language says
 * it in that.
 */
export const itemMarks = {
  /** At the end of a text that is longer. */
  goesOn: "[It goes on: only so much of a text is read here; all of it is at its source.]",
  /** Before the text of a mail that other programs show. */
  otherText: "[Some mail programs show this text instead:]",
} as const;
