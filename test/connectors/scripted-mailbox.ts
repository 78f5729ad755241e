import { isScoutsError } from "../../events/errors.ts";
import type { ItemRef } from "../../events/ids.ts";
import { ledgerKey } from "../../shared/keys.ts";
import { changeOf } from "../../shared/ports/row-change.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { ImapConnector } from "../../shared/scouts/connectors/imap/connector.ts";
import { GrantVault } from "../../shared/scouts/connectors/imap/grant/grant-vault.ts";
import { type ImapSettings, imapSettings } from "../../shared/scouts/connectors/imap/settings.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import type { StoredScout } from "../../shared/scouts/scout-row.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { OpenTable, scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";
import { letter, type Scripted, startScripted } from "./scripted-imap.ts";

export interface Mailbox {
  readonly server: Scripted;
  readonly connector: ImapConnector;
  readonly cursor: string;
  deliver(...subjects: string[]): void;
  /** Reconnects the scout with other folders, as its owner does. */
  choose(...folders: string[]): Promise<void>;
  /** As another worker has it: it knows the scout and nothing of what was seen. */
  another(): ImapConnector;
}

/** A connected scout on a server that follows a script. @param opened what is to be closed again */
export async function scriptedMailbox(
  opened: { close(): Promise<void> }[],
  options: { taskTimeoutMs?: number; folders?: string[]; prepare?: (server: Scripted) => void } = {},
): Promise<Mailbox> {
  const server = await startScripted();
  opened.push(server);
  options.prepare?.(server);
  const given = settingsOf(server, { folders: options.folders ?? ["INBOX"] });
  const table = new OpenTable();
  const scouts = new ScoutStore(table);
  const settings = new SettingsVault(scouts, vault());
  const { taskTimeoutMs = 60_000 } = options;
  const another = () => {
    const fresh = new ImapConnector({
      settings,
      grants: noGrants,
      clock: Date.now,
      dial: { reach: "any" },
      taskTimeoutMs,
    });
    opened.push(fresh);
    return fresh;
  };
  const connector = another();
  const { own, cursor } = await connector.settings.verify(scout, new Transient({ given }));
  const kept = own && { own: own.reveal() };
  const sealedSettings = await settings.seal(scout, new Transient({ given, ...kept }));
  const row = { sourceType: "imap", sealed: "", sealedSettings, cursor, createdAt: 0, revision: 0 };
  await scouts.create({ ...scout, ...row });
  const deliver = (...subjects: string[]) => {
    const inbox = server.folders.get("INBOX");
    for (const subject of subjects) {
      if (!inbox) continue;
      inbox.messages.push({ uid: inbox.uidNext, raw: letter(subject) });
      inbox.uidNext += 1;
    }
  };
  const choose = async (...folders: string[]) => {
    const chosen = new Transient({ given: { ...given, folders }, ...kept });
    await connector.settings.verify(scout, chosen);
    const change = changeOf<StoredScout>({ set: { sealedSettings: await settings.seal(scout, chosen) } });
    await table.update(ledgerKey.scout(scout.userId, scout.scoutId), change, { exists: ["pk"] });
  };
  return { server, connector, cursor, deliver, choose, another };
}

/** For scouts that have no grant. */
export const noGrants = new GrantVault(new OpenTable(), vault());

export const settingsOf = ({ port }: Scripted, more: Partial<ImapSettings> = {}): ImapSettings =>
  imapSettings.parse({ host: "127.0.0.1", port, tls: "none", user: "ada", password: "secret", ...more });

export async function listed(connector: ImapConnector, cursor: string) {
  const refs: ItemRef[] = [];
  let page: string | undefined;
  for (;;) {
    const listing = await connector.listNew(scout, { cursor, ...(page === undefined ? {} : { page }) });
    refs.push(...listing.refs);
    page = listing.nextPage;
    const { cursor: next = "", gap, lacks } = listing;
    if (page === undefined) return { refs, cursor: next, gap, lacks };
  }
}

export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "no failure";
  } catch (error) {
    if (!isScoutsError(error)) throw error;
    return error.code;
  }
}
