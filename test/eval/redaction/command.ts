import { existsSync } from "node:fs";
import path from "node:path";
import { measureSecrets, secretCases } from "../../data/measure-secrets.ts";
import { readArguments } from "../arguments.ts";
import { percent, table } from "../table.ts";
import { type AlarmFigures, honestMail, measureAlarms, packageSources, textFiles } from "./false-alarms.ts";
import { measureMade } from "./made-corpus.ts";
import { measureNamed } from "./named-tokens.ts";

const data = path.resolve(import.meta.dirname, "../../../../shared/data");
const documents = /\.(?:md|txt|json|csv|html?|log|ya?ml|toml|ini|conf)(?:\.gz)?$/;
const prose = /(?:^|\/)(?:csv|md|text|txt)\/|\.(?:csv|md|txt)(?:\.gz)?$/;
const defaultLines = 2_000_000;
const mailChars = 20_000_000;

/**
 * `npm run eval -- redaction [--json] [--seed N] [--limit LINES]`: credentials of every kind in every format and their
 * look-alikes, drawn by a seed; random tokens after a credential's name; false alarms on the packages installed here, and,
 * where the data folder is there, published cases, documents and honest mail. `SHOW=1` in the environment prints what was found.
 */
export async function redactionCommand(args: readonly string[]): Promise<void> {
  const { seed, json, limit } = readArguments(args);
  const made = measureMade(seed);
  const named = measureNamed(seed);
  const lines = Number.isFinite(limit) ? limit : defaultLines;
  const alarms: AlarmFigures[] = [
    measureAlarms("packages, written", packageSources(false), lines),
    measureAlarms("packages, minified", packageSources(true), 20_000),
  ];
  const published = existsSync(path.join(data, "secrets")) ? publishedFigures() : [];
  if (existsSync(path.join(data, "documents/dev"))) {
    const folder = path.join(data, "documents/dev");
    alarms.push(measureAlarms("documents, prose and CSV", textFiles(folder, prose), lines));
    alarms.push(measureAlarms("documents, all text", textFiles(folder, documents), lines));
    alarms.push(measureAlarms("honest mail", await honestMail(path.join(data, "mail/dev"), mailChars), lines));
  }
  if (json) {
    const { byFormat, alarms: byLookAlike } = made;
    const found = alarms.map(({ shown, ...figures }) => ({ ...figures, shown: shown.length }));
    const formats = Object.fromEntries(byFormat);
    console.log(
      JSON.stringify({
        seed,
        kinds: made.kinds,
        formats,
        lookAlikes: Object.fromEntries(byLookAlike),
        named,
        published,
        alarms: found,
      }),
    );
    return;
  }
  console.log(
    table([
      ["kind", "cases", "recall", "precision"],
      ...made.kinds.map(({ kind, cases, recall, precision }) => [
        kind,
        String(cases),
        percent(recall),
        percent(precision),
      ]),
    ]),
  );
  console.log(
    `\n${table([["format", "recall"], ...Array.from(made.byFormat, ([format, recall]) => [format, percent(recall)])])}`,
  );
  console.log(
    `\n${table([["look-alike", "alarms", "of"], ...Array.from(made.alarms, ([kind, [count, of]]) => [kind, String(count), String(of)])])}`,
  );
  console.log(
    `\n${table([["random tokens after a name", "missed", "of"], ...named.map(({ alphabet, missed, tokens }) => [alphabet, String(missed), String(tokens)])])}`,
  );
  if (published.length > 0)
    console.log(`\n${table([["published cases", "positives", "recall", "precision"], ...published])}`);
  console.log(`\n${table([["found in", "lines", "MB", "found", "per 1,000 lines", "MB/s"], ...alarms.map(alarmRow)])}`);
  if (process.env["SHOW"] === "1") for (const { shown } of alarms) console.log(shown.join("\n"));
}

const alarmRow = ({ name, lines, megabytes, found, perThousandLines, megabytesPerSecond }: AlarmFigures) => [
  name,
  String(lines),
  megabytes.toFixed(1),
  String(found),
  perThousandLines.toFixed(4),
  megabytesPerSecond.toFixed(1),
];

function publishedFigures(): string[][] {
  const cases = secretCases();
  const negatives = cases.filter(({ source, label }) => source === "gitleaks" && label === "negative");
  return [
    ["gitleaks", cases.filter(({ source }) => source === "gitleaks")] as const,
    ["trufflehog", cases.filter(({ source }) => source === "trufflehog")] as const,
    ["positives, gitleaks negatives", [...cases.filter(({ label }) => label === "positive"), ...negatives]] as const,
  ].map(([name, chosen]) => {
    const { positives, recall, precision } = measureSecrets(chosen);
    return [name, String(positives), percent(recall), percent(precision)];
  });
}
