import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { alteredTree } from "../e2e/altered-tree.ts";
import { ownFolder } from "../e2e/folders.ts";
import { writeMail } from "../e2e/mail.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import { type ContentModel, startContentModel } from "./content-model.ts";
import { keptKey, leaks } from "./leaks/of-content.ts";
import { frameId } from "./raw-device.ts";
import { Canaries } from "./scan/canary.ts";
import { filesAtRest } from "./scan/cloud-files.ts";
import { storesAtRest } from "./scan/cloud-stores.ts";
import { type Finding, Scanner } from "./scan/scanner.ts";
import { busyScripts, busySession } from "./shred/busy-session.ts";
import { Gate } from "./shred/gate.ts";
import { keysLeft } from "./shred/keys-left.ts";
import { type Opened, openAll } from "./shred/open.ts";

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
