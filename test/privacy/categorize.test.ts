import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createModelReader } from "../../device/categorize/agent/model-reader.ts";
import { RecentItems } from "../../device/categorize/agent/recent-items.ts";
import { createCategorizer } from "../../device/categorize/drain/categorizer.ts";
import { systemClock } from "../../device/connection/clock.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { CategorizeAnswer } from "../../events/agent-tools/categorize-answer.ts";
import { judgeBySubject } from "../e2e/mail.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import { type ContentModel, startContentModel } from "./content-model.ts";
import type { Canaries } from "./scan/canary.ts";
import type { Finding } from "./scan/scanner.ts";

type Plant = (what: string) => string;

const html = "Content-Type: text/html; charset=utf-8";

/** A letter, an invitation and an order, each with canaries in what stage 2 looks at. */
function mails(plant: Plant): readonly string[] {
  const head = (subject: string) => [
    `From: "${plant("sender name")}" <${plant("sender")}@mail.example>`,
    "To: you@example.com",
    `Subject: ${subject} ${plant("subject")}`,
    "Date: Fri, 20 Nov 2026 09:00:00 +0000",
    "MIME-Version: 1.0",
  ];
  const calendar = [
    "BEGIN:VCALENDAR",
    "METHOD:REQUEST",
    "BEGIN:VEVENT",
    `UID:${plant("uid")}@mail.example`,
    "DTSTAMP:20261119T080000Z",
    "SEQUENCE:0",
    `SUMMARY:${plant("title of an event")}`,
    `LOCATION:${plant("place of an event")}`,
    `DESCRIPTION:${plant("description of an event")}`,
    `ATTENDEE;CN=${plant("name of a guest")}:mailto:${plant("guest")}@mail.example`,
    "DTSTART:20261201T090000Z",
    "DTEND:20261201T100000Z",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  const order = {
    "@context": "http://schema.org",
    "@type": "Order",
    orderNumber: plant("order number"),
    merchant: { "@type": "Organization", name: plant("merchant") },
    acceptedOffer: { "@type": "Offer", itemOffered: { "@type": "Product", name: plant("product") } },
  };
  return [
    [...head("Question"), "", `Please send the ${plant("what is asked for")} by 27 November 2026.`],
    [
      ...head("Invitation"),
      'Content-Type: multipart/alternative; boundary="=_p"',
      "",
      "--=_p",
      html,
      "",
      `<p>${plant("text of an invitation")}</p>`,
      "--=_p",
      "Content-Type: text/calendar; method=REQUEST; charset=utf-8",
      "",
      ...calendar,
      "--=_p--",
    ],
    [
      ...head("Order"),
      html,
      "",
      `<script type="application/ld+json">${JSON.stringify(order)}</script><p>Thank you. ${plant("text of an order")}</p>`,
    ],
  ].map((lines) => [...lines, ""].join("\r\n"));
}

/** Mail is read by rules and by a model: its text, its parts for programs, drafts and quotes. */
describe("P1: what stage 2 reads and makes of mail is never at rest in the cloud", () => {
  let running: CanarySystem;
  let model: ContentModel;
  let shown = "";
  let tools: readonly string[] = [];
  let inStores: Finding[];
  let inFiles: Finding[];

  const plant: Plant = (what) => running.canaries.plant(what);
  const fill = (folder: string, canaries: Canaries) => {
    for (const [at, text] of mails((what) => canaries.plant(what)).entries()) {
      writeFileSync(join(folder, `${at}.eml`), text);
    }
  };

  beforeAll(async () => {
    model = await startContentModel({
      reply: judgeBySubject,
      say(messages) {
        shown += JSON.stringify(messages);
        if (messages.filter(({ role }) => role === "assistant").length < 2) {
          return { calls: [["search_notes", { query: plant("words looked for") }]] };
        }
        const asked = /Please send the \S+ by 27 November 2026\./.exec(shown)?.[0] ?? "";
        const answer: CategorizeAnswer = {
          category: "task",
          priority: "later",
          due: "2026-11-27",
          projectId: null,
          draft: { title: plant("title"), note: plant("note"), start: null, end: null, place: "", people: [] },
          quotes: [asked, plant("made-up quote")],
        };
        return { text: JSON.stringify(answer) };
      },
    });
    running = await startCanarySystem(fill, { environment: model.environment });
    const { store, device, home } = running.system;
    await home.whenIdle();
    await device.settled();
    const recent = new RecentItems();
    const problems: Error[] = [];
    const setting = {
      store,
      device,
      clock: systemClock,
      newId: systemTimeAndIds.newId,
      zone: "Europe/Berlin",
      onProblem: (error: Error) => void problems.push(error),
    };
    const categorizer = createCategorizer({ ...setting, onRead: (item) => recent.add(item) });
    const reader = createModelReader({ ...setting, recent });
    categorizer.start();
    await categorizer.whenIdle();
    reader.start();
    await reader.whenIdle();
    tools = store.proposals.list().map(({ payload }) => payload?.by ?? "");
    await device.settled();
    await home.whenIdle();
    expect(problems).toEqual([]);
    inStores = await running.lookIntoStores();
    await categorizer.close();
    await reader.close();
    inFiles = await running.stopAndLookIntoFiles();
  }, 240_000);
  afterAll(async () => {
    await running?.remove();
    await model?.close();
  });

  test("no table, queue, dead-letter queue or object", () => expect(inStores).toEqual([]));
  test("no file under cloud/: engines' files, logs, names", () => expect(inFiles).toEqual([]));

  test("and that means something: a model has read the letter, rules the parts for programs", () => {
    expect(tools.toSorted()).toEqual(["agent-categorize@1", "rules", "rules"]);
    const labelled = (label: string) => running.canaries.all.find((each) => each.label === label)?.text ?? "none";
    expect(shown).toContain(labelled("what is asked for"));
    expect(shown).not.toContain(labelled("title of an event"));
  });
});
