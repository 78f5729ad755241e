import { afterEach, describe, expect, test } from "vitest";
import type { ItemRef } from "../../events/ids.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { FoldersUnknown } from "../../shared/scouts/connectors/folders-unknown.ts";
import { listen } from "../../shared/scouts/connectors/imap/idle.ts";
import { answerCall } from "../../shared/scouts/connectors/remote/answer-call.ts";
import { RemoteConnector } from "../../shared/scouts/connectors/remote/remote-connector.ts";
import { scoutAtSource as scout } from "../contract/connector-fixtures.ts";
import { serverMoment } from "./mail-moments.ts";
import { letter } from "./scripted-imap.ts";
import { codeOf, listed, type Mailbox, scriptedMailbox, settingsOf } from "./scripted-mailbox.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

const dayMs = 86_400_000;

/** A scout that reads three folders. */
const threeFolders = () =>
  scriptedMailbox(opened, {
    folders: ["INBOX", "Middle", "Later"],
    prepare: ({ folders }) => {
      for (const path of ["Middle", "Later"]) folders.set(path, { validity: 3, uidNext: 1, messages: [] });
    },
  });

function arrive({ server }: Mailbox, path: string, subject: string, inMs = -60_000): void {
  const folder = server.folders.get(path);
  if (!folder) throw new Error(`There is no ${path}`);
  folder.messages.push({ uid: folder.uidNext, raw: letter(subject), internalDate: serverMoment(inMs) });
  folder.uidNext += 1;
}

/** Takes a folder away, and gives it back. */
function takeAway({ server }: Mailbox, path: string) {
  const folder = server.folders.get(path);
  if (!folder) throw new Error(`There is no ${path}`);
  server.folders.delete(path);
  return {
    folder,
    giveBack: (name = path) => {
      server.folders.set(name, folder);
    },
  };
}

/** A position as it would be had the last look been so long ago. */
function aged(cursor: string, byMs: number): string {
  const read = JSON.parse(cursor);
  return JSON.stringify({ ...read, completeAt: read.completeAt - byMs / 1000 });
}

const subjectsOf = async ({ connector }: Mailbox, refs: readonly ItemRef[]) => {
  const read = await Promise.all(refs.map((ref) => connector.fetchMetadata(scout, ref)));
  return read.map(({ subject }) => subject.reveal());
};

describe("P2: a folder that was deleted or renamed keeps no other waiting", () => {
  test("the others are listed and read, in front of it and behind it, and it is told that one is not there", async () => {
    const box = await threeFolders();
    takeAway(box, "Middle");
    arrive(box, "INBOX", "one");
    arrive(box, "Later", "two");
    const first = await listed(box.connector, box.cursor);
    expect(await subjectsOf(box, first.refs)).toEqual(["one", "two"]);
    expect(first.lacks).toBe("source_folder_unknown");
    arrive(box, "Later", "three");
    const second = await listed(box.connector, first.cursor);
    expect(await subjectsOf(box, second.refs)).toEqual(["three"]);
    expect(second.lacks).toBe("source_folder_unknown");
  });

  test("every page says so, from the look on that follows", async () => {
    const box = await threeFolders();
    takeAway(box, "Later");
    const { cursor } = await listed(box.connector, box.cursor);
    arrive(box, "INBOX", "one");
    const page = await box.connector.listNew(scout, { cursor });
    expect(page).toMatchObject({ nextPage: expect.any(String), lacks: "source_folder_unknown" });
  });

  test("when it is there again it is read on from where it was left", async () => {
    const box = await threeFolders();
    arrive(box, "Middle", "before");
    const { cursor } = await listed(box.connector, box.cursor);
    const { folder, giveBack } = takeAway(box, "Middle");
    const without = await listed(box.connector, (await listed(box.connector, cursor)).cursor);
    folder.messages.push({ uid: folder.uidNext, raw: letter("meanwhile") });
    folder.uidNext += 1;
    giveBack();
    const again = await listed(box.connector, without.cursor);
    expect(await subjectsOf(box, again.refs)).toEqual(["meanwhile"]);
    expect(again).toMatchObject({ lacks: undefined, gap: undefined });
    expect((await listed(box.connector, again.cursor)).refs).toEqual([]);
  });

  test("when it is there again under other numbers it is searched since it was last complete, not since the last look", async () => {
    const box = await threeFolders();
    const { folder, giveBack } = takeAway(box, "Middle");
    // It went ten days ago; the others were looked at ever since.
    const went = await listed(box.connector, aged(box.cursor, 10 * dayMs));
    const { cursor } = await listed(box.connector, went.cursor);
    giveBack();
    folder.validity = 99;
    arrive(box, "Middle", "long before", -20 * dayMs);
    arrive(box, "Middle", "a week ago", -7 * dayMs);
    const again = await listed(box.connector, cursor);
    expect(await subjectsOf(box, again.refs)).toEqual(["a week ago"]);
    expect(again.gap).toBeDefined();
  });

  test("a source of which no folder is left is no source that was read", async () => {
    const box = await threeFolders();
    for (const path of ["INBOX", "Middle", "Later"]) box.server.folders.delete(path);
    expect(await codeOf(box.connector.listNew(scout, { cursor: box.cursor }))).toBe("source_folder_unknown");
  });

  test("what is not found while it is not there is not gone: it may be in there", async () => {
    const box = await threeFolders();
    arrive(box, "Middle", "one");
    const [ref] = (await listed(box.connector, box.cursor)).refs;
    if (ref === undefined) throw new Error("not listed");
    const { giveBack } = takeAway(box, "Middle");
    expect(await codeOf(box.connector.fetchMetadata(scout, ref))).toBe("source_folder_unknown");
    giveBack("Renamed");
    await box.choose("INBOX", "Renamed", "Later");
    expect(await subjectsOf(box, [ref])).toEqual(["one"]);
    await box.choose("INBOX", "Later");
    expect(await codeOf(box.connector.fetchMetadata(scout, ref))).toBe("item_gone");
  });

  test("a line that tells of news is held open in the first of those that are there", async () => {
    const box = await threeFolders();
    box.server.capabilities = "IMAP4rev1 IDLE";
    takeAway(box, "INBOX");
    const access = { ...settingsOf(box.server), folders: ["INBOX", "Middle"] };
    const line = await listen(access, { pass: "secret" }, { reach: "any" }, () => {});
    opened.push({ close: async () => line?.close() });
    const selected = box.server.heard.filter((each) => each.includes("EXAMINE"));
    expect(selected.at(-1)).toContain("Middle");
    expect(await codeOf(listen({ ...access, folders: ["No"] }, { pass: "secret" }, { reach: "any" }, () => {}))).toBe(
      "source_folder_unknown",
    );
  });
});

describe("other folders for a scout that is connected", () => {
  test("one that takes the place of another is read from when that was last complete: nothing is lost or new twice", async () => {
    const box = await threeFolders();
    arrive(box, "Middle", "before");
    const { cursor, refs } = await listed(box.connector, box.cursor);
    const { giveBack } = takeAway(box, "Middle");
    giveBack("Renamed");
    arrive(box, "Renamed", "meanwhile");
    await box.choose("INBOX", "Renamed", "Later");
    const first = await listed(box.connector, cursor);
    expect(first.refs).toEqual(expect.arrayContaining([...refs]));
    expect((await subjectsOf(box, first.refs)).sort()).toEqual(["before", "meanwhile"]);
    expect(first.lacks).toBeUndefined();
    arrive(box, "Renamed", "after");
    expect(await subjectsOf(box, (await listed(box.connector, first.cursor)).refs)).toEqual(["after"]);
  });

  test("that was not there for long is searched for as long", async () => {
    const box = await threeFolders();
    const { giveBack } = takeAway(box, "Middle");
    const went = await listed(box.connector, aged(box.cursor, 10 * dayMs));
    const { cursor } = await listed(box.connector, went.cursor);
    giveBack("Renamed");
    arrive(box, "Renamed", "long before", -20 * dayMs);
    arrive(box, "Renamed", "a week ago", -7 * dayMs);
    await box.choose("INBOX", "Renamed", "Later");
    expect(await subjectsOf(box, (await listed(box.connector, cursor)).refs)).toEqual(["a week ago"]);
  });

  test("one that is chosen besides is read from now on", async () => {
    const box = await threeFolders();
    const { cursor } = await listed(box.connector, box.cursor);
    box.server.folders.set("More", { validity: 5, uidNext: 1, messages: [] });
    arrive(box, "More", "before");
    await box.choose("INBOX", "Middle", "Later", "More");
    const first = await listed(box.connector, cursor);
    expect(first.refs).toEqual([]);
    arrive(box, "More", "after");
    expect(await subjectsOf(box, (await listed(box.connector, first.cursor)).refs)).toEqual(["after"]);
  });

  test("one that was left lies in no position: what is chosen later does not take over from it", async () => {
    const box = await threeFolders();
    await box.choose("INBOX", "Middle");
    const { cursor } = await listed(box.connector, box.cursor);
    box.server.folders.set("More", { validity: 5, uidNext: 1, messages: [] });
    arrive(box, "More", "before");
    await box.choose("INBOX", "Middle", "More");
    expect((await listed(box.connector, cursor)).refs).toEqual([]);
  });
});

describe("which folder is not there, for its owner's eyes", () => {
  test("settings that name one are refused, and the answer says which; what may be logged does not (P1)", async () => {
    const failure: unknown = await scriptedMailbox(opened, { folders: ["INBOX", "Secret/Gone", "Other"] }).catch(
      (error: unknown) => error,
    );
    if (!(failure instanceof FoldersUnknown)) throw new Error("it was not refused");
    expect(failure.code).toBe("source_folder_unknown");
    expect(failure.folders.reveal()).toEqual(["Secret/Gone", "Other"]);
    expect(failure.data).toEqual({});
    expect(`${failure.message} ${failure.stack}`).not.toContain("Secret");
  });

  test("a scout says what it sees, and what not", async () => {
    const box = await threeFolders();
    arrive(box, "Later", "one");
    takeAway(box, "Middle");
    const sees = await box.connector.sees(scout);
    expect([sees.folders.reveal(), sees.missing.reveal()]).toEqual([["INBOX", "Later"], ["Middle"]]);
    expect(sees.items).toBe(1);
  });

  test("all of this is the same where another function speaks to the source", async () => {
    const box = await threeFolders();
    takeAway(box, "Middle");
    const { sourceType, settings } = box.connector;
    const remote = new RemoteConnector(
      { sourceType, settings },
      {
        call: async (call) =>
          JSON.parse(JSON.stringify(await answerCall(new Map([[sourceType, box.connector]]), call))),
      },
    );
    expect((await remote.sees(scout)).missing.reveal()).toEqual(["Middle"]);
    expect((await remote.listNew(scout, { cursor: box.cursor })).lacks).toBe("source_folder_unknown");
    const given = settingsOf(box.server, { folders: ["INBOX", "Middle"] });
    const failure: unknown = await remote.settings
      .verify(scout, new Transient({ given }))
      .catch((error: unknown) => error);
    expect(failure instanceof FoldersUnknown && failure.folders.reveal()).toEqual(["Middle"]);
    const there = new Transient({ given: settingsOf(box.server, { folders: ["INBOX"] }) });
    const { identity, alsoKnownAs } = await remote.settings.verify(scout, there);
    const names = [identity.reveal(), ...(alsoKnownAs?.reveal() ?? [])];
    const { user, port } = there.reveal().given;
    expect(names).toEqual(["localhost", "127.0.0.1", "::1"].map((host) => `imap ${user}@${host}:${port}`));
  });
});
