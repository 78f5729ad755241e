import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { startMailboxes } from "../../infra/local/world/mailboxes.ts";
import { startMailbox } from "../../infra/standins/mailbox/start.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { MailboxConnector } from "../../shared/scouts/connectors/mailbox/connector.ts";
import { MailboxServer } from "../../shared/scouts/connectors/mailbox/server.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { OpenTable, scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";
import { address, clientOf, message, oauthClient, watchAll } from "../standins/mailbox-fixture.ts";

type Kind = "mbox" | "folder" | "Maildir";

let folder: string;
const at = (...names: string[]) => join(folder, ...names);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "scouts-moved-"));
  mkdirSync(at("elsewhere"));
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** Adds a mail to a mailbox, which is made when there is none. */
function receive(kind: Kind, path: string, subject: string): void {
  const mail = message(subject, "It says so.", `Date: ${new Date().toUTCString()}\r\n`);
  if (kind === "mbox") appendFileSync(path, `From bea@example.org Mon Nov 23 10:00:00 2026\r\n${mail}\r\n`);
  if (kind === "folder") mkdirSync(path, { recursive: true });
  if (kind === "folder") writeFileSync(join(path, `${subject}.eml`), mail);
  if (kind !== "Maildir") return;
  for (const name of ["new", "cur", "tmp"]) mkdirSync(join(path, name), { recursive: true });
  writeFileSync(join(path, "new", `${subject}.host`), mail);
}

interface Move {
  readonly name: string;
  /** Where the mailbox lies first, and by which path it is given. */
  begin(): { readonly lies: string; readonly given: string };
  /** Where it lies then. */
  move(): string;
}

const moves: readonly Move[] = [
  {
    name: "moved, with a link left in its place",
    begin: () => ({ lies: at("mail"), given: at("mail") }),
    move: () => {
      renameSync(at("mail"), at("elsewhere", "other"));
      symlinkSync(join("elsewhere", "other"), at("mail"));
      return at("elsewhere", "other");
    },
  },
  {
    name: "given by a link, moved, with the link led to its new place",
    begin: () => {
      symlinkSync("mail", at("link"));
      return { lies: at("mail"), given: at("link") };
    },
    move: () => {
      renameSync(at("mail"), at("elsewhere", "other"));
      rmSync(at("link"));
      symlinkSync(at("elsewhere", "other"), at("link"));
      return at("elsewhere", "other");
    },
  },
];
const kinds: readonly Kind[] = ["mbox", "folder", "Maildir"];
const cases = kinds.flatMap((kind) => moves.map((move): [Kind, string, Move] => [kind, move.name, move]));

/** News come when they come, and may be of less than is waited for. */
class News {
  #told = Promise.withResolvers<void>();

  readonly tell = async (): Promise<void> => this.#told.resolve();

  /** What is found once there is news of it. */
  async until<T>(find: () => Promise<readonly T[]>): Promise<readonly T[]> {
    await this.#told.promise;
    this.#told = Promise.withResolvers();
    const found = await find();
    return found.length > 0 ? found : this.until(find);
  }
}

/** A scout on a mailbox that was added, in a home that can be started again. */
async function addedMailbox(path: string) {
  const news = new News();
  const scouts = new ScoutStore(new OpenTable());
  const kept = new SettingsVault(scouts, vault());
  const start = async () => {
    const mailboxes = await startMailboxes(at("state"), Date.now);
    mailboxes.onNews(news.tell);
    return { mailboxes, connector: new MailboxConnector(new MailboxServer(mailboxes.url), kept, systemClock) };
  };
  let home = await start();
  onTestFinished(() => home.mailboxes.close());
  const given = { path };
  const { cursor, identity } = await home.connector.settings.verify(scout, new Transient({ given }));
  const sealedSettings = await kept.seal(scout, new Transient({ given }));
  const row = { sealed: "", sealedSettings, address: "blinded", cursor, createdAt: 0, revision: 0 };
  await scouts.create({ ...scout, sourceType: "mailbox", ...row });
  await home.connector.setupWatch(scout);
  let position = { cursor };
  const found = async (): Promise<readonly unknown[]> => {
    const listing = await home.connector.listNew(scout, position);
    position = { cursor: listing.cursor ?? "" };
    const metadata = await home.connector.fetchMetadataMany(scout, listing.refs);
    return metadata.map((each) => ("subject" in each ? each.subject.reveal() : each));
  };
  return {
    identity: identity.reveal(),
    newMail: () => news.until(found),
    identityOf: async (other: string) =>
      (await home.connector.settings.verify(scout, new Transient({ given: { path: other } }))).identity.reveal(),
    pause: () => home.connector.stopWatch(scout),
    resume: () => home.connector.setupWatch(scout),
    forget: () => home.connector.forget(scout),
    async restart() {
      await home.mailboxes.close();
      home = await start();
    },
  };
}

test.each(cases)("P2: of an added mailbox (%s) that is %s new mail is seen, and none twice", async (kind, _, way) => {
  const { lies, given } = way.begin();
  receive(kind, lies, "first");
  const added = await addedMailbox(given);
  expect(await added.newMail()).toEqual(["first"]);
  const moved = way.move();
  receive(kind, moved, "second");
  expect(await added.newMail()).toEqual(["second"]);
  await added.restart();
  receive(kind, moved, "third");
  expect(await added.newMail()).toEqual(["third"]);
  await added.pause();
  receive(kind, moved, "fourth");
  await added.resume();
  expect(await added.newMail()).toEqual(["fourth"]);
  // It is the same one under its new path as well, so that nobody adds it a second time.
  expect(await added.identityOf(moved)).toBe(added.identity);
  rmSync(moved, { recursive: true });
  await added.forget();
  expect(readdirSync(at("state"))).toEqual([]);
});

test("a mailbox that an earlier version has noted is known again when it was moved while the home was down", async () => {
  const [way] = moves;
  const { given = "" } = way?.begin() ?? {};
  receive("mbox", given, "first");
  const added = await addedMailbox(given);
  expect(await added.newMail()).toEqual(["first"]);
  const [id = ""] = readdirSync(at("state"));
  const note = at("state", id, "watched.json");
  const { path, scoutId } = JSON.parse(readFileSync(note, "utf8"));
  writeFileSync(note, JSON.stringify({ path, scoutId }));
  receive("mbox", way?.move() ?? "", "second");
  await added.restart();
  expect(await added.newMail()).toEqual(["second"]);
  expect(readdirSync(at("state"))).toEqual([id]);
});

test.each(kinds)(
  "P2: of the home's own mailbox (%s), moved with a link left in its place, the same holds",
  async (kind) => {
    const [way] = moves;
    const { given = "" } = way?.begin() ?? {};
    receive(kind, given, "first");
    const news = new News();
    const start = () =>
      startMailbox({ path: given, stateDir: at("state"), address, oauth: oauthClient, push: () => news.tell() });
    let mailbox = await start();
    onTestFinished(() => mailbox.close());
    let known: readonly string[] = [];
    const newMail = () =>
      news.until(async () => {
        const client = clientOf(mailbox);
        const { data } = await client.users.messages.list({ userId: "me" });
        const fresh = (data.messages ?? []).map(({ id }) => id ?? "").filter((id) => !known.includes(id));
        known = [...known, ...fresh];
        return fresh;
      });
    await watchAll(mailbox, clientOf(mailbox));
    expect(await newMail()).toHaveLength(1);
    const moved = way?.move() ?? "";
    receive(kind, moved, "second");
    expect(await newMail()).toHaveLength(1);
    await mailbox.close();
    mailbox = await start();
    receive(kind, moved, "third");
    expect(await newMail()).toHaveLength(1);
    expect(mailbox.stats()).toMatchObject({ messages: 3, arrived: 3 });
  },
);
