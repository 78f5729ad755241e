import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { readArguments } from "../arguments.ts";
import { evaluationHome } from "../document-folder.ts";
import { EvaluationError } from "../evaluation-error.ts";
import { byGrepCount } from "../grep-count.ts";
import { wilson } from "../intervals.ts";
import { progress } from "../progress.ts";
import { sample } from "../sample.ts";
import { percent, table } from "../table.ts";
import { PlainBm25 } from "./plain-bm25.ts";
import { languages, type WrittenQuestion, written } from "./written.ts";

/** What `scouts ask --json` promises, as far as it is needed here. */
const answer = z.object({
  status: z.string(),
  text: z.string(),
  tokensUsed: z.number(),
  filesRead: z.array(z.string()),
});

interface Answered {
  readonly question: WrittenQuestion;
  /** The words that answer it stand in the answer. */
  readonly holdsFact: boolean;
  /** It names the file they are in. */
  readonly namesFile: boolean;
  readonly tokens: number;
  /** Whether the first file of plain BM25, and of counting words, is the one that holds the fact. */
  readonly bm25: boolean;
  readonly grep: boolean;
}

/**
 * `npm run eval -- answers [--held-out] [--limit QUESTIONS]`: does what is quoted in an answer hold the fact that was asked
 * for, is its file named, and what does a question cost. Beside it: the file that plain BM25 or counting words puts first, and
 * one drawn at random.
 */
export async function answersCommand(args: readonly string[]): Promise<void> {
  const options = readArguments(args);
  const { documents, open, heldOut } = written();
  const questions = sample(options.heldOut ? heldOut : open, options.limit, options.seed);
  const home = await evaluationHome();
  const answered: Answered[] = [];
  try {
    const root = join(home.path, "written");
    for (const { path, text } of documents) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    await home.scouts("project", "add", "written");
    const { code, stderr } = await home.scouts("project", "link", "written", root);
    if (code !== 0) throw new EvaluationError(`The folder could not be summarised: ${stderr}`);
    const step = progress("questions", questions.length);
    const paths = documents.map(({ path }) => path);
    const plain = new PlainBm25(root, paths);
    for (const question of questions) {
      const asked = await ask(home, question);
      const bm25 = plain.find(question.question)[0] === question.path;
      answered.push({ ...asked, bm25, grep: byGrepCount(question.question, root, paths)[0] === question.path });
      step();
    }
    plain.close();
  } finally {
    await home.stop();
  }
  if (options.json) console.log(JSON.stringify({ answered }));
  else report(answered, documents.length, { namesMisses: !options.heldOut });
}

async function ask(
  home: { scouts(...words: string[]): Promise<{ stdout: string; stderr: string }> },
  question: WrittenQuestion,
): Promise<Omit<Answered, "bm25" | "grep">> {
  const asked = await home.scouts("ask", question.question, "--project", "written", "--no-rescan", "--json");
  if (asked.stdout === "") throw new EvaluationError(`A question was not answered: ${asked.stderr}`);
  const { text, tokensUsed: tokens } = answer.parse(JSON.parse(asked.stdout));
  const holdsFact = text.toLowerCase().includes(question.fact.toLowerCase());
  return { question, holdsFact, namesFile: text.includes(question.path), tokens };
}

/** @param namesMisses not of questions that are held out: who has seen what fails would work on it */
function report(
  answered: readonly Answered[],
  documents: number,
  { namesMisses }: { readonly namesMisses: boolean },
): void {
  const share = (of: "holdsFact" | "namesFile" | "bm25" | "grep", among = answered) => {
    const hits = among.filter((each) => each[of]).length;
    const [low, high] = wilson(hits, among.length) ?? [0, 0];
    return `${percent(hits / among.length)} [${percent(low)}–${percent(high)}]`;
  };
  const tokens = answered.reduce((sum, each) => sum + each.tokens, 0) / answered.length;
  console.log(`${answered.length} questions about ${documents} documents, ${Math.round(tokens)} tokens a question\n`);
  console.log(
    table([
      ["%", "quotes the fact", "names its file"],
      ["all", share("holdsFact"), share("namesFile")],
      ...languages.map((language) => {
        const among = answered.filter(({ question }) => question.language === language);
        return [language, share("holdsFact", among), share("namesFile", among)];
      }),
      ["first file of plain BM25 (FTS5)", share("bm25"), share("bm25")],
      ["first file by most words (grep -c)", share("grep"), share("grep")],
      ["random document", percent(1 / documents), percent(1 / documents)],
    ]),
  );
  for (const { question, holdsFact } of namesMisses ? answered : [])
    if (!holdsFact) console.log(`-  ${question.question} → ${question.fact}`);
}
