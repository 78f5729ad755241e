import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { agentMessage, summarizeMessage, syncMessage, triageMessage } from "../../events/queues.ts";
import { asSqsEvent, composeInMemory, lambdaContext } from "./memory-home.ts";
import { naughtyStrings, Tally } from "./vectors.ts";

const tally = new Tally("queue messages (seed 13)");
const home = composeInMemory();
const root = fileURLToPath(new URL("../../", import.meta.url));

const queues = {
  sync: { schema: syncMessage, handler: (await import("../../functions/worker/sync.ts")).handler },
  triage: { schema: triageMessage, handler: (await import("../../functions/worker/triage.ts")).handler },
  summarize: { schema: summarizeMessage, handler: (await import("../../functions/worker/summarize.ts")).handler },
  agent: { schema: agentMessage, handler: (await import("../../functions/worker/agent.ts")).handler },
} as const;
const names = Object.keys(queues) as (keyof typeof queues)[];

function sampleOf(name: string): Record<string, unknown> {
  const [file = ""] = globSync(`events/samples/queues.${name}Message*.json`, { cwd: root }).sort();
  return JSON.parse(readFileSync(`${root}${file}`, "utf8"));
}

const strange = fc.oneof(
  fc.constantFrom<unknown>(...naughtyStrings, null, -1, 1.5, 2 ** 60, [], {}, true),
  fc.jsonValue({ maxDepth: 1 }),
);

/** Texts made of a valid message: a field lost, replaced or added, the text cut, or another text altogether. */
function mutated(sample: Record<string, unknown>): fc.Arbitrary<string> {
  const field = fc.constantFrom(...Object.keys(sample));
  const text = JSON.stringify(sample);
  return fc.oneof(
    field.map((name) => JSON.stringify({ ...sample, [name]: undefined })),
    fc.tuple(field, strange).map(([name, value]) => JSON.stringify({ ...sample, [name]: value })),
    strange.map((value) => JSON.stringify({ __proto__: null, ...sample, v: value })),
    fc.nat(text.length - 1).map((length) => text.slice(0, length)),
    strange.map((value) => JSON.stringify(value)),
    fc.constantFrom(...naughtyStrings),
    fc.string({ unit: "binary", maxLength: 50 }),
  );
}

test.each(names)(
  "P2: %s: a malformed message is reported as a failed item, the others of its batch go on",
  async (name) => {
    const { schema, handler } = queues[name];
    const sample = sampleOf(name);
    expect(schema.safeParse(sample).success).toBe(true);
    const isValid = (text: string) => {
      try {
        return schema.safeParse(JSON.parse(text)).success;
      } catch {
        return false;
      }
    };
    const bodies = fc.array(
      fc.oneof(
        { weight: 1, arbitrary: fc.constant(JSON.stringify(sample)) },
        { weight: 3, arbitrary: mutated(sample) },
      ),
      {
        minLength: 1,
        maxLength: 10,
      },
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (texts) => {
        const records = texts.map((body, at) => ({
          messageId: `m${at}`,
          body,
          attributes: { ApproximateReceiveCount: "1" },
          eventSource: "aws:sqs",
        }));
        const logged = home.logged.length;
        const { batchItemFailures } = await handler(asSqsEvent({ Records: records }), lambdaContext);
        const failed = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).sort();
        const malformed = records.filter(({ body }) => !isValid(body)).map(({ messageId }) => messageId);
        expect(failed).toEqual(malformed.sort());
        const invalid = home.logged.slice(logged).filter((code) => code === "invalid_message");
        expect(invalid).toHaveLength(malformed.length);
        tally.add(`${name}: reported`, malformed.length);
        tally.add(`${name}: went on`, records.length - malformed.length);
      }),
      { numRuns: 250, seed: 13 },
    );
    expect(home.state()).toMatchObject({ sent: [0, 0, 0, 0] });
  },
);
