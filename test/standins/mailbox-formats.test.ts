import { execFile } from "node:child_process";
import { appendFile, mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { scanMbox, unquoteMbox } from "../../infra/standins/mailbox/formats/mbox.ts";
import type { Mailbox } from "../../infra/standins/mailbox/mailbox.ts";
import { readSlice } from "../../infra/standins/mailbox/store/content.ts";
import { rounds } from "../rounds.ts";
import { cleanUp, clientOf, historyIds, message, openMailbox, temporaryFolder, watchAll } from "./mailbox-fixture.ts";

afterEach(cleanUp);

const separator = "From MAILER-DAEMON Fri Nov 20 09:44:16 2026\n";
const text = (subject: string, body = "Hello") => `From: bea@example.org\nSubject: ${subject}\n\n${body}\n`;

async function rawMessages(mailbox: Mailbox): Promise<string[]> {
  const client = clientOf(mailbox);
  const start = await watchAll(mailbox, client);
  const raws: string[] = [];
  for (const id of await historyIds(client, start)) {
    const { data } = await client.users.messages.get({ userId: "me", id, format: "raw" });
    raws.push(Buffer.from(data.raw ?? "", "base64url").toString("latin1"));
  }
  return raws;
}

async function readMbox(content: string | Buffer): Promise<string[]> {
  const path = join(await temporaryFolder(), "mail.mbox");
  await writeFile(path, content, "latin1");
  return rawMessages(await openMailbox({ path }));
}

describe("an mbox file", () => {
  it.each([
    ["plain", `${separator}${text("a")}\n${separator}${text("b")}\n`, [text("a"), text("b")]],
    [
      "without a newline at its end",
      `${separator}${text("a")}\n${separator}Subject: b\n\nend`,
      [text("a"), "Subject: b\n\nend"],
    ],
    [
      "with CRLF",
      `${separator}${text("a")}\n${separator}${text("b")}\n`.replaceAll("\n", "\r\n"),
      [text("a"), text("b")].map((one) => one.replaceAll("\n", "\r\n")),
    ],
    [
      "quoted once (mboxo) and more (mboxrd)",
      `${separator}${text("a", ">From here\n>>From there")}\n`,
      [text("a", "From here\n>From there")],
    ],
    [
      "with text that begins with From after a blank line",
      `${separator}${text("a", "Hi\n\nFrom now on we meet at 10.\nBye")}\n${separator}${text("b")}\n`,
      [text("a", "Hi\n\nFrom now on we meet at 10.\nBye"), text("b")],
    ],
    [
      "whose messages keep a From line of their own",
      `${separator}From old@example.org Mon Jan  2 10:00:00 2006\n${text("a")}\n${separator}${text("b")}\n`,
      [`From old@example.org Mon Jan  2 10:00:00 2006\n${text("a")}`, text("b")],
    ],
    [
      "without blank lines between messages",
      `${separator}${text("a")}${separator}${text("b")}`,
      [text("a"), text("b")],
    ],
    ["with the same message twice", `${separator}${text("a")}\n${separator}${text("a")}\n`, [text("a"), text("a")]],
    [
      "as Google Takeout writes it",
      `From 1799999999999999999@xxx Thu Nov 19 10:00:00 +0000 2026\r\nX-GM-THRID: 1\r\nX-Gmail-Labels: Inbox,Unread\r\n${text("a").replaceAll("\n", "\r\n")}\r\n`,
      [`X-GM-THRID: 1\r\nX-Gmail-Labels: Inbox,Unread\r\n${text("a").replaceAll("\n", "\r\n")}`],
    ],
  ])("%s gives its messages", async (_name, content, expected) => {
    expect(await readMbox(content)).toEqual(expected);
  });

  it("gives back whatever messages were written to it, at any size around the read buffer", async () => {
    const folder = await temporaryFolder();
    const line = fc.oneof(
      fc.constantFrom("From me to you", ">From x", "", "From a@b.example Mon Jan  2 10:00:00 2006", "To: c"),
      fc.string({ maxLength: 60 }).map((value) => value.replace(/[\r\n]/g, " ")),
      fc.integer({ min: 1_048_000, max: 1_049_500 }).map((length) => "x".repeat(length)),
    );
    const body = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 5 }), async (bodies) => {
        const messages = bodies.map((one, n) => Buffer.from(`Subject: ${n}\n\n${one}\n`));
        const path = join(folder, `${run++}.mbox`);
        const quoted = messages.map((one) => one.toString("latin1").replace(/^(>*From )/gm, ">$1"));
        await writeFile(path, quoted.map((one) => `${separator}${one}\n`).join(""), "latin1");
        const found: Buffer[] = [];
        for await (const { offset, length } of scanMbox(path)) {
          found.push(unquoteMbox((await readSlice(path, offset, length)) ?? Buffer.alloc(0)));
        }
        expect(found.map(String)).toEqual(messages.map((one) => one.toString("latin1")));
      }),
      { numRuns: rounds(30), seed: 20_261_120 },
    );
  });

  it("believes Gmail's labels only in a Takeout export: what the owner sent is not new mail", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "All mail.mbox");
    const takeout = (labels: string) => `${separator}X-GM-THRID: 1\nX-Gmail-Labels: ${labels}\n${text(labels)}\n`;
    const forged = `${separator}Received: x\nX-Gmail-Labels: Sent\n${text("forged")}\n`;
    await writeFile(path, `${takeout("Sent")}${takeout("Archived,Starred")}${takeout("Spam")}${forged}`);
    const mailbox = await openMailbox({ path });
    const client = clientOf(mailbox);
    const ids = await historyIds(client, await watchAll(mailbox, client));
    expect(ids.map((id) => mailbox.labelsOf(id))).toEqual([
      ["SENT"],
      ["INBOX", "UNREAD", "STARRED"],
      ["SPAM"],
      ["INBOX", "UNREAD"],
    ]);
  });

  it.each([
    ["Posteingang,Ungelesen,Wichtig", ["INBOX", "UNREAD", "IMPORTANT"]],
    ["Archiviert,Gesendet", ["SENT"]],
    ["=?UTF-8?Q?Archiv=C3=A9s,Envoy=C3=A9?=", ["SENT"]],
    [
      "=?UTF-8?Q?Messages_archiv=C3=A9s,Ouvert,Cat=C3=A9gorie=C2=A0:_E-mails_?=\n =?UTF-8?Q?personnels?=",
      ["INBOX", "UNREAD"],
    ],
    ["Archivados,Enviados", ["SENT"]],
    ["Posta inviata,Aperti", ["SENT"]],
    [`=?UTF-8?B?${Buffer.from("Отправленные,Открыто").toString("base64")}?=`, ["SENT"]],
    [`=?UTF-8?B?${Buffer.from("迷惑メール,未読").toString("base64")}?=`, ["SPAM"]],
    ["Papierkorb", ["TRASH"]],
    ["=?UTF-8?Q?Entw=C3=BCrfe?=", ["DRAFT"]],
    ['"Sent, by mistake",Opened', ["INBOX", "UNREAD"]],
  ])("of an account in any known language: %s", async (labels, expected) => {
    const path = join(await temporaryFolder(), "All mail.mbox");
    await writeFile(path, `${separator}X-GM-THRID: 1\nX-Gmail-Labels: ${labels}\n${text("a")}\n`);
    const mailbox = await openMailbox({ path });
    const client = clientOf(mailbox);
    const [id = ""] = await historyIds(client, await watchAll(mailbox, client));
    expect(mailbox.labelsOf(id)).toEqual(expected);
  });

  it("P2: exported by label, a message in the files of two of its labels is one message", async () => {
    const path = await temporaryFolder();
    const exported = `${separator}X-GM-THRID: 1\nX-Gmail-Labels: Inbox,Work\n${text("a")}\n`;
    await writeFile(join(path, "Inbox.mbox"), exported);
    await writeFile(join(path, "Work.mbox"), exported);
    const mailbox = await openMailbox({ path });
    expect(mailbox.stats().messages).toBe(1);
    await rm(join(path, "Inbox.mbox"));
    await mailbox.rescan();
    expect(mailbox.stats().messages).toBe(1);
  });

  it("P2: a file that is being replaced loses nothing: no message is called gone while it is empty or away", async () => {
    const path = join(await temporaryFolder(), "mail.mbox");
    const both = `${separator}${text("a")}\n${separator}${text("b")}\n`;
    await writeFile(path, both);
    const mailbox = await openMailbox({ path });
    const client = clientOf(mailbox);
    const ids = await historyIds(client, await watchAll(mailbox, client));
    const statusOf = (id: string) =>
      client.users.messages.get({ userId: "me", id }).then(
        ({ status }) => status,
        (error: { status?: number }) => error.status,
      );
    for (const replace of [() => writeFile(path, ""), () => rm(path)]) {
      await replace();
      await mailbox.rescan();
      expect(await statusOf(ids[0] ?? "")).toBe(503);
    }
    await writeFile(path, `${both}${separator}${text("c")}\n`);
    await utimes(path, new Date(0), new Date(0));
    await mailbox.rescan();
    await mailbox.whenAllArrived();
    expect(mailbox.stats().messages).toBe(3);
    expect(await statusOf(ids[0] ?? "")).toBe(200);
  });

  it("P2: a rewritten file that only seems to have grown is read anew when a message is not where it was", async () => {
    const path = join(await temporaryFolder(), "mail.mbox");
    const numbers = Array.from({ length: 120 }, (_, number) => String(number).padStart(3, "0"));
    const exported = (labels: (number: string) => string) =>
      numbers
        .map((number) => `${separator}X-GM-THRID: 1\nX-Gmail-Labels: ${labels(number)}\n${text(number)}\n`)
        .join("");
    await writeFile(
      path,
      exported(() => "Inbox,Unread"),
    );
    const mailbox = await openMailbox({ path });
    const client = clientOf(mailbox);
    const ids = await historyIds(client, await watchAll(mailbox, client));
    await writeFile(
      path,
      `${exported((n) => (n === "000" ? "Inbox,Opened" : "Inbox,Unread"))}${separator}${text("z")}\n`,
    );
    // Not written just now, so that it may be read without waiting.
    await utimes(path, new Date(0), new Date(0));
    await mailbox.rescan();
    await mailbox.whenAllArrived();
    const { data } = await client.users.messages.get({ userId: "me", id: ids[0] ?? "", format: "raw" });
    expect(Buffer.from(data.raw ?? "", "base64url").toString()).toContain("Subject: 000");
    expect(mailbox.stats()).toMatchObject({ messages: 121, arrived: 121, watched: 121 });
  });

  describe("P2: nothing twice when a mail program writes into it", () => {
    const mails = ["a", "b", "c"].map((subject) => text(subject, "Hello\n\nStatus: a line of the body"));
    const mbox = (noted: (mail: string) => string) => mails.map((mail) => `${separator}${noted(mail)}\n`).join("");
    const beforeBody = (fields: string) => (mail: string) => mail.replace("\n\n", `\n${fields}\n`);
    const first = (fields: string) => (mail: string) => `${fields}${mail}`;
    const takeout = "X-GM-THRID: 1\nX-Gmail-Labels: Inbox,Work\n";

    const idsAfter = async (content: string, later: readonly string[], stateDir?: string) => {
      const path = join(await temporaryFolder(), "mail.mbox");
      await writeFile(path, content);
      const mailbox = await openMailbox({ path, ...(stateDir && { stateDir }) });
      const client = clientOf(mailbox);
      const ids = await historyIds(client, await watchAll(mailbox, client));
      for (const next of later) {
        await writeFile(path, next);
        // Not written just now, so that it may be read without waiting.
        await utimes(path, new Date(0), new Date(0));
        await mailbox.rescan();
        await mailbox.whenAllArrived();
        const { data } = await client.users.messages.get({ userId: "me", id: ids[1] ?? "", format: "raw" });
        expect(Buffer.from(data.raw ?? "", "base64url").toString()).toContain("Subject: b");
      }
      expect(mailbox.stats()).toMatchObject({ messages: 3, arrived: 3 });
      return ids;
    };

    it.each([
      [
        "mutt's",
        beforeBody("Status: RO\nContent-Length: 35\nLines: 3\n"),
        beforeBody("Status: RO\nX-Status: F\nX-Label: home\n"),
      ],
      [
        "Dovecot's, folded",
        beforeBody("X-IMAPbase: 1234567890 0000000003\n  $Forwarded Junk\nX-UID: 1\nStatus: O\n"),
        beforeBody("X-UID: 7\nStatus: RO\nX-Keywords: $Forwarded\n                    \nContent-Length: 35\n"),
      ],
      [
        "Thunderbird's",
        first("X-Mozilla-Status: 0000\nX-Mozilla-Status2: 00000000\n"),
        first("X-Mozilla-Status: 0001\nX-Mozilla-Status2: 10000000\nX-Mozilla-Keys: $label1 \n"),
      ],
      ["oddly written", beforeBody("STATUS : RO\n"), beforeBody("status: O\n")],
    ])("%s notes are no part of what a message is known by", async (_name, once, again) => {
      expect(await idsAfter(mbox(String), [mbox(once), mbox(again), mbox(String)])).toHaveLength(3);
      const crlf = (content: string) => content.replaceAll("\n", "\r\n");
      expect(await idsAfter(crlf(mbox(once)), [crlf(mbox(again))])).toEqual(await idsAfter(crlf(mbox(String)), []));
    });

    it("nor in front of what an export has written, whose labels are still believed", async () => {
      const noted = first(`X-Mozilla-Status: 0001\n${takeout}`);
      expect(await idsAfter(mbox(first(takeout)), [mbox(noted)])).toEqual(await idsAfter(mbox(String), []));
      const path = join(await temporaryFolder(), "mail.mbox");
      await writeFile(path, `${separator}X-Mozilla-Status: 0001\nX-GM-THRID: 1\nX-Gmail-Labels: Sent\n${text("a")}\n`);
      const mailbox = await openMailbox({ path });
      const client = clientOf(mailbox);
      const [id = ""] = await historyIds(client, await watchAll(mailbox, client));
      expect(mailbox.labelsOf(id)).toEqual(["SENT"]);
    });

    it("of a mail that was deleted there, and lies in the file until that is compacted, nobody is told; nor are senders believed", async () => {
      const path = join(await temporaryFolder(), "Inbox");
      const flagged = (flags: string) =>
        `X-Account-Key: account1\nX-UIDL: 7\nX-Mozilla-Status: ${flags}\nX-Mozilla-Status2: 00000000\n`;
      const forged = separator + text("c").replace("Subject", "X-Mozilla-Status: 0009\nSubject");
      const file = (flags: string) =>
        `${separator}${flagged(flags)}${text("a")}\n${separator}${flagged("0001")}${text("b")}\n${forged}\n`;
      await writeFile(path, file("0009"));
      const mailbox = await openMailbox({ path });
      const client = clientOf(mailbox);
      const from = await watchAll(mailbox, client);
      const labels = (await historyIds(client, from)).map((id) => mailbox.labelsOf(id)?.[0]);
      expect(labels).toEqual(["TRASH", "INBOX", "INBOX"]);
      expect(mailbox.stats()).toMatchObject({ watched: 2, aside: { trash: 1 } });
      await writeFile(path, file("0001"));
      await mailbox.rescan();
      expect(mailbox.stats()).toMatchObject({ watched: 3, aside: {} });
    });

    it("but what stands in a body is, and so are the headers of a forwarded message", async () => {
      const path = join(await temporaryFolder(), "mail.mbox");
      await writeFile(
        path,
        mbox((mail) => mail.replace("Status: a line", "Status: another line")),
      );
      const other = await openMailbox({ path });
      const client = clientOf(other);
      const ids = await historyIds(client, await watchAll(other, client));
      expect(new Set([...ids, ...(await idsAfter(mbox(String), []))]).size).toBe(6);
    });

    it("in a home from before they were left out: its messages keep their ids", async () => {
      const stateDir = await temporaryFolder();
      const path = join(await temporaryFolder(), "mail.mbox");
      await writeFile(path, mbox(beforeBody("Status: O\n")));
      const before = await openMailbox({ path, stateDir });
      const ids = await historyIds(clientOf(before), await watchAll(before, clientOf(before)));
      await before.close();
      const database = new DatabaseSync(join(stateDir, "mailbox.sqlite"));
      database.exec(`UPDATE messages SET hash = (SELECT hash FROM slices WHERE message_id = messages.id);
        DELETE FROM meta WHERE key = 'identity'`);
      database.close();
      const after = await openMailbox({ path, stateDir });
      await writeFile(path, mbox(beforeBody("Status: RO\n")));
      await utimes(path, new Date(0), new Date(0));
      await after.rescan();
      await after.whenAllArrived();
      expect(ids.map((id) => after.labelsOf(id) !== undefined)).toEqual([true, true, true]);
      expect(after.stats()).toMatchObject({ messages: 3, arrived: 3 });
    });
  });

  it("appended to while watched lets only the new messages arrive, and one that was half written when it is whole", async () => {
    const path = join(await temporaryFolder(), "mail.mbox");
    await writeFile(path, `${separator}${text("a")}\n`);
    const mailbox = await openMailbox({ path });
    const client = clientOf(mailbox);
    const start = await watchAll(mailbox, client);
    await appendFile(path, `${separator}From: bea@example.org\nSubject: b\n\nfirst half`);
    await mailbox.rescan();
    await mailbox.whenAllArrived();
    await appendFile(path, ` and second\n\n${separator}${text("c")}\n`);
    await mailbox.rescan();
    await mailbox.whenAllArrived();
    const ids = await historyIds(client, start);
    expect(ids).toHaveLength(4);
    expect(ids.map((id) => mailbox.labelsOf(id) !== undefined)).toEqual([true, false, true, true]);
    const { data } = await client.users.messages.get({ userId: "me", id: ids[2] ?? "", format: "raw" });
    expect(Buffer.from(data.raw ?? "", "base64url").toString()).toContain("first half and second");
  });

  it("rewritten without one of its messages loses that one and adds none", async () => {
    const path = join(await temporaryFolder(), "mail.mbox");
    await writeFile(path, `${separator}${text("a")}\n${separator}${text("b")}\n${separator}${text("c")}\n`);
    const mailbox = await openMailbox({ path });
    const client = clientOf(mailbox);
    const ids = await historyIds(client, await watchAll(mailbox, client));
    await writeFile(path, `${separator}${text("b")}\n${separator}${text("c")}\n`);
    await mailbox.rescan();
    expect(ids.map((id) => mailbox.labelsOf(id) !== undefined)).toEqual([false, true, true]);
    expect(mailbox.stats().messages).toBe(2);
    const { data } = await client.users.messages.get({ userId: "me", id: ids[2] ?? "" });
    expect(data.payload?.headers?.[1]?.value).toBe("c");
  });
});

describe("a Maildir", () => {
  async function maildir() {
    const path = await temporaryFolder();
    for (const folder of ["cur", "new", "tmp"]) await mkdir(join(path, folder));
    await writeFile(join(path, "new", "1.a.host"), message("fresh"));
    await writeFile(join(path, "cur", "2.b.host:2,FS"), message("read and flagged"));
    await writeFile(join(path, "tmp", "3.c.host"), message("not there yet"));
    return path;
  }

  it("gives new and cur with their flags, never tmp", async () => {
    const mailbox = await openMailbox({ path: await maildir() });
    const client = clientOf(mailbox);
    const ids = await historyIds(client, await watchAll(mailbox, client));
    expect(ids.map((id) => mailbox.labelsOf(id))).toEqual([
      ["INBOX", "UNREAD"],
      ["INBOX", "STARRED"],
    ]);
  });

  it("whose reader moves a message from new to cur keeps it, readable without a rescan", async () => {
    const path = await maildir();
    const mailbox = await openMailbox({ path });
    const client = clientOf(mailbox);
    const ids = await historyIds(client, await watchAll(mailbox, client));
    await rename(join(path, "new", "1.a.host"), join(path, "cur", "1.a.host:2,S"));
    const { data } = await client.users.messages.get({ userId: "me", id: ids[0] ?? "" });
    expect(data.snippet).toBe("Hello");
    expect(mailbox.stats()).toMatchObject({ messages: 2, arrived: 2 });
  });
});

describe("a folder", () => {
  it("gives its .eml files, nested ones too, and nothing else", async () => {
    const path = await temporaryFolder();
    await mkdir(join(path, "deep", "er"), { recursive: true });
    await writeFile(join(path, "a.eml"), message("a"));
    await writeFile(join(path, "deep", "er", "b.EML"), message("b"));
    await writeFile(join(path, "notes.txt"), "not mail");
    await writeFile(join(path, ".hidden.eml"), message("hidden"));
    expect(await rawMessages(await openMailbox({ path }))).toEqual([String(message("a")), String(message("b"))]);
  });

  it("that is another one than last time has lost the old mail and gained its own", async () => {
    const [first, second, stateDir] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
    await writeFile(join(first, "a.eml"), message("a"));
    await writeFile(join(second, "b.eml"), message("b"));
    const before = await openMailbox({ path: first, stateDir });
    const start = await watchAll(before, clientOf(before));
    await before.close();
    const after = await openMailbox({ path: second, stateDir });
    const client = clientOf(after);
    await watchAll(after, client);
    expect(after.stats()).toMatchObject({ messages: 1, arrived: 1 });
    const { data } = await client.users.history.list({ userId: "me", startHistoryId: start });
    expect(data.history?.map((record) => Object.keys(record)[2])).toEqual([
      "messagesAdded",
      "messagesDeleted",
      "messagesAdded",
    ]);
  });

  it("lets a file dropped into a new folder of it arrive", async () => {
    const path = await temporaryFolder();
    await writeFile(join(path, "a.eml"), message("a"));
    const mailbox = await openMailbox({ path });
    await watchAll(mailbox, clientOf(mailbox));
    await mkdir(join(path, "later"));
    await writeFile(join(path, "later", "b.eml"), message("b"));
    await mailbox.rescan();
    await mailbox.whenAllArrived();
    expect(mailbox.stats().arrived).toBe(2);
  });

  it("lets a file dropped in while watched arrive by itself", async () => {
    const path = await temporaryFolder();
    await writeFile(join(path, "a.eml"), message("a"));
    let announced = (_: string) => {};
    const mailbox = await openMailbox({ path, push: ({ historyId }) => announced(historyId) });
    const client = clientOf(mailbox);
    const start = await watchAll(mailbox, client);
    const [first] = await historyIds(client, start);
    const arrived = new Promise<void>((resolve) => {
      announced = () => {
        if (mailbox.stats().arrived === 2) resolve();
      };
    });
    await writeFile(join(path, "b.eml"), message("b"));
    await arrived;
    const ids = await historyIds(client, start);
    expect(ids).toEqual([first, expect.any(String)]);
  });

  it("takes a file that was read half-written for the same message when it is whole", async () => {
    const path = await temporaryFolder();
    const whole = message("slow", "one two three");
    await writeFile(join(path, "a.eml"), whole.subarray(0, whole.length - 8));
    const mailbox = await openMailbox({ path });
    await writeFile(join(path, "a.eml"), whole);
    await mailbox.rescan();
    expect(await rawMessages(mailbox)).toEqual([String(whole)]);
  });

  it("counts a message removed and put back once, and two files with the same bytes twice", async () => {
    const path = await temporaryFolder();
    await writeFile(join(path, "a.eml"), message("a"));
    await writeFile(join(path, "copy.eml"), message("a"));
    const mailbox = await openMailbox({ path });
    const client = clientOf(mailbox);
    const start = await watchAll(mailbox, client);
    await rm(join(path, "a.eml"));
    await mailbox.rescan();
    expect(mailbox.stats().messages).toBe(1);
    await writeFile(join(path, "again.eml"), message("a"));
    await mailbox.rescan();
    await mailbox.whenAllArrived();
    expect(mailbox.stats()).toMatchObject({ messages: 2, arrived: 2 });
    // That it is back is told under the name it had.
    const told = await historyIds(client, start);
    expect([told.length, new Set(told).size]).toEqual([3, 2]);
  });

  it("whose two files swap contents holds the same two messages", async () => {
    const path = await temporaryFolder();
    await writeFile(join(path, "a.eml"), message("a"));
    await writeFile(join(path, "b.eml"), message("bb"));
    const mailbox = await openMailbox({ path });
    const client = clientOf(mailbox);
    const start = await watchAll(mailbox, client);
    await writeFile(join(path, "a.eml"), message("bb"));
    await writeFile(join(path, "b.eml"), message("a"));
    await mailbox.rescan();
    expect(await historyIds(client, start)).toHaveLength(2);
    expect(mailbox.stats().messages).toBe(2);
  });
});

describe("a file that is one message", () => {
  const trace = `${"ARC-Seal: i=1; a=rsa-sha256;\n b=x\n".repeat(400)}`;
  it.each([
    ["with a byte order mark", `\ufeff${text("a")}`],
    ["behind blank lines", `\r\n\n${text("a")}`],
    ["whose header begins with fields nobody knows", `X-Odd.Field_1 : x\nJob-42:\n y\n${text("a")}`],
    ["whose header is long before anything is known", `${trace}${text("a")}`],
    ["with names in any case, and CRLF", "x: 1\r\nfROM : bea@example.org\r\n\r\nHello\r\n"],
    ["that keeps a From line of its own, quoted", `>From bea@example.org Mon Jan  2 10:00:00 2006\n${text("a")}`],
    ["that is cut off in its header", "Received: from a.example"],
    ["with bytes above 127 in its header", "Thread-Topic: caf\u00e9\nSubject: caf\u00e9\n\nHello\n"],
  ])("is accepted %s", async (_name, content) => {
    const path = join(await temporaryFolder(), "mail");
    await writeFile(path, content);
    expect(await rawMessages(await openMailbox({ path }))).toHaveLength(1);
  });

  it("with a byte order mark has its first field", async () => {
    const path = join(await temporaryFolder(), "mail");
    await writeFile(path, "\ufeffSubject: Marked\nFrom: bea@example.org\n\nHello\n");
    const mailbox = await openMailbox({ path });
    const client = clientOf(mailbox);
    const [id = ""] = await historyIds(client, await watchAll(mailbox, client));
    const { data } = await client.users.messages.get({ userId: "me", id, format: "metadata" });
    expect(data.payload?.headers).toContainEqual({ name: "Subject", value: "Marked" });
  });
});

describe("a mailbox that cannot be used", () => {
  it.each([
    ["a list of accounts", "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"],
    ["settings", "name: home\nversion: 1\nlist:\n  - from: here\n"],
    ["an address and what is there", "http://example.org/\n\nSubject: not a header\n"],
    ["a note", "Note: call Bea\nSubject matter and more\n"],
    ["a recipe whose fields come below text", "Pancakes: two eggs and so on\nmix it all\nFrom: grandmother\n"],
  ])("is %s: a text that only looks like a header at first", async (_name, content) => {
    const path = join(await temporaryFolder(), "text");
    await writeFile(path, content);
    await expect(openMailbox({ path })).rejects.toMatchObject({ code: "mailbox_not_mail" });
  });

  const file = (name: string, content: string) => async (folder: string) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  it.each([
    ["mailbox_missing", "a path where nothing is", async (folder: string) => join(folder, "nothing")],
    ["mailbox_missing", "one below a file", async (folder: string) => join(await file("a", text("a"))(folder), "b")],
    ["mailbox_empty", "an empty folder", async (folder: string) => folder],
    ["mailbox_empty", "a folder without mail", async (folder: string) => dirname(await file("a.txt", "none")(folder))],
    ["mailbox_empty", "an empty message", file("a.eml", "")],
    ["mailbox_empty", "an empty text", file("a.txt", "")],
    ["mailbox_no_file", "a pipe", async (folder: string) => pipeIn(folder)],
    ["mailbox_not_mail", "bytes", file("broken.mbox", "\u0000\u0001 this is no mailbox")],
  ])("is refused with %s and one sentence: %s", async (code, _name, prepare) => {
    const path = await prepare(await temporaryFolder());
    await expect(openMailbox({ path })).rejects.toMatchObject({ code, message: expect.stringMatching(/^[^\n]+\.$/) });
  });
});

const pipeIn = async (folder: string) => {
  const path = join(folder, "pipe");
  await promisify(execFile)("mkfifo", [path]);
  return path;
};

describe("a mailbox without mail", () => {
  const maildir = async (folder: string) => {
    for (const each of ["cur", "new", "tmp"]) await mkdir(join(folder, each));
    return folder;
  };
  const empty = (name: string) => async (folder: string) => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "");
    return path;
  };
  const first = `${separator}${text("first")}\n`;
  const intoFile = (path: string) => appendFile(path, first);

  it.each([
    ["a new Maildir", maildir, (path: string) => writeFile(join(path, "new", "1.a.host"), message("first"))],
    ["an empty mbox", empty("archive.mbox"), intoFile],
    ["one without an ending, as a server keeps it", empty("ada"), intoFile],
    ["one of a person whose name has a dot", empty(join("mail", "ada.lovelace")), intoFile],
  ])("is one: %s, and what comes first is found", async (_name, prepare, deliver) => {
    const path = await prepare(await temporaryFolder());
    const mailbox = await openMailbox({ path });
    const client = clientOf(mailbox);
    const start = await watchAll(mailbox, client);
    expect(mailbox.stats()).toMatchObject({ messages: 0, watched: 0 });
    await deliver(path);
    await mailbox.rescan();
    await mailbox.whenAllArrived();
    const [id = ""] = await historyIds(client, start);
    const { data } = await client.users.messages.get({ userId: "me", id, format: "metadata" });
    expect(data.payload?.headers).toContainEqual({ name: "Subject", value: "first" });
  });

  it("is taken again when it was one with mail, whatever its form", async () => {
    const [path, stateDir] = [await temporaryFolder(), await temporaryFolder()];
    await writeFile(join(path, "a.eml"), message("a"));
    const before = await openMailbox({ path, stateDir });
    await before.close();
    await rm(join(path, "a.eml"));
    expect((await openMailbox({ path, stateDir })).stats().messages).toBe(0);
  });

  it("that gets something else than mail says so, and no more when it is mail", async () => {
    const path = await empty("notes")(await temporaryFolder());
    const told: boolean[] = [];
    const settled = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const mailbox = await openMailbox({
      path,
      onReadable: (readable) => {
        told.push(readable);
        settled[told.length - 1]?.resolve();
      },
    });
    await writeFile(path, "Dear diary,\n");
    // Not written just now, so that it is judged without waiting for more of it.
    await utimes(path, new Date(0), new Date(0));
    await settled[0]?.promise;
    await expect(mailbox.requireReadable()).rejects.toMatchObject({ code: "mailbox_not_mail" });
    expect(mailbox.isReadable()).toBe(false);
    await writeFile(path, first);
    await settled[1]?.promise;
    await mailbox.requireReadable();
    expect(mailbox.isReadable()).toBe(true);
    expect(told).toEqual([false, true]);
  });
});

it("nothing silent: mail is of the day it was written, whatever zone its date names, where only later mail is looked at", async () => {
  const folder = await temporaryFolder();
  const dates = [
    "27 Nov 2026 10:00:00 MEZ",
    "27 Nov 2026 10:00:00 CEST",
    "27 Nov 126 10:00:00 +0100",
    "26 Nov 2026 10:00:00 MEZ",
  ];
  for (const [at, date] of dates.entries()) {
    await writeFile(join(folder, `${at}.eml`), message(`Subject ${at}`, "Hello", `Date: Fri, ${date}\r\n`));
  }
  const mailbox = await openMailbox({ path: folder, lookAt: { sinceMs: Date.parse("2026-11-27T00:00:00Z") } });
  expect(mailbox.stats()).toMatchObject({ watched: 3, aside: { since: 1 } });
});
