import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { askCloud } from "../../device/connect/cloud-api.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import { type CreatedScoutResponse, createdScoutResponse, scoutListResponse } from "../../events/http/scouts.ts";
import { type Feeds, startFeeds } from "../../infra/standins/feeds/start.ts";
import { relevant, type ScriptedModel, startScriptedModel } from "../e2e/scripted-model.ts";
import { writeCanaryMail } from "../privacy/canary-mail.ts";
import { type CanarySystem, startCanarySystem } from "../privacy/canary-system.ts";
import type { Finding } from "../privacy/scan/scanner.ts";

/** A second source on the whole product, as deployed: its scout is made over the HTTP API, its news reach the device. */
describe("a feed on the local home", () => {
  let feeds: Feeds;
  let model: ScriptedModel;
  let running: CanarySystem;
  let made: CreatedScoutResponse;
  let proposal: StoredProposal;
  let full: string;
  let left: string[];
  let inStores: Finding[];
  let inFiles: Finding[];
  const prompts: string[] = [];
  const words: Record<string, string> = {};

  beforeAll(async () => {
    feeds = await startFeeds();
    model = await startScriptedModel((prompt) => {
      prompts.push(prompt);
      return relevant();
    });
    running = await startCanarySystem(writeCanaryMail, {
      environment: model.environment,
    });
    const { system, canaries } = running;
    for (const what of ["address", "guid", "old guid", "title", "text", "author"]) {
      words[what] = canaries.plant(`${what} of the feed`);
    }
    feeds.publish({ guid: `${words["old guid"]}`, publishedAtMs: Date.now() - 86_400_000 });
    for (let item = 1; item <= 10; item += 1) feeds.publish({ guid: `recent ${item}` });
    const looked = new Set<string>();
    const first = Promise.withResolvers<void>();
    system.device.events.on("proposal", ({ sourceType, id }) => {
      if (sourceType === "feed" && looked.add(id).size === 10) first.resolve();
    });
    made = await askCloud(system.api, "POST", "/api/v1/scouts", createdScoutResponse, {
      sourceType: "feed",
      settings: { url: `${feeds.feedUrl("/atom.xml")}?for=${words["address"]}` },
      name: "News",
      purpose: "What is new?",
    });
    await first.promise;
    await system.home.whenIdle(new AbortController().signal);
    feeds.publish({
      guid: `tag:example.org:${words["guid"]}`,
      title: `A title with ${words["title"]}`,
      html: `<p>A text with ${words["text"]}</p>`,
      author: `${words["author"]}`,
    });
    const arrived = Promise.withResolvers<StoredProposal>();
    system.device.events.on("proposal", (each) => {
      if (each.rawSubject?.includes(`${words["title"]}`)) arrived.resolve(each);
    });
    await askCloud(system.api, "POST", `/api/v1/scouts/${made.id}/run`, z.unknown());
    proposal = await arrived.promise;
    full = (await system.device.requestItem(proposal.id)).text;
    await system.home.whenIdle(new AbortController().signal);
    inStores = await running.lookIntoStores();
    await askCloud(system.api, "DELETE", `/api/v1/scouts/${made.id}`, z.unknown());
    left = (await askCloud(system.api, "GET", "/api/v1/scouts", scoutListResponse)).scouts.map(
      ({ sourceType }) => sourceType,
    );
    inFiles = await running.stopAndLookIntoFiles();
  }, 240_000);
  afterAll(async () => {
    await running?.remove();
    await model?.close();
    await feeds?.close();
  });

  test("its scout is connected when it is made, and says what it sees", () => {
    expect(made).toMatchObject({ sourceType: "feed", connected: true, disabledCode: null });
    expect(made.sees).toMatchObject({ place: "The feed", items: 11, push: "never" });
  });

  test("the ten newest items and a new one become proposals on the device; what was there before does not", () => {
    expect(proposal).toMatchObject({ scoutId: made.id, sourceType: "feed", status: "pending" });
    expect(proposal.rawSubject).toContain(words["title"]);
    const asked = prompts.filter((prompt) => prompt.includes("Source type: feed"));
    expect(asked).toHaveLength(11);
    expect(asked.join()).not.toContain(words["old guid"]);
  });

  test("the full item is read from the feed when the person asks", () => {
    expect(full).toContain(words["text"]);
  });

  test("its scout can be deleted, which touches no other", () => {
    expect(left).toEqual(["gmail"]);
  });

  test("P1: neither address nor guid, title, text or author is readable anywhere at rest in the cloud", () => {
    expect(inStores).toEqual([]);
    expect(inFiles).toEqual([]);
  });
});
