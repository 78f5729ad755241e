import * as z from "zod";
import { readArguments } from "./arguments.ts";
import { documentPaths, documentsFolder, evaluationHome, linkDocuments } from "./document-folder.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { type FileQuestion, fileQuestions } from "./files-questions.ts";
import { heldOutQuestions } from "./files-questions-held-out.ts";
import { byGrepCount } from "./grep-count.ts";
import { wilson } from "./intervals.ts";
import { progress } from "./progress.ts";
import { sample } from "./sample.ts";
import { percent, table } from "./table.ts";

/** What `scouts ask --json` promises, as far as it is needed here. */
const answer = z.object({
  status: z.string(),
  tokensUsed: z.number(),
  filesRead: z.array(z.string()),
  calls: z.array(
    z.object({ action: z.string(), data: z.record(z.string(), z.unknown()), error: z.string().nullable() }),
  ),
});

interface Asked {
  readonly question: string;
  readonly expected: readonly string[];
  readonly status: string;
  /** In the order they were opened. */
  readonly opened: readonly string[];
  /** Opened, or shown by a search, in the order they were shown. */
  readonly seen: readonly string[];
  readonly tokens: number;
}

const openings: Readonly<Record<string, string>> = { read_project_folder_file: "relative_path", read_lines: "path" };

/**
 * `npm run eval -- files`: how often an agent opens the right file, first or at all, when it is asked about a folder of
 * published documents, 200 unless `--size` says otherwise; beside a random choice and counting words.
 * `--held-out` asks other questions, about other documents.
 */
export async function filesCommand(args: readonly string[]): Promise<void> {
  const options = readArguments(args);
  const folder = documentsFolder();
  const questions = (options.heldOut ? heldOutQuestions : fileQuestions).slice(0, options.limit);
  const paths = pathsOf(folder, questions, options.size, options.seed);
  const home = await evaluationHome();
  const asked: Asked[] = [];
  try {
    console.error(`Summarising ${paths.length} files …`);
    await linkDocuments(home, "documents", folder, paths);
    const step = progress("questions", questions.length);
    for (const question of questions) {
      asked.push(await ask(home, question));
      step();
    }
  } finally {
    await home.stop();
  }
  const grep = questions.map(({ question, expected }) => ({ expected, opened: byGrepCount(question, folder, paths) }));
  report(asked, grep, paths.length, options);
}

/** The files that hold the answers, and others drawn by the seed, up to so many. */
function pathsOf(folder: string, questions: readonly FileQuestion[], size: number, seed: number): string[] {
  const right = new Set(questions.flatMap(({ expected }) => expected));
  const others = documentPaths(folder).filter((path) => !right.has(path));
  return [...right, ...sample(others, Math.max(0, size - right.size), seed)].sort();
}

async function ask(
  home: { scouts(...words: string[]): Promise<{ stdout: string; stderr: string }> },
  { question, expected }: FileQuestion,
): Promise<Asked> {
  const { stdout, stderr } = await home.scouts("ask", question, "--project", "documents", "--no-rescan", "--json");
  if (stdout === "") throw new EvaluationError(`A question was not answered: ${stderr}`);
  const { status, tokensUsed, calls, filesRead } = answer.parse(JSON.parse(stdout));
  const opened = calls.flatMap(({ action, data, error }) => {
    const field = openings[action];
    return field === undefined || error !== null ? [] : [String(data[field])];
  });
  return { question, expected, status, opened, seen: filesRead, tokens: tokensUsed };
}

type Opened = Pick<Asked, "expected" | "opened">;

const isRight = ({ expected }: Opened, path: string | undefined) => path !== undefined && expected.includes(path);
const first = (all: readonly Opened[]) => all.filter((each) => isRight(each, each.opened[0])).length;
/** The first file of which the model was shown anything; a search by content shows passages. */
const shownFirst = (all: readonly Asked[]) => all.filter((each) => isRight(each, each.seen[0])).length;
const within = (all: readonly Opened[], most: number) =>
  all.filter((each) => each.opened.slice(0, most).some((path) => isRight(each, path))).length;

/** Of questions that are held out no single one is told: who has seen what fails would work on it. */
function report(
  asked: readonly Asked[],
  grep: readonly Opened[],
  files: number,
  { json: isJson, heldOut }: { readonly json: boolean; readonly heldOut: boolean },
): void {
  const total = asked.length;
  const seen = asked.filter(({ expected, seen: all }) => all.some((path) => expected.includes(path))).length;
  const tokens = asked.reduce((sum, each) => sum + each.tokens, 0);
  const chance = asked.reduce((sum, { expected }) => sum + expected.length / files, 0) / total;
  if (isJson) {
    const figures = {
      files,
      questions: total,
      first: shownFirst(asked),
      opened: within(asked, Infinity),
      seen,
      tokens,
    };
    console.log(JSON.stringify({ ...figures, grepFirst: first(grep), grepThree: within(grep, 3), chance, asked }));
    return;
  }
  const share = (hits: number) => {
    const [low, high] = wilson(hits, total) ?? [0, 0];
    return `${hits}/${total} = ${percent(hits / total)} [${percent(low)}–${percent(high)}]`;
  };
  console.log(`${total} questions about a folder of ${files} files, ${Math.round(tokens / total)} tokens a question\n`);
  console.log(
    table([
      ["right file, %", "shown first", "opened at all", "opened or found by a search"],
      ["agent", share(shownFirst(asked)), share(within(asked, Infinity)), share(seen)],
      ["most words (grep -c)", share(first(grep)), `${share(within(grep, 3))} in three`, ""],
      ["random file", percent(chance), "", ""],
    ]),
  );
  for (const { question, expected, seen: shown, status } of heldOut ? [] : asked) {
    const mark = isRight({ expected, opened: shown }, shown[0])
      ? "+"
      : shown.some((path) => expected.includes(path))
        ? "~"
        : "-";
    console.log(
      `${mark} ${question} ${mark === "+" ? "" : `→ ${shown.join(", ") || "nothing"}`} ${status === "completed" ? "" : status}`,
    );
  }
}
