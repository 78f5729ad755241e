import type { itemMarks } from "../../../../events/proposals/item-marks.ts";

/** As the cloud writes them, which their type holds them to: the page takes types alone from elsewhere. */
const written: typeof itemMarks = {
  goesOn: "[It goes on: only so much of a text is read here; all of it is at its source.]",
  otherText: "[Some mail programs show this text instead:]",
};

type MarkTexts = Readonly<Record<keyof typeof itemMarks, string>>;

/**
 * An item's text with what the cloud says in it in the reader's words. A letter may hold such a line itself, which says no more by
 * being in another language.
 */
export function marksIn(text: string, said: MarkTexts): string {
  const own = new Map<string, string>([
    [written.goesOn, said.goesOn],
    [written.otherText, said.otherText],
  ]);
  return text
    .split("\n")
    .map((line) => own.get(line) ?? line)
    .join("\n");
}
