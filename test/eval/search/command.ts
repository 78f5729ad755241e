import { parseArgs } from "node:util";
import { search } from "../../../device/knowledge/search/search.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { byGrepCount } from "../grep-count.ts";
import { wilson } from "../intervals.ts";
import { percent, table } from "../table.ts";
import { searchFolder } from "./folder.ts";
import { PlainBm25 } from "./plain-bm25.ts";
import { languages, type WrittenQuestion, written } from "./written.ts";

const ranks = [1, 3, 10] as const;

/** Where the right one stands in each contender's answer, from 1; 0 when it is not there. */
interface Ranked {
  readonly question: WrittenQuestion;
  readonly file: number;
  readonly passage: number;
  readonly bm25: number;
  readonly grep: number;
}

/**
 * `npm run eval -- search [--held-out] [--others 200] [--seed 1] [--json]`: how often the right file, and the passage with
 * the answer, is among the first 1, 3 and 10 of a search with the question as it is; beside plain BM25, counting words, and
 * chance. `--held-out` asks the questions on which nothing was tried. `--embedding-url http://… --embedding-model NAME` has
 * passages found by meaning too, by a model that needs no key.
 */
export async function searchCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "held-out": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      others: { type: "string", default: "200" },
      seed: { type: "string", default: "1" },
      "embedding-url": { type: "string" },
      "embedding-model": { type: "string" },
    },
  });
  const { documents, open, heldOut } = written();
  const questions = values["held-out"] ? heldOut : open;
  const folder = await searchFolder(documents, Number(values.others), Number(values.seed));
  const [baseUrl, model] = [values["embedding-url"], values["embedding-model"]];
  if (baseUrl !== undefined && model !== undefined) await folder.embed(baseUrl, model);
  const plain = new PlainBm25(folder.root, folder.paths);
  try {
    const ranked: Ranked[] = [];
    for (const question of questions) {
      const { hits } = await search(
        { text: question.question, limit: 10 },
        { store: folder.store, now: systemTimeAndIds.now },
      );
      const passages = hits.flatMap(({ path, passages: found }) => found.map(({ text }) => ({ path, text })));
      const isRight = (path: string) => path === question.path;
      ranked.push({
        question,
        file: 1 + hits.findIndex(({ path }) => isRight(path)),
        passage: 1 + passages.findIndex(({ path, text }) => isRight(path) && text.includes(question.fact)),
        bm25: 1 + plain.find(question.question).findIndex(isRight),
        grep: 1 + byGrepCount(question.question, folder.root, folder.paths).findIndex(isRight),
      });
    }
    if (values.json) console.log(JSON.stringify({ files: folder.paths.length, ranked }));
    else report(ranked, folder.paths.length, { namesMisses: !values["held-out"] });
  } finally {
    plain.close();
    folder.close();
  }
}

/** @param namesMisses not of questions that are held out: who has seen what fails would work on it */
function report(ranked: readonly Ranked[], files: number, { namesMisses }: { readonly namesMisses: boolean }): void {
  const total = ranked.length;
  const share = (of: "file" | "passage" | "bm25" | "grep", most: number, among = ranked) => {
    const hits = among.filter((each) => each[of] > 0 && each[of] <= most).length;
    const [low, high] = wilson(hits, among.length) ?? [0, 0];
    return `${percent(hits / among.length)} [${percent(low)}–${percent(high)}]`;
  };
  const row = (name: string, of: "file" | "passage" | "bm25" | "grep") => [
    name,
    ...ranks.map((most) => share(of, most)),
  ];
  console.log(`${total} questions in ${languages.length} languages to a folder of ${files} files\n`);
  console.log(
    table([
      ["among the first, %", ...ranks.map(String)],
      row("search: right file", "file"),
      row("search: right passage", "passage"),
      row("plain BM25 (FTS5): right file", "bm25"),
      row("most words (grep -c): right file", "grep"),
      ["random file", ...ranks.map((most) => percent(Math.min(1, most / files)))],
    ]),
  );
  console.log("");
  console.log(
    table([
      ["right file first, %", "search", "plain BM25"],
      ...languages.map((language) => {
        const among = ranked.filter(({ question }) => question.language === language);
        return [language, share("file", 1, among), share("bm25", 1, among)];
      }),
    ]),
  );
  for (const { question, file } of namesMisses ? ranked : [])
    if (file !== 1) console.log(`${file || "-"}  ${question.question} → ${question.path}`);
}
