import { parseArgs } from "node:util";
import { dollarsFor } from "../../cost/prices.ts";
import { percentilesOf, rounded, shown } from "../percentile.ts";
import { type Ceiling, measureCeiling } from "./ceiling.ts";
import { generatedMail, take } from "./generated-mail.ts";
import { type Burst, measureBareWork, measureBurst, measureSingles } from "./measure.ts";
import { byService, floorPerItem, serviceOf } from "./requests.ts";
import { onWarmSystem } from "./warm-system.ts";
import { measureWebhook, type WebhookLatencies } from "./webhook.ts";

/** How near the pipeline should come to what engines, reads and verdicts allow in series. */
const goal = 0.7;

interface Measured {
  readonly burst: Burst;
  readonly singles: { latenciesMs: number[]; unproposed: number };
  readonly webhook: WebhookLatencies;
  readonly bareMs: number;
  readonly ceiling: Ceiling;
}

function measure(messages: number, samples: number, pushes: number, seed: number): Promise<Measured> {
  return onWarmSystem(seed, async (system, tap, mail) => {
    const burst = await measureBurst(system, tap, take(mail, messages));
    const singles = await measureSingles(system, tap, take(generatedMail(seed + 1, true), samples));
    const webhook = await measureWebhook(system, tap, pushes);
    const ceiling = await measureCeiling(system.home, messages);
    return { burst, singles, webhook, ceiling, bareMs: await measureBareWork(system.world, messages) };
  });
}

function report({ burst, singles, webhook, ceiling, bareMs }: Measured, seed: number) {
  const perItem = (count: number) => rounded(count / burst.items);
  const floor = floorPerItem(burst.relevant / burst.items);
  const itemsPerSecond = (burst.items * 1000) / burst.ms;
  const ceilingItemsPerSecond = (ceiling.items * 1000) / ceiling.ms;
  const bareItemsPerSecond = (burst.items * 1000) / bareMs;
  return {
    seed,
    items: burst.items,
    relevant: burst.relevant,
    itemsPerSecond: rounded(itemsPerSecond, 1),
    bareItemsPerSecond: rounded(bareItemsPerSecond, 1),
    ratio: rounded(itemsPerSecond / bareItemsPerSecond),
    /** Beside what engines, reads and verdicts allow one after the other. */
    ratioInSeries: rounded(itemsPerSecond * (1 / ceilingItemsPerSecond + 1 / bareItemsPerSecond)),
    ceiling: {
      items: ceiling.items,
      itemsPerSecond: rounded(ceilingItemsPerSecond, 1),
      ratio: rounded(itemsPerSecond / ceilingItemsPerSecond, 3),
    },
    webhookToProposalMs: {
      idle: percentilesOf(singles.latenciesMs),
      burst: percentilesOf(burst.latenciesMs),
    },
    webhookMs: { idle: percentilesOf(webhook.idleMs), burst: percentilesOf(webhook.burstMs) },
    requestsPerItem: Object.fromEntries(
      Object.entries(byService(burst.requests)).map(([service, count]) => [
        service,
        {
          count: perItem(count),
          floor: floor[service] === undefined ? null : rounded(floor[service]),
          operations: Object.fromEntries(
            Object.entries(burst.requests)
              .filter(([operation]) => serviceOf(operation) === service)
              .map(([operation, times]) => [operation.slice(service.length + 1), perItem(times)]),
          ),
        },
      ]),
    ),
    dollarsPerMillionItems: rounded((dollarsFor(burst.requests) / burst.items) * 1e6),
  };
}

type Report = ReturnType<typeof report>;

function print(figures: Report): void {
  const { idle, burst } = figures.webhookToProposalMs;
  console.log(
    `pipeline: ${figures.items} generated messages (seed ${figures.seed}), ${figures.relevant} relevant, one machine\n`,
  );
  console.log(
    `items per second      ${figures.itemsPerSecond}   (reads and verdicts alone: ${figures.bareItemsPerSecond}, ratio ${figures.ratio}×)`,
  );
  console.log(
    `engines' ceiling       ${figures.ceiling.itemsPerSecond}   (send, receive, put, delete alone: ratio ${figures.ceiling.ratio}×)`,
  );
  console.log(`all of it in series    ratio ${figures.ratioInSeries}×   (goal: at least ${goal}×)`);
  console.log(`webhook → proposal    ${shown(idle)}   one at a time, ${idle.samples} samples`);
  console.log(`                      ${shown(burst)}   all at once, ${burst.samples} proposals`);
  const { webhookMs } = figures;
  console.log(`push → 2xx            ${shown(webhookMs.idle)}   one at a time, ${webhookMs.idle.samples} pushes`);
  console.log(`                      ${shown(webhookMs.burst)}   all at once, ${webhookMs.burst.samples} pushes\n`);
  console.log("requests per item     measured   floor   ratio");
  for (const [service, { count, floor, operations }] of Object.entries(figures.requestsPerItem)) {
    const parts = Object.entries(operations)
      .sort(([, a], [, b]) => b - a)
      .map(([operation, times]) => `${operation} ${times}`)
      .join(", ");
    const beside =
      floor === null
        ? "               "
        : `${String(floor).padStart(8)}${`${(count / floor).toFixed(1)}×`.padStart(8)}`;
    console.log(`  ${service.padEnd(19)}${String(count).padStart(8)}${beside}   ${parts}`);
  }
  console.log(
    `\nAWS requests cost $${figures.dollarsPerMillionItems} a million items (us-east-1; without Lambda's time, connection minutes and tokens)`,
  );
}

/**
 * `npm run bench -- pipeline [--messages N] [--samples N] [--pushes N] [--seed N] [--json] [--least RATIO]`: ends with 1 where the ratio to
 * all of it in series is below RATIO.
 */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      messages: { type: "string", default: "300" },
      samples: { type: "string", default: "30" },
      pushes: { type: "string", default: "100" },
      seed: { type: "string", default: "1" },
      json: { type: "boolean", default: false },
      least: { type: "string", default: "0" },
    },
  });
  const seed = Number(values.seed);
  const measured = await measure(Number(values.messages), Number(values.samples), Number(values.pushes), seed);
  const figures = report(measured, seed);
  if (values.json) console.log(JSON.stringify(figures));
  else print(figures);
  const least = Number(values.least);
  if (figures.ratioInSeries >= least) return 0;
  console.log(`\nall of it in series: ${figures.ratioInSeries}× is less than the ${least}× that are to be kept`);
  return 1;
}
