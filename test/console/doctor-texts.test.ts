import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { findings, found } from "../../device/doctor/findings.ts";
import { quoted } from "../../device/errors/quoted.ts";
import { exactError } from "../../device/exact-sentences.ts";

/** English is the device's own: there the page has no words for what a check found. */
const languages = ["it", "es", "fr", "de"] as const;

const textsOfCode = z.strictObject({
  detail: z.string(),
  each: z.string().optional(),
  advice: z.string().optional(),
});
type Texts = ReadonlyMap<string, string>;

const flat = (texts: Readonly<Record<string, z.infer<typeof textsOfCode>>>): Texts =>
  new Map(
    Object.entries(texts).flatMap(([code, each]) =>
      Object.entries(each).map(([part, text]) => [`${code}.${part}`, text ?? ""] as const),
    ),
  );

const catalogue = (language: string): Texts => {
  const file = new URL(`../../device/console/page/texts/doctor/${language}.json`, import.meta.url);
  return flat(z.record(z.string(), textsOfCode).parse(JSON.parse(readFileSync(file, "utf8"))));
};

const english = flat(z.record(z.string(), textsOfCode).parse(findings));
const placeholders = (text: string) => [...text.matchAll(/\{\{\w+\}\}/g)].map(([each]) => each).sort();
/** Whether there is a word in it: a path or a version alone is the same in every language. */
const hasWords = (text: string) => /\p{L}/u.test(text.replaceAll(/\{\{\w+\}\}/g, ""));
/** What is typed: settings, options and commands. */
const typed = (text: string) =>
  [...text.matchAll(/OPENAI_[A-Z_]+|--[a-z]+|`[^`]+`|scouts (?:login|ops dlq list)|chmod 700/g)]
    .map(([each]) => each)
    .sort();

describe.each(languages)("what a doctor finds, in %s", (language) => {
  const texts = catalogue(language);

  it("has words for every code, and for nothing else", () => {
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
  });

  it("names what the English text names, and is another text", () => {
    for (const [key, text] of english) {
      expect(placeholders(texts.get(key) ?? ""), key).toEqual(placeholders(text));
      if (hasWords(text)) expect(texts.get(key), key).not.toBe(text);
    }
  });

  it("keeps what is typed as it is typed", () => {
    for (const [key, text] of english) {
      const own = typed(text).filter((each) => each !== "`home`");
      expect(typed(texts.get(key) ?? ""), key).toEqual(own);
    }
  });
});

describe("a finding", () => {
  it("is said in English with what it names, and keeps that for others", () => {
    expect(found("home_unwell", { origin: "https://home.example", status: 503 })).toEqual({
      code: "home_unwell",
      values: { origin: "https://home.example", status: 503 },
      detail: "https://home.example answers 503",
      advice: "See whether it runs, and whether this machine reaches it.",
    });
  });

  it("says several of a kind one after the other", () => {
    const each = [
      { name: "judge", waiting: 3, atWork: 1 },
      { name: "push", waiting: 0, atWork: 2 },
    ];
    const { detail } = found("queues_busy", {}, { each });
    expect(detail).toBe("judge 3 waiting, 1 at work; push 0 waiting, 2 at work");
  });

  it("quotes an error by its code, and its exact sentence where it has one", () => {
    const why = quoted(exactError("request_refused", "unreachable"));
    expect(found("scouts_unasked", {}, { why })).toMatchObject({
      why: { code: "request_refused", about: "unreachable", values: {} },
      detail: "they could not be asked for: The home cannot be reached; check the network, or whether it runs.",
    });
  });
});
