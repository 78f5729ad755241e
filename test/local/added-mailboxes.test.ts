import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { mailLine } from "../../cli/home/mail-line.ts";
import { type Mailboxes, startMailboxes } from "../../infra/local/world/mailboxes.ts";
import { inbox } from "../unit/scouts/setting.ts";

let folder: string;
let mailboxes: Mailboxes;
const written: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scouts-mailboxes-"));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  written.length = 0;
  await mailboxes.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (what: string, body: object) =>
  (await fetch(`${mailboxes.url}/${what}`, { method: "POST", body: JSON.stringify(body) })).status;

test("what is wrong with a path is answered by name", async () => {
  mailboxes = await startMailboxes(join(folder, "state"), Date.now);
  mailboxes.onNews(async () => {});
  const reply = async (path: string) => {
    const response = await fetch(`${mailboxes.url}/open`, { method: "POST", body: JSON.stringify({ path }) });
    return [response.status, await response.json()];
  };
  const [empty, text] = [join(folder, "empty"), join(folder, "notes.txt")];
  mkdirSync(empty);
  writeFileSync(text, "Dear diary,\n");
  expect(await reply(join(folder, "nowhere"))).toEqual([422, { code: "mailbox_missing" }]);
  expect(await reply(empty)).toEqual([422, { code: "mailbox_empty" }]);
  expect(await reply(text)).toEqual([422, { code: "mailbox_not_mail" }]);
});

test.each(["", "{", '{"path":1}'])(
  "a damaged note (%j) is told once, and keeps no mailbox from being read",
  async (note) => {
    const state = join(folder, "state");
    mkdirSync(join(state, "0123456789abcdef"), { recursive: true });
    writeFileSync(join(state, "0123456789abcdef", "watched.json"), note);
    const path = join(folder, "mail");
    mkdirSync(join(path, "cur"), { recursive: true });
    mkdirSync(join(path, "new"));
    mailboxes = await startMailboxes(state, Date.now);
    mailboxes.onNews(async () => {});
    for (const what of ["open", "watch", "open"]) expect(await ask(what, { path, scoutId: inbox })).toBe(200);
    expect(written).toEqual([expect.stringMatching(/0123456789abcdef.watched\.json is damaged/)]);
  },
);

test("a path that the system refuses to follow is unreadable, and not called one where nothing is", async () => {
  mailboxes = await startMailboxes(join(folder, "state"), Date.now);
  mailboxes.onNews(async () => {});
  const path = join(folder, "mail.mbox");
  symlinkSync(path, path);
  const response = await fetch(`${mailboxes.url}/open`, { method: "POST", body: JSON.stringify({ path }) });
  expect(await response.json()).toEqual({ code: "mailbox_unreadable" });
});

test("nothing silent: of a mail that cannot be read beside others one is told once at the terminal, and by doctor and status as long as it is so", async () => {
  mailboxes = await startMailboxes(join(folder, "state"), Date.now);
  mailboxes.onNews(async () => {});
  const path = join(folder, "mail");
  for (const name of ["cur", "new", "tmp"]) mkdirSync(join(path, name), { recursive: true });
  writeFileSync(join(path, "new", "1.host"), "From: a@example.org\nSubject: One\n\nText\n");
  const link = join(path, "new", "2.host");
  symlinkSync("nowhere", link);
  const open = async () => {
    const response = await fetch(`${mailboxes.url}/open`, { method: "POST", body: JSON.stringify({ path }) });
    return response.json();
  };
  expect(await open()).toMatchObject({ items: 1 });
  expect(written).toEqual([expect.stringContaining(`${link} cannot be read`)]);
  const unread = mailboxes.unread();
  expect(unread).toEqual([link]);
  expect(mailLine({ mail: "account", mailUnread: [...unread] })).toMatch(
    /^mail: mail in .*2\.host is not seen.*Let scouts/,
  );
  rmSync(link);
  writeFileSync(join(path, "new", "2.host"), "From: a@example.org\nSubject: Two\n\nText\n");
  await mailboxes.whenAllArrived();
  await vi.waitFor(async () => expect(await open()).toMatchObject({ items: 2 }), { timeout: 30_000 });
  expect(mailboxes.unread()).toEqual([]);
  expect(mailLine({ mail: "account", mailUnread: [] })).toBeUndefined();
  expect(written).toHaveLength(1);
});

test("a mailbox that is open and holds no mail any more is refused until it does", async () => {
  mailboxes = await startMailboxes(join(folder, "state"), Date.now);
  const path = join(folder, "mail.mbox");
  const mbox = "From a@example.org Fri Nov 20 09:44:16 2026\nSubject: One\n\nText\n\n";
  writeFileSync(path, mbox);
  let news = Promise.withResolvers<string>();
  mailboxes.onNews(async (scout) => news.resolve(scout));
  expect(await ask("watch", { path, scoutId: inbox })).toBe(200);
  news = Promise.withResolvers();
  // Not written just now, so that it is judged without waiting for more of it.
  const writtenLongAgo = (text: string) => {
    writeFileSync(path, text);
    utimesSync(path, new Date(0), new Date(0));
  };
  writtenLongAgo("Dear diary,\n");
  expect(await news.promise).toBe(inbox);
  expect(await ask("open", { path })).toBe(422);
  expect(written.join("")).toMatch(/^.*mail\.mbox is not a mailbox: .*\n$/);
  writtenLongAgo(mbox);
  expect(await ask("open", { path })).toBe(200);
});

test("files that vanish are told once, in a sentence, and the scout is looked at; again when they are back", async () => {
  const path = join(folder, "mail");
  const elsewhere = join(folder, "elsewhere");
  mkdirSync(path);
  writeFileSync(join(path, "1.eml"), "From: a@example.org\r\nSubject: One\r\n\r\nText\r\n");
  mailboxes = await startMailboxes(join(folder, "state"), Date.now);
  let news = Promise.withResolvers<string>();
  mailboxes.onNews(async (scout) => news.resolve(scout));
  expect(await ask("watch", { path, scoutId: inbox })).toBe(200);
  news = Promise.withResolvers();
  renameSync(path, elsewhere);
  expect(await news.promise).toBe(inbox);
  expect(await ask("open", { path })).toBe(422);
  expect(written.join("")).toMatch(/^The mailbox .*mail cannot be read\. Was it moved, .*\n$/);
  // Waiting for what is there does not fail for what is not.
  await mailboxes.whenAllArrived();
  news = Promise.withResolvers();
  renameSync(elsewhere, path);
  expect(await news.promise).toBe(inbox);
  expect(await ask("open", { path })).toBe(200);
  expect(written.filter((line) => line.includes("    at "))).toEqual([]);
  expect(written).toHaveLength(2);
});

test("nothing silent: a mailbox within another that is read too is named, once and whichever came first, and for as long as it is", async () => {
  const letter = "From: Bea <bea@example.org>\nSubject: Beans\n\nThey are up.\n";
  const [mail, own] = [join(folder, "mail"), join(folder, "own")];
  for (const path of [join(mail, "archive"), join(own, "club")]) {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "1.eml"), letter);
  }
  const maildir = join(mail, "Maildir");
  for (const name of ["cur", "new"]) mkdirSync(join(maildir, name), { recursive: true });
  writeFileSync(join(maildir, "cur", "1.host:2,S"), letter);
  mailboxes = await startMailboxes(join(folder, "state"), Date.now, { path: own, address: "ada@example.com" });
  mailboxes.onNews(async () => {});
  const watch = (path: string) => ask("watch", { path, scoutId: inbox });
  const said = () => written.filter((line) => line.includes("read twice"));
  expect(await watch(join(mail, "archive"))).toBe(200);
  // Its mail is not read with the folder's.
  expect(await watch(maildir)).toBe(200);
  expect(said()).toEqual([]);
  for (const path of [mail, join(own, "club"), mail]) expect(await watch(path)).toBe(200);
  expect(said()).toEqual([
    expect.stringContaining(`${join(mail, "archive")} lies in ${mail}`),
    expect.stringContaining(`${join(own, "club")} lies in ${own}`),
  ]);
  const twice = async () => {
    const mailTwice = await mailboxes.readTwice();
    const pairs = mailTwice.map(({ inner, outer }) => [inner, outer]).toSorted();
    return { pairs, line: mailLine({ mail: "account", mailTwice: [...mailTwice] }) };
  };
  expect(await twice()).toEqual({
    pairs: [
      [join(mail, "archive"), mail],
      [join(own, "club"), own],
    ],
    line: expect.stringMatching(
      /^mail: .* lies in .* \(of pairs like that there are 2\)\. Remove the scout of one of them/,
    ),
  });
  expect(await ask("unwatch", { path: mail })).toBe(200);
  expect((await twice()).pairs).toEqual([[join(own, "club"), own]]);
  expect(await ask("unwatch", { path: join(own, "club") })).toBe(200);
  expect(await twice()).toEqual({ pairs: [], line: undefined });
});
