import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drain } from "../../cli/up/drain.ts";
import { judged } from "../../cli/up/item-counts.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import { serverFrame } from "../../events/frames/frames.ts";
import type { Proposal } from "../../events/proposals/proposal.ts";
import { relevant, type ScriptedModel, spam, startScriptedModel } from "../e2e/scripted-model.ts";
import { unwanted, writeCanaryMail } from "./canary-mail.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import { askForTicket, connectRaw, frameId } from "./raw-device.ts";
import type { Finding } from "./scan/scanner.ts";

/** Everything works: mail is judged, proposals are delivered, read in full, decided; scouts are made and shown. */
describe("P1: nothing readable at rest in the cloud after everything went well", () => {
  let model: ScriptedModel;
  let running: CanarySystem;
  let messages: number;
  let counts: ReturnType<typeof judged>;
  let inStores: Finding[];
  let inFiles: Finding[];
  const seen: string[] = [];
  /** What was told to a device that had to ask, and what the one that was there holds; by id. */
  const pulled = new Map<string, Proposal["metadata"]>();
  let held: readonly StoredProposal[];

  beforeAll(async () => {
    // What is drawn for a canary may look like the name of somebody who hides: what is shown is not left to that.
    model = await startScriptedModel((prompt) =>
      unwanted.some((text) => prompt.includes(text)) ? spam() : relevant(),
    );
    running = await startCanarySystem(
      (folder, canaries) => {
        ({ messages } = writeCanaryMail(folder, canaries));
      },
      { environment: model.environment },
    );
    const { system, canaries } = running;
    counts = judged(await drain(system, new AbortController().signal));

    const token = await system.api.auth();
    canaries.watch("bearer token", token.slice(token.lastIndexOf(".") + 1));
    seen.push(await makeScout(running, token));
    const told = await actAsDevice(running, token);
    seen.push(...told);
    for (const text of told) {
      const frame = serverFrame.parse(JSON.parse(text));
      if (frame.type === "scout_proposal") pulled.set(frame.proposal.id, frame.proposal.metadata);
    }
    const [proposal] = system.store.proposals.list({ limit: 1 });
    if (proposal) system.device.decide(proposal.id, "approved");
    await system.device.settled();
    await running.runCrons();
    await drain(system, new AbortController().signal);

    held = system.store.proposals.list();
    seen.push(JSON.stringify(held));
    inStores = await running.lookIntoStores();
    inFiles = await running.stopAndLookIntoFiles();
  }, 240_000);
  afterAll(async () => {
    await running?.remove();
    await model?.close();
  });

  test("no table, queue, dead-letter queue or object", () => expect(inStores).toEqual([]));
  test("no file under cloud/: engines' files, logs, names", () => expect(inFiles).toEqual([]));

  test("and that means something: every message was judged, some relevant, some spam", () => {
    expect(counts).toMatchObject({ deadLettered: 0, failed: 0 });
    expect(counts.relevant + counts.spam).toBe(messages);
    expect(Math.min(counts.relevant, counts.spam)).toBeGreaterThan(0);
  });

  test("a device that asks is told the same of an item as one that was there when it came, its attachments too", () => {
    expect(held.length).toBeGreaterThan(0);
    expect(held.map(({ id }) => pulled.get(id))).toEqual(held.map(({ metadata }) => metadata));
    expect(held.some(({ metadata }) => metadata?.attachments?.length === 1)).toBe(true);
    expect(held.some(({ metadata }) => metadata?.sourceLink !== undefined)).toBe(false);
  });

  test.each([
    ...["subject of mail 0", "first word of mail 0", "text of mail 0", "name of a scout", "purpose of a scout"],
    ...["sender name of mail 0", "sender address of mail 0", "list id of mail 0", "attachment file of mail 0"],
  ])("and the person did see: %s", (label) => {
    const texts = running.canaries.all.filter((canary) => canary.label === label).map(({ text }) => text);
    expect(texts).not.toEqual([]);
    for (const text of texts) expect(seen.join()).toContain(text);
  });
});

/** A scout with a telling name and purpose; returns what its owner is shown. */
async function makeScout({ system, canaries }: CanarySystem, token: string): Promise<string> {
  const url = `${system.home.apiUrl}/api/v1/scouts`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const [name, purpose] = [canaries.plant("name of a scout"), canaries.plant("purpose of a scout")];
  const body = JSON.stringify({ sourceType: "gmail", name, purpose: `Tell me about ${purpose}.` });
  await fetch(url, { method: "POST", headers, body });
  return (await fetch(url, { headers })).text();
}

/** A second device: pulls everything, reads every item in full, says goodbye. Returns what it was told. */
async function actAsDevice(running: CanarySystem, token: string): Promise<string[]> {
  const { system, canaries } = running;
  const unused = await askForTicket(system, system.store.identity.get().deviceId, token);
  canaries.watch("unused ticket", unused.ticket);
  const device = await connectRaw(system);
  canaries.watch("ticket", device.ticket);
  device.send({ type: "hello", id: frameId(), protocol: 1, deviceId: device.deviceId });
  const { sessionKey } = await device.next("session_ready");
  canaries.watch("session key", String(sessionKey));
  device.send({ type: "proposals_pull", id: frameId(), limit: 50 });
  const { count } = await device.next("proposals_page");
  const told: string[] = [];
  for (let received = 0; received < Number(count); received += 1) {
    const frame = await device.next("scout_proposal");
    told.push(JSON.stringify(frame));
  }
  for (const { id: proposalId } of system.store.proposals.list()) {
    device.send({ type: "scout_item_request", id: frameId(), proposalId });
    told.push(JSON.stringify(await device.next("scout_item")));
  }
  const proposalIds = system.store.proposals.list().map(({ id }) => id);
  device.send({ type: "scout_items_request", id: frameId(), proposalIds: proposalIds.slice(0, 4) });
  told.push(JSON.stringify(await device.next("scout_items")));
  device.send({ type: "bye", id: frameId() });
  await device.next("accepted");
  await device.close();
  return told;
}
