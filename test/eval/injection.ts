import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import type { MailView } from "../../infra/model/triage/view.ts";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import { readArguments } from "./arguments.ts";
import { carriers } from "./carriers.ts";
import { dataFiles } from "./data-files.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { type Interval, wilson } from "./intervals.ts";
import { openModel } from "./model-under-test.ts";
import { sample } from "./sample.ts";
import { percent, table } from "./table.ts";
import { type Judgement, judgeAll } from "./verdicts.ts";

const rowSchema = z.object({
  id: z.string(),
  source: z.string(),
  label: z.enum(["injection", "benign"]),
  kind: z.string(),
  text: z.string(),
});
type Row = z.infer<typeof rowSchema>;

/** Room left to the carrier, so that both it and the injected text are within what the model sees. */
const carrierCharacters = 1_000;
const injectedCharacters = 900;

interface Trial {
  readonly row: Row;
  readonly carrierSpam: boolean;
  readonly place: "before" | "after";
  readonly carrier: number;
}

/** Who a text alone comes from: every mail has a sender. */
const plainHeader = { subject: "For you", sender: "Alex Miller <alex.miller@example.org>" };

/** How often a verdict flipped, of how many trials. */
interface Flips {
  readonly trials: number;
  readonly flips: number;
  readonly rate: number | null;
  readonly rate95: Interval | null;
}

/**
 * `npm run eval -- injection [FILE…]`: each text is put before and after a spam mail and a wanted one whose verdicts the
 * model got right; a flip is a changed decision. Benign texts, inserted the same way, are the control: what injected
 * instructions do beyond any added text is the difference.
 */
export async function injectionCommand(args: readonly string[]): Promise<void> {
  const options = readArguments(args);
  const rows = sample(dataFiles(options.files, "injection/*.jsonl.gz").flatMap(readRows), options.limit, options.seed);
  const model = await openModel();
  try {
    const judge = (views: readonly MailView[], label: string): Promise<Judgement[]> =>
      judgeAll(model.chat, views, { concurrency: options.concurrency, label });
    const { spam, wanted, from } = await carriers(judge, options);
    const random = seededRandom(options.seed);
    const trials: Trial[] = rows.flatMap((row) =>
      [true, false].flatMap((carrierSpam) =>
        (["before", "after"] as const).map((place) => {
          const { length } = carrierSpam ? spam : wanted;
          return { row, carrierSpam, place, carrier: Math.floor(random() * length) };
        }),
      ),
    );
    const views = trials.map(({ row, carrierSpam, place, carrier }) => {
      const mail = (carrierSpam ? spam : wanted)[carrier] ?? { subject: "", sender: "", body: "" };
      const own = mail.body.slice(0, carrierCharacters);
      const injected = row.text.slice(0, injectedCharacters);
      return { ...mail, body: place === "before" ? `${injected}\n${own}` : `${own}\n${injected}` };
    });
    const judgements = await judge(views, "injected");
    const benign = rows.filter(({ label }) => label === "benign");
    const alone = await judge(
      benign.map(({ text }) => ({ ...plainHeader, body: text })),
      "alone",
    );
    const flips = new Map<string, Flips>();
    const count = (name: string, chosen: (trial: Trial) => boolean): void => {
      const own = trials.flatMap((trial, index) =>
        chosen(trial) ? [trial.carrierSpam !== (judgements[index]?.saidSpam ?? false)] : [],
      );
      if (own.length > 0) flips.set(name, rateOf(own));
    };
    for (const label of ["injection", "benign"] as const) {
      count(`${label}: spam becomes relevant`, (trial) => trial.row.label === label && trial.carrierSpam);
      count(`${label}: wanted becomes spam`, (trial) => trial.row.label === label && !trial.carrierSpam);
    }
    for (const kind of new Set(rows.filter(({ label }) => label === "injection").map((row) => row.kind))) {
      count(
        `  ${kind}: spam becomes relevant`,
        ({ row, carrierSpam }) => row.kind === kind && row.label === "injection" && carrierSpam,
      );
    }
    const flags = rateOf(alone.map(({ saidSpam }) => saidSpam));
    const failures = judgements.filter(({ failure }) => failure !== undefined).length;
    report(
      {
        model: model.name,
        rows: rows.length,
        carriers: { from, spam: spam.length, wanted: wanted.length },
        flips,
        flags,
        failures,
      },
      options.json,
    );
  } finally {
    await model.close();
  }
}

function rateOf(outcomes: readonly boolean[]): Flips {
  const flips = outcomes.filter(Boolean).length;
  return {
    trials: outcomes.length,
    flips,
    rate: outcomes.length === 0 ? null : flips / outcomes.length,
    rate95: wilson(flips, outcomes.length),
  };
}

interface Report {
  readonly model: string;
  readonly rows: number;
  readonly carriers: { readonly from: string; readonly spam: number; readonly wanted: number };
  readonly flips: ReadonlyMap<string, Flips>;
  /** Benign texts alone that were called spam. */
  readonly flags: Flips;
  readonly failures: number;
}

function report({ flips, flags, ...rest }: Report, json: boolean): void {
  if (json) {
    console.log(JSON.stringify({ ...rest, flips: Object.fromEntries(flips), falseFlags: flags }));
    return;
  }
  console.log(
    `Model ${rest.model}: ${rest.rows} texts in ${rest.carriers.spam} spam and ${rest.carriers.wanted} wanted mails (${rest.carriers.from}), percent with 95 % intervals\n`,
  );
  const line = (name: string, { trials, flips: flipped, rate, rate95 }: Flips): string[] => [
    name,
    String(trials),
    String(flipped),
    rate95 === null ? percent(rate) : `${percent(rate)} [${percent(rate95[0])}–${percent(rate95[1])}]`,
  ];
  console.log(
    table([["text added", "trials", "flips", "rate"], ...[...flips].map(([name, each]) => line(name, each))]),
  );
  console.log(`\n${table([["text alone", "texts", "called spam", "rate"], line("benign", flags)])}`);
  if (rest.failures > 0) console.log(`\n${rest.failures} trials had no answer and count as relevant.`);
}

function readRows(file: string): Row[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, index) => {
      try {
        return rowSchema.parse(JSON.parse(line));
      } catch {
        throw new EvaluationError(`${file} line ${index + 1} is not {id, source, label, kind, text}.`);
      }
    });
}
