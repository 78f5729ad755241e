import { once } from "node:events";
import { ImapFlow, type ImapFlowOptions } from "imapflow";
import { expect, onTestFinished, test } from "vitest";
import type { Imap } from "../../../infra/standins/imap/imap.ts";
import { imapServer, mail } from "./client.ts";

/** The client the connector is made with, as others wrote it. */
async function flow(imap: Imap, options: Partial<ImapFlowOptions> = {}): Promise<ImapFlow> {
  const client = new ImapFlow({
    host: "localhost",
    port: imap.tlsPort,
    secure: true,
    tls: { ca: imap.ca },
    auth: { user: "ada@example.com", pass: "secret" },
    logger: false,
    qresync: true,
    ...options,
  });
  // What breaks is told to whoever waits for an answer as well.
  client.on("error", () => {});
  onTestFinished(() => client.close());
  await client.connect();
  return client;
}

test("imapflow signs in every way, and finds folders by what they are for", async () => {
  const imap = await imapServer({
    users: [{ user: "ada@example.com", password: "secret", accessTokens: new Set(["good"]) }],
    plainSignIn: false,
  });
  imap.account().create("Papierkorb", "\\Trash");
  imap.account().create("Arbeit/日本 & Co");
  for (const options of [
    {},
    { port: imap.port, secure: false, doSTARTTLS: true },
    { auth: { user: "ada@example.com", accessToken: "good" } },
  ]) {
    const client = await flow(imap, options);
    expect(client.secureConnection).toBe(true);
    const folders = (await client.list()).map(({ path, specialUse }) => [path, specialUse]);
    expect(folders).toContainEqual(["Papierkorb", "\\Trash"]);
    expect(folders).toContainEqual(["Arbeit/日本 & Co", undefined]);
    await client.logout();
  }
  expect(imap.seen().filter(({ name, isEncrypted }) => name === "AUTHENTICATE" && !isEncrypted)).toEqual([]);
  await expect(flow(imap, { auth: { user: "ada@example.com", pass: "wrong" } })).rejects.toMatchObject({
    authenticationFailed: true,
  });
});

test("imapflow reads, searches, marks, moves and appends, and is told what others do", async () => {
  const imap = await imapServer();
  const trash = imap.account().create("Trash", "\\Trash");
  const inbox = imap.account().find("INBOX");
  for (let n = 1; n <= 5; n += 1) inbox?.deliver({ raw: mail(n) });
  const client = await flow(imap);
  const opened = await client.mailboxOpen("INBOX");
  expect(opened).toMatchObject({ exists: 5, uidNext: 6, uidValidity: BigInt(inbox?.uidValidity ?? 0) });
  const query = { uid: true, envelope: true, bodyStructure: true, bodyParts: [{ key: "1", start: 0, maxLength: 5 }] };
  const read = await client.fetchOne("3", query, { uid: true });
  expect(read).toMatchObject({
    uid: 3,
    envelope: { subject: "Grüße 3", from: [{ name: "Bea, Lind", address: "bea@example.org" }] },
    bodyStructure: { type: "multipart/mixed", childNodes: [{ part: "1" }, { part: "2" }, { type: "message/rfc822" }] },
    bodyParts: new Map([["1", Buffer.from("Hello")]]),
  });
  expect(await client.search({ from: "bea", uid: "2:4" }, { uid: true })).toEqual([2, 3, 4]);
  await client.messageFlagsAdd("2", ["\\Flagged"], { uid: true });
  expect(inbox?.find(2)?.flags).toEqual(new Set(["\\Flagged"]));
  expect(await client.messageMove("2", "Trash", { uid: true })).toMatchObject({ uidMap: new Map([[2, 1]]) });
  expect(await client.append("Trash", mail(9), ["\\Seen"])).toMatchObject({ uid: 2 });
  expect(trash.messages.map(({ raw }) => raw().equals(mail(9)))).toEqual([false, true]);

  const gone = once(client, "expunge");
  const idling = client.idle();
  inbox?.expunge([4]);
  expect((await gone)[0]).toMatchObject({ uid: 4, vanished: true });
  await client.logout();
  await idling;
});

test("imapflow comes back and is told what it has missed (QRESYNC)", async () => {
  const imap = await imapServer();
  const inbox = imap.account().find("INBOX");
  for (let n = 1; n <= 3; n += 1) inbox?.deliver({ raw: mail(n) });
  const first = await flow(imap);
  const { uidValidity, highestModseq } = await first.mailboxOpen("INBOX");
  await first.logout();
  inbox?.expunge([2]);
  const message = inbox?.find(3);
  if (message) inbox?.setFlags(message, ["\\Seen"]);
  const second = await flow(imap);
  const [vanished, flagged]: [unknown[], unknown[]] = [[], []];
  second.on("expunge", ({ uid }) => vanished.push(uid));
  second.on("flags", ({ uid, flags }) => flagged.push([uid, flags]));
  // Its types leave out what its documentation has (https://imapflow.com).
  const since: object = { uidValidity, changedSince: highestModseq };
  await second.mailboxOpen("INBOX", since);
  expect({ vanished, flagged }).toEqual({ vanished: [2], flagged: [[3, new Set(["\\Seen"])]] });
});

test("imapflow meets the faults: nothing it was not given gets through", async () => {
  const imap = await imapServer();
  imap.faults.arm({ kind: "startTlsStripped" });
  await expect(flow(imap, { port: imap.port, secure: false, doSTARTTLS: true })).rejects.toThrow(/STARTTLS/);
  imap.faults.disarmAll();
  for (const how of ["otherName", "expired", "untrusted"] as const) {
    imap.faults.arm({ kind: "wrongCertificate", how }, { times: 1 });
    await expect(flow(imap), how).rejects.toMatchObject({ code: expect.stringMatching(/CERT/) });
  }
  imap.faults.arm({ kind: "greetsWithBye" }, { times: 1 });
  await expect(flow(imap)).rejects.toThrow();
  expect(imap.seen().some(({ name }) => name === "AUTHENTICATE" || name === "LOGIN")).toBe(false);
  imap.faults.arm({ kind: "dropsDuring" }, { times: 1, command: "SELECT" });
  const client = await flow(imap);
  await expect(client.mailboxOpen("INBOX")).rejects.toThrow();
});
