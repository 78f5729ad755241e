import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drain } from "../../cli/up/drain.ts";
import { judged } from "../../cli/up/item-counts.ts";
import { type Alteration, alteredTree } from "../e2e/altered-tree.ts";
import { ownFolder } from "../e2e/folders.ts";
import { relevant, type ScriptedModel, startScriptedModel } from "../e2e/scripted-model.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import type { Finding } from "./scan/scanner.ts";

const triage = "shared/scouts/triage/triage.ts";
/** The letter has been read, and the model not yet been asked. */
const afterReading = { file: triage, within: "judgeItem", call: "askForVerdict" } as const;

interface Leak {
  readonly alteration: Alteration;
  readonly label: "subject" | "sender" | "snippet" | "text";
  readonly into: string;
  readonly inStores?: RegExp;
  readonly inFiles: RegExp;
}

/** One `reveal()` each, written to one place; everything around it is the product as it is. */
const leaks: readonly Leak[] = [
  {
    label: "subject",
    into: "an attribute of a row",
    alteration: { file: triage, within: "judgeItem", property: "promptVersion", written: "content.subject.reveal()" },
    inStores: /^table Ledger, promptVersion$/,
    inFiles: /^dynamodb\//,
  },
  {
    label: "sender",
    into: "a message on a queue, and so on its dead-letter queue",
    alteration: {
      ...afterReading,
      before: 'await ports.triage.send([{ body: { v: 2, note: content.sender.reveal() }, group: "x" }]);',
    },
    inStores: /^queue TriageDeadLetters, body$/,
    inFiles: /^fauxqs\.db: sqs_messages\.body$/,
  },
  {
    label: "snippet",
    into: "a line of a log",
    alteration: { ...afterReading, before: 'ports.log.event("reading", { snippet: content.snippet.reveal() });' },
    inFiles: /^logs\/TriageSubscriber\.log$/,
  },
  {
    label: "text",
    into: "an object in a bucket, compressed",
    alteration: {
      file: "functions/compose/work/triage-ports.ts",
      property: "model",
      written: `{
        async complete(request) {
          const { S3Client, PutObjectCommand } = await import("@aws-sdk/client-s3");
          const { gzipSync } = await import("node:zlib");
          const Body = gzipSync(request.user.reveal());
          await new S3Client({ forcePathStyle: true }).send(
            new PutObjectCommand({ Bucket: process.env.LEAK_BUCKET, Key: "prompt", Body }),
          );
          return model().complete(request);
        },
      }`,
    },
    inStores: /^bucket Transit$/,
    inFiles: /^fauxqs\.db: /,
  },
];

/** What the last leak needs besides: triage as it is cannot write to the bucket. */
const rights: readonly Alteration[] = [
  {
    file: "infra/workers.ts",
    within: "TriageWorker",
    property: "OPENAI_MODEL",
    beside: "LEAK_BUCKET: transit.name",
  },
  { file: "infra/workers.ts", imports: 'import { transit } from "./storage.ts";' },
  {
    file: "infra/socket.ts",
    within: "manageConnections",
    property: "actions",
    written: '["execute-api:ManageConnections", "s3:PutObject"]',
  },
  { file: "infra/socket.ts", within: "manageConnections", property: "resources", written: '["*"]' },
];

describe("P1: the suite fails when one reveal() is written to a store", () => {
  const tree = ownFolder();
  let running: CanarySystem;
  let model: ScriptedModel;
  let inStores: Finding[];
  let inFiles: Finding[];
  let relevantItems: number;

  beforeAll(async () => {
    model = await startScriptedModel(() => relevant());
    running = await startCanarySystem(
      (folder, canaries) => {
        const [subject, sender, snippet, text] = (["subject", "sender", "snippet", "text"] as const).map((label) =>
          canaries.plant(label),
        );
        const body = `${snippet} ${"and so on ".repeat(50)} ${text}`;
        writeFileSync(
          join(folder, "one.eml"),
          `From: ${sender} <a@b.example>\r\nSubject: ${subject}\r\n\r\n${body}\r\n`,
        );
      },
      {
        environment: model.environment,
        home: {
          configFile: alteredTree(tree.path, [...leaks.map(({ alteration }) => alteration), ...rights]),
          backOffMs: () => 1,
        },
      },
    );
    relevantItems = judged(await drain(running.system, new AbortController().signal)).relevant;
    inStores = await running.lookIntoStores();
    inFiles = await running.stopAndLookIntoFiles();
  });
  afterAll(async () => {
    await running?.remove();
    await model?.close();
    tree.remove();
  });

  test.each(leaks)("$label into $into", ({ label, inStores: store, inFiles: file }) => {
    const places = (findings: readonly Finding[]) =>
      findings.filter((finding) => finding.label === label).map(({ place }) => place);
    if (store) expect(places(inStores)).toContainEqual(expect.stringMatching(store));
    expect(places(inFiles)).toContainEqual(expect.stringMatching(file));
  });

  test("nothing but what was leaked is found, and the altered product works as before", () => {
    expect(relevantItems).toBe(1);
    expect(new Set([...inStores, ...inFiles].map(({ label }) => label))).toEqual(
      new Set(["subject", "sender", "snippet", "text"]),
    );
  });
});
