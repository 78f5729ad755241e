import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Alteration, alteredTree } from "../e2e/altered-tree.ts";
import { ownFolder } from "../e2e/folders.ts";
import { writeMail } from "../e2e/mail.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import { type ContentModel, startContentModel } from "./content-model.ts";
import { frameId } from "./raw-device.ts";
import { Canaries } from "./scan/canary.ts";
import { filesAtRest } from "./scan/cloud-files.ts";
import { storesAtRest } from "./scan/cloud-stores.ts";
import { type Finding, Scanner } from "./scan/scanner.ts";
import { busyScripts, busySession } from "./shred/busy-session.ts";
import { Gate } from "./shred/gate.ts";
import { keysLeft } from "./shred/keys-left.ts";
import { type Opened, openAll } from "./shred/open.ts";

interface Leak {
  readonly alteration: Alteration;
  readonly labels: readonly string[];
  readonly into: string;
  readonly inStores?: RegExp;
  readonly inFiles: RegExp;
}

/** One step past the seal each; everything around it is the product as it is. */
const leaks: readonly Leak[] = [
  {
    labels: ["name of a file", "name of a waiting file", "name of an uploaded file"],
    into: "a line of a log, when a file is summarised",
    alteration: {
      file: "shared/folders/summarize/summarize-index.ts",
      call: "summarizeFile",
      before: 'ports.log.event("reading", { path: file.reveal().relPath });',
    },
    inFiles: /^logs\/SummarizeSubscriber\.log$/,
  },
  {
    labels: ["text of a file", "text of a waiting file"],
    into: "the body of a message, beside the sealed file",
    alteration: {
      file: "shared/folders/index/index-frame-handler.ts",
      property: "sealed",
      beside: "content: file.content",
    },
    inFiles: /^fauxqs\.db/,
  },
  {
    labels: ["summary of a file"],
    into: "a file's row, in base64",
    alteration: {
      file: "shared/folders/summarize/summarize-index.ts",
      within: "summarized",
      property: "sealed",
      beside: "model: btoa(summary.reveal().summary)",
    },
    inStores: /^table Sessions, model$/,
    inFiles: /^dynamodb\//,
  },
  {
    labels: ["calling question", "answering question", "waiting question"],
    into: "the body of a step's message",
    alteration: {
      file: "shared/agents/step/step-message.ts",
      within: "stepMessage",
      property: "sealed",
      beside: "content",
    },
    inFiles: /^fauxqs\.db/,
  },
  {
    labels: ["path in a tool call", "answer"],
    into: "an object, compressed",
    alteration: {
      file: "shared/agents/step/outbox.ts",
      call: "objects.put",
      before: `const { gzipSync } = await import("node:zlib");
  await objects.put(newObjectKey(userId, sealer.sessionId, newId), gzipSync(bytes.reveal()));`,
    },
    inStores: /^bucket Transit$/,
    inFiles: /^fauxqs\.db/,
  },
  {
    labels: ["tool result"],
    into: "a line of a log, with an error's data",
    alteration: {
      file: "shared/agents/step/advance.ts",
      within: "answerOf",
      property: "text",
      before: 'ports.log.error("odd", new Error(text), { text: text.slice(0, 100) });',
    },
    inFiles: /^logs\/AgentSubscriber\.log$/,
  },
];

/** The end of a session forgets what makes it one. */
const keptKey: Alteration = {
  file: "shared/devices/session-store.ts",
  within: "#endRow",
  call: "this.#sessions.delete",
  instead: "",
};

describe("P1: the suite fails when something of a folder or a run is stored readable, or a session's key outlives it", () => {
  const tree = ownFolder();
  const canaries = new Canaries();
  let running: CanarySystem;
  let model: ContentModel;
  let inStores: Finding[];
  let inFiles: Finding[];
  let opened: readonly Opened[];

  beforeAll(async () => {
    const gate = new Gate();
    gate.open();
    model = await startContentModel(busyScripts(canaries, gate));
    running = await startCanarySystem((mailFolder) => writeMail(mailFolder, [0]), {
      environment: model.environment,
      home: { configFile: alteredTree(tree.path, [...leaks.map(({ alteration }) => alteration), keptKey]) },
    });
    const { system, dataFolder, cloudFolder } = running;
    const { device } = await busySession(system, canaries, gate);
    await system.home.whenIdle();
    const stores = await storesAtRest(system.home);
    const scanner = new Scanner(canaries.all);
    inStores = scanner.scanAll(stores);
    inFiles = scanner.scanAll(filesAtRest(cloudFolder));
    device.send({ type: "bye", id: frameId() });
    await device.next("accepted");
    await device.close();
    const left = await keysLeft(dataFolder, system.world.kms, await storesAtRest(system.home));
    opened = openAll(stores, left, canaries.all);
    await system.stop();
    inFiles.push(...scanner.scanAll(filesAtRest(cloudFolder)));
  }, 240_000);
  afterAll(async () => {
    await running?.remove();
    await model?.close();
    tree.remove();
  });

  const found = leaks.flatMap(({ labels, ...leak }) => labels.map((label) => ({ label, ...leak })));
  test.each(found)("$label into $into", ({ label, inStores: store, inFiles: file }) => {
    const places = (findings: readonly Finding[]) =>
      findings.filter((finding) => finding.label === label).map(({ place }) => place);
    if (store) expect(places(inStores)).toContainEqual(expect.stringMatching(store));
    expect(places(inFiles)).toContainEqual(expect.stringMatching(file));
  });

  test("a session's key that is not deleted with it: what was sealed can be read", () => {
    expect(opened.map(({ label }) => label)).toContain("summary of a file");
  });

  test("nothing but what was leaked is found", () => {
    const labels = new Set([...inStores, ...inFiles].map(({ label }) => label));
    expect(labels).toEqual(new Set(leaks.flatMap((leak) => leak.labels)));
  });
});
