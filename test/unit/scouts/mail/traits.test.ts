import { describe, expect, test } from "vitest";
import { mailTraits } from "../../../../events/sources/mail-traits.ts";
import { contentOf } from "../../../../shared/scouts/connectors/gmail/message.ts";
import { traitsOf } from "../../../../shared/scouts/connectors/mail/form/form.ts";
import { attached, file, html, message, multi, plain } from "./parts.ts";

type Payload = Parameters<typeof message>[0];
type Fields = Readonly<Record<string, string>>;

const known = { From: "Bea <bea@garden.example>", To: "ada@example.com" };
const traits = (payload: Payload, fields: Fields = {}) => contentOf(message(payload, { ...known, ...fields })).traits;
const report = (from: string, type = "delivery-status"): Fields => ({
  From: from,
  "Content-Type": `multipart/report; report-type=${type}; boundary="x"`,
});
const ofHeader = (fields: Fields) => traits(plain("Hello"), fields);
const linking = (...addresses: string[]) =>
  html(addresses.map((address) => `<a href="${address}">the plan of the beds</a>`).join(" and "));

describe("what the form of a mail tells", () => {
  test("a letter from a person to a person tells nothing", () => {
    expect(traits(plain("Could you look at the plan? https://maps.example/1"))).toEqual([]);
    expect(traits(html("<p>Could you look at the plan?</p>"))).toEqual([]);
  });

  test.each<[string, Fields, string[]]>([
    ["it answers another", { "In-Reply-To": "<1@example.com>" }, ["answers"]],
    ["it says it is urgent", { "X-Priority": "1 (Highest)" }, ["urgent"]],
    ["it says it is important", { Importance: "High" }, ["urgent"]],
    ["it is of normal urgency", { "X-Priority": "3", Importance: "normal" }, []],
    ["it names nobody", { To: "undisclosed-recipients:;" }, ["no_recipient"]],
    ["answers go to a free mailbox", { "Reply-To": "b.mueller@gmail.com" }, ["free_reply"]],
    ["answers go to a colleague", { "Reply-To": "carl@garden.example" }, []],
    ["a person at a free mailbox wants answers there", { From: "b@gmail.com", "Reply-To": "c@gmail.com" }, []],
    ["a list asks for answers to its writer", { "Reply-To": "b@gmail.com", "List-Id": "<g.example.org>" }, []],
    ["a mail system reports what it could not deliver", report("MAILER-DAEMON@mx.example"), ["undelivered"]],
    ["so does one that says no domain", report("Mail Delivery System <MAILER-DAEMON>"), ["undelivered"]],
    ["somebody calls their mail such a report", report("Ada <ada@mailer-daemon.example>"), []],
    ["a mail system reports that a mail was read", report("postmaster@mx.example", "disposition-notification"), []],
  ])("%s", (_what, fields, expected) => expect(ofHeader(fields)).toEqual(expected));

  test.each<[string, string, string[]]>([
    ["every check passed", "mx.example; spf=pass; dkim=pass header.d=garden.example; dmarc=pass", []],
    ["nobody looked for a signature", "mx.example; spf=pass", []],
    ["there is no signature", "mx.example; spf=pass; dkim=none; dmarc=none", ["unsigned"]],
    ["the sender's policy is broken", "mx.example; dkim=pass header.d=x.example; dmarc=fail", ["failed_check"]],
    ["the server may not send for it", "mx.example; spf=softfail; dkim=none", ["failed_check", "unsigned"]],
    ["it was forwarded, and its signature holds", "mx.example; spf=fail; dkim=pass; dmarc=pass", []],
  ])("the reader's server says that %s", (_what, found, expected) =>
    expect(ofHeader({ "Authentication-Results": found })).toEqual(expected),
  );

  test("what a list's mail failed is the list's doing", () =>
    expect(ofHeader({ "Authentication-Results": "mx.example; dmarc=fail", "List-Id": "<g.example.org>" })).toEqual([]));

  test.each<[string, string, boolean]>([
    ["a home's connection", "from pc (adsl-84-1-2-3.net.example [84.1.2.3]) by mx.example.com with SMTP", true],
    ["a home's connection that names itself", "from dsl-9.net.example ([84.1.2.3]) by mx.example.com", true],
    ["a provider's server", "from out3.mail.example (out3.mail.example [84.1.2.3]) by mx.example.com", false],
    ["a rented server", "from a (84-1-2-3-host.rent.example [84.1.2.3]) by mx.example.com", false],
    [
      "a home's connection that says it is the reader's machine",
      "from localhost (adsl-84-1-2-3.net.example [84.1.2.3]) by mx.example.com",
      true,
    ],
    ["the reader's own network", "from pc (dhcp-7.example.com [192.168.1.7]) by mail.example.com", false],
  ])("it was handed in from %s", (_from, received, isHome) =>
    expect(ofHeader({ Received: received })).toEqual(isHome ? ["home_sender"] : []),
  );

  const home = "pc (adsl-84-1-2-3.home.example [84.1.2.3])";
  const provider = "from out.net.example (out.net.example [84.1.2.9])";
  const ofFields = (...fields: readonly (readonly [name: string, value: string])[]) => {
    const mail = message(plain("Hello"), known);
    mail.payload?.headers?.unshift(...fields.map(([name, value]) => ({ name, value })));
    return contentOf(mail).traits;
  };

  test.each<[string, string[]]>([
    ["one note", ["by 2002:a05:6e02:1 with SMTP id x", `${provider}\r\n by mx.google.com with ESMTPS`]],
    ["no name that it found", ["from out.net.example (84.1.2.9) by a.mail.protection.outlook.com (10.1.2.3)"]],
    ["words of its own", ["from unknown (HELO out.net.example) (84.1.2.9) by mx.example.com with SMTP"]],
    ["no address", ["from out.net.example by mx.example.com with ESMTP"]],
    [
      "two names of one firm",
      [
        "from a.mail.protection.outlook.com (2603:10a6::1) by b.outlook.office365.com (2603:10a6::2)",
        "from out.net.example (84.1.2.9) by a.mail.protection.outlook.com (10.1.2.3)",
      ],
    ],
  ])("who handed it to the reader's servers counts, not where it was written: %s", (_what, received) => {
    const notes = [...received, `from ${home} by out.net.example`];
    expect(ofFields(...notes.map((value) => ["Received", value] as const))).toEqual([]);
  });

  test.each<[string, string[], string[]]>([
    [
      "comes in at the provider of its reader and its sender",
      [
        "from mail-sor-f41.google.com (mail-sor-f41.google.com. [209.85.220.41]) by mx.google.com with SMTPS",
        `from ${home} by smtp.gmail.com with ESMTPSA id x`,
      ],
      [],
    ],
    [
      "is written on the reader's own server",
      [
        "from localhost ([unix socket]) by mx.example.com (Cyrus) with LMTPA",
        "from mx.example.com by mx.example.com with LMTP id x",
        `from ${home} (Authenticated sender: bea) by mx.example.com with ESMTP`,
      ],
      [],
    ],
    [
      "is sent from a rented server without a name",
      ["from a (static.84-1-2-3.clients.rent.example [84.1.2.3]) by mx.example.com with ESMTPS"],
      [],
    ],
    [
      "was fetched from a mailbox",
      [
        "from mail.example.net [84.1.2.8] by localhost with POP3 (fetchmail-6.4)",
        `from ${home} by mx.example.net with SMTP`,
      ],
      ["home_sender"],
    ],
  ])("a mail that %s", (_what, received, expected) =>
    expect(ofFields(...received.map((value) => ["Received", value] as const))).toEqual(expected),
  );

  describe("what its reader's own servers found", () => {
    const taken = ["Received", `${provider} by mx.example.com with ESMTPS`] as const;
    const sent = ["Received", "from pc ([10.0.0.7]) by out.net.example with ESMTPSA"] as const;
    const results = (value: string) => ["Authentication-Results", value] as const;

    test("is no note that came with the mail", () => {
      const others = [results("out.net.example; spf=fail; dkim=none; dmarc=fail"), ["Received-SPF", "fail"]] as const;
      expect(ofFields(taken, sent, ...others)).toEqual([]);
      expect(ofFields(taken, ...others, sent)).toEqual(["failed_check", "unsigned"]);
      expect(ofFields(...others, taken, sent)).toEqual(["failed_check", "unsigned"]);
    });

    test("is not what Exchange says of a mail that its own people hand in", () => {
      const outgoing = results(
        "dkim=none (message not signed)\r\n header.d=none;dmarc=none action=none header.from=a.example;",
      );
      expect(ofFields(taken, outgoing)).toEqual([]);
      expect(ofFields(results("spf=pass (sender IP is 84.1.2.9); dkim=none (message not signed)"), taken)).toEqual([
        "unsigned",
      ]);
    });

    test("may stand in a field for each check", () => {
      const [spf, dkim] = [results("spf.example.com; spf=softfail"), results("dkim.example.com; dkim=pass")];
      expect(ofFields(spf, dkim, taken)).toEqual([]);
      expect(ofFields(["Received-SPF", "Softfail (mailfrom)"], dkim, taken)).toEqual([]);
      expect(ofFields(results("mx.example.com; spf=fail; dkim=none"), dkim, taken)).toEqual([
        "failed_check",
        "unsigned",
      ]);
      expect(ofFields(spf, results("dkim.elsewhere.example; dkim=pass"), taken)).toEqual(["failed_check"]);
    });

    test.each([
      "mx.example.com; spf=softfail smtp.mailfrom=dkim=pass@evil.example; dkim=none",
      'mx.example.com; spf=softfail smtp.mailfrom="a;dkim=pass;b"@evil.example; dkim=none',
      "mx.example.com; spf=softfail (domain of x; dkim=pass@evil.example; does not say); dkim=none",
    ])("is no name its sender chose: %s", (found) =>
      expect(ofFields(results(found), taken)).toEqual(["failed_check", "unsigned"]),
    );

    test("is nothing while its key could not be asked for", () =>
      expect(ofFields(results("mx.example.com; spf=pass; dkim=temperror"), taken)).toEqual([]));
  });

  test.each<[string, string[], string[]]>([
    ["to its sender's site", ["https://www.garden.example/1", "http://garden.example/2"], ["own_links"]],
    ["to its sender's site and others", ["https://garden.example/1", "https://other.example/"], []],
    ["elsewhere alone", ["https://shop.other.example/1"], ["foreign_links"]],
    ["through a shortener", ["https://garden.example/", "https://bit.ly/x"], ["borrowed_host"]],
    ["to a free site", ["https://garden.example/", "https://garden-login.web.app/"], ["borrowed_host"]],
    ["to a number", ["https://garden.example/", "http://192.0.2.7/login"], ["number_host"]],
    ["to a number that hides", ["https://garden.example/", "http://0xC0000207/login"], ["number_host"]],
    ["to a cheap ending", ["https://garden.example/", "https://garden.icu/"], ["rare_host"]],
    ["with a user's name", ["https://garden.example/", "https://garden.example@other.example/"], ["odd_link"]],
    ["to a port", ["https://garden.example/", "https://garden.example:8443/"], ["own_links", "odd_link"]],
    ["nowhere on the web", ["mailto:bea@garden.example", "tel:1", "javascript:x()", "#top", "/plan"], []],
  ])("links lead %s", (_where, links, expected) => expect(traits(linking(...links))).toEqual(expected));

  test.each<[string, string, string[]]>([
    ["without a scheme", '<a href="//garden.icu/x">x</a>', ["foreign_links", "rare_host"]],
    [
      "without a site",
      '<base href="https://bit.ly/"><a href="/x">x</a><a href="#top">x</a>',
      ["foreign_links", "borrowed_host"],
    ],
    ["with a point at the end", '<a href="https://bit.ly./x">x</a>', ["foreign_links", "borrowed_host"]],
    ["behind a section of XML", '<![CDATA[><a href="https://bit.ly/">x</a>', ["foreign_links", "borrowed_host"]],
    [
      "and a second time, where nobody looks",
      '<a href="https://bit.ly/" href="https://garden.example">x</a>',
      ["foreign_links", "borrowed_host"],
    ],
    [
      "within the reader's own network",
      '<a href="http://192.168.1.20:5000/">x</a><a href="http://[fd00::1]/">x</a>',
      [],
    ],
  ])("links that are written %s", (_how, source, expected) => expect(traits(html(source))).toEqual(expected));

  test.each([
    "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.SITE%2Fplan&data=05%7C01",
    "https://urldefense.com/v3/__https://www.SITE/plan__;!!abc!def$",
    "https://urldefense.proofpoint.com/v2/url?u=https-3A__www.SITE_plan&d=DwMF",
  ])("a filter of the reader's hides no site: %s", (address) => {
    expect(traits(linking(address.replace("SITE", "garden.example")))).toEqual(["own_links"]);
    expect(traits(linking(address.replace("SITE", "bit.ly")))).toEqual(["foreign_links", "borrowed_host"]);
  });

  test("a sender's site is the same in any script, and is not borrowed from itself", () => {
    expect(traits(linking("https://münchen.example/"), { From: "bea@münchen.example" })).toEqual(["own_links"]);
    expect(traits(linking("https://docs.google.com/d/1"), { From: "docs@google.com" })).toEqual(["own_links"]);
    expect(traits(linking("https://garden.example/"), { From: "MAILER-DAEMON" })).toEqual([]);
  });

  test.each(["10.other.example", "127.0.other.example", "fd00.other.example"])(
    "a name is no address of the reader's own network because it begins like one: %s",
    (host) => expect(traits(linking(`https://${host}/`))).toEqual(["foreign_links"]),
  );

  test("an address written out in plain text is a link", () =>
    expect(traits(plain("Sign in at http://192.0.2.7/login (today)."))).toEqual(["number_host"]));

  test("of a newsletter it says nothing that its links lead by way of whoever sends it", () => {
    const links = (count: number) => linking(...Array.from({ length: count }, (_, n) => `https://clicks.example/${n}`));
    expect(traits(links(5))).toEqual(["foreign_links"]);
    expect(traits(links(6))).toEqual([]);
    expect(traits(links(2), { "List-Unsubscribe": "<https://clicks.example/u>" })).toEqual([]);
    expect(traits(links(2), { "DKIM-Signature": "v=1; a=rsa-sha256; d=clicks.example; s=a" })).toEqual([]);
    expect(traits(links(2), { "Return-Path": "<bounce@mail.clicks.example>" })).toEqual([]);
  });

  test("of a person whose mailbox is a provider's it says nothing that they link to no site of their own", () => {
    const letter = linking("https://maps.example/1");
    expect(traits(letter, { From: "Bea <bea@gmail.com>" })).toEqual([]);
    expect(traits(letter, { From: "Bea <bea@garden.example>" })).toEqual(["foreign_links"]);
  });

  test("nobody knows where a link leads that counts clicks for others", () => {
    expect(traits(linking("https://u1.ct.sendgrid.net/ls/click?upn=x"))).toEqual([]);
    expect(traits(linking("https://abc.r.us-east-1.awstrack.me/L0/x", "https://garden.example/"))).toEqual([
      "own_links",
    ]);
    expect(traits(linking("https://u1.ct.sendgrid.net/ls/click?upn=x", "https://other.example/"))).toEqual([
      "foreign_links",
    ]);
  });

  test("pictures instead of words, and boxes to type into", () => {
    const words = "Dear Ada, the plan of the beds is ready and we hope that you like what we did with the old wall. ";
    expect(traits(html('<a href="https://garden.example"><img src="https://garden.example/1.png"></a>'))).toEqual([
      "picture",
      "own_links",
    ]);
    expect(traits(html('<img src="cid:photo"><br>Sent from my telephone'))).toEqual([]);
    expect(traits(html('<p>See you at nine!</p><img src="https://garden.example/logo.png">'))).toEqual([]);
    expect(traits(html(`<p>${words.repeat(2)}</p><img src="cid:logo">`))).toEqual([]);
    expect(traits(html(`<p>${words}</p><form action="https://x.example"><input name="p"></form>`))).toEqual([
      "asks_input",
    ]);
  });

  test.each([
    "您好，花园的计划已经准备好了，请您有空的时候看一看，并告诉我们您觉得旧墙旁边的苗圃怎么样。谢谢您的帮助。",
    "庭の計画ができましたので、お時間のあるときにご覧いただき、古い壁のそばの花壇についてご意見をお聞かせください。",
    "แผนของสวนพร้อมแล้วกรุณาดูเมื่อมีเวลาและบอกเราว่าคุณคิดอย่างไรกับแปลงดอกไม้ข้างกำแพงเก่า",
  ])("a letter is no picture for having no spaces: %s", (letter) =>
    expect(traits(html(`<p>${letter}</p><a href="https://garden.example"><img src="cid:logo"></a>`))).toEqual([
      "own_links",
    ]),
  );

  test("files and attached messages are not the letter", () => {
    const evil = linking("http://192.0.2.7/login");
    expect(traits(multi("mixed", plain("Hello"), attached("Bank", evil), file("a.html", "text/html")))).toEqual([]);
    expect(traits(multi("mixed", multi("alternative", plain("Hello"), evil)))).toContain("number_host");
  });

  test("it holds codes and no word of the mail", () => {
    const all = traits(linking("http://192.0.2.7/secret"), { "Reply-To": "secret@gmail.com", To: "" }) ?? [];
    expect(all.length).toBeGreaterThan(1);
    for (const trait of all) expect(mailTraits).toContain(trait);
  });

  test.each([
    ["links without end", "<a href=http://x.example/".repeat(100_000)],
    ["quotes that never close", '<a href="'.repeat(100_000)],
    ["signs", "<".repeat(300_000)],
    ["many links", '<a href="https://x.example/">x</a>'.repeat(20_000)],
    ["addresses that are none", '<a href="http://[::x/">x</a><a href="https://">x</a><area href="http://%">'],
  ])("%s are read in bounded time and end in no error", (_what, content) => {
    const part = { ...message(plain("")).payload, mimeType: "text/html", fileName: "", headers: [], parts: [] };
    const read = { ...part, sizeBytes: content.length, text: (most: number) => content.slice(0, most) };
    expect(Array.isArray(traitsOf(read, "x".repeat(50_000)))).toBe(true);
  });
});
