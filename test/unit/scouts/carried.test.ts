import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { ItemRef } from "../../../events/ids.ts";
import { type SourceCall, sourceCall } from "../../../events/sources/call.ts";
import { type SourceReply, sourceReply } from "../../../events/sources/reply.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { ScoutAtSource, SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { contentOf } from "../../../shared/scouts/connectors/gmail/message.ts";
import { answerCall } from "../../../shared/scouts/connectors/remote/answer-call.ts";
import { carriedContent, contentOf as contentCarried } from "../../../shared/scouts/connectors/remote/carried.ts";
import { RemoteConnector } from "../../../shared/scouts/connectors/remote/remote-connector.ts";
import type { Reading } from "../../../shared/scouts/triage/readable-text.ts";
import { triagePrompt } from "../../../shared/scouts/triage/triage-prompt.ts";
import { file, html, message, multi, plain } from "./mail/parts.ts";
import { ada, inbox, ref } from "./setting.ts";

test("a mail that one function reads for another is judged as if it had read it itself", () => {
  const letters = multi(
    "alternative",
    plain("Verify your password now, or lose all your mail."),
    html("<p>Hi Ada</p>"),
  );
  const read = contentOf(
    message(multi("mixed", letters, file("plan.pdf")), {
      Subject: "The plan",
      From: "Bea <bea@example.org>",
      "List-Id": "<gardeners.example.org>",
      "In-Reply-To": "<1@example.com>",
      Date: "Fri, 20 Nov 2026 15:04:05 +0100",
      Received: "from mx.example.org by mail.example.com; Fri, 20 Nov 2026 15:04:09 +0100",
    }),
  );
  const answer = JSON.parse(JSON.stringify({ v: 1, answer: { what: "content", ...carriedContent(read) } }));
  const carried = sourceReply.parse(answer).answer;
  if (carried.what !== "content") throw new Error("it was content");
  const profile = new Transient({ name: "Inbox", purpose: "What people want" });
  const promptOf = (content: typeof read) => triagePrompt("imap", profile, content, 0, "0".repeat(24)).user.reveal();
  expect(promptOf(contentCarried(carried))).toBe(promptOf(read));
  const { sentAt, sentOffsetMinutes, arrivedAt } = contentCarried(carried);
  expect(sentOffsetMinutes).toBe(60);
  expect([sentAt, arrivedAt].map((ms) => new Date(ms ?? 0).getUTCSeconds())).toEqual([5, 9]);
  expect(promptOf(read)).toContain("Form: answers an earlier mail; names no recipient");
});

test("a mail is read without its traits where a newer function names one that this one does not know", () => {
  const read = contentOf(message(plain("Hello"), { "In-Reply-To": "<1@example.com>" }));
  const content = { what: "content", ...carriedContent(read), traits: ["answers", "of_tomorrow"] };
  const { answer } = sourceReply.parse({ v: 1, answer: content });
  if (answer.what !== "content") throw new Error("it was content");
  expect(contentCarried(answer).text.reveal()).toBe("Hello");
  expect(contentCarried(answer)).not.toHaveProperty("traits");
});

describe("a text is carried once, in the reading that was asked for", () => {
  const letter = message(html('<p>Your bank: <a href="https://evil.example.net/x">sign in</a></p>'));
  const words = "Your bank: sign in";
  const shown = "Your bank: sign in <https://evil.example.net/x>";
  const answering = {
    sourceType: "imap",
    fetchContent: async (_scout: ScoutAtSource, _ref: ItemRef, reading?: Reading) =>
      contentOf(letter, undefined, undefined, reading),
  } as Partial<SourceConnector> as SourceConnector;
  const scout = { userId: ada, scoutId: inbox };

  /** A connector whose calls another function answers. @param answers what it does to its replies */
  function remote(answers: (reply: SourceReply) => unknown = (reply) => reply) {
    const carried: string[] = [];
    const call = async (asked: SourceCall) => {
      const reply = await answerCall(new Map([["imap", answering]]), sourceCall.parse(asked));
      carried.push(JSON.stringify(answers(reply)));
      return JSON.parse(carried.at(-1) ?? "");
    };
    const description = { sourceType: "imap", settings: { schema: z.strictObject({}), secrets: [] } };
    const read = async (reading?: Reading) =>
      (await new RemoteConnector(description, { call }).fetchContent(scout, ref("m1"), reading)).text.reveal();
    return { read, times: (text: string) => (carried.join("").match(new RegExp(text, "g")) ?? []).length };
  }

  test("who judges it gets its words and nothing else", async () => {
    const { read, times } = remote();
    expect(await read()).toBe(words);
    expect(times("Your bank")).toBe(1);
    expect(times("evil.example.net")).toBe(0);
  });

  test("who looks at it gets it as it is shown", async () => {
    const { read, times } = remote();
    expect(await read("shown")).toBe(shown);
    expect(times("Your bank")).toBe(1);
  });

  test("of a function that does not know of readings yet, which answers with both, the right one is taken", async () => {
    const answers = ({ answer }: SourceReply) => ({ v: 1, answer: { ...answer, text: words, shown } });
    expect(await remote(answers).read("shown")).toBe(shown);
    expect(await remote(answers).read()).toBe(words);
  });
});
