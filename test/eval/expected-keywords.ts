import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

/** What others say of a document (`EXPECTED/<kind>.jsonl`), as far as it names what it is about. */
const expectation = z.looseObject({
  path: z.string(),
  title: z.string().nullish(),
  text_head: z.string().nullish(),
  first_headings: z.array(z.tuple([z.number(), z.string()])).nullish(),
  first_record: z.array(z.string()).nullish(),
  record_keys: z.array(z.string()).nullish(),
  title_tag: z.string().nullish(),
  readability_metadata: z.looseObject({ title: z.string().nullish(), excerpt: z.string().nullish() }).nullish(),
});

const most = 12;
const headCharacters = 600;
const empty = new Set(
  "about also and any are been but can does each for from had has have her here his how into its just like may more most not one only other our out over said she should some such than that the their them then there these they this through too use used using very was were what when where which while who will with you your".split(
    " ",
  ),
);

/** Words that a good summary of a document would hold some of, folded; none for a document nothing is said of. */
export type Keywords = ReadonlyMap<string, readonly string[]>;

/** Keywords of all documents of these kinds, from others' answers: titles, headings, columns, keys, first words. */
export function expectedKeywords(folder: string, kinds: readonly string[]): Keywords {
  return new Map(
    kinds.flatMap((kind) =>
      readFileSync(join(folder, "EXPECTED", `${kind}.jsonl`), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => expectation.parse(JSON.parse(line)))
        .map((each): [string, string[]] => [each.path, keywordsOf(each)]),
    ),
  );
}

function keywordsOf(expected: z.infer<typeof expectation>): string[] {
  const { title, text_head, first_headings, first_record, record_keys, title_tag, readability_metadata } = expected;
  const said = [
    title,
    title_tag,
    readability_metadata?.title,
    readability_metadata?.excerpt,
    ...(first_headings ?? []).map(([, heading]) => heading),
    ...(first_record ?? []),
    ...(record_keys ?? []),
    text_head?.slice(0, headCharacters),
  ];
  return words(said.filter((each) => each !== null && each !== undefined).join(" ")).slice(0, most);
}

/** Words of a text as they are compared, each once. */
export function words(text: string): string[] {
  const folded = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return [...new Set(folded.match(/\p{L}{4,}/gu) ?? [])].filter((word) => !empty.has(word));
}

/** The share of keywords that a summary holds; `undefined` when there are too few to say anything. */
export function keywordRecall(keywords: readonly string[], summary: string): number | undefined {
  if (keywords.length < 3) return undefined;
  const held = new Set(words(summary));
  return keywords.filter((word) => held.has(word)).length / keywords.length;
}
