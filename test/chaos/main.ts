import process from "node:process";
import { parseArgs } from "node:util";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import { ChaosRun } from "./chaos-run.ts";
import { imapUnderKills } from "./imap-under-kills.ts";
import { showTables } from "./tables.ts";
import { type Finding, verify } from "./verify.ts";

const usage = `npm run chaos [-- --minutes N] [--seed N] [--json] [--tables]
npm run chaos -- --imap N [--kills N] [--seed N] [--json]

Runs the local home as a process under a mailbox and a folder that grow, kills it with SIGKILL at random moments, while
its functions die, its stores throttle and messages come twice; a second device connects through connections that are cut.
When the time is up the home runs once more in peace, and every promise is checked on the real stores.

With --imap so many messages come to a mail server that cuts connections at every kind of command, while the home that reads
it is killed; then each of them is accounted for.

With --tables it only shows what is known beforehand of clocks that step and of files that are damaged.`;

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
      json: { type: "boolean", default: false },
      imap: { type: "string" },
      kills: { type: "string", default: "20" },
      tables: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.tables) return showTables();
  const seed = Number(values.seed);
  const say = (line: string) => (values.json ? undefined : console.log(line));
  if (values.imap !== undefined) {
    const { facts, findings } = await imapUnderKills({
      messages: Number(values.imap),
      kills: Number(values.kills),
      seed,
      say,
    });
    report({ seed, ...facts }, findings, values.json);
    return findings.length === 0 ? 0 : 1;
  }
  const untilMs = Date.now() + Number(values.minutes) * 60_000;
  await using run = await ChaosRun.begin(seededRandom(seed), seed);
  while (Date.now() < untilMs) say(await run.cycle());
  say("time is up: the home runs in peace and is looked at");
  const { facts, findings } = await verify(run.places());
  report({ seed, ...run.totals(), ...facts }, findings, values.json);
  return findings.length === 0 ? 0 : 1;
}

function report(facts: Readonly<Record<string, number>>, findings: readonly Finding[], json: boolean): void {
  if (json) {
    console.log(JSON.stringify({ ...facts, findings }));
    return;
  }
  for (const [name, value] of Object.entries(facts)) console.log(`${name.padEnd(24)}${String(value).padStart(8)}`);
  for (const { promise, found } of findings) console.log(`VIOLATED ${promise}: ${found}`);
  console.log(
    findings.length === 0 ? "every promise holds" : `${findings.length} violations; run again with this seed`,
  );
}

process.exitCode = await main(process.argv.slice(2));
