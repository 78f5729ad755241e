import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { messageResource } from "../../../../infra/standins/mailbox/api/message-resource.ts";
import { contentOf } from "../../../../shared/scouts/connectors/gmail/message.ts";
import { partTreeOfSource } from "../../../../shared/scouts/connectors/imap/message/source-tree.ts";
import { decodeText } from "../../../../shared/scouts/connectors/mail/charset/decode-text.ts";
import { envelopeOf } from "../../../../shared/scouts/connectors/mail/envelope.ts";
import { letterOf } from "../../../../shared/scouts/connectors/mail/letter.ts";

interface Read {
  readonly subject: string;
  readonly sender: { readonly name: string; readonly address: string };
  readonly text: string;
  readonly files: readonly string[];
}

/** Mail in files, as its mailbox serves it, and mail of a server whose structure is taken apart here. */
const readers: Readonly<Record<string, (raw: Buffer) => Read>> = {
  "mail in files": (raw) => {
    const row = { id: "1", thread_id: "1", labels: ["INBOX"], history_id: "1", internal_date_ms: 0 };
    const { subject, sender, text, attachments } = contentOf(messageResource(row, raw, "full", []));
    const files = attachments?.reveal().map(({ name }) => name) ?? [];
    return { subject: subject.reveal(), sender: sender.reveal(), text: text.reveal(), files };
  },
  "mail of a server": (raw) => {
    const tree = partTreeOfSource(raw);
    const { subject, sender } = envelopeOf(tree.headers);
    const { text, attachments } = letterOf(tree);
    return { subject, sender, text, files: attachments.map(({ name }) => name) };
  },
};

type Piece = string | Buffer;
const mail = (...lines: readonly Piece[]): Buffer =>
  Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from("\r\n")]));
const joined = (name: string, bytes: Buffer): Buffer => Buffer.concat([Buffer.from(name), bytes]);
// What Node cannot encode, as its bytes: "Встреча" in KOI8-R, "Отчёт" in Windows-1251.
const koi8 = Buffer.from([0xf7, 0xd3, 0xd4, 0xd2, 0xc5, 0xde, 0xc1]);
const cyrillic = Buffer.from([0xce, 0xf2, 0xf7, 0xb8, 0xf2]);

test("text in a charset that nothing declares, cut inside of a character, is read up to there", () => {
  const whole = iconv.encode("您好，附件是本月的对账单，请查收", "gb18030");
  expect(decodeText(whole.subarray(0, -1), "")).toBe("您好，附件是本月的对账单，请查");
});

describe.each(Object.entries(readers))("bytes of %s are read in the charset they are in", (_, read) => {
  test("a header that names none is in the one its own text is declared in", () => {
    const found = read(
      mail(
        joined("From: ", Buffer.concat([koi8, Buffer.from(" <mara@example.org>")])),
        joined("Subject: ", koi8),
        "Content-Type: text/plain; charset=koi8-r",
        "",
        koi8,
      ),
    );
    expect(found).toMatchObject({ subject: "Встреча", text: "Встреча" });
    expect(found.sender).toEqual({ name: "Встреча", address: "mara@example.org" });
  });

  test.each([
    ["gb18030", "张伟", "关于项目进度的报告", "您好，附件是本月的对账单，请查收。谢谢！"],
    ["big5", "陳小明", "會議改到星期四下午", "您好，附件是這個月的對帳單，請查收。謝謝！"],
    ["win1251", "Анна", "Встреча в четверг", "Уважаемые коллеги, отчёт за третий квартал готов."],
    ["win1252", "Jörg", "Grüße aus Köln", "Der Schlüssel liegt unter der Fußmatte. Schöne Grüße!"],
  ])("mail in %s that declares nothing, ASCII, or a name of no charset", (encoding, name, subject, text) => {
    const raw = (field: string, value: string) => joined(`${field}: `, iconv.encode(value, encoding));
    for (const type of ["text/plain", "text/plain; charset=us-ascii", "text/plain; charset=8bit"]) {
      const from = raw("From", `${name} <mara@example.org>`);
      const body = iconv.encode(text, encoding);
      const found = read(mail(from, raw("Subject", subject), `Content-Type: ${type}`, "", body));
      expect(found, type).toMatchObject({ subject, text, sender: { name } });
    }
  });

  test.each([
    ["gb18030", "张伟", "关于项目进度的报告", "您好，附件是本月的对账单，请查收。谢谢！"],
    ["big5", "陳小明", "會議改到星期四下午", "您好，附件是這個月的對帳單，請查收。謝謝！"],
    [
      "shift_jis",
      "山田太郎",
      "来週の打ち合わせについて",
      "お世話になっております。資料をお送りします。ご確認ください。",
    ],
    ["euc-kr", "김민수", "회의 일정이 변경되었습니다", "안녕하세요. 첨부된 자료를 확인해 주시기 바랍니다. 감사합니다."],
    ["win1251", "Анна", "Встреча в четверг", "Уважаемые коллеги, отчёт за третий квартал готов."],
    ["win1253", "Άννα", "Η συνάντηση της Πέμπτης", "Καλημέρα σας, η αναφορά είναι έτοιμη για όλους."],
  ])(
    "mail in %s that declares a Latin charset, as programs do unasked, is read in its own",
    (encoding, name, subject, text) => {
      const raw = (field: string, value: string) => joined(`${field}: `, iconv.encode(value, encoding));
      for (const charset of ["iso-8859-1", "windows-1252", "ISO-8859-15", "iso-8859-2"]) {
        const from = raw("From", `${name} <mara@example.org>`);
        const type = `Content-Type: text/plain; charset=${charset}`;
        const found = read(mail(from, raw("Subject", subject), type, "", iconv.encode(text, encoding)));
        expect(found, charset).toMatchObject({ subject, text, sender: { name } });
      }
    },
  );

  test.each([
    ["euc-jp", "shift_jis", "お世話になっております。資料をお送りします。ご確認ください。"],
    ["iso-2022-jp", "shift_jis", "お世話になっております。資料をお送りします。ご確認ください。"],
    ["utf-8", "shift_jis", "お世話になっております。資料をお送りします。ご確認ください。"],
    ["gb2312", "win1252", "Cet été, à Genève : où êtes-vous allé ? Déjà rentré."],
  ])("what is declared %s and is %s, of which much is none there, is read in its own", (charset, encoding, text) => {
    const type = `Content-Type: text/plain; charset=${charset}`;
    expect(read(mail("Subject: x", type, "", iconv.encode(text, encoding))).text).toBe(text);
  });

  test.each([
    ["iso-8859-1", "win1252", "Schöne Grüße aus Köln. Der Schlüssel liegt unter der Fußmatte."],
    ["iso-8859-1", "win1252", "ÄÖÜ ÀÉÈ ÇÑ ¤¤¤¤¤¤¤¤ °°°° ÷×÷×÷× «À VÉRIFIER»"],
    ["", "win1252", `${"\u00a0 \u00a0\u00a0 x\u00a0\u00a0\u00a0y ".repeat(20)}Marcus Müller, don’t, 4 à 5 ±1`],
    [
      "iso-8859-1",
      "win1252",
      `${"\u00a0 \u00a0\u00a0 x\u00a0\u00a0\u00a0y ".repeat(20)}Marcus Müller, don’t, 4 à 5 ±1`,
    ],
    ["windows-1252", "win1252", "“Élève déçu – où ça ?” … € 5 ™ œuvre"],
    ["iso-8859-2", "iso88592", "Příliš žluťoučký kůň úpěl ďábelské ódy. Zażółć gęślą jaźń."],
    ["windows-1254", "win1254", "Görüşmek üzere, çok teşekkürler, İyi günler dileğiyle ağabey"],
    ["koi8-r", "koi8-r", "Уважаемые коллеги"],
    ["gb2312", "gb18030", "您好，请查收。"],
    ["shift_jis", "shift_jis", "ﾃｽﾄ ｶﾅ 資料 ABC"],
  ])("what fits the charset it declares (%s), or none, is read in it", (charset, encoding, text) => {
    const type = `Content-Type: text/plain; charset=${charset}`;
    expect(read(mail("Subject: x", type, "", iconv.encode(text, encoding))).text).toBe(
      text.replace(/\s+/g, " ").trim(),
    );
  });

  const ofTwoBytes: Readonly<Record<string, string>> = {
    big5: "您好，請於本週五前將報價單寄回給我們，謝謝您的協助。會議時間改為下午三點。",
    gbk: "您好，请于本周五前将报价单寄回给我们，谢谢您的协助。会议时间改为下午三点。",
    shift_jis: "お世話になっております。来週の打ち合わせの日程を変更していただけますでしょうか。",
    "euc-jp": "お世話になっております。来週の打ち合わせの日程を変更していただけますでしょうか。",
    "euc-kr": "안녕하세요. 다음 주 회의 일정을 변경해 주실 수 있을까요? 감사합니다.",
  };

  test.each(Object.keys(ofTwoBytes))(
    "text in %s is read as such, whichever charset of two bytes a letter is declared",
    (real) => {
      const text = ofTwoBytes[real] ?? "";
      for (const declared of ["gb2312", "gb18030", "big5", "shift_jis", "euc-jp", "ks_c_5601-1987"]) {
        expect(decodeText(iconv.encode(text, real), declared), declared).toBe(text);
      }
    },
  );

  test.each([
    ["gb2312", "gbk", "张伟明 李秀英 王建国"],
    ["big5", "big5", "台北市信義區松仁路100號"],
    ["gb2312", "gbk", "悲哀啊~~~~悲哀"],
    ["shift_jis", "shift_jis", "佐藤太郎 鈴木花子 東京都渋谷区"],
  ])("a few words in %s that it declares are left to it", (declared, real, text) => {
    expect(decodeText(iconv.encode(text, real), declared)).toBe(text);
  });

  test("a calendar whose lines are folded within a character is whole (RFC 5545 §3.1)", () => {
    const summary = Buffer.from("SUMMARY:Prüfung der Brücke 橋");
    const folded = Array.from(summary, (octet) => Buffer.from([octet, 0x0d, 0x0a, 0x20]));
    const [whole, ...rest] = [Buffer.from("BEGIN:VEVENT\r\n"), ...folded, Buffer.from("\r\nEND:VEVENT\r\n")];
    const body = Buffer.concat([whole ?? Buffer.alloc(0), ...rest]);
    const raw = mail("Subject: x", "Content-Type: text/calendar; charset=utf-8", "", body);
    const text = partTreeOfSource(raw).text?.(1_000) ?? "";
    expect(text.replace(/\r\n /g, "")).toContain("SUMMARY:Prüfung der Brücke 橋");
  });

  test("a last letter with an accent is not cut off", () => {
    const latin = (field: string, value: string) => joined(field, Buffer.from(value, "latin1"));
    for (const type of ["text/plain; charset=iso-8859-1", "text/plain"]) {
      const body = latin("", "See you there, André");
      const raw = Buffer.concat([
        mail(latin("From: ", "Hervé"), latin("Subject: ", "Café"), `Content-Type: ${type}`, ""),
        body,
      ]);
      expect(read(raw), type).toMatchObject({
        subject: "Café",
        sender: { name: "Hervé" },
        text: "See you there, André",
      });
    }
  });

  test("a header in another charset than its text, which is declared as UTF-8, is read as one", () => {
    const name = joined("From: ", iconv.encode("张伟 <mara@example.org>", "gb18030"));
    const subject = joined("Subject: ", iconv.encode("关于项目进度的报告", "gb18030"));
    const found = read(mail(name, subject, "Content-Type: text/plain; charset=utf-8", "", "x"));
    expect(found).toMatchObject({ subject: "关于项目进度的报告", sender: { name: "张伟" } });
  });

  test.each(["text/plain", "text/plain; charset=utf-8"])(
    "a header in UTF-8 with a byte broken in it is UTF-8, of %s",
    (type) => {
      const subject = joined("Subject: Grüße aus ", Buffer.from([0xc3, 0x20]));
      const found = read(mail(Buffer.concat([subject, Buffer.from("Köln")]), `Content-Type: ${type}`, "", "x"));
      expect(found.subject).toBe("Grüße aus \ufffd Köln");
    },
  );

  test("UTF-8 that nothing declares, with a byte broken in it, is UTF-8", () => {
    const body = joined("Grüße aus Köln, ", Buffer.from([0xc3]));
    expect(read(mail("Subject: x", "Content-Type: text/plain", "", body)).text).toContain("Grüße aus Köln");
  });

  test("text in a charset that nothing declares, with a character broken in it, is read", () => {
    const whole = "您好，附件是本月的对账单，请查收。谢谢！".repeat(10);
    const body = joined("x ".repeat(9_000), Buffer.concat([iconv.encode(whole, "gb18030"), Buffer.from([0xc4])]));
    expect(read(mail("Subject: x", "Content-Type: text/plain", "", body)).text).toContain(whole);
  });

  const footer = [
    "_______________________________________________",
    "garden mailing list",
    "https://lists.example.org/garden",
  ];

  test.each([
    ["padded", "Grüße, bitte bis Freitag antworten."],
    ["not padded", "Grüße, bitte bis Freitag antworten"],
    ["of many lines", "Grüße, bitte bis Freitag antworten. ".repeat(9).trim()],
  ])("a letter in base64, %s, is no other for the footer that its list has put below it", (_, text) => {
    const lines =
      Buffer.from(text)
        .toString("base64")
        .match(/.{1,76}/g) ?? [];
    const headers = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64"];
    expect(read(mail(...headers, "", ...lines, ...footer)).text).toBe(text);
  });

  test("what is in pieces of base64, or has foreign characters in it, is read to its end", () => {
    const headers = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64"];
    const [one, other] = ["Grüße aus Köln, wo es regnet. ", "Antworte bitte bis zum Freitag."].map((text) =>
      Buffer.from(text).toString("base64"),
    );
    expect(read(mail(...headers, "", `${one}`, "!", `${other}`)).text).toBe(
      "Grüße aus Köln, wo es regnet. Antworte bitte bis zum Freitag.",
    );
  });

  test.each(["", "!", "!!"])("of pieces of base64 that end anywhere (%s) no letter is another", (end) => {
    const headers = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64"];
    const pieces = [`It rains in the garden${end}`, " Please answer by Friday."];
    const encoded = pieces.map((piece) => Buffer.from(piece).toString("base64"));
    expect(read(mail(...headers, "", ...encoded)).text).toBe(pieces.join(""));
  });

  test("base64 with a blank line before it and blanks within is read whole", () => {
    const headers = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64"];
    const encoded = Buffer.from("Bring the ladder").toString("base64");
    expect(read(mail(...headers, "", "", `${encoded.slice(0, 8)} ${encoded.slice(8)}`)).text).toBe("Bring the ladder");
  });

  test("RTF that nobody has named is a file", () => {
    const found = read(mail("Content-Type: text/rtf", "", "{\\rtf1 Hello}"));
    expect([found.text, found.files]).toEqual(["", ["text/rtf"]]);
  });

  test("a field in UTF-8 is that beside one that is not, whatever the text is in", () => {
    const found = read(
      mail(
        joined("From: ", Buffer.from("J\xf6rg <joerg@example.org>", "latin1")),
        "Subject: Grüße aus Köln",
        "Content-Type: text/plain; charset=iso-8859-1",
        "",
        "x",
      ),
    );
    expect(found).toMatchObject({ subject: "Grüße aus Köln", sender: { name: "Jörg", address: "joerg@example.org" } });
  });

  test("HTML whose header names none is in the one it names itself", () => {
    const page = (declared: string) =>
      mail(
        "Subject: x",
        `Content-Type: text/html${declared}`,
        "",
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"></head><p>',
        cyrillic,
      );
    expect(read(page("")).text).toBe("Отчёт");
    expect(read(page("; charset=us-ascii")).text).toBe("Отчёт");
    expect(read(page("; charset=iso-8859-1")).text).toBe("Îò÷¸ò");
    const short = mail("Content-Type: text/html", "", "<meta charset=windows-1251><p>", cyrillic);
    expect(read(short).text).toBe("Отчёт");
    // A page that can be read so far is in no charset of two bytes a letter.
    const wide = mail("Content-Type: text/html", "", '<meta charset="utf-16"><p>Grüße');
    expect(read(wide).text).toBe("Grüße");
  });

  test("text in two bytes a letter is that, whichever comes first", () => {
    const wide = (charset: string, bytes: Buffer) =>
      mail(
        `Content-Type: text/plain; charset=${charset}`,
        "Content-Transfer-Encoding: base64",
        "",
        bytes.toString("base64"),
      );
    const little = Buffer.from("\ufeffHello 你好", "utf16le");
    const big = Buffer.from(little).swap16();
    expect(read(wide("utf-16", little)).text).toBe("Hello 你好");
    expect(read(wide("utf-16", big)).text).toBe("Hello 你好");
    expect(read(wide("utf-16be", big)).text).toBe("Hello 你好");
    expect(read(wide("utf-16le", Buffer.from("Answer by Friday", "utf16le"))).text).toBe("Answer by Friday");
    // It says so and is not.
    expect(read(wide("utf-16", Buffer.from("Answer by Friday"))).text).toBe("Answer by Friday");
  });

  test.each([
    ["utf-7", "Gr+APwA3w-e um 9 +- 10", "Grüße um 9 + 10"],
    ["UNICODE-1-1-UTF-7", "5 +IKw-", "5 €"],
    ["cp437", "M\x81ller, 5 \x9c", "Müller, 5 £"],
    ["IBM850", "Stra\xe1e", "Straße"],
    ["macintosh", "Stra\xa7e", "Straße"],
    ["cp437", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
    ["base64", "Hello", "Hello"],
  ])("text of older programs, declared %s", (charset, bytes, text) => {
    const body = Buffer.from(bytes, "latin1");
    const word = `=?${charset}?B?${body.toString("base64")}?=`;
    const found = read(mail(`Subject: ${word}`, `Content-Type: text/plain; charset=${charset}`, "", body));
    expect(found).toMatchObject({ subject: text, text });
  });

  test("files go by the names their senders gave them", () => {
    const file = (disposition: Piece) => [
      "--b",
      "Content-Type: application/pdf",
      joined("Content-Disposition: attachment; ", Buffer.from(disposition)),
      "",
      "%PDF",
    ];
    const found = read(
      mail(
        "Content-Type: multipart/mixed; boundary=b",
        "",
        ...file('filename="Grüße.pdf"'),
        ...file(Buffer.from('filename="Gr\xfc\xdfe.pdf"', "latin1")),
        ...file("filename*=iso-8859-1''Gr%FC%DFe.pdf"),
        ...file('filename="=?utf-8?Q?Gr=C3=BC=C3=9Fe.pdf?="'),
        "--b--",
      ),
    );
    expect(found.files).toEqual(["Grüße.pdf", "Grüße.pdf", "Grüße.pdf", "Grüße.pdf"]);
  });

  test.each([
    ["in order", 'filename*0="Minutes of";\r\n filename*1=" May.pdf"', "Minutes of May.pdf"],
    ["in any order", "filename*1=b.pdf; filename*0=a", "ab.pdf"],
    [
      "cut within a letter",
      "filename*0*=utf-8''Gr%C3;\r\n filename*1*=%BC%C3%9F;\r\n filename*2=\"e.pdf\"",
      "Grüße.pdf",
    ],
    ["of an older charset", "filename*0*=iso-8859-1''Gr%FC%DF; filename*1*=e.pdf", "Grüße.pdf"],
    ["up to one that is missing", "filename*0=a.pdf; filename*2=c", "a.pdf"],
    ["beside a whole one", "filename*0=a.pdf; filename*=utf-8''b.pdf; filename=c.pdf", "b.pdf"],
    ["of which the first is missing", "filename*1=b.pdf; filename=c.pdf", "c.pdf"],
    ["with blanks and no quotes", "filename=two words.pdf; size=3", "two words.pdf"],
  ])("a file's name in pieces (%s) is put together", (_name, parameters, name) => {
    const file = ["--b", "Content-Type: application/pdf", `Content-Disposition: attachment; ${parameters}`, "", "%PDF"];
    expect(read(mail("Content-Type: multipart/mixed; boundary*0=b", "", ...file, "--b--")).files).toEqual([name]);
  });

  test("remarks in brackets are no name, however they nest, unless there is no other", () => {
    const of = (from: string) => read(mail(`From: ${from}`, "Subject: x", "", "x")).sender;
    const ada = { name: "Ada", address: "ada@example.org" };
    expect(of("Ada (her (nick) name) <ada@example.org>")).toEqual(ada);
    expect(of("(a, (b, c) \\) d) Ada <ada@example.org>")).toEqual(ada);
    expect(of("ada@example.org (Ada (Office))")).toEqual({ ...ada, name: "Ada (Office)" });
    expect(of('"Ada (Office" <ada@example.org>')).toEqual({ ...ada, name: "Ada (Office" });
    expect(of("Ada,(<ada@example.org>)")).toEqual(ada);
    expect(of('Ada <"ada@example.org">')).toEqual(ada);
    expect(of("Ada (never closed <ada@example.org>")).toEqual({ ...ada, name: "Ada (never closed" });
  });

  test.each([
    ["service@p\u0430ypal.example", "service@xn--pypal-4ve.example", "Cyrillic among Latin letters"],
    [
      "service@\u0430\u0440\u0440\u04cf\u0435.com",
      "service@xn--80ak6aa92e.com",
      "Cyrillic letters that all look like Latin ones",
    ],
    ["ada@g\u03bfogle.example", "ada@xn--gogle-rce.example", "Greek among Latin letters"],
    ["ada@müller.example", "ada@müller.example", "one alphabet"],
    ["ада@почта.рф", "ада@почта.рф", "one alphabet throughout"],
    ["ada@почта.example", "ada@почта.example", "letters that look like no others"],
    ["ada@日本mail.example", "ada@日本mail.example", "scripts that are written together"],
  ])("an address whose host could be taken for another (%s) is shown as it is resolved", (written, address) => {
    expect(read(mail(`From: Ada <${written}>`, "Subject: x", "", "x")).sender).toEqual({ name: "Ada", address });
  });

  test("a comma within a name parts nobody from their address", () => {
    const of = (from: string) => read(mail(`From: ${from}`, "Subject: x", "", "x")).sender;
    const joerg = { name: "Müller, Jörg", address: "joerg@example.org" };
    expect(of("=?utf-8?Q?M=C3=BCller=2C_J=C3=B6rg?= <joerg@example.org>")).toEqual(joerg);
    expect(of('"Müller, Jörg" <joerg@example.org>')).toEqual(joerg);
    expect(of("Müller, Jörg <joerg@example.org>")).toEqual(joerg);
    // Of several people the first one.
    expect(of("Ada <ada@example.org>, Müller, Jörg <joerg@example.org>")).toEqual({
      name: "Ada",
      address: "ada@example.org",
    });
    expect(of("ada@example.org, bea@example.org")).toEqual({ name: "", address: "ada@example.org" });
  });
});

test("a message in a file whose lines end by carriage returns alone has its header and its text", () => {
  const lines = ["From: Mara <mara@example.org>", "Subject: The beds", "", "Answer by Friday.", "Mara"];
  const read = readers["mail in files"];
  expect(read?.(Buffer.from(lines.join("\r")))).toMatchObject({
    subject: "The beds",
    sender: { name: "Mara", address: "mara@example.org" },
    text: "Answer by Friday.\nMara",
  });
});
