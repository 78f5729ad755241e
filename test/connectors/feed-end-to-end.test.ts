import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { askCloud } from "../../device/connect/cloud-api.ts";
import type { StoredProposal } from "../../device/store/schema.ts";
import { scoutListResponse, scoutResponse } from "../../events/http.ts";
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
  let made: z.infer<typeof scoutResponse>;
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
      environment: { ...model.environment, FEED_ADDRESSES: "any" },
    });
    const { system, canaries } = running;
    for (const what of ["address", "guid", "old guid", "title", "text", "author"]) {
      words[what] = canaries.plant(`${what} of the feed`);
    }
    feeds.publish({ guid: `${words["old guid"]}` });
    made = await askCloud(system.api, "POST", "/api/v1/scouts", scoutResponse, {
      sourceType: "feed",
      settings: { sourceType: "feed", url: `${feeds.feedUrl("/atom.xml")}?for=${words["address"]}` },
      name: "News",
      purpose: "What is new?",
    });
    feeds.publish({
      guid: `tag:example.org:${words["guid"]}`,
      title: `A title with ${words["title"]}`,
      html: `<p>A text with ${words["text"]}</p>`,
      author: `${words["author"]}`,
    });
    const arrived = Promise.withResolvers<StoredProposal>();
    system.device.events.on("proposal", (each) => {
      if (each.sourceType === "feed") arrived.resolve(each);
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

  test("its scout is connected when it is made", () => {
    expect(made).toMatchObject({ sourceType: "feed", connected: true, disabledCode: null });
    expect(made.nextRunAt).toBeGreaterThan(made.createdAt);
  });

  test("a new item becomes a proposal on the device; what was there before does not", () => {
    expect(proposal).toMatchObject({ scoutId: made.id, sourceType: "feed", status: "pending" });
    expect(proposal.rawSubject).toContain(words["title"]);
    const asked = prompts.filter((prompt) => prompt.includes("Source type: feed"));
    expect(asked).toHaveLength(1);
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
