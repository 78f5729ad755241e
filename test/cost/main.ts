import process from "node:process";
import { parseArgs } from "node:util";
import { take } from "../bench/pipeline/generated-mail.ts";
import { measureBurst } from "../bench/pipeline/measure.ts";
import type { Requests } from "../bench/pipeline/requests.ts";
import { onWarmSystem } from "../bench/pipeline/warm-system.ts";
import { floorDesign, naiveDesign } from "./designs.ts";
import { habits } from "./habits.ts";
import { paperTables } from "./paper.ts";
import { dollarsFor } from "./prices.ts";

const usage = `npm run cost [-- --messages N] [--seed N] [--json]

Counts the AWS requests of a real run of the local home, prices them, and prints them beside the fewest that keep every
item safe and beside a naive design; then what a person costs a month, and which limits are met first.`;

const isAws = (operation: string) => !/^(gmail|model):/.test(operation);

async function measuredPerItem(messages: number, seed: number): Promise<{ perItem: Requests; relevantShare: number }> {
  const burst = await onWarmSystem(seed, (system, tap, mail) => measureBurst(system, tap, take(mail, messages)));
  const aws = Object.entries(burst.requests).filter(([operation]) => isAws(operation));
  const perItem = Object.fromEntries(aws.map(([operation, count]) => [operation, count / burst.items]));
  return { perItem, relevantShare: burst.relevant / burst.items };
}

const total = (requests: Requests) => Object.values(requests).reduce((sum, count) => sum + count, 0);
const perMillion = (requests: Requests) => dollarsFor(requests) * 1e6;
/** Invocations are not requests a function makes; the measured run counts none. */
const withoutLambda = (requests: Requests): Requests =>
  Object.fromEntries(Object.entries(requests).filter(([operation]) => !operation.startsWith("lambda:")));

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      messages: { type: "string", default: "300" },
      seed: { type: "string", default: "1" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { perItem, relevantShare } = await measuredPerItem(Number(values.messages), Number(values.seed));
  const designs = [
    ["fewest that keep promise 2", withoutLambda(floorDesign(relevantShare))],
    ["measured", perItem],
    ["naive", withoutLambda(naiveDesign(relevantShare))],
  ] as const;
  const rows = designs.map(([name, requests]) => ({
    design: name,
    requestsPerItem: total(requests),
    dollarsPerMillionItems: perMillion(requests),
  }));
  const paper = paperTables(perItem, habits);
  if (values.json) {
    console.log(JSON.stringify({ relevantShare, perItem, designs: rows, ...paper }));
    return 0;
  }
  console.log(`${values.messages} messages (seed ${values.seed}), ${(relevantShare * 100).toFixed(0)} % relevant\n`);
  for (const { design, requestsPerItem, dollarsPerMillionItems } of rows) {
    const dollars = dollarsPerMillionItems.toFixed(2).padStart(7);
    console.log(
      `${design.padEnd(28)}${requestsPerItem.toFixed(2).padStart(6)} AWS requests an item  $${dollars} a million`,
    );
  }
  console.log(`\n${paper.markdown}`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
