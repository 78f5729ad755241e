import { afterEach, describe, expect, test } from "vitest";
import type { ItemRef } from "../../events/ids.ts";
import { isNameless, refOf, refsOf } from "../../shared/scouts/connectors/imap/identity.ts";
import { imapSettings } from "../../shared/scouts/connectors/imap/settings.ts";
import { scoutAtSource as scout } from "../contract/connector-fixtures.ts";
import { serverMoment } from "./mail-moments.ts";
import type { ScriptedMessage } from "./scripted-imap.ts";
import { codeOf, listed, type Mailbox, scriptedMailbox } from "./scripted-mailbox.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

const dayMs = 86_400_000;
/** Mails of one length, whatever they are about. */
const mail = (subject: string, ...more: string[]) =>
  ["From: Ada <ada@example.org>", `Subject: ${subject.padEnd(20, ".")}`, ...more, "", `It says ${subject}.`, ""].join(
    "\r\n",
  );

function arrive({ server }: Mailbox, folder: string, ...messages: Omit<ScriptedMessage, "uid">[]): void {
  const box = server.folders.get(folder);
  if (!box) throw new Error(`There is no ${folder}`);
  for (const message of messages) {
    box.messages.push({ sizeBytes: 500, ...message, uid: box.uidNext });
    box.uidNext += 1;
  }
}

/** Numbers a folder anew, as after a restore. */
function renumber({ server }: Mailbox, by = 100): void {
  const box = server.folders.get("INBOX");
  if (!box) throw new Error("There is no INBOX");
  box.validity += 1;
  for (const message of box.messages) message.uid += by;
  box.uidNext += by;
}

const subjectsOf = ({ connector }: Mailbox, refs: readonly ItemRef[]) =>
  Promise.all(refs.map(async (ref) => (await connector.fetchMetadata(scout, ref)).subject.reveal()));

describe("P2: what was proposed already does not come twice", () => {
  test("of mail without a Message-ID neither, where the server numbers a folder anew", async () => {
    const box = await scriptedMailbox(opened);
    const internalDate = serverMoment(-60_000);
    arrive(box, "INBOX", { raw: mail("one"), internalDate }, { raw: mail("two"), internalDate });
    const before = await listed(box.connector, box.cursor);
    expect(before.refs).toHaveLength(2);
    renumber(box);
    const after = await listed(box.connector, before.cursor);
    expect(after.gap).toBeDefined();
    expect(after.refs).toEqual(before.refs);
    expect(await subjectsOf(box, before.refs)).toEqual([expect.stringMatching(/^one/), expect.stringMatching(/^two/)]);
  });

  test("a mail without a Message-ID that lies in two folders is one", async () => {
    const prepare: NonNullable<Parameters<typeof scriptedMailbox>[1]>["prepare"] = ({ folders }) =>
      folders.set("Other", { validity: 3, uidNext: 40, messages: [] });
    const box = await scriptedMailbox(opened, { folders: ["INBOX", "Other"], prepare });
    const internalDate = serverMoment(-60_000);
    arrive(box, "INBOX", { raw: mail("one"), internalDate });
    arrive(box, "Other", { raw: mail("one"), internalDate });
    expect(new Set((await listed(box.connector, box.cursor)).refs).size).toBe(1);
  });
});

describe("P2: nothing is lost", () => {
  test("of two mails with one Message-ID, second and size both are listed, and each is read", async () => {
    const box = await scriptedMailbox(opened);
    const id = "Message-ID: <same@example.org>";
    const internalDate = serverMoment(-60_000);
    arrive(box, "INBOX", { raw: mail("one", id), internalDate }, { raw: mail("two", id), internalDate });
    const { refs } = await listed(box.connector, box.cursor);
    expect(new Set(refs).size).toBe(2);
    expect(await subjectsOf(box, refs)).toEqual([expect.stringMatching(/^one/), expect.stringMatching(/^two/)]);
  });

  test("of two without a Message-ID that are alike in all else both are listed, and each is read", async () => {
    const box = await scriptedMailbox(opened);
    const internalDate = serverMoment(-60_000);
    const notice = (text: string) => mail("disk full").replace("It says", text);
    arrive(box, "INBOX", { raw: notice("Disk A"), internalDate }, { raw: notice("Disk B"), internalDate });
    const { refs } = await listed(box.connector, box.cursor);
    expect(new Set(refs).size).toBe(2);
    const texts = await Promise.all(
      refs.map(async (ref) => (await box.connector.fetchContent(scout, ref)).text.reveal()),
    );
    expect(texts).toEqual([expect.stringContaining("Disk A"), expect.stringContaining("Disk B")]);
  });

  test("each of two that are alike is read as itself, in whatever order, by who has not listed them", async () => {
    const box = await scriptedMailbox(opened);
    const internalDate = serverMoment(-60_000);
    const notice = (text: string) => mail("disk full").replace("It says", text);
    arrive(box, "INBOX", { raw: notice("Disk A"), internalDate }, { raw: notice("Disk B"), internalDate });
    const { refs } = await listed(box.connector, box.cursor);
    const reader = box.another();
    const texts: string[] = [];
    for (const ref of [...refs.toReversed(), ...refs])
      texts.push((await reader.fetchContent(scout, ref)).text.reveal().slice(0, 6));
    expect(texts).toEqual(["Disk B", "Disk A", "Disk A", "Disk B"]);
  });

  test("one whose fields are longer than a response may be is found again by who reads it", async () => {
    const box = await scriptedMailbox(opened);
    const long = `X-Long: ${"a".repeat(100_000)}`;
    const raw = [long, "Message-ID: <late@example.org>", "From: ada@example.org", "Subject: late", "", "text", ""];
    arrive(box, "INBOX", { raw: raw.join("\r\n"), internalDate: serverMoment(-60_000) });
    const [ref] = (await listed(box.connector, box.cursor)).refs;
    if (ref === undefined) throw new Error("not listed");
    expect((await box.connector.fetchMetadata(scout, ref)).present).toBe(true);
    // From its beginning alone the fields behind are not known: it goes by its number there.
    await box.connector.close();
    box.server.override = ({ name, args, socket }) => {
      if (name !== "UID FETCH" || !args.includes("HEADER.FIELDS")) return false;
      socket.write("* 1 FETCH (UID 1 BODY[HEADER.FIELDS (MESSAGE-ID)] {4000000000}\r\n");
      return true;
    };
    const [numbered] = (await listed(box.connector, box.cursor)).refs;
    box.server.override = undefined;
    await box.connector.close();
    expect(numbered).not.toBe(ref);
    expect((await box.connector.fetchMetadata(scout, numbered ?? ref)).present).toBe(true);
  });
});

describe("a scout that was connected when refs were made of less", () => {
  const access = {
    ...imapSettings.parse({ host: "mail.example", user: "ada", password: "secret" }),
    refKey: Buffer.alloc(32, 7).toString("base64url"),
  };
  const message = (headers: string, encoding: BufferEncoding = "utf8") => ({
    ...{ seq: 1, uid: 5, id: "", size: 321, internalDate: new Date("2026-06-01T10:00:00Z") },
    headers: Buffer.from(headers, encoding),
  });
  const withId = message("Message-ID: <one@example.org>\r\nFrom: ada@example.org\r\nSubject: one\r\n\r\n");
  const without = message("From: ada@example.org\r\nSubject: one\r\n\r\n");
  const later = withId.internalDate.getTime() / 1000 + 1;

  test("what had come by then keeps the ref it had: these are of then", () => {
    expect(refOf(access, withId, 7n, later)).toBe("ioYVGycEdQiGN0uBHH5fpSvTxsv.tfy6g0.8x");
    expect(refOf(access, without, 7n, later)).toBe("hZ4hSBq4UmmF3DkIsuanCGhn-a1.tfy6g0.8x");
    expect([isNameless(withId), isNameless(without)]).toEqual([false, true]);
    // Chinese in GB 18030: an id is read as it was then, however well its charset is told elsewhere.
    const inBytes = message("Message-ID: <\xc4\xe3\xba\xc3\xa3\xac\xbb\xe1\xd2\xe9@example.org>\r\n\r\n", "latin1");
    expect(refOf(access, inBytes, 7n, later)).toBe("4xRQ3fQEWPyeTbIrYR3rMRsnu0w.tfy6g0.8x");
  });

  test("what comes since has a ref of its own, and whoever knows it by either finds it", () => {
    for (const each of [withId, without]) {
      const [then, since] = [refOf(access, each, 7n, later), refOf(access, each, 7n, later - 1)];
      expect(since).not.toBe(then);
      expect(refsOf(access, each, 7n)).toEqual(expect.arrayContaining([then, since]));
    }
  });

  test("goes on without a break: no mail of before comes again, not even where its folder is numbered anew", async () => {
    const box = await scriptedMailbox(opened);
    const { namedFrom: _, ...before } = JSON.parse(box.cursor);
    const raw = mail("one", "Message-ID: <one@example.org>");
    arrive(box, "INBOX", { raw, internalDate: serverMoment(-60_000) });
    const first = await listed(box.connector, JSON.stringify(before));
    const [then] = first.refs;
    // The same mailbox, connected today.
    const [since] = (await listed(box.connector, box.cursor)).refs;
    if (then === undefined || since === undefined) throw new Error("not listed");
    expect(since).not.toBe(then);
    renumber(box);
    expect((await listed(box.connector, first.cursor)).refs).toEqual([then]);
    for (const ref of [then, since]) expect(await codeOf(box.connector.fetchMetadata(scout, ref))).toBe("no failure");
  });

  test("names what arrives a day later by all its fields, at every look the same", async () => {
    const box = await scriptedMailbox(opened);
    const { namedFrom: _, ...before } = JSON.parse(box.cursor);
    const first = await listed(box.connector, JSON.stringify(before));
    arrive(box, "INBOX", { raw: mail("one", "Message-ID: <one@example.org>"), internalDate: serverMoment(2 * dayMs) });
    const { refs, cursor } = await listed(box.connector, first.cursor);
    expect(refs).toEqual((await listed(box.connector, box.cursor)).refs);
    expect(JSON.parse(cursor).namedFrom).toBe(JSON.parse(first.cursor).namedFrom);
  });
});
