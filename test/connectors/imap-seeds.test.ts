import { describe, expect, test } from "vitest";
import { isScoutsError } from "../../events/errors.ts";
import type { ItemRef } from "../../events/ids.ts";
import type { Fault } from "../../infra/standins/imap/faults.ts";
import { startImap } from "../../infra/standins/imap/start.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { ImapConnector } from "../../shared/scouts/connectors/imap/connector.ts";
import { GrantVault } from "../../shared/scouts/connectors/imap/grant/grant-vault.ts";
import { imapSettings } from "../../shared/scouts/connectors/imap/settings.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { OpenTable, scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";
import { SeededRandom } from "../simulation/random.ts";

const faults: readonly Fault[] = [
  { kind: "dropsBefore" },
  { kind: "dropsDuring" },
  { kind: "dropsUnanswered" },
  { kind: "greetsWithBye", text: "[LIMIT] Too many connections" },
  { kind: "answers", line: "NO [UNAVAILABLE] Try later" },
  { kind: "literalLies", by: -7 },
  { kind: "resetsUidValidity" },
  { kind: "expunges" },
];
const folders = ["INBOX", "Lists & Groups"];

/**
 * The connector as the engine drives it (a page at a time, the position kept only when its refs are, a restart at any
 * call), on a server that fails, expunges and numbers its folders anew, all by seed.
 */
describe.each(Array.from({ length: 5 }, (_, index) => index + 1))("P2: seed %i", (seed) => {
  test("every message that is there at the end has been listed, and none under two refs", async () => {
    const random = new SeededRandom(seed);
    const server = await startImap({
      without: random.chance(0.3) ? ["CONDSTORE", "QRESYNC", "ENABLE", "UIDPLUS"] : [],
    });
    const account = server.account();
    account.create(folders[1] ?? "");
    const scouts = new ScoutStore(new OpenTable());
    const settings = new SettingsVault(scouts, vault());
    const grants = new GrantVault(new OpenTable(), vault());
    const ports = { settings, grants, clock: Date.now, dial: { reach: "any" as const }, taskTimeoutMs: 5_000 };
    const given = imapSettings.parse({
      host: "127.0.0.1",
      port: server.port,
      tls: "none",
      user: "ada@example.com",
      password: "secret",
      folders,
    });
    let connector = new ImapConnector(ports);
    try {
      const { own, cursor: first } = await connector.settings.verify(scout, new Transient({ given }));
      const sealedSettings = await settings.seal(scout, new Transient({ given, ...(own && { own: own.reveal() }) }));
      const row = { sourceType: "imap", sealed: "", sealedSettings, cursor: first, createdAt: 0, revision: 0 };
      await scouts.create({ ...scout, ...row });

      const queued = new Set<ItemRef>();
      let position: { cursor: string; page?: string } = { cursor: first };
      let delivered = 0;
      /** One step of the engine; whatever fails is tried again from the position that was kept. */
      const step = async (): Promise<boolean> => {
        if (random.chance(0.2)) {
          await connector.close();
          connector = new ImapConnector(ports);
        }
        try {
          const { refs, nextPage, cursor } = await connector.listNew(scout, position);
          for (const ref of refs) queued.add(ref);
          if (random.chance(0.1)) return false;
          position = nextPage === undefined ? { cursor: cursor ?? position.cursor } : { ...position, page: nextPage };
          return nextPage === undefined;
        } catch (error) {
          if (!isScoutsError(error)) throw error;
          return false;
        }
      };
      for (let round = 0; round < 20; round += 1) {
        const folder = account.find(random.pick(folders));
        for (let mails = random.int(0, 3); mails > 0; mails -= 1) {
          delivered += 1;
          folder?.deliver({ raw: letter(delivered) });
        }
        if (random.chance(0.6)) {
          const fault = random.pick(faults);
          server.faults.arm(fault, { times: random.int(1, 3) });
        }
        await step();
      }
      server.faults.disarmAll();
      for (let steps = 0; !(await step()) || steps < 3; steps += 1) if (steps > 200) throw new Error("it never ends");

      // Every message that is there, by what it says: found by its ref, and by one only.
      const said = new Map<string, ItemRef[]>();
      for (const ref of queued) {
        const read = await connector.fetchContent(scout, ref).catch((error: unknown) => {
          if (isScoutsError(error, "item_gone")) return undefined;
          throw error;
        });
        if (read) said.set(read.subject.reveal(), [...(said.get(read.subject.reveal()) ?? []), ref]);
      }
      const there = folders.flatMap((name) => subjectsIn(account.find(name)));
      expect([...said.keys()].sort()).toEqual(there.sort());
      expect([...said.values()].filter((refs) => refs.length > 1)).toEqual([]);
    } finally {
      await connector.close();
      await server.close();
    }
  });
});

function letter(number: number): Buffer {
  return Buffer.from(`Message-ID: <${number}@example.org>\r\nSubject: mail ${number}\r\n\r\nIt says ${number}.\r\n`);
}

function subjectsIn(folder: { readonly messages: readonly { readonly raw: () => Buffer }[] } | undefined): string[] {
  return (folder?.messages ?? []).map(({ raw }) => /Subject: (.*)\r\n/.exec(raw().toString())?.[1] ?? "");
}
