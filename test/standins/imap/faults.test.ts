import fc from "fast-check";
import { expect, test } from "vitest";
import { startImap } from "../../../infra/standins/imap/start.ts";
import { imapServer, mail, RawClient } from "./client.ts";

/** A server with three messages in its inbox, and a client in it. */
async function inInbox() {
  const imap = await imapServer();
  const inbox = imap.account().find("INBOX");
  for (let n = 1; n <= 3; n += 1) inbox?.deliver({ raw: mail(n) });
  return { imap, inbox, client: await RawClient.in(imap) };
}

test("a greeting that is a goodbye, and none at all", async () => {
  const imap = await imapServer();
  imap.faults.arm({ kind: "greetsWithBye", text: "[UNAVAILABLE] Down for an hour" }, { times: 1 });
  const refused = await RawClient.plain(imap);
  expect(await refused.end()).toBe("* BYE [UNAVAILABLE] Down for an hour\r\n");
  const disarm = imap.faults.arm({ kind: "silent" }, { times: 1 });
  const waiting = await RawClient.plain(imap);
  waiting.write("a NOOP\r\n");
  await new Promise(setImmediate);
  disarm();
  expect(await (await RawClient.plain(imap)).line()).toMatch(/^\* OK/);
  expect(imap.seen()).toEqual([]);
});

test("a connection too many", async () => {
  const imap = await imapServer({ maxConnections: 1 });
  const first = await RawClient.plain(imap);
  expect(await first.line()).toMatch(/^\* OK/);
  expect(await (await RawClient.plain(imap)).end()).toBe("* BYE [ALERT] Too many simultaneous connections\r\n");
  expect((await first.ask("NOOP")).completion).toMatch(/^OK/);
});

test.each([
  ["LOGIN ada@example.com secret", "NO [AUTHENTICATIONFAILED] No"],
  ["LOGIN ada@example.com secret", "NO [UNAVAILABLE] Later"],
  ["SELECT INBOX", "NO [INUSE] Somebody else has it"],
  ["UID COPY 1 Trash", "NO [OVERQUOTA] Full"],
  ["UID FETCH 1 (FLAGS)", "BAD Out of order"],
])("%s is answered by %s, once", async (words, line) => {
  const { imap, client } = await inInbox();
  const [, command = ""] = /^((?:UID )?\w+)/.exec(words) ?? [];
  imap.faults.arm({ kind: "answers", line }, { times: 1, command });
  expect((await client.ask(words)).completion).toBe(line);
  expect((await client.ask(words)).completion).not.toBe(line);
});

test.each(["dropsBefore", "dropsDuring", "dropsUnanswered"] as const)("the connection is cut: %s", async (kind) => {
  const { imap, inbox, client } = await inInbox();
  imap.faults.arm({ kind }, { times: 1, command: "UID STORE" });
  client.write("a UID STORE 1 +FLAGS (\\Seen)\r\n");
  const read = await client.end();
  expect(read).not.toContain("a OK");
  expect(inbox?.find(1)?.flags.has("\\Seen")).toBe(kind !== "dropsBefore");
  expect(read.includes("FETCH (UID 1 FLAGS (\\Seen))\r\n")).toBe(kind === "dropsUnanswered");
  expect((await (await RawClient.in(imap)).ask("NOOP")).completion).toMatch(/^OK/);
});

test("lengths of literals that are not true, and NIL wherever it may stand", async () => {
  const { imap, client } = await inInbox();
  imap.faults.arm({ kind: "literalLies", by: -3 }, { times: 1, command: "UID FETCH" });
  client.write("a UID FETCH 1 (BODY.PEEK[1])\r\n");
  expect(await client.line()).toBe("* 1 FETCH (UID 1 BODY[1] {6}\r\nHello 1");
  expect(await client.line()).toBe(")");
  expect(await client.line()).toMatch(/^a OK/);
  imap.faults.arm({ kind: "nilEverywhere" }, { times: 1, command: "UID FETCH" });
  expect((await client.ask("UID FETCH 1 (ENVELOPE BODY.PEEK[1] FLAGS)")).untagged).toEqual([
    "* 1 FETCH (UID 1 ENVELOPE (NIL NIL NIL NIL NIL NIL NIL NIL NIL NIL) BODY[1] NIL FLAGS ())",
  ]);
});

test("somebody in between takes STARTTLS away", async () => {
  const imap = await imapServer({ plainSignIn: false });
  imap.faults.arm({ kind: "startTlsStripped" });
  const client = await RawClient.plain(imap);
  await client.line();
  expect((await client.ask("CAPABILITY")).untagged[0]).not.toContain("STARTTLS");
  expect((await client.ask("STARTTLS")).completion).toMatch(/^BAD/);
});

test.each([
  ["otherName", "ERR_TLS_CERT_ALTNAME_INVALID"],
  ["expired", "CERT_HAS_EXPIRED"],
  ["untrusted", "DEPTH_ZERO_SELF_SIGNED_CERT"],
] as const)("the certificate is wrong: %s", async (how, code) => {
  const imap = await imapServer();
  imap.faults.arm({ kind: "wrongCertificate", how }, { times: 1 });
  await expect(RawClient.encrypted(imap)).rejects.toMatchObject({ code });
  expect(await (await RawClient.encrypted(imap)).line()).toMatch(/^\* OK/);
});

test("a message goes, or all of them get other UIDs, between the list and the look", async () => {
  const { imap, client } = await inInbox();
  expect((await client.ask("UID SEARCH ALL")).untagged).toEqual(["* SEARCH 1 2 3"]);
  imap.faults.arm({ kind: "expunges", uids: [2] }, { times: 1, command: "UID FETCH" });
  expect((await client.ask("UID FETCH 1:3 (FLAGS)")).untagged).toEqual([
    "* 1 FETCH (UID 1 FLAGS ())",
    "* 3 FETCH (UID 3 FLAGS ())",
    "* 2 EXPUNGE",
  ]);
  imap.faults.arm({ kind: "says", line: "* OK [ALERT] Going down soon" }, { times: 1 });
  expect((await client.ask("NOOP")).untagged).toEqual(["* OK [ALERT] Going down soon"]);
  imap.faults.arm({ kind: "resetsUidValidity" }, { times: 1, command: "UID FETCH" });
  client.write("x UID FETCH 1:3 (FLAGS)\r\n");
  expect(await client.end()).toMatch(/\* BYE /);
});

test("bytes that take their time come in order", async () => {
  const imap = await imapServer();
  imap.faults.arm({ kind: "slow", bytesPerSecond: 2_000 }, { times: 1 });
  const client = await RawClient.plain(imap);
  expect(await client.line()).toBe("* OK IMAP4rev1 stand-in");
  // Whoever does not wait is no trouble to the server.
  imap.faults.arm({ kind: "slow", bytesPerSecond: 1 });
  (await RawClient.plain(imap)).write("a NOOP\r\n");
  await imap.close();
});

test("whatever is sent, the server answers or hangs up, and serves the next (property)", async () => {
  const imap = await startImap();
  imap
    .account()
    .find("INBOX")
    ?.deliver({ raw: mail(1) });
  const word = fc.constantFrom(
    ...["a", "LOGIN", "UID", "FETCH", "SEARCH", "STORE", "1:*", "(", ")", "{3}", "{3+}", "BODY[", "]<0.1>", '"', "\\"],
    ...["NOT", "OR", "SELECT", "INBOX", "IDLE", "DONE", "AUTHENTICATE", "XOAUTH2", "*", "\0", "é", "APPEND", "QRESYNC"],
  );
  const line = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        const client = await RawClient.in(imap);
        client.write(`${lines.join("\r\n")}\r\n\r\n*\r\nDONE\r\n`);
        // A literal that was announced may have taken it: three bytes, and the line it stood in.
        for (let n = 0; n < 3; n += 1) client.write("\r\n\r\nz NOOP\r\n");
        client.write("z LOGOUT\r\n");
        while (!client.isClosed) await client.line().catch(() => "");
        expect((await (await RawClient.in(imap)).ask("NOOP")).completion).toBe("OK Done");
      }),
      { numRuns: 40 },
    );
  } finally {
    await imap.close();
  }
});
