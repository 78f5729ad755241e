import process from "node:process";
import { parseArgs } from "node:util";
import * as z from "zod";
import { clockOf } from "./day.ts";
import { firstMet } from "./first-met.ts";
import { computeKept, stepsOf } from "./kept.ts";
import { figuresTable, firstMetTable, fleetTable, lasting, raisedTable, stepsTable } from "./paper.ts";
import { type Asked, type DayReport, type Mode, modes, runDay, type Setting, settingOf } from "./scenario.ts";

const usage = `npm run fleet [-- --people N] [--cells N] [--days N] [--seed N] [--limits ${modes.join("|")}]
                     [--move CELL --at HH:MM [--waves N] [--kill WAVE]] [--figures] [--json]

A day of so many people's mail against the limits of accounts: which limit is met first, how long a proposal takes, what
waits, what is lost. --cells spreads them over so many deployments in accounts of their own. --move gives up one of these
(counted from 1) from a time in UTC on, --kill lets whoever moves its people die in a wave. --figures prints what the
model takes of the product and of the world. --json prints all that docs/scale.md shows (some minutes):
npm run fleet -- --json > test/fleet/kept.json, npm run format, npm run docs:scale.

It is a model: its figures say what gives way first, not what a deployment will do.`;

const whole = z.coerce.number().int().min(1);
const options = z
  .object({
    people: whole.max(100_000_000).default(10_000_000),
    cells: whole.max(1_000).default(1),
    days: whole.max(60).default(1),
    seed: whole.default(1),
    limits: z.enum(modes).default("defaults"),
    move: whole.optional(),
    at: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
      .default("02:00"),
    waves: whole.max(1_000).default(100),
    kill: whole.optional(),
    figures: z.boolean().default(false),
    json: z.boolean().default(false),
  })
  .refine(({ move, cells }) => (move ?? 1) <= cells);

async function main(): Promise<number> {
  const given = options.safeParse(argumentsGiven());
  if (!given.success) {
    console.error(usage);
    return 2;
  }
  const { people, cells, days, seed, limits: mode, figures, json } = given.data;
  const setting = await settingOf();
  if (json) console.log(JSON.stringify(computeKept(setting, seed), null, 2));
  else if (figures) console.log(figuresTable(setting.figures));
  else {
    const move = moveOf(given.data);
    return print(setting, { people, cells, days, seed, mode, ...(move ? { move } : {}) });
  }
  return 0;
}

function argumentsGiven(): unknown {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const texts = {
    people: text,
    cells: text,
    days: text,
    seed: text,
    limits: text,
    move: text,
    at: text,
    waves: text,
    kill: text,
  };
  try {
    return parseArgs({ options: { ...texts, figures: flag, json: flag } }).values;
  } catch {
    return undefined;
  }
}

function moveOf({ move, at, waves, kill }: z.infer<typeof options>): Asked["move"] {
  if (move === undefined) return undefined;
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  const killed = kill === undefined ? {} : { killedInWave: kill - 1 };
  return { cell: move - 1, atSecond: hours * 3_600 + minutes * 60, waves, ...killed };
}

/** @returns 1 when something is lost, or there twice */
function print(setting: Setting, asked: Asked): number {
  const begun = process.cpuUsage();
  const met = { firstMet: firstMet(setting.values, setting.day, asked.seed) };
  console.log(`Limits in the order in which one account meets them (seed ${asked.seed})\n`);
  console.log(
    `${firstMetTable(met, setting.figures)}\n\nAs they can be raised\n\n${raisedTable(met, setting.figures)}\n`,
  );
  const report = runDay(setting, asked);
  console.log(
    `${asked.days === 1 ? "A day" : `${asked.days} days`} of ${asked.people.toLocaleString("en-GB")} people, from webhook to verdict\n\n${fleetTable([report])}\n`,
  );
  const seconds = cpuSeconds(begun);
  const steps = asked.move ? stepsOf(asked.seed) : [];
  if (asked.move) printMove(report, asked.mode, asked.move.atSecond);
  if (asked.move) console.log(`${stepsTable({ steps })}\n`);
  const { lost, twice, failed, arrived } = report;
  console.log(
    `${arrived.toLocaleString("en-GB")} mails: ${lost} lost, ${twice} twice, ${failed} shown unjudged; ${seconds} s of CPU`,
  );
  const disturbed = steps.filter(({ mistake }) => ["none", "killed", "sleeps"].includes(mistake));
  return lost + twice + disturbed.reduce((sum, step) => sum + step.lost + step.twice, 0) > 0 ? 1 : 0;
}

function printMove({ move }: DayReport, mode: Mode, atSecond: number): void {
  if (!move) return;
  const ended = move.endedAt === undefined ? `${move.left} left at midnight` : `ended ${clockOf(move.endedAt)}`;
  console.log(
    `The move (${mode}): from ${clockOf(atSecond)}, ${move.waves} waves, ${move.moved} people, ${ended}; nobody held longer than ` +
      `${lasting(move.longestHoldSeconds)}; of mail that came meanwhile p50 ${lasting(move.p50)}, p95 ${lasting(move.p95)}, p99 ${lasting(move.p99)}\n`,
  );
}

const cpuSeconds = (begun: NodeJS.CpuUsage) => (process.cpuUsage(begun).user / 1e6).toFixed(1);

process.exitCode = await main();
