import { appendFile, mkdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { detectSource } from "../../infra/standins/mailbox/formats/source.ts";
import { type Patience, scanSource } from "../../infra/standins/mailbox/scan.ts";
import { openMailboxDatabase } from "../../infra/standins/mailbox/store/database.ts";
import { openMessages } from "../../infra/standins/mailbox/store/messages.ts";
import { openSlices } from "../../infra/standins/mailbox/store/slices.ts";
import { formerRefs, grownId } from "../../shared/scouts/connectors/mail/grown-message.ts";
import { ref } from "../unit/scouts/setting.ts";
import { cleanUp, clientOf, historyIds, message, openMailbox, temporaryFolder, watchAll } from "./mailbox-fixture.ts";

afterEach(cleanUp);

const separator = "From MAILER-DAEMON Fri Nov 20 09:44:16 2026\n";
const mail = (subject: string, body = "Hello") => `From: bea@example.org\nSubject: ${subject}\n\n${body}\n`;
const hours = 3_600_000;
/** Files of a test are new for as long as it runs, until they are made older. */
const patient: Patience = { message: 0, mbox: 0, unfinished: hours, locked: 2 * hours };

/** An mbox with mail that was told of, and what scans find of what is written to it. */
async function mbox(content = `${separator}${mail("a")}\n`, link?: string) {
  const file = join(await temporaryFolder(), "mail.mbox");
  await writeFile(file, content);
  const path = link === undefined ? file : join(await temporaryFolder(), link);
  if (link !== undefined) await symlink(file, path);
  const database = openMailboxDatabase(await temporaryFolder());
  const messages = openMessages(database);
  const slices = openSlices(database, messages);
  const source = await detectSource(path);
  const scan = async (patience = patient) => {
    const { missing } = await scanSource(database, slices, source, patience);
    const subjects = database.prepare("SELECT subject FROM messages WHERE gone = 0 ORDER BY sequence").all();
    return { subjects: subjects.map((row) => row["subject"]), missing };
  };
  await scan({ message: 0, mbox: 0, unfinished: 0, locked: 0 });
  database.exec("UPDATE messages SET arrived = 1");
  return {
    file,
    path,
    scan,
    append: (text: string) => appendFile(file, text),
    /** As if nobody had written to it for so long. */
    age: async (ageMs: number) => utimes(file, new Date(), new Date(Date.now() - ageMs)),
    close: () => database.close(),
  };
}

describe("the last mail of an mbox", () => {
  const whole = `${separator}${mail("b", "First\n\nand second")}\n`;
  const inCrlf = (text: string) => text.replaceAll("\n", "\r\n");
  test.each([
    ["its first line", "2026\n", whole],
    ["a part of its header", "Sub", whole],
    ["its header, and no empty line", "Subject: b\n", whole],
    ["its header, and no body", "Subject: b\n\n", whole],
    ["a part of its body", "and sec", whole],
    ["all but the empty line behind it", "second\n", whole],
    ["its header with CRLF, and no body", "Subject: b\r\n\r\n", inCrlf(whole)],
    ["all but the empty line behind it with CRLF", "second\r\n", inCrlf(whole)],
  ])("is not there yet while only %s is, nor is anything else gone", async (_what, end, text) => {
    const { append, scan, close } = await mbox();
    const written = text.indexOf(end) + end.length;
    await append(text.slice(0, written));
    expect(await scan()).toEqual({ subjects: ["a"], missing: [] });
    expect(await scan(), "nor at the next look").toEqual({ subjects: ["a"], missing: [] });
    await append(text.slice(written));
    expect(await scan()).toEqual({ subjects: ["a", "b"], missing: [] });
    close();
  });

  test.each([
    ["LF", whole],
    ["CRLF", inCrlf(whole)],
  ])("is there at once when an empty line ends it: %s", async (_what, text) => {
    const { append, scan, close } = await mbox();
    await append(text);
    expect((await scan()).subjects).toEqual(["a", "b"]);
    close();
  });

  test("is taken as it is after a while, since some programs write no such line", async () => {
    const { append, scan, age, close } = await mbox();
    await append(`${separator}${mail("b")}${separator}${mail("c")}`);
    expect((await scan()).subjects, "the one before it is whole").toEqual(["a", "b"]);
    await age(hours + 60_000);
    expect((await scan()).subjects).toEqual(["a", "b", "c"]);
    close();
  });

  test.each([
    ["beside the file", undefined],
    ["beside a link to it", "linked.mbox"],
  ])(
    "that another program has locked waits with all of the file, for longer, and not for ever: %s",
    async (_, link) => {
      const { file, path, append, scan, age, close } = await mbox(undefined, link);
      for (const [lock, first, second] of [
        [`${path}.lock`, "b", "c"],
        [`${file}.lock`, "d", "e"],
      ] as const) {
        const before = (await scan()).subjects;
        await append(`${separator}${mail(first)}\n`);
        await writeFile(lock, "");
        expect((await scan()).subjects).toEqual(before);
        await age(hours + 60_000);
        expect((await scan()).subjects).toEqual(before);
        await rm(lock);
        expect((await scan()).subjects).toEqual([...before, first]);
        await writeFile(lock, "");
        await append(`${separator}${mail(second)}\n`);
        expect((await scan()).subjects).toEqual([...before, first]);
        await age(2 * hours + 60_000);
        expect((await scan()).subjects, "whoever locked it has died").toEqual([...before, first, second]);
        await rm(lock);
      }
      close();
    },
  );

  test("P2: loses nothing of a file that is being written anew, however far that has come", async () => {
    const all = ["a", "b", "c"].map((subject) => `${separator}${mail(subject)}\n`).join("");
    const { path, scan, close } = await mbox(all);
    const anew = all.replace("Subject: a", "Status: RO\nSubject: a");
    const lengths = Array.from({ length: 24 }, (_, at) => Math.ceil(((at + 1) * anew.length) / 24));
    for (const length of lengths) {
      await writeFile(path, anew.slice(0, length).trimEnd());
      const { missing, subjects } = await scan();
      expect([missing, subjects], `after ${length} bytes`).toEqual([[], ["a", "b", "c"]]);
    }
    await writeFile(path, anew);
    expect(await scan()).toEqual({ subjects: ["a", "b", "c"], missing: [] });
    close();
  });
});

describe("a mail that was read before it was written to its end", () => {
  const headOf = (subject: string) => `From: bea@example.org\nSubject: ${subject}\n\n`;
  const half = "First part.\n\n";
  const rest = "Second part, with the contract.\n";

  /** A watched mailbox; what its history has told since, in order. */
  async function watched(path: string) {
    const mailbox = await openMailbox({ path });
    const client = clientOf(mailbox);
    const startHistoryId = await watchAll(mailbox, client);
    const told = async () => {
      await mailbox.rescan();
      await mailbox.whenAllArrived();
      const { data } = await client.users.history.list({
        userId: "me",
        startHistoryId,
        historyTypes: ["messageAdded", "messageDeleted"],
      });
      return (data.history ?? []).flatMap(({ messagesAdded, messagesDeleted }) => [
        ...(messagesAdded ?? []).map((one) => ["added", one.message?.id ?? ""] as const),
        ...(messagesDeleted ?? []).map((one) => ["deleted", one.message?.id ?? ""] as const),
      ]);
    };
    const read = async (id: string) => {
      const { data } = await client.users.messages.get({ userId: "me", id, format: "raw" });
      return { text: Buffer.from(data.raw ?? "", "base64url").toString(), thread: data.threadId };
    };
    return { told, read, stats: mailbox.stats };
  }

  test.each([
    ["in an mbox", "mail.mbox", separator],
    ["in a file of its own", "a.eml", ""],
  ])("P2: is another message when it is whole, and the half is none any more: %s", async (_where, name, before) => {
    const path = join(await temporaryFolder(), name);
    await writeFile(path, `${before}${headOf("b")}${half}`);
    const { told, read, stats } = await watched(path);
    const [[, first] = ["", ""]] = await told();
    const { thread } = await read(first);
    await appendFile(path, rest);
    await told();
    await appendFile(path, "And a third.\n\n");
    const records = await told();
    const second = grownId(first) ?? "";
    const third = grownId(second) ?? "";
    expect(records).toEqual([
      ["added", first],
      ["deleted", first],
      ["added", second],
      ["deleted", second],
      ["added", third],
    ]);
    expect(await read(third)).toEqual({ text: expect.stringContaining("contract.\nAnd a third."), thread });
    await expect(read(first)).rejects.toMatchObject({ status: 404 });
    expect(stats()).toMatchObject({ messages: 1, watched: 1 });
    expect(formerRefs(ref(third))).toEqual([first, second]);
    expect(formerRefs(ref(first))).toEqual([]);
  });

  test("stays the same one when only line ends follow, as a program writes before it appends", async () => {
    const path = join(await temporaryFolder(), "mail.mbox");
    await writeFile(path, `${separator}${headOf("b")}whole`);
    const { told } = await watched(path);
    await appendFile(path, "\n");
    await told();
    await appendFile(path, `\r\n\n${separator}${mail("c")}\n`);
    expect((await told()).map(([what]) => what)).toEqual(["added", "added"]);
  });

  test("that nobody was told of yet is one message", async () => {
    const path = await temporaryFolder();
    await mkdir(join(path, "deep"));
    await writeFile(join(path, "a.eml"), message("a"));
    const mailbox = await openMailbox({ path });
    await writeFile(join(path, "deep", "b.eml"), `${headOf("b")}${half}`);
    await mailbox.rescan();
    await appendFile(join(path, "deep", "b.eml"), rest);
    await mailbox.rescan();
    await watchAll(mailbox, clientOf(mailbox));
    expect(mailbox.stats()).toMatchObject({ messages: 2, arrived: 2 });
  });

  test("is known as itself when its file is cut back to the half and is whole again", async () => {
    const path = join(await temporaryFolder(), "a.eml");
    await writeFile(path, `${headOf("b")}${half}`);
    const { told, stats } = await watched(path);
    await told();
    await appendFile(path, rest);
    const before = await told();
    const whole = await readFile(path);
    await writeFile(path, `${headOf("b")}${half}`);
    await told();
    await writeFile(path, whole);
    const added = (records: typeof before) => new Set(records.flatMap(([what, id]) => (what === "added" ? [id] : [])));
    expect(added(await told())).toEqual(added(before));
    expect(stats().messages).toBe(1);
  });

  test("is one however often it grows: once that can be counted no further it is read as it is", async () => {
    const path = join(await temporaryFolder(), "a.eml");
    await writeFile(path, headOf("b"));
    const { told, read, stats } = await watched(path);
    for (let part = 1; part <= 20; part += 1) {
      await appendFile(path, `Part ${part}.\n`);
      await told();
    }
    const added = (await told()).filter(([what]) => what === "added").map(([, id]) => id);
    expect(new Set(added).size).toBe(15);
    expect((await read(added.at(-1) ?? "")).text).toContain("Part 20.");
    expect(stats().messages).toBe(1);
  });

  test("while the home was away is found when it is back", async () => {
    const path = join(await temporaryFolder(), "mail.mbox");
    const stateDir = await temporaryFolder();
    await writeFile(path, `${separator}${headOf("b")}${half}`);
    const before = await openMailbox({ path, stateDir });
    const start = await watchAll(before, clientOf(before));
    const [first = ""] = await historyIds(clientOf(before), start);
    await before.close();
    await appendFile(path, `${rest}\n`);
    const after = await openMailbox({ path, stateDir });
    await after.whenAllArrived();
    expect(await historyIds(clientOf(after), start)).toEqual([first, grownId(first)]);
  });
});
