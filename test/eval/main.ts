import { cascadeCommand } from "./cascade/command.ts";
import { categorizeCommand } from "./categorize/command.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { filesCommand } from "./files.ts";
import { injectionCommand } from "./injection.ts";
import { lettersCommand } from "./letters/command.ts";
import { mimeCommand } from "./mime.ts";
import { rankingCommand } from "./ranking/command.ts";
import { redactionCommand } from "./redaction/command.ts";
import { answersCommand } from "./search/answers.ts";
import { searchCommand } from "./search/command.ts";
import { summariesCommand } from "./summaries.ts";
import { triageCommand } from "./triage.ts";

/** An evaluation: what it prints goes to stdout, how far it is to stderr. */
interface Evaluation {
  readonly usage: string;
  readonly run: (args: readonly string[]) => Promise<void>;
}

const evaluations = new Map<string, Evaluation>([
  [
    "triage",
    {
      usage:
        "triage [FILE…] [--json] [--seed N] [--folds N] [--limit N] [--concurrency N] [--model NAME]… [--chars N]… [--price [NAME=]IN,OUT]…",
      run: triageCommand,
    },
  ],
  [
    "injection",
    {
      usage: "injection [FILE…] [--json] [--invented] [--seed N] [--limit N] [--concurrency N]",
      run: injectionCommand,
    },
  ],
  ["letters", { usage: "letters [FILE…] [--json] [--seed N]", run: lettersCommand }],
  ["files", { usage: "files [--held-out] [--json] [--seed N] [--size FILES] [--limit QUESTIONS]", run: filesCommand }],
  [
    "search",
    {
      usage: "search [--held-out] [--json] [--seed N] [--others FILES] [--embedding-url URL --embedding-model NAME]",
      run: searchCommand,
    },
  ],
  ["answers", { usage: "answers [--held-out] [--json] [--seed N] [--limit QUESTIONS]", run: answersCommand }],
  ["categorize", { usage: "categorize [--seed N] [--limit TEXTS] [--concurrency N]", run: categorizeCommand }],
  ["ranking", { usage: "ranking [FILE…] [--json] [--seed N] [--limit MAILS]", run: rankingCommand }],
  [
    "cascade",
    {
      usage: "cascade [FILE…] [--json] [--seed N] [--limit N] [--error SHARE] [--tokens N]",
      run: cascadeCommand,
    },
  ],
  ["mime", { usage: "mime [--json]", run: mimeCommand }],
  ["redaction", { usage: "redaction [--json] [--seed N] [--limit LINES]", run: redactionCommand }],
  ["summaries", { usage: "summaries [--json] [--seed N] [--limit FILES] [--folds FOLDERS]", run: summariesCommand }],
]);

const [name = "", ...args] = process.argv.slice(2);
const evaluation = evaluations.get(name);
if (!evaluation) {
  const lines = [...evaluations.values()].map(({ usage }) => `  npm run eval -- ${usage}`);
  console.error(
    [
      "Name an evaluation:",
      ...lines,
      "",
      "OPENAI_API_KEY or OPENAI_BASE_URL with OPENAI_MODEL names another model.",
    ].join("\n"),
  );
  process.exit(2);
}
try {
  await evaluation.run(args);
} catch (error) {
  if (!(error instanceof EvaluationError)) throw error;
  console.error(error.message);
  process.exit(1);
}
