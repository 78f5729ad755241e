import { expect, test } from "vitest";
import { sourceReply } from "../../../events/sources/reply.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { contentOf } from "../../../shared/scouts/connectors/gmail/message.ts";
import { carriedContent, contentOf as contentCarried } from "../../../shared/scouts/connectors/remote/carried.ts";
import { triagePrompt } from "../../../shared/scouts/triage/triage-prompt.ts";
import { file, html, message, multi, plain } from "./mail/parts.ts";

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
