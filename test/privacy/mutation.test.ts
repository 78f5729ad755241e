import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judged } from "../../cli/up/census.ts";
import { drain } from "../../cli/up/drain.ts";
import { type Alteration, alteredTree } from "../e2e/altered-tree.ts";
import { ownFolder } from "../e2e/folders.ts";
import { relevant, type ScriptedModel, startScriptedModel } from "../e2e/scripted-model.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import type { Finding } from "./scan/scanner.ts";

const triage = "shared/scouts/triage/triage.ts";
const afterReading = "  if (!content.present) throw";

interface Leak extends Alteration {
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
    file: triage,
    from: "promptVersion: promptLabel(scoutTriageSystem),",
    to: "promptVersion: content.subject.reveal(),",
    inStores: /^table Ledger, promptVersion$/,
    inFiles: /^dynamodb\//,
  },
  {
    label: "sender",
    into: "a message on a queue, and so on its dead-letter queue",
    file: triage,
    from: afterReading,
    to: `  await ports.triage.send([{ body: { v: 2, note: content.sender.reveal() }, group: "x" }]);\n${afterReading}`,
    inStores: /^queue TriageDeadLetters, body$/,
    inFiles: /^fauxqs\.db: sqs_messages\.body$/,
  },
  {
    label: "snippet",
    into: "a line of a log",
    file: triage,
    from: afterReading,
    to: `  ports.log.event("reading", { snippet: content.snippet.reveal() });\n${afterReading}`,
    inFiles: /^logs\/TriageSubscriber\.log$/,
  },
  {
    label: "text",
    into: "an object in a bucket, compressed",
    file: "functions/worker/triage.ts",
    from: "    model: model(),",
    to: `    model: {
      async complete(request) {
        const { S3Client, PutObjectCommand } = await import("@aws-sdk/client-s3");
        const { gzipSync } = await import("node:zlib");
        const Body = gzipSync(request.user.reveal());
        await new S3Client({ forcePathStyle: true }).send(
          new PutObjectCommand({ Bucket: process.env.LEAK_BUCKET, Key: "prompt", Body }),
        );
        return model().complete(request);
      },
    },`,
    inStores: /^bucket Transit$/,
    inFiles: /^fauxqs\.db: /,
  },
];

/** What the last leak needs besides: triage as it is cannot write to the bucket. */
const rights: readonly Alteration[] = [
  {
    file: "infra/workers.ts",
    from: "environment: { ...sources, OPENAI_BASE_URL: settings.modelBaseUrl, OPENAI_MODEL: settings.model }",
    to: "environment: { ...sources, OPENAI_BASE_URL: settings.modelBaseUrl, OPENAI_MODEL: settings.model, LEAK_BUCKET: transit.name }",
  },
  {
    file: "infra/workers.ts",
    from: "import { functionDefaults",
    to: 'import { transit } from "./storage.ts";\nimport { functionDefaults',
  },
  {
    file: "infra/socket.ts",
    from: 'actions: ["execute-api:ManageConnections"],\n  resources: [',
    to: 'actions: ["execute-api:ManageConnections", "s3:PutObject"],\n  resources: ["*", ',
  },
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
        home: { configFile: alteredTree(tree.path, [...leaks, ...rights]), backOffMs: () => 1 },
      },
    );
    relevantItems = judged(await drain(running.system, new AbortController().signal)).relevant;
    inStores = await running.lookIntoStores();
    inFiles = await running.stopAndLookIntoFiles();
  }, 120_000);
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
