import { readFileSync } from "node:fs";

export const languages = ["en", "de", "fr", "es", "ja"] as const;
export type Language = (typeof languages)[number];

export interface WrittenDocument {
  readonly path: string;
  readonly text: string;
}

/** A question, the document that answers it, and words of the answer that stand in it. */
export interface WrittenQuestion {
  readonly language: Language;
  readonly question: string;
  readonly path: string;
  readonly fact: string;
}

/**
 * Forty documents in five languages and five questions to each, written for this. `= path` begins a document, `? question >
 * words of the answer` follows its text. Every second question is held out: nothing may be tried on those.
 */
export function written(): { documents: WrittenDocument[]; open: WrittenQuestion[]; heldOut: WrittenQuestion[] } {
  const documents: WrittenDocument[] = [];
  const questions: WrittenQuestion[] = [];
  for (const language of languages) {
    const all = readFileSync(new URL(`./written/${language}.txt`, import.meta.url), "utf8");
    for (const part of all.split(/^= /m).slice(1)) {
      const [name = "", ...lines] = part.trimEnd().split("\n");
      const path = `${language}/${name}`;
      documents.push({ path, text: `${lines.filter((line) => !line.startsWith("? ")).join("\n")}\n` });
      for (const line of lines.filter((each) => each.startsWith("? "))) {
        const [question = "", fact = ""] = line.slice(2).split(" > ");
        questions.push({ language, question, path, fact });
      }
    }
  }
  return {
    documents,
    open: questions.filter((_, at) => at % 2 === 0),
    heldOut: questions.filter((_, at) => at % 2 === 1),
  };
}
