import { describe, expect, test } from "vitest";
import { imapServer, mail, RawClient } from "./client.ts";

describe("signing in", () => {
  test("by password and by token, over both kinds of connection, and not otherwise", async () => {
    const accessTokens = new Set(["good"]);
    const imap = await imapServer({ users: [{ user: "ada", password: "se cret", accessTokens }] });
    const sasl = (token: string) => Buffer.from(`user=ada\u0001auth=Bearer ${token}\u0001\u0001`).toString("base64");
    const plain = Buffer.from("\0ada\0se cret").toString("base64");
    for (const words of [
      'LOGIN ada "se cret"',
      `AUTHENTICATE PLAIN ${plain}`,
      `AUTHENTICATE XOAUTH2 ${sasl("good")}`,
    ]) {
      const encrypted = await RawClient.encrypted(imap);
      expect(await encrypted.line()).toMatch(/^\* OK /);
      expect((await encrypted.ask(words)).completion).toMatch(/^OK \[CAPABILITY /);
      const started = await RawClient.plain(imap);
      await started.line();
      await started.startTls(imap);
      expect((await started.ask("CAPABILITY")).untagged[0]).not.toContain("STARTTLS");
      expect((await started.ask(words)).completion).toMatch(/^OK /);
    }
    const stranger = await RawClient.encrypted(imap);
    await stranger.line();
    expect((await stranger.ask('LOGIN ada "wrong"')).completion).toMatch(/^NO \[AUTHENTICATIONFAILED\]/);
    stranger.write(`x AUTHENTICATE XOAUTH2 ${sasl("bad")}\r\n`);
    const [, reason = ""] = /^\+ (.*)$/.exec(await stranger.line()) ?? [];
    expect(JSON.parse(Buffer.from(reason, "base64").toString())).toMatchObject({ status: "400" });
    stranger.write("\r\n");
    expect(await stranger.line()).toMatch(/^x NO \[AUTHENTICATIONFAILED\]/);
    expect((await stranger.ask("SELECT INBOX")).completion).toMatch(/^BAD/);
    expect(imap.seen().some(({ name, isEncrypted }) => name === "LOGIN" && !isEncrypted)).toBe(false);
  });

  test("a password is not taken in the clear where that is not allowed, and what came before STARTTLS is forgotten", async () => {
    const imap = await imapServer({ plainSignIn: false });
    const client = await RawClient.plain(imap);
    await client.line();
    expect((await client.ask("CAPABILITY")).untagged[0]).toContain("LOGINDISABLED");
    expect((await client.ask("LOGIN ada@example.com secret")).completion).toMatch(/^NO \[PRIVACYREQUIRED\]/);
    await client.startTls(imap);
    expect((await client.ask("LOGIN ada@example.com secret")).completion).toMatch(/^OK/);

    const injecting = await RawClient.plain(imap);
    await injecting.line();
    injecting.write("a STARTTLS\r\nb NOOP\r\n");
    expect(await injecting.line()).toMatch(/^a OK/);
    expect(imap.seen().at(-1)?.name).toBe("STARTTLS");
  });
});

describe("folders", () => {
  test("are listed with what they are for, by patterns, in modified UTF-7", async () => {
    const imap = await imapServer();
    const account = imap.account();
    account.create("Trash", "\\Trash");
    account.create("Work");
    account.create("Work/Entwürfe");
    const client = await RawClient.in(imap);
    expect((await client.ask('LIST "" "*"')).untagged).toEqual([
      '* LIST (\\HasNoChildren) "/" "INBOX"',
      '* LIST (\\HasNoChildren \\Trash) "/" "Trash"',
      '* LIST (\\HasChildren) "/" "Work"',
      '* LIST (\\HasNoChildren) "/" "Work/Entw&APw-rfe"',
    ]);
    expect((await client.ask('LIST "" "%"')).untagged).toHaveLength(3);
    expect((await client.ask('LIST "Work/" "*"')).untagged).toHaveLength(1);
    expect((await client.ask("SELECT {17+}\r\nWork/Entw&APw-rfe")).completion).toMatch(/^OK \[READ-WRITE\]/);
    expect((await client.ask("EXAMINE inbox")).completion).toMatch(/^OK \[READ-ONLY\]/);
    expect((await client.ask("SELECT Nowhere")).completion).toMatch(/^NO \[NONEXISTENT\]/);
    expect((await client.ask("FETCH 1 FLAGS")).completion).toMatch(/^BAD/);
  });

  test("say what they hold, and another UIDVALIDITY when they were made anew", async () => {
    const imap = await imapServer({ clock: () => Date.UTC(2026, 10, 22) });
    const inbox = imap.account().find("INBOX");
    for (let n = 1; n <= 3; n += 1) inbox?.deliver({ raw: mail(n), flags: n === 1 ? ["\\seen"] : [] });
    const client = await RawClient.in(imap, "Nowhere");
    const status = async () => (await client.ask("STATUS INBOX (MESSAGES UNSEEN UIDNEXT UIDVALIDITY)")).untagged[0];
    const before = inbox?.uidValidity;
    expect(await status()).toBe(`* STATUS "INBOX" (MESSAGES 3 UNSEEN 2 UIDNEXT 4 UIDVALIDITY ${before})`);
    inbox?.expunge([1]);
    inbox?.resetUidValidity();
    expect(await status()).toBe(`* STATUS "INBOX" (MESSAGES 2 UNSEEN 2 UIDNEXT 3 UIDVALIDITY ${Number(before) + 1})`);
    const other = await RawClient.in(imap);
    inbox?.resetUidValidity();
    other.write("x NOOP\r\n");
    expect(await other.end()).toMatch(/^\* BYE /);
  });
});

describe("messages", () => {
  test("are read in pieces; only what is fetched without PEEK is marked as read", async () => {
    const imap = await imapServer();
    const inbox = imap.account().find("INBOX");
    inbox?.deliver({ raw: mail(1), internalDateMs: Date.UTC(2026, 10, 22, 8) });
    const client = await RawClient.in(imap);
    const fetched = async (what: string) => (await client.ask(`UID FETCH 1 (${what})`)).untagged[0] ?? "";
    expect(await fetched("INTERNALDATE RFC822.SIZE FLAGS")).toBe(
      `* 1 FETCH (UID 1 INTERNALDATE "22-Nov-2026 08:00:00 +0000" RFC822.SIZE ${mail(1).length} FLAGS ())`,
    );
    expect(await fetched("ENVELOPE")).toBe(
      '* 1 FETCH (UID 1 ENVELOPE ("Fri, 20 Nov 2026 09:00:01 +0000" "=?utf-8?q?Gr=C3=BC=C3=9Fe?= 1" ' +
        '(("Bea, Lind" NIL "bea" "example.org")) (("Bea, Lind" NIL "bea" "example.org")) (("Bea, Lind" NIL "bea" "example.org")) ' +
        '(("Ada" NIL "ada" "example.com")(NIL NIL "team" NIL)(NIL NIL "x" "example.org")(NIL NIL "y" "example.org")(NIL NIL NIL NIL)) ' +
        'NIL NIL NIL "<m1@example.org>"))',
    );
    expect(await fetched("BODYSTRUCTURE")).toBe(
      '* 1 FETCH (UID 1 BODYSTRUCTURE (("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 9 1 NIL NIL NIL NIL)' +
        '("APPLICATION" "PDF" ("NAME" "plan.pdf") NIL NIL "BASE64" 4 NIL ("ATTACHMENT" ("FILENAME" "plan.pdf")) NIL NIL)' +
        '("MESSAGE" "RFC822" NIL NIL NIL "7BIT" 49 (NIL "inner" ((NIL NIL "c" "example.org")) ((NIL NIL "c" "example.org")) ' +
        '((NIL NIL "c" "example.org")) NIL NIL NIL NIL NIL) ("TEXT" "PLAIN" NIL NIL NIL "7BIT" 10 0 NIL NIL NIL NIL) 3 NIL NIL NIL NIL) ' +
        '"MIXED" ("BOUNDARY" "limit") NIL NIL NIL))',
    );
    expect(await fetched("BODY.PEEK[1]")).toContain("BODY[1] {9}\r\nHello 1\r\n");
    expect(await fetched("BODY.PEEK[1]<6.100>")).toContain("BODY[1]<6> {3}\r\n1\r\n");
    expect(await fetched("BODY.PEEK[3.HEADER]")).toContain("Subject: inner\r\nFrom: c@example.org\r\n\r\n");
    expect(await fetched("BODY.PEEK[2.MIME]")).toContain("Content-Transfer-Encoding: base64\r\n\r\n");
    expect(await fetched("BODY.PEEK[HEADER.FIELDS (references)]")).toContain(
      "BODY[HEADER.FIELDS (REFERENCES)] {49}\r\nReferences: <a@example.org>\r\n <b@example.org>\r\n\r\n",
    );
    expect(await fetched("BODY.PEEK[9]")).toBe("* 1 FETCH (UID 1 BODY[9] NIL)");
    expect(inbox?.find(1)?.flags.has("\\Seen")).toBe(false);
    expect(await fetched("BODY[TEXT]")).toMatch(/FLAGS \(\\Seen\)\)$/);
    expect((await client.ask("UID FETCH 1 (BODY[MIME])")).completion).toMatch(/^BAD/);
  });

  test("are found", async () => {
    const imap = await imapServer();
    const inbox = imap.account().find("INBOX");
    for (let n = 1; n <= 5; n += 1) {
      inbox?.deliver({ raw: mail(n), internalDateMs: Date.UTC(2026, 10, n), flags: n % 2 === 0 ? ["\\Seen"] : [] });
    }
    inbox?.expunge([1]);
    const client = await RawClient.in(imap);
    const found = async (keys: string) => (await client.ask(`UID SEARCH ${keys}`)).untagged[0];
    expect(await found("ALL")).toBe("* SEARCH 2 3 4 5");
    expect((await client.ask("SEARCH ALL")).untagged[0]).toBe("* SEARCH 1 2 3 4");
    expect(await found("UID 4:*")).toBe("* SEARCH 4 5");
    expect(await found("UNSEEN SINCE 4-Nov-2026")).toBe("* SEARCH 5");
    expect(await found('OR (BODY "Hello 2") NOT UID 2:4')).toBe("* SEARCH 2 5");
    expect(await found("HEADER Message-ID m3@example.org")).toBe("* SEARCH 3");
    expect(await found("CHARSET UTF-8 FROM {3+}\r\nbea SENTON 20-Nov-2026 LARGER 10 MODSEQ 6")).toMatch(
      /^\* SEARCH 5 \(MODSEQ \d+\)$/,
    );
    expect(await found("UID 1")).toBe("* SEARCH");
    expect((await client.ask("UID SEARCH CHARSET koi8-r ALL")).completion).toMatch(/^NO \[BADCHARSET/);
    expect((await client.ask("UID SEARCH FROBBED")).completion).toMatch(/^BAD/);
  });

  test("are marked, copied, moved, appended and taken away, and say where they are then", async () => {
    const imap = await imapServer();
    const inbox = imap.account().find("INBOX");
    const trash = imap.account().create("Trash", "\\Trash");
    for (let n = 1; n <= 4; n += 1) inbox?.deliver({ raw: mail(n) });
    const client = await RawClient.in(imap);
    expect((await client.ask("UID STORE 2 +FLAGS (\\flagged $Later)")).untagged).toEqual([
      "* 2 FETCH (UID 2 FLAGS (\\Flagged $Later))",
    ]);
    expect(await client.ask("UID COPY 2:3 Trash")).toEqual({
      untagged: [],
      completion: `OK [COPYUID ${trash.uidValidity} 2:3 1:2] Done`,
    });
    expect((await client.ask("UID MOVE 3 Trash")).untagged).toEqual([
      `* OK [COPYUID ${trash.uidValidity} 3 3] Moved`,
      "* 3 EXPUNGE",
    ]);
    expect((await client.ask("UID MOVE 4 Nowhere")).completion).toMatch(/^NO \[TRYCREATE\]/);
    expect((await client.ask("STORE 1:2 +FLAGS.SILENT \\Deleted")).untagged).toEqual([]);
    expect((await client.ask("UID EXPUNGE 2")).untagged).toEqual(["* 2 EXPUNGE"]);
    expect((await client.ask("EXPUNGE")).untagged).toEqual(["* 1 EXPUNGE"]);
    expect(inbox?.messages.map(({ uid }) => uid)).toEqual([4]);
    const raw = mail(9).toString("latin1");
    const appended = await client.ask(`APPEND Trash (\\Seen) " 1-Nov-2026 10:00:00 +0000" {${raw.length}+}\r\n${raw}`);
    expect(appended.completion).toBe(`OK [APPENDUID ${trash.uidValidity} 4] Done`);
    expect(trash.find(4)).toMatchObject({ internalDateMs: Date.UTC(2026, 10, 1, 10), flags: new Set(["\\Seen"]) });
    expect(trash.find(4)?.raw().equals(mail(9))).toBe(true);
    await client.ask("EXAMINE INBOX");
    expect((await client.ask("UID STORE 4 FLAGS ()")).completion).toMatch(/^NO \[READ-ONLY\]/);
  });

  test("two hundred thousand are not held: only what is read is made", async () => {
    const imap = await imapServer();
    let made = 0;
    imap
      .account()
      .find("INBOX")
      ?.fill(200_000, (uid) => {
        made += 1;
        return mail(uid);
      });
    const client = await RawClient.in(imap);
    expect((await client.ask("STATUS INBOX (MESSAGES)")).untagged[0]).toContain("MESSAGES 200000");
    expect((await client.ask("UID SEARCH UID 199998:*")).untagged[0]).toBe("* SEARCH 199998 199999 200000");
    expect((await client.ask("UID FETCH 199999:200000 (FLAGS BODY.PEEK[1])")).untagged).toHaveLength(2);
    expect(made).toBeLessThanOrEqual(8);
  });
});

describe("two clients of one folder", () => {
  test("message numbers stay as they are while they are used, and what is gone is told after", async () => {
    const imap = await imapServer();
    const inbox = imap.account().find("INBOX");
    for (let n = 1; n <= 4; n += 1) inbox?.deliver({ raw: mail(n) });
    const client = await RawClient.in(imap);
    const other = await RawClient.in(imap);
    await other.ask("UID STORE 2 +FLAGS (\\Deleted)");
    await other.ask("EXPUNGE");
    expect((await client.ask("FETCH 1 (UID)")).untagged).toEqual(["* 1 FETCH (UID 1)"]);
    expect(await client.ask("FETCH 2:3 (UID)")).toEqual({
      untagged: ["* 3 FETCH (UID 3)"],
      completion: "NO [EXPUNGEISSUED] Some of these messages are gone",
    });
    expect((await client.ask("UID FETCH 2 (FLAGS)")).untagged).toEqual(["* 2 EXPUNGE"]);
    await other.ask("UID STORE 3 +FLAGS (\\Flagged)");
    inbox?.deliver({ raw: mail(5) });
    expect((await client.ask("NOOP")).untagged).toEqual([
      "* 2 FETCH (UID 3 FLAGS (\\Flagged))",
      "* 4 EXISTS",
      "* 0 RECENT",
    ]);
    expect((await client.ask("NOOP")).untagged).toEqual([]);
  });

  test("who idles is told at once, until he has had enough", async () => {
    const imap = await imapServer();
    const inbox = imap.account().find("INBOX");
    inbox?.deliver({ raw: mail(1) });
    const client = await RawClient.in(imap);
    client.write("i IDLE\r\n");
    expect(await client.line()).toBe("+ idling");
    inbox?.deliver({ raw: mail(2) });
    expect([await client.line(), await client.line()]).toEqual(["* 2 EXISTS", "* 0 RECENT"]);
    inbox?.expunge([1]);
    expect(await client.line()).toBe("* 1 EXPUNGE");
    client.write("DONE\r\n");
    expect(await client.line()).toBe("i OK Done");
  });

  test("who comes back with QRESYNC is told what is gone and what has changed, and more than that when it was forgotten", async () => {
    const imap = await imapServer();
    const inbox = imap.account().find("INBOX");
    for (let n = 1; n <= 5; n += 1) inbox?.deliver({ raw: mail(n) });
    const [uidValidity, modseq] = [inbox?.uidValidity, inbox?.highestModseq];
    const message = inbox?.find(4);
    inbox?.expunge([2]);
    if (message) inbox?.setFlags(message, ["\\Flagged"]);
    const client = await RawClient.in(imap, "Nowhere");
    const select = `SELECT INBOX (QRESYNC (${uidValidity} ${modseq}))`;
    expect((await client.ask(select)).completion).toMatch(/^BAD/);
    expect((await client.ask("ENABLE QRESYNC FROB")).untagged).toEqual(["* ENABLED QRESYNC"]);
    const news = async (words: string) =>
      (await client.ask(words)).untagged.filter((line) => /VANISHED|FETCH/.test(line));
    const changed = `* 3 FETCH (UID 4 FLAGS (\\Flagged) MODSEQ (${inbox?.highestModseq}))`;
    expect(await news(select)).toEqual(["* VANISHED (EARLIER) 2", changed]);
    expect(await news(`SELECT INBOX (QRESYNC (${Number(uidValidity) + 1} ${modseq}))`)).toEqual([]);
    expect(await news(`UID FETCH 1:* (FLAGS) (CHANGEDSINCE ${modseq} VANISHED)`)).toEqual([
      "* VANISHED (EARLIER) 2",
      `* 3 FETCH (UID 4 FLAGS (\\Flagged) MODSEQ (${inbox?.highestModseq}))`,
    ]);
    inbox?.expunge([5]);
    expect((await client.ask("NOOP")).untagged).toEqual(["* VANISHED 5"]);
    expect((await client.ask(`UID STORE 1:4 (UNCHANGEDSINCE ${modseq}) +FLAGS (\\Seen)`)).completion).toMatch(
      /^OK \[MODIFIED 4\]/,
    );
    inbox?.forgetExpunged();
    inbox?.expunge([3]);
    expect(await news(select)).toContain("* VANISHED (EARLIER) 2:3,5");
  });

  test("a server that is older does not know what came later", async () => {
    const imap = await imapServer({
      without: ["CONDSTORE", "QRESYNC", "MOVE", "UIDPLUS", "IDLE", "ENABLE", "SPECIAL-USE"],
    });
    imap
      .account()
      .find("INBOX")
      ?.deliver({ raw: mail(1) });
    imap.account().create("Trash", "\\Trash");
    const client = await RawClient.in(imap);
    const { untagged } = await client.ask("CAPABILITY");
    for (const word of ["CONDSTORE", "QRESYNC", "MOVE", "UIDPLUS", "IDLE", "SPECIAL-USE"]) {
      expect(untagged[0]).not.toContain(word);
    }
    for (const words of ["UID MOVE 1 Trash", "IDLE", "ENABLE QRESYNC", "SELECT INBOX (CONDSTORE)", "UID EXPUNGE 1"]) {
      expect((await client.ask(words)).completion, words).toMatch(/^BAD/);
    }
    await client.ask("SELECT INBOX");
    expect((await client.ask("UID COPY 1 Trash")).completion).toBe("OK Done");
    expect((await client.ask('LIST "" Trash')).untagged[0]).not.toContain("\\Trash");
  });
});
