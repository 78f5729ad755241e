import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { drain } from "../../cli/up/drain.ts";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { ownFolder } from "./folders.ts";
import { judgeBySubject, upTo, writeMail } from "./mail.ts";
import { scoutsHere } from "./program.ts";
import { startScriptedModel } from "./scripted-model.ts";

const listed = z.array(
  z.object({ queue: z.string(), sealed: z.boolean(), ids: z.record(z.string(), z.string()), receives: z.number() }),
);

test("P2: dead letters are seen, sent again and worked on; sealed ones stay; nothing is asked of a home that runs", async () => {
  const folder = ownFolder();
  const dataFolder = join(folder.path, "data");
  const mailboxPath = join(folder.path, "mail");
  mkdirSync(mailboxPath);
  writeMail(mailboxPath, upTo(1));
  const model = await startScriptedModel(judgeBySubject);
  const signal = new AbortController().signal;
  let system: LocalSystem | undefined;
  onTestFinished(async () => {
    await system?.stop();
    await model.close();
    folder.remove();
  });
  const start = () =>
    startSystem({ ...systemTimeAndIds, dataFolder, mailboxPath, environment: model.environment, signal });
  const dlq = async (command: string) => {
    const { code, stdout, stderr } = await scoutsHere(["ops", "dlq", command, "--data", dataFolder, "--json"]);
    return { code, stderr, answer: stdout === "" ? undefined : JSON.parse(stdout) };
  };
  expect(await dlq("list")).toMatchObject({ code: 4, stderr: expect.stringContaining("(data_unusable)") });

  system = await start();
  await drain(system, signal);
  const [proposal] = system.store.proposals.list();
  const { home, scoutId } = system;
  const client = new SQSClient({ ...home.operator, endpoint: home.operator.endpoints.sqs });
  const setAside = (queue: string, body: object) =>
    client.send(
      new SendMessageCommand({
        QueueUrl: String(home.graph.queues[queue]?.url),
        MessageBody: JSON.stringify(body),
        MessageGroupId: "g",
      }),
    );
  const ids = { userId: `usr_${"0".repeat(26)}`, scoutId, ref: String(proposal?.sourceMsgRef) };
  await setAside("TriageDeadLetters", { v: 1, ...ids });
  await setAside("SummarizeDeadLetters", { v: 1, indexId: "idx_1", sealed: { text: "AQ" } });
  client.destroy();
  expect(await dlq("list")).toMatchObject({ code: 4, stderr: expect.stringContaining("(data_in_use)") });
  await system.stop();

  const before = await dlq("list");
  expect(listed.parse(before.answer)).toMatchObject([
    { queue: "TriageDeadLetters", sealed: false, ids },
    { queue: "SummarizeDeadLetters", sealed: true, ids: { indexId: "idx_1" } },
  ]);
  expect((await dlq("list")).answer).toHaveLength(2);
  const { code, answer } = await dlq("redrive");
  expect(code).toBe(0);
  expect(answer).toEqual(
    expect.arrayContaining([
      { queue: "TriageDeadLetters", moved: 1, sealed: 0 },
      { queue: "SummarizeDeadLetters", moved: 0, sealed: 1 },
    ]),
  );
  expect((await dlq("list")).answer).toHaveLength(1);

  system = await start();
  await system.home.whenIdle();
  expect(system.home.depths()["TriageDeadLetters"]).toEqual(system.home.depths()["AgentDeadLetters"]);
}, 240_000);
