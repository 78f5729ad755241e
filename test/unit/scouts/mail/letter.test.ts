import { describe, expect, test } from "vitest";
import { contentOf } from "../../../../shared/scouts/connectors/gmail/message.ts";
import { attached, file, html, message, multi, plain, text } from "./parts.ts";

type Payload = Parameters<typeof message>[0];

const textOf = (payload: Payload) => contentOf(message(payload)).text.reveal();
const otherOf = (payload: Payload) => contentOf(message(payload)).otherText?.reveal();
const filesOf = (payload: Payload) => contentOf(message(payload)).attachments?.reveal();

const letter = "Could you look at the draft of the garden plan before Thursday? I moved the beds.";
const phishing = "Your mailbox is full. Click here to verify your password within 24 hours.";

describe("the text that is judged is the text a mail program shows", () => {
  test("inline parts are read in order: HTML after a letter replaces nothing", () => {
    expect(textOf(multi("mixed", plain(phishing), html("<p>Hi Ada</p>")))).toBe(`${phishing}\nHi Ada`);
    const disclaimer = html("<p>This message may hold confidential information.</p>");
    expect(textOf(multi("mixed", plain(letter), disclaimer))).toMatch(new RegExp(`^${letter.slice(0, 30)}`));
    expect(textOf(multi("mixed", html("<p>one</p>"), file("a.pdf"), plain("two"), html("<b>three</b>")))).toBe(
      "one\ntwo\nthree",
    );
  });

  test("of alternatives the richest that says anything is read", () => {
    const both = multi("alternative", plain(letter), html(`<p>${letter}</p>`));
    expect(textOf(both)).toBe(letter);
    expect(otherOf(both)).toBeUndefined();
    const picture = multi("related", html('<img src="cid:1">'), file("logo.png", "image/png"));
    expect(textOf(multi("alternative", plain(letter), picture))).toBe(letter);
    expect(textOf(multi("alternative", html("<p>rich</p>"), plain("rich")))).toBe("rich");
  });

  test("alternatives that say different things are both judged", () => {
    const payload = multi("alternative", plain(phishing), html(`<p>${letter}</p>`));
    expect(textOf(payload)).toBe(letter);
    expect(otherOf(payload)).toBe(phishing);
    const hidden = multi(
      "alternative",
      plain(phishing),
      html(`<p style="display:none">${phishing}</p><p>${letter}</p>`),
    );
    expect(otherOf(hidden)).toBe(phishing);
  });

  test("a plain version with addresses of links, or one that only points at the other, is no other letter", () => {
    const linked = `${letter} <https://example.org/a/b/c?d=e>\n\nhttps://example.org/unsubscribe/me/now/at/once`;
    expect(otherOf(multi("alternative", plain(linked), html(`<p>${letter}</p>`)))).toBeUndefined();
    expect(otherOf(multi("alternative", plain("This mail needs HTML."), html(`<p>${letter}</p>`)))).toBeUndefined();
  });

  test("an attached message is named by its subject and not read as the letter", () => {
    const payload = multi(
      "mixed",
      plain("See below, is that one real?"),
      attached("Win a car", html(`<p>${phishing}</p>`)),
    );
    expect(textOf(payload)).toBe("See below, is that one real?");
    expect(filesOf(payload)).toEqual([{ name: "Win a car.eml", sizeBytes: 2000 }]);
    expect(textOf(multi("mixed", attached("Win a car", plain(phishing))))).toBe("");
  });

  test("a mail that is nothing but another one is read as that", () => {
    const forwarded = attached("Garden", multi("mixed", plain(letter), file("plan.pdf")));
    expect(textOf(forwarded)).toBe(letter);
    expect(filesOf(forwarded)).toEqual([{ name: "plan.pdf", sizeBytes: 1000 }]);
    expect(textOf(attached("Again", forwarded))).toBe(letter);
    expect(textOf({ mimeType: "message/rfc822", headers: [], body: { size: 2000 } })).toBe("");
  });

  test("a bounce's own words win over the letter it returns", () => {
    const status = text("message/delivery-status", "Reporting-MTA: dns; mx.example.org\n\nAction: failed");
    const returned = attached("Lunch?", multi("alternative", plain(letter), html(`<p>${letter}</p>`)));
    const bounce = multi("report", plain("Your mail could not be delivered to bea@example.org."), status, returned);
    expect(textOf(bounce)).toBe("Your mail could not be delivered to bea@example.org.");
    const headersOnly = text("text/rfc822-headers", "Subject: Lunch?\nFrom: ada@example.org");
    expect(textOf(multi("report", plain("Not delivered."), status, headersOnly))).toBe("Not delivered.");
  });

  test("files are named and not read; pictures a letter draws from are not files", () => {
    const logo = { ...file("", "image/png"), filename: "", headers: [{ name: "Content-ID", value: "<1>" }] };
    const payload = multi(
      "mixed",
      multi("related", html("<p>Hi</p>"), logo),
      file("plan.pdf"),
      text("text/plain", "x", { name: "log.txt" }),
    );
    expect(textOf(payload)).toBe("Hi");
    expect(filesOf(payload)?.map(({ name }) => name)).toEqual(["plan.pdf", "log.txt"]);
  });

  test("a name hides no letter: text named like a file is read where no other stands", () => {
    expect(textOf(text("text/plain", phishing, { name: "a.txt" }))).toBe(phishing);
    expect(textOf(multi("mixed", plain("The letter"), text("text/plain", phishing, { name: "a.txt" })))).toBe(
      "The letter",
    );
  });

  test("text/enriched is read without its commands", () => {
    const enriched = text("text/enriched", "<bold>Now</bold> is <param>x</param>the time,\nit is\n\n2 << 3");
    expect(textOf(enriched)).toBe("Now is the time, it is\n2 < 3");
    expect(textOf(multi("alternative", plain("poor"), enriched))).toContain("the time");
  });

  test("flowed lines are put together again, quotes stay apart", () => {
    const flowed = "Dear Bea, this is one \nparagraph.\n> quoted \n> too\n Stuffed\n-- \nAda";
    expect(textOf(text("text/plain", flowed, { header: "text/plain; format=flowed" }))).toBe(
      "Dear Bea, this is one paragraph.\n> quoted too\nStuffed\n--\nAda",
    );
    const joinedUp = text("text/plain", "Donau \ndampf", { header: "text/plain; format=flowed; delsp=yes" });
    expect(textOf(joinedUp)).toBe("Donaudampf");
  });

  test("an invitation is read as its card, with its own words where there are no others", () => {
    const source = [
      "BEGIN:VCALENDAR",
      "METHOD:REQUEST",
      "BEGIN:VEVENT",
      "SUMMARY:Beds\\, and more",
      "DTSTART:20261124T130000Z",
      'ORGANIZER;CN="Bea":mailto:bea@example.org',
      "LOCATION:Shed",
      "DESCRIPTION:Bring a spade\\nand gl",
      " oves",
      "END:VEVENT",
      "END:VCALENDAR",
    ].join("\r\n");
    const invitation = text("text/calendar", source);
    const card = "Invitation: Beds, and more\nWhen: 2026-11-24 13:00 UTC\nWhere: Shed\nOrganizer: Bea";
    expect(textOf(multi("alternative", plain("Come!"), html("<p>Come!</p>"), invitation))).toBe(`Come!\n${card}`);
    expect(textOf(invitation)).toContain(card);
  });

  test("an invitation's card says whose clock its times are of, its last day, and who answers what", () => {
    const card = (method: string, ...lines: readonly string[]) =>
      textOf(
        text(
          "text/calendar",
          ["BEGIN:VCALENDAR", `METHOD:${method}`, "BEGIN:VEVENT", "SUMMARY:Beds", ...lines, "END:VEVENT", ""].join(
            "\r\n",
          ),
        ),
      );
    expect(
      card("REQUEST", 'DTSTART;TZID="Asia/Kolkata":20261124T130000', "DTEND;TZID=Asia/Kolkata:20261124T140000"),
    ).toBe("Invitation: Beds\nWhen: 2026-11-24 13:00 to 2026-11-24 14:00 (Asia/Kolkata)");
    expect(card("PUBLISH", "DTSTART;VALUE=DATE:20261231", "DTEND;VALUE=DATE:20270101")).toBe(
      "Event: Beds\nWhen: 2026-12-31",
    );
    expect(card("PUBLISH", "DTSTART;VALUE=DATE:20261231", "DTEND;VALUE=DATE:20270103")).toBe(
      "Event: Beds\nWhen: 2026-12-31 to 2027-01-02",
    );
    const bea = 'ATTENDEE;CN="Bea Lind";PARTSTAT=DECLINED:mailto:bea@example.org';
    expect(card("REPLY", bea, "COMMENT:I am away\\, sorry")).toBe(
      "Answer to an invitation: Beds\nFrom: Bea Lind (declined)\nComment: I am away, sorry",
    );
    expect(card("REQUEST", bea)).toBe("Invitation: Beds");
  });

  test("hidden text is out wherever it stands", () => {
    const payload = multi(
      "mixed",
      html(`<p>Hi</p><div style="font-size:0">${letter}</div>`),
      html("<p hidden>no</p><p>there</p>"),
    );
    expect(textOf(payload)).toBe("Hi\nthere");
  });
});

describe("charsets that lie", () => {
  const latin1 = Buffer.from("Grüße aus Köln", "latin1");
  test.each([
    ["UTF-8 declared as ASCII", Buffer.from("Grüße aus Köln"), "us-ascii"],
    ["UTF-8 declared as Latin-1 (Gmail hands it over so)", Buffer.from("Grüße aus Köln"), "iso-8859-1"],
    ["Latin-1 as it says", latin1, "iso-8859-1"],
    ["Latin-1 declared as UTF-8", latin1, "utf-8"],
    ["Latin-1 declared as ASCII", latin1, "us-ascii"],
    ["Latin-1 under a name nobody knows", latin1, "x-nonsense-42"],
    ["Latin-1 under the name of a prototype", latin1, "__proto__"],
  ])("%s is read", (_name, bytes, charset) => {
    expect(textOf(text("text/plain", bytes, { header: `text/plain; charset="${charset}"` }))).toBe("Grüße aus Köln");
  });

  test("JIS is read by its escapes, and one broken byte does not cost the rest", () => {
    const jis = Buffer.from("1b244224332473244b24413f1b2842", "hex");
    expect(textOf(text("text/plain", jis, { header: "text/plain; charset=iso-2022-jp" }))).toMatch(/^こんに/);
    const broken = Buffer.concat([Buffer.from("Привет всем"), Buffer.from([0xff]), Buffer.from(" до завтра")]);
    expect(textOf(text("text/plain", broken))).toContain("до завтра");
  });
});

describe("whatever a mail is built of, reading ends, and nothing throws", () => {
  const nested = (levels: number, kind: string): Payload => {
    let payload: Payload = plain("The letter at the bottom");
    for (let level = 0; level < levels; level += 1) payload = multi(kind, payload);
    return payload;
  };

  test.each(["mixed", "alternative", "related", "signed"])("sixty levels of multipart/%s are read", (kind) => {
    expect(textOf(nested(60, kind))).toBe("The letter at the bottom");
  });

  test("five thousand levels are left at some depth", () => {
    expect(textOf(nested(5_000, "mixed"))).toBe("");
    expect(textOf(nested(5_000, "alternative"))).toBe("");
  });

  test("two thousand parts are read, and two thousand files named with a count", () => {
    const parts = Array.from({ length: 2_000 }, (_, index) => plain(`part ${index}`));
    expect(textOf(multi("mixed", ...parts))).toContain("part 1999");
    const files = filesOf(multi("mixed", plain("Hi"), ...parts.map((_, index) => file(`${index}.pdf`))));
    expect(files).toHaveLength(20);
    expect(files?.at(-1)).toEqual({ name: "… and 1981 more", sizeBytes: 1_981_000 });
  });

  test("two thousand versions of a text cost no more than a few", () => {
    const versions = Array.from({ length: 2_000 }, (_, index) =>
      html(`<p>${Array.from({ length: 500 }, (_, n) => `word${index}x${n}`).join(" ")}</p>`),
    );
    const content = contentOf(message(multi("alternative", ...versions)));
    expect(content.text.reveal()).toContain("word1999x0");
    expect(content.otherText?.reveal().split("\n")).toHaveLength(5);
  });

  test.each<[string, Payload | undefined]>([
    ["nothing", undefined],
    ["a part without anything", {}],
    ["a container without parts", { mimeType: "multipart/mixed", parts: [] }],
    ["data that is no base64", { mimeType: "text/plain", body: { data: "%%%" } }],
    ["a calendar without end", text("text/calendar", `BEGIN:VEVENT\n${"SUMMARY:x\n".repeat(50_000)}`)],
    ["an enriched text of opening brackets", text("text/enriched", "<".repeat(200_000))],
    [
      "a flowed text of quote marks",
      text("text/plain", `${">".repeat(100_000)} \n`.repeat(5), { header: "text/plain; format=flowed" }),
    ],
  ])("%s is an empty letter, or a short one", (_name, payload) => {
    const content = contentOf(payload ? message(payload) : { id: "1" });
    expect(content.text.reveal().length).toBeLessThanOrEqual(200_000);
  });
});
