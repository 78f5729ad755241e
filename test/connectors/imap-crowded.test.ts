import { expect, test } from "vitest";
import { isScoutsError } from "../../events/errors.ts";
import { startImap } from "../../infra/standins/imap/start.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { ImapConnector } from "../../shared/scouts/connectors/imap/connector.ts";
import { GrantVault } from "../../shared/scouts/connectors/imap/grant/grant-vault.ts";
import { imapSettings } from "../../shared/scouts/connectors/imap/settings.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { OpenTable, scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";

const user = "ada@example.com";
const password = "secret";
/** More of one day and one size than a process remembers the places of when it has just begun: it has to search. */
const messages = 2_600;

/** As monitoring, build and ticket systems send them: by the thousand, each as long as the one before. */
const notice = (number: number) =>
  Buffer.from(
    [
      "From: Watch <watch@example.com>",
      `Subject: Disk ${String(number).padStart(6, "0")} is full`,
      `Message-ID: <${String(number).padStart(6, "0")}@example.com>`,
      "",
      "It is full.",
    ].join("\r\n"),
  );

test("P2: of thousands that arrive in a day, all of one size, a process that has just begun finds each, and what is gone", async () => {
  const server = await startImap({ users: [{ user, password }] });
  const scouts = new ScoutStore(new OpenTable());
  const settings = new SettingsVault(scouts, vault());
  const begun: ImapConnector[] = [];
  const begin = () => {
    const connector = new ImapConnector({
      settings,
      grants: new GrantVault(new OpenTable(), vault()),
      clock: Date.now,
      dial: { reach: "any" },
      taskTimeoutMs: 600_000,
    });
    begun.push(connector);
    return connector;
  };
  try {
    const given = imapSettings.parse({ host: "127.0.0.1", port: server.port, tls: "none", user, password });
    const first = begin();
    const { own, cursor } = await first.settings.verify(scout, new Transient({ given }));
    const sealedSettings = await settings.seal(scout, new Transient({ given, ...(own && { own: own.reveal() }) }));
    const row = { sourceType: "imap", sealed: "", sealedSettings, cursor, createdAt: 0, revision: 0 };
    await scouts.create({ ...scout, ...row });
    const inbox = server.account().find("INBOX");
    if (!inbox) throw new Error("there is no INBOX");
    for (let number = 0; number < messages; number += 1) inbox.deliver({ raw: notice(number) });
    const { refs } = await first.listNew(scout, { cursor });
    const [oldest, gone] = refs;
    if (oldest === undefined || gone === undefined) throw new Error("nothing was listed");

    const second = begin();
    expect((await second.fetchMetadata(scout, oldest)).subject.reveal()).toBe("Disk 000000 is full");
    // The others were passed on the way: each is read where it was seen.
    const searches = () => server.seen().filter(({ name }) => name === "UID SEARCH").length;
    const before = searches();
    await second.fetchMetadataMany(scout, refs.slice(100));
    expect(searches()).toBe(before);

    inbox.expunge(inbox.messages.slice(1, 2).map(({ uid }) => uid));
    const failure = await begin()
      .fetchMetadata(scout, gone)
      .catch((error: unknown) => error);
    expect(isScoutsError(failure, "item_gone")).toBe(true);
  } finally {
    for (const connector of begun) await connector.close();
    await server.close();
  }
});
