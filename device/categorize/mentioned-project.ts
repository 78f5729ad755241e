import type { ItemView, Known } from "./item-view.ts";

/** Shorter names are words of any letter. */
const shortestName = 4;

/**
 * The project an item names: in its subject, or, where its sender is known, in its text. None where it names several. A
 * stranger's text names none, so that what is written into a mail does not sort it.
 */
export function mentionedProject({ subject, text }: ItemView, { projects, isSenderKnown }: Known) {
  const named = (within: string) => projects.filter(({ name }) => name.length >= shortestName && holds(within, name));
  const [first, another] = named(subject);
  if (first !== undefined) return another === undefined ? first : undefined;
  const [inText, second] = isSenderKnown ? named(text.slice(0, 20_000)) : [];
  return second === undefined ? inText : undefined;
}

/** Whether an item names a project where it may: {@link mentionedProject}. */
export function namesProject({ subject, text }: ItemView, { isSenderKnown }: Known, name: string): boolean {
  return holds(subject, name) || (isSenderKnown && holds(text.slice(0, 20_000), name));
}

/** Whether a text holds a name as words of its own. */
export function holds(text: string, name: string): boolean {
  const [within, wanted] = [text, name].map((each) => each.normalize("NFC").toLocaleLowerCase("en"));
  if (within === undefined || wanted === undefined || wanted === "") return false;
  const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  for (let at = within.indexOf(wanted); at !== -1; at = within.indexOf(wanted, at + 1)) {
    if (!isLetter(within[at - 1]) && !isLetter(within[at + wanted.length])) return true;
  }
  return false;
}
