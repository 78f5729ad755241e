import process from "node:process";
import { parseArgs } from "node:util";
import { habits } from "./habits.ts";
import { measureGmail } from "./measure.ts";
import { measureImap } from "./measure-imap.ts";
import { measureStrangers } from "./measure-strangers.ts";
import { tablesOf } from "./paper.ts";

const usage = `npm run cost [-- --messages N] [--singles N] [--seed N] [--json]

Counts the AWS requests of a real run of the local home, prices them, and prints them beside the fewest that keep every
item safe and beside a naive design; then what a person costs a month; which limits are met first, npm run fleet says. --json prints the
figures that test/cost/measured.json holds, from which docs/scale.md is made (npm run docs:scale).`;

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      messages: { type: "string", default: "300" },
      singles: { type: "string", default: "30" },
      seed: { type: "string", default: "1" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const [messages, singles, seed] = [Number(values.messages), Number(values.singles), Number(values.seed)];
  const figures = {
    ...(await measureGmail(messages, singles, seed)),
    imap: await measureImap(messages, singles, seed),
    strangers: await measureStrangers(seed),
  };
  if (values.json) {
    console.log(JSON.stringify(figures, null, 2));
    return 0;
  }
  console.log(
    `${values.messages} messages at once, ${values.singles} one by one (seed ${values.seed}), ${(figures.relevantShare * 100).toFixed(0)} % of the burst relevant\n`,
  );
  for (const [name, markdown] of Object.entries(tablesOf(figures, habits))) console.log(`${name}\n\n${markdown}\n`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
