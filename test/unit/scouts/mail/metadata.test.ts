import fc from "fast-check";
import type { gmail_v1 } from "googleapis/build/src/apis/gmail/index.js";
import { describe, expect, test } from "vitest";
import { metadataBounds } from "../../../../events/proposals/metadata.ts";
import { GmailClient } from "../../../../shared/scouts/connectors/gmail/client.ts";
import { contentOf, metadataOf } from "../../../../shared/scouts/connectors/gmail/message.ts";
import { clipped, itemMetadata, senderLine } from "../../../../shared/scouts/connectors/metadata.ts";
import { attached, file, html, message, multi, plain, text } from "./parts.ts";

type Payload = Parameters<typeof message>[0];

/** As `metadataFields` asks for it. */
function withoutData({ body, parts, ...rest }: Payload): Payload {
  const { data: _, ...left } = body ?? {};
  return { ...rest, ...(body && { body: left }), ...(parts && { parts: parts.map(withoutData) }) };
}

type Fields = Readonly<Record<string, string>>;
const webUrl = "https://mail.google.com/mail/";
const of = (fields: Fields) => metadataOf(message(plain("Hi"), fields), webUrl);
const me = { "Delivered-To": "Ada@example.com" };

describe("what is known of a mail beside its text", () => {
  test("who sent it, when, in which conversation, and where to open it", () => {
    const read = of({
      ...me,
      From: '"Bea Lind" <bea@example.org>',
      Date: "Fri, 20 Nov 2026 15:04:05 +0100",
      To: "ada@example.com",
    });
    expect(read.sender.reveal()).toEqual({ name: "Bea Lind", address: "bea@example.org" });
    expect(senderLine(read.sender.reveal())).toBe("Bea Lind <bea@example.org>");
    expect(read).toMatchObject({ sentAt: Date.UTC(2026, 10, 20, 14, 4, 5), threadRef: "18c0ffe0", automatic: false });
    expect(read.sourceLink?.reveal()).toBe("https://mail.google.com/mail/?authuser=ada%40example.com#all/18c0ffee");
    expect(read.attachments?.reveal()).toEqual([]);
  });

  test.each([
    ["Fri, 20 Nov 2026 15:04:05 +0100", 60],
    ["Fri, 20 Nov 2026 15:04:05 -0930 (a remark)", -570],
    ["Fri, 20 Nov 2026 15:04 +05:45", 345],
    // Servers write UTC for all who send by them.
    ["Fri, 20 Nov 2026 15:04:05 +0000", undefined],
    ["Fri, 20 Nov 2026 15:04:05 -0000", undefined],
    ["Fri, 20 Nov 2026 15:04:05 GMT", undefined],
    ["Fri, 20 Nov 2026 15:04:05 +9900", undefined],
    ["20-11-2026", undefined],
  ])("how far its sender's clock was ahead: %s", (date, minutes) => {
    expect(of({ Date: date }).sentOffsetMinutes).toBe(minutes);
  });

  test("when it was sent, by a program that counts years from 1900", () => {
    const at = Date.UTC(2002, 7, 22, 10, 4, 5);
    for (const year of ["102", "02", "2002"]) {
      expect(of({ Date: `Thu, 22 Aug ${year} 12:04:05 +0200` }).sentAt).toBe(at);
    }
  });

  test("when a server of the reader's took it in: the last one, by its own clock", () => {
    const [old, late] = ["Fri, 20 Nov 2026 15:04:09 +0100", "Sat, 21 Nov 2026 08:00:00 +0100"];
    const arrived = (...values: string[]) => {
      const given = message(plain("Hi"), { Date: "Sat, 1 Jan 2000 00:00:00 +0000" });
      const hops = values.map((value) => ({ name: "Received", value }));
      return metadataOf({
        ...given,
        payload: { ...given.payload, headers: [...hops, ...(given.payload?.headers ?? [])] },
      }).arrivedAt;
    };
    const own = `from mx.example.org by mail.example.com with ESMTPS id 1; ${late} (CET)`;
    expect(arrived(own, `from home by mx.example.org; ${old}`)).toBe(Date.parse(late));
    // Fetched from another mailbox, where it had come long before.
    expect(arrived(`from pop.example.org by localhost with POP3 (fetchmail); ${late}`, `by mx; ${old}`)).toBe(
      Date.parse(old),
    );
    for (const none of [[], ["by mail.example.com id 7"], ["by mail.example.com; soon"]]) {
      expect(arrived(...none)).toBeUndefined();
    }
  });

  test("a message of another server than Google's is not in Google's web interface: no link leads astray", () => {
    const never = { accessToken: () => Promise.reject(new Error("no")), refused: async () => {} };
    const client = (rootUrl: string) => new GmailClient(never, rootUrl, () => 0);
    expect(client("https://gmail.googleapis.com/").webUrl).toBe(webUrl);
    expect(client("http://127.0.0.1:4711/").webUrl).toBeUndefined();
    expect(metadataOf(message(plain("Hi"), me)).sourceLink).toBeUndefined();
  });

  test("attachments are the same whether the mail is read or only its parts are, whatever it is built of (property)", () => {
    const leaf = fc.oneof(
      fc.constantFrom(plain("Hi"), plain(""), html("<p>Hi</p>"), text("text/calendar", "BEGIN:VEVENT")),
      fc.constantFrom(text("text/plain", "x", { name: "log.txt" }), file("plan.pdf"), file("", "image/png")),
      fc.constantFrom(attached("Lunch?", plain("x")), text("text/x-amp-html", "<p>"), file("a.txt", "text/plain")),
    );
    const { part } = fc.letrec<{ part: Payload }>((tie) => ({
      part: fc.oneof(
        { maxDepth: 5, depthSize: "small" },
        leaf,
        fc
          .tuple(fc.constantFrom("mixed", "alternative", "related"), fc.array(tie("part"), { maxLength: 4 }))
          .map(([kind, parts]) => multi(kind, ...parts)),
      ),
    }));
    fc.assert(
      fc.property(part, (payload) => {
        const whole = message(payload);
        const partial: gmail_v1.Schema$Message = { ...whole, payload: withoutData(whole.payload ?? {}) };
        expect(metadataOf(partial).attachments?.reveal()).toEqual(contentOf(whole).attachments?.reveal());
      }),
    );
  });

  test("attachments are named, attached messages by their subjects", () => {
    const payload = multi("mixed", plain("Hi"), file("plan.pdf"), attached("=?utf-8?q?Gr=C3=BC=C3=9Fe?=", plain("x")));
    expect(contentOf(message(payload)).attachments?.reveal()).toEqual([
      { name: "plan.pdf", sizeBytes: 1000 },
      { name: "Grüße.eml", sizeBytes: 2000 },
    ]);
  });

  test.each<[string, Fields, string]>([
    ["To names the reader", { To: "Bea <bea@example.org>, Ada <ADA@example.com>" }, "to"],
    ["Cc names the reader", { To: "bea@example.org", Cc: "Us: ada@example.com, x@example.org;" }, "cc"],
    ["neither does", { To: "undisclosed-recipients:;" }, "unknown"],
    ["nothing is said", {}, "unknown"],
    [
      "a list that nobody may write to",
      { To: "l@example.net", "List-Id": "<l.example.net>", "List-Post": "NO (announcements)", Precedence: "list" },
      "bulk",
    ],
    ["a list that is written to", { To: "l@example.net", "List-Post": "<mailto:l@example.net>" }, "list"],
    ["such a list, and the reader besides", { To: "ada@example.com", "List-Post": "<mailto:l@example.net>" }, "to"],
    ["Precedence: list", { To: "l@example.net", Precedence: "list" }, "list"],
    ["a newsletter to the reader's own address", { To: "ada@example.com", "List-Unsubscribe": "<https://x>" }, "bulk"],
    ["a newsletter that calls itself a list", { To: "ada@example.com", "List-Id": "<n.example.net>" }, "bulk"],
    ["Precedence: bulk", { To: "ada@example.com", Precedence: " Bulk " }, "bulk"],
  ])("%s", (_name, fields, relation) => {
    expect(of({ ...me, ...fields }).relation).toBe(relation);
  });

  test("lists go by their ids, programs are told from people", () => {
    expect(of({ "List-Id": "Gardeners <gardeners.example.org>" }).listId?.reveal()).toBe("gardeners.example.org");
    expect(of({ Subject: "x" }).listId).toBeUndefined();
    for (const [fields, automatic] of [
      [{ "Auto-Submitted": "auto-replied (vacation)" }, true],
      [{ "Auto-Submitted": "No" }, false],
      [{ Precedence: "bulk" }, true],
      [{ Precedence: "list" }, false],
    ] as const) {
      expect(of(fields).automatic).toBe(automatic);
    }
  });

  test.each([
    ["PayPal <service@bank.example> <x@evil.example>", "x@evil.example"],
    ["=?utf-8?q?PayPal_=3Cservice=40bank.example=3E?= <x@evil.example>", "x@evil.example"],
    ['"service@bank.example" <x@evil.example>', "x@evil.example"],
    ["bea@example.org (Bea)", "bea@example.org"],
    ["Bea", ""],
    ["", ""],
  ])("an address in a name is part of the name: %s", (From, address) => {
    expect(of({ From }).sender.reveal().address).toBe(address);
  });
});

describe("metadata are bounded at the connector, whatever a stranger has written", () => {
  const long = "a long word ".repeat(12_000);

  test("a subject of 140,000 characters, and every other field", () => {
    const people = Array.from({ length: 5_000 }, (_, index) => `Person ${index} <p${index}@example.org>`).join(", ");
    const read = contentOf({
      ...message(
        multi("mixed", plain("Hi"), file("n".repeat(140_000)), ...Array.from({ length: 2_000 }, () => file("b"))),
        {
          Subject: long,
          From: `${long} <bea@example.org>`,
          To: people,
          Cc: people,
          "List-Id": `<${long}>`,
          Date: long,
        },
      ),
      snippet: long,
    });
    expect(read.subject.reveal().length).toBeLessThanOrEqual(metadataBounds.subject);
    expect(read.subject.reveal().endsWith("…")).toBe(true);
    expect(read.snippet.reveal().length).toBeLessThanOrEqual(metadataBounds.snippet);
    expect(read.sender.reveal().name.length).toBeLessThanOrEqual(metadataBounds.senderName);
    expect(read.listId?.reveal().length).toBeLessThanOrEqual(metadataBounds.listId);
    expect(read.attachments?.reveal()).toHaveLength(metadataBounds.attachments);
    for (const { name } of read.attachments?.reveal() ?? []) expect(name.length).toBeLessThanOrEqual(200);
    expect(read.sentAt).toBeUndefined();
  });

  test("a cut falls between code points and is well formed (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.integer({ min: 2, max: 40 }), (text, most) => {
        const line = clipped(text, most);
        expect(line.length).toBeLessThanOrEqual(most);
        expect(line.isWellFormed()).toBe(true);
        expect(line).not.toMatch(/[\r\n]/);
      }),
    );
    expect(clipped("🌱".repeat(10), 6)).toBe("🌱🌱…");
    expect(clipped(" ".repeat(30_000), 9)).toBe("…");
  });

  test("a reference of a conversation is kept whatever letter a keyed hash begins with, and nothing readable is one", () => {
    const refOf = (threadRef: string) => {
      const rest = { receivedAtMs: 0, present: true, relation: "unknown", automatic: false } as const;
      return itemMetadata({ subject: "", sender: { name: "", address: "" }, snippet: "", ...rest, threadRef })
        .threadRef;
    };
    for (const first of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
      expect(refOf(`${first}hash`)).toBe(`${first}hash`);
    }
    for (const bad of ["", " ", "two words", "<a@b>", "é", "x".repeat(129)]) expect(refOf(bad)).toBeUndefined();
  });

  test("only links a browser opens are kept, and none that was cut", () => {
    const link = (sourceLink: string) => {
      const sender = { name: "", address: "" };
      const rest = { receivedAtMs: 0, present: true, relation: "unknown", automatic: false } as const;
      return itemMetadata({ subject: "", sender, snippet: "", ...rest, sourceLink }).sourceLink?.reveal();
    };
    expect(link("https://example.org/a b")).toBe("https://example.org/a%20b");
    for (const bad of [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "not a link",
      `https://x.org/${"a".repeat(3_000)}`,
    ]) {
      expect(link(bad)).toBeUndefined();
    }
  });
});
