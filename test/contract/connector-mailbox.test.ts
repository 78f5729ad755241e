import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { itemRef } from "../../events/ids.ts";
import { startMailboxes } from "../../infra/local/world/mailboxes.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import type { ScoutAtSource } from "../../shared/scouts/connectors/connector.ts";
import { GmailClient } from "../../shared/scouts/connectors/gmail/client.ts";
import { MailboxConnector } from "../../shared/scouts/connectors/mailbox/connector.ts";
import { MailboxServer } from "../../shared/scouts/connectors/mailbox/server.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { message } from "../standins/mailbox-fixture.ts";
import { connectorContract } from "./connector-contract.ts";
import { OpenTable, scoutAtSource as scout, vault } from "./connector-fixtures.ts";

test("what is read of a mailbox in one turn is read with one request", async () => {
  const asked: string[] = [];
  const tokens = { accessToken: async () => new Transient("word"), refused: async () => {} };
  class Batches extends GmailClient {
    override async getMany(_: ScoutAtSource, ids: readonly string[]) {
      asked.push(ids.join("+"));
      return ids.map((id) => ({ id }));
    }
  }
  const opened = { url: "", token: new Transient(""), place: new Transient(""), items: 2 };
  const server = { open: async () => opened } as Partial<MailboxServer> as MailboxServer;
  const kept = {
    open: async () => new Transient({ given: { path: "/mail" } }),
  } as Partial<SettingsVault> as SettingsVault;
  const connector = new MailboxConnector(
    server,
    kept,
    systemClock,
    () => new Batches(tokens, "http://127.0.0.1:1/", systemClock),
  );
  await Promise.all(["1a", "2b"].map((ref) => connector.fetchContent(scout, itemRef.parse(ref))));
  expect(asked).toEqual(["1a+2b"]);
});

connectorContract("mailbox (files on this machine)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "scouts-mailboxes-"));
  const path = join(folder, "mail");
  const elsewhere = join(folder, "more");
  const files = new Map<string, string>();
  const write = (into: string, text: string, more = "") => {
    const file = join(into, `${files.size}.eml`);
    files.set(text, file);
    writeFileSync(file, message(text, `It says ${text}.`, `${more}Date: ${new Date().toUTCString()}\r\n`));
  };
  for (const each of [path, elsewhere]) {
    mkdirSync(each);
    write(each, `an older message in ${each}`);
  }
  const mailboxes = await startMailboxes(join(folder, "state"), Date.now);
  mailboxes.onNews(async () => {});
  const ledger = new OpenTable();
  const scouts = new ScoutStore(ledger);
  const kept = new SettingsVault(scouts, vault());
  const begin = () => new MailboxConnector(new MailboxServer(mailboxes.url), kept, systemClock);
  const connector = begin();
  const given = { path };
  const { cursor } = await connector.settings.verify(scout, new Transient({ given }));
  const sealedSettings = await kept.seal(scout, new Transient({ given }));
  const row = { sealed: "", sealedSettings, address: "blinded", cursor, createdAt: 0, revision: 0 };
  await scouts.create({ ...scout, sourceType: "mailbox", ...row });
  // Only mailboxes that are watched are waited for, and one of the tests ends the watch.
  const arrived = async () => {
    await connector.setupWatch(scout);
    await mailboxes.whenAllArrived();
  };
  await arrived();
  const moved = join(folder, "moved");
  return {
    connector,
    scout,
    settings: { given, elsewhere: { path: elsewhere }, malformed: [{}, { path: "mail" }, { path, more: 1 }] },
    publish: async (texts) => {
      for (const text of texts) write(path, text);
      await arrived();
    },
    tells: { sentAt: true, threadRef: true, sourceLink: false },
    restarted: begin,
    publishThread: async (first, second) => {
      write(path, first);
      await arrived();
      write(path, second, `References: <${first}@example.org>\r\n`);
      await arrived();
    },
    remove: async (text) => {
      rmSync(files.get(text) ?? "");
      await arrived();
    },
    failures: [
      {
        name: "the folder is moved away",
        code: "source_path_missing",
        arm: () => {
          renameSync(path, moved);
          return () => renameSync(moved, path);
        },
      },
    ],
    // A file on this disk has no quota.
    limits: [],
    atRest: async () => ledger.everWritten(),
    close: async () => {
      await mailboxes.close();
      rmSync(folder, { recursive: true });
    },
  };
});
