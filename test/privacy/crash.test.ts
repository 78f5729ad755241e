import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redrive } from "../../cli/ops/dead-letters.ts";
import { drain } from "../../cli/up/drain.ts";
import { judged } from "../../cli/up/item-counts.ts";
import type { LocalSystem } from "../../cli/up/system.ts";
import { relevant, type ScriptedModel, startScriptedModel } from "../e2e/scripted-model.ts";
import { scriptedMail, writeCanaryMail } from "./canary-mail.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import { filesAtRest } from "./scan/cloud-files.ts";
import { type Finding, Scanner } from "./scan/scanner.ts";

/** A drain gives up after half a minute without news, and much is done again and again. */
const longestMs = 180_000;

/** Functions die at any of their calls, and one mail kills the worker whenever it is read, until it is set aside. */
describe("P1: nothing readable at rest in the cloud after crashes", () => {
  let running: CanarySystem;
  let model: ScriptedModel;
  let messages: number;
  let counts: ReturnType<typeof judged>;
  let killed = 0;
  const firstKill = Promise.withResolvers<void>();
  let crashes = "";
  let inStores: Finding[];
  let inFiles: Finding[];
  let poison: { readonly seen: Finding[]; readonly elsewhere: Finding[] };

  beforeAll(async () => {
    model = await startScriptedModel(async (prompt) => {
      if (!prompt.includes("script=poison.")) return relevant();
      killed += 1;
      firstKill.resolve();
      await running.system.home.killFunction("TriageSubscriber");
      return relevant();
    });
    running = await startCanarySystem(
      (folder, canaries) => {
        ({ messages } = writeCanaryMail(folder, canaries));
      },
      {
        environment: model.environment,
        home: {
          backOffMs: () => 1,
          hostile: { seed: 11, crashPerCall: 0.01, throttlePerRequest: 0, gonePerPost: 0, duplicatePerBatch: 0.1 },
          onLog: (_, text) => {
            crashes += text.match(/"status":"crash"/g)?.join("") ?? "";
          },
        },
      },
    );
    const { system, canaries } = running;
    const never = new AbortController().signal;
    await drain(system, never);
    system.world.mailbox.deliver(scriptedMail(canaries, "poison"));
    await firstKill.promise;
    // It stays on its queue, and the home busy, until it is set aside.
    await system.home.whenIdle();
    await sendDeadLettersAgain(system, never);
    counts = judged(await system.counter.count());

    const words = running.canaries.plant("words on a queue");
    await putOnQueue(system, words);
    await system.home.whenIdle();
    const own = new Scanner([{ label: "words on a queue", text: words }]);
    inStores = (await running.lookIntoStores()).filter(({ label }) => label !== "words on a queue");
    inFiles = (await running.stopAndLookIntoFiles()).filter(({ label }) => label !== "words on a queue");
    const seen = own.scanAll(filesAtRest(running.cloudFolder));
    poison = { seen, elsewhere: seen.filter(({ place }) => !place.startsWith("fauxqs.db")) };
  }, longestMs);
  afterAll(async () => {
    await running?.remove();
    await model?.close();
  });

  test("no table, queue, dead-letter queue or object", () => expect(inStores).toEqual([]));
  test("no file under cloud/: engines' files, logs, names", () => expect(inFiles).toEqual([]));

  test("and what somebody put on a queue is where they put it, and in no log", () => {
    expect(poison.seen).not.toEqual([]);
    expect(poison.elsewhere).toEqual([]);
  });

  test("and there were crashes, a message killed its worker until it was set aside, everything is accounted for", () => {
    expect(crashes.length).toBeGreaterThan(0);
    expect(killed).toBeGreaterThan(1);
    // A worker that dies of something else, twice just as it looks at the metadata, has the message set aside instead.
    const givenUp = counts.unjudged + counts.deadLettered;
    expect({ ...counts, all: counts.relevant + givenUp }).toMatchObject({ failed: 0, waiting: 0, all: messages + 1 });
    expect(givenUp).toBeGreaterThan(0);
  });
});

/**
 * As an operator would: a batch may die five times in a row of nothing but bad luck, and is then nowhere but among the dead
 * letters.
 */
async function sendDeadLettersAgain({ home }: LocalSystem, signal: AbortSignal): Promise<void> {
  const client = operatorsClient(home);
  const { queues } = home.graph;
  for (let moved = -1; moved !== 0; ) {
    moved = 0;
    for (const name of ["Sync", "Triage"]) {
      const [url = "", sourceUrl = ""] = [queues[`${name}DeadLetters`]?.url, queues[name]?.url];
      moved += (await redrive(client, { name, url, sourceUrl }, signal)).moved;
    }
    await home.whenIdle();
  }
  client.destroy();
}

function operatorsClient({ operator: { region, credentials, endpoints } }: LocalSystem["home"]): SQSClient {
  return new SQSClient({ region, credentials, endpoint: endpoints.sqs });
}

/** Messages that are not of the contract, as only an operator could send them. */
async function putOnQueue({ home }: LocalSystem, words: string): Promise<void> {
  const client = operatorsClient(home);
  const bodies = [`{"v": 1, "${words}`, JSON.stringify({ v: 1, [words]: words }), JSON.stringify(words)];
  for (const [index, MessageBody] of bodies.entries()) {
    for (const [name, QueueUrl] of [
      ["Triage", home.graph.queues["Triage"]?.url],
      ["Sync", home.graph.queues["Sync"]?.url],
    ]) {
      const fifo = name === "Sync" ? { MessageDeduplicationId: `poison-${index}` } : {};
      await client.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: "poison", ...fifo }));
    }
  }
  client.destroy();
}
