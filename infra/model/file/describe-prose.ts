import type { ExcerptParts } from "./excerpt-parts.ts";
import { frequentWords } from "./frequent-words.ts";
import { namedFields } from "./named-fields.ts";
import { sentence } from "./sentence.ts";

const maxTitle = 120;
const maxLead = 160;
const maxSections = 8;
const maxWords = 8;
/** A paragraph of fewer letters is a caption, a byline, a button. */
const minLeadLetters = 40;

/** Title, the first sentences, sections, and the words it says most. */
export function describeProse({ head, outline, tail }: ExcerptParts): string {
  const { front, body } = frontMatter(head);
  const lines = body.replace(/<!--[\s\S]*?(?:-->|$)/g, "").split(/\r?\n/);
  const headings = [...lines, ...outline].flatMap((line) => headingOf(line) ?? []);
  const plainLines = plainText(lines);
  const title = front.get("title") ?? headings[0] ?? plainLines.find((line) => line !== "") ?? "";
  const lead = front.get("description") ?? leadOf(plainLines, title);
  const sections = [...new Set(headings)].filter((heading) => heading !== title).slice(0, maxSections);
  const said = [
    sentence(title.slice(0, maxTitle)),
    sentence(cutAtWord(lead, maxLead)),
    sections.length > 0 ? `Sections: ${sections.join(", ")}.` : "",
  ].join(" ");
  const words = frequentWords([...plainLines, tail].join("\n"), maxWords, said);
  return words.length === 0 ? said : `${said} Often: ${words.join(", ")}.`;
}

function headingOf(line: string): string | undefined {
  const mark = /^#{1,6}\s/.exec(line)?.[0];
  if (mark === undefined) return undefined;
  const heading = line
    .slice(mark.length)
    .trim()
    .replace(/(?<!\S)#+$/, "")
    .trimEnd();
  return heading === "" || heading.length > maxTitle ? undefined : unmarked(heading);
}

/** YAML between two lines of dashes at the beginning, as far as it is `name: text`. */
function frontMatter(text: string): { front: ReadonlyMap<string, string>; body: string } {
  const [block = "", fields = ""] = /^---\r?\n([\s\S]{0,4000}?)\r?\n---\r?\n/.exec(text) ?? [];
  const front = [...namedFields(fields, ["title", "description"])].filter(([, value]) => /\p{L}/u.test(value));
  return { front: new Map(front), body: text.slice(block.length) };
}

/** Lines without marks, fences' content left out; "" between paragraphs. */
function plainText(lines: readonly string[]): string[] {
  let isFenced = false;
  return lines.map((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) {
      isFenced = !isFenced;
      return "";
    }
    const isMark = /^\s*(?:#{1,6}\s|[-=*_]{3,}\s*$|\||!\[|\[[^\]]+\]:|[?!]{3}\+? )/.test(line);
    return isFenced || isMark ? "" : unmarked(line);
  });
}

function unmarked(line: string): string {
  return line
    .replace(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, "$1")
    .replace(/<[^<>]{1,300}>/g, " ")
    .replace(/^\s*(?:>\s*)*(?:[-*+]\s+|\d+[.)]\s+)*/, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** The first paragraph that is long enough to say something; the first one there is else. */
function leadOf(lines: readonly string[], title: string): string {
  const paragraphs = lines
    .map((line) => (line === title ? "" : line))
    .join("\n")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter((paragraph) => /\p{L}/u.test(paragraph));
  const letters = (text: string) => text.match(/\p{L}/gu)?.length ?? 0;
  return paragraphs.find((paragraph) => letters(paragraph) >= minLeadLetters) ?? paragraphs[0] ?? "";
}

/** As many whole sentences as fit, else as many words. */
function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most).toWellFormed();
  const ends = [...head.matchAll(/[.!?。](?=\s|$)/g)].map(({ index }) => index + 1);
  const end = ends.at(-1) ?? 0;
  if (end > most / 3) return head.slice(0, end);
  const space = head.lastIndexOf(" ");
  return `${space > most / 2 ? head.slice(0, space) : head}…`;
}
