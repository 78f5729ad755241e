import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { quoted } from "../../device/errors/quoted.ts";
import { DeviceError } from "../../device/errors.ts";
import { searchNote, searchNotes } from "../../device/knowledge/search/search-notes.ts";

/** English is the device's own: there the page has no words for what a search has to say. */
const languages = ["it", "es", "fr", "de"] as const;

const catalogue = (language: string): Readonly<Record<string, string>> => {
  const file = new URL(`../../device/console/page/texts/notes/${language}.json`, import.meta.url);
  return z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, "utf8")));
};

const placeholders = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(([each]) => each).sort();
const typed = (text: string) => [...text.matchAll(/scouts \w+|sqlite-vec|2026-03-01/g)].map(([each]) => each).sort();

describe.each(languages)("what a search has to say, in %s", (language) => {
  const texts = catalogue(language);

  it("has words for every code, and for nothing else", () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(searchNotes).sort());
  });

  it("names what the English text names, keeps what is typed, and is another text", () => {
    for (const [code, text] of Object.entries(searchNotes)) {
      expect(placeholders(texts[code] ?? ""), code).toEqual(placeholders(text));
      expect(typed(texts[code] ?? ""), code).toEqual(typed(text));
      if (text !== "{{why}}") expect(texts[code], code).not.toBe(text);
    }
  });
});

describe("a note of a search", () => {
  it("is said in English with what it names, and keeps that for others", () => {
    expect(searchNote("words_not_embedded", { done: 3, passages: 40, project: "Garden" })).toEqual({
      code: "words_not_embedded",
      values: { done: 3, passages: 40, project: "Garden" },
      text: "Found by words alone: 3 of 40 passages of Garden have been given to the embedding model so far; see: scouts embeddings",
    });
  });

  it("holds commands that can be pasted, whatever a project is called", () => {
    const project = `Ada's "big" $HOME`;
    const { text, values } = searchNote("not_linked", { project });
    expect(text).toContain(`No folder is linked to ${project}, so`);
    expect(text).toMatch(/scouts project link 'Ada'\\''s "big" \$HOME' <folder>$/);
    expect(values["typed"]).toBe(`'Ada'\\''s "big" $HOME'`);
    expect(searchNote("texts_unread", { project: "Garden", unread: 1 }).text).toContain("files Garden --state");
  });

  it("quotes an error by its code", () => {
    const note = searchNote("work_behind", {}, quoted(new DeviceError("store_busy")));
    expect(note.why?.code).toBe("store_busy");
    expect(note.text).toBe(
      "What changed last in your work may not be found: Another process keeps the device's database locked; try again.",
    );
  });
});
