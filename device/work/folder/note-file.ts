import type { Note } from "../entities.ts";

/** A note as a file: its title as the heading, then what it says. */
export const noteText = ({ title, markdown }: Pick<Note, "title" | "markdown">): string =>
  `# ${title.replace(/\s+/gu, " ")}\n${markdown === "" ? "" : `\n${markdown.replace(/(?<!\n)\n+$/u, "")}\n`}`;

const heading = /^\uFEFF?#[ \t]([^\r\n]*)(?:\r?\n|$)/u;
const mostTitle = 500;

/** What a person has made of a note's file; without a heading its name is the title. */
export function noteOfText(text: string, fileName: string): Pick<Note, "title" | "markdown"> {
  const [whole = "", first = ""] = heading.exec(text) ?? [];
  const named = fileName.replace(/^.*\//u, "").replace(/\.md$/u, "");
  const markdown = text
    .slice(whole.length)
    .replace(/^\uFEFF?(?:\r?\n)+/u, "")
    .trimEnd();
  const title = first
    .trim()
    .replace(/(?<![^ \t])#+$/u, "")
    .trimEnd();
  return { title: (title || named).slice(0, mostTitle), markdown };
}

const mostName = 80;

/** A file name of a title, on every system: no separator, no reserved character, never hidden; without what stands behind the point. */
export function plainName(title: string, word = "Note"): string {
  const plain = title
    .normalize("NFC")
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]+/gu, " ")
    .replace(/\s+/gu, " ")
    .trim()
    .slice(0, mostName)
    .toWellFormed()
    .replace(/^[. ]+|(?<![. ])[. ]+$/gu, "");
  return plain === "" || /^(?:con|prn|aux|nul|com\d|lpt\d)$/iu.test(plain) ? `${word} ${plain}`.trim() : plain;
}

/** The file of a note, by its title. */
export function noteName(title: string, isTaken: (name: string) => boolean): string {
  const base = plainName(title);
  for (let number = 1; ; number += 1) {
    const name = `notes/${base}${number === 1 ? "" : ` ${number}`}.md`;
    if (!isTaken(name)) return name;
  }
}
