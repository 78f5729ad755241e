import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import * as z from "zod";
import { messageResource } from "../../infra/standins/mailbox/api/message-resource.ts";
import { contentOf } from "../../shared/scouts/connectors/gmail/message.ts";
import { dataFolder } from "./data-files.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { knownDifferences } from "./mime-differences.ts";
import { percent, table } from "./table.ts";

/** Two readings agree from this token F1 on. */
const agrees = 0.95;
const goal = 0.98;

const answer = z.object({ path: z.string(), text: z.string().optional(), failure: z.string().optional() });

interface Reading {
  readonly name: string;
  readonly f1: number;
  /** Words in the judged text, and in the other reader's. */
  readonly judged: number;
  readonly other: number;
  readonly milliseconds: number;
}

/**
 * `npm run eval -- mime`: the text that is judged, through mailbox and connector, against the text another mail reader
 * (Python's `email`, test/eval/mail-reader.py) finds in the same bytes. Skips in one line where messages or python3 are
 * not there.
 */
export async function mimeCommand(args: readonly string[]): Promise<void> {
  const json = args.includes("--json");
  const archive = join(dataFolder, "mime", "mime.tar.gz");
  const absent = !existsSync(archive)
    ? "../shared/data/mime/mime.tar.gz"
    : spawnSync("python3", ["--version"]).status !== 0
      ? "python3"
      : undefined;
  if (absent !== undefined) {
    console.log(`mime: skipped, ${absent} is absent`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "eval-mime-"));
  try {
    execFileSync("tar", ["xzf", archive, "-C", folder]);
    const files = globSync(join(folder, "**", "*.eml")).sort();
    report(compare(folder, files), json);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compare(folder: string, files: readonly string[]): Reading[] {
  const others = otherReader(files);
  return files.map((file) => {
    const raw = readFileSync(file);
    const startMs = performance.now();
    const judged = judgedText(raw);
    const milliseconds = performance.now() - startMs;
    const [own, other] = [wordsOf(judged), wordsOf(others.get(file) ?? "")];
    // The archive's top folder is no suite's name.
    const name = relative(folder, file).split(/[\\/]/).slice(-2).join("/");
    return { name, f1: tokenF1(own, other), judged: own.length, other: other.length, milliseconds };
  });
}

/** A raw message as a verdict is asked for: part tree of the mailbox, then the connector's letter. */
function judgedText(raw: Buffer): string {
  const row = { id: "1", thread_id: "1", labels: ["INBOX"], history_id: "1", internal_date_ms: 0 };
  return contentOf(messageResource(row, raw, "full", [])).text.reveal();
}

function otherReader(files: readonly string[]): ReadonlyMap<string, string> {
  const script = join(import.meta.dirname, "mail-reader.py");
  const run = spawnSync("python3", [script], { input: files.join("\n"), maxBuffer: 1 << 30, encoding: "utf8" });
  if (run.status !== 0) throw new EvaluationError(`mail-reader.py ended with ${run.status}: ${run.stderr.slice(-500)}`);
  const answers = run.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => answer.parse(JSON.parse(line)));
  return new Map(answers.map(({ path, text, failure }) => [path, text ?? `failed: ${failure}`]));
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Of two texts as bags of words; two empty ones agree. */
export function tokenF1(one: readonly string[], other: readonly string[]): number {
  if (one.length + other.length === 0) return 1;
  const left = new Map<string, number>();
  for (const word of other) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of one) {
    const count = left.get(word) ?? 0;
    if (count > 0) shared += 1;
    left.set(word, count - 1);
  }
  return (2 * shared) / (one.length + other.length);
}

function report(readings: readonly Reading[], json: boolean): void {
  const differing = readings.filter(({ f1 }) => f1 < agrees);
  const share = 1 - differing.length / readings.length;
  const slowest = Math.max(...readings.map(({ milliseconds }) => milliseconds));
  const reasonOf = ({ name }: Reading) => knownDifferences.get(name) ?? "no reason known: look at it";
  if (json) {
    const listed = differing.map((each) => ({ ...each, reason: reasonOf(each) }));
    const figures = { letters: readings.length, share, goal, slowestMs: slowest, differing: listed };
    console.log(JSON.stringify(figures));
    return;
  }
  console.log(
    `${readings.length} messages, the judged text against Python's email: token F1 of ${agrees} or more in ` +
      `${percent(share)} % (goal ${percent(goal)}), slowest ${slowest.toFixed(0)} ms\n`,
  );
  if (differing.length === 0) return;
  const rows = differing.map((each) => [each.name, each.f1.toFixed(2), String(each.judged), String(each.other)]);
  console.log(table([["differing", "F1", "words judged", "words there"], ...rows]));
  console.log(`\n${differing.map((each) => `${each.name}: ${reasonOf(each)}`).join("\n")}`);
}
