import { isScoutsError } from "../../events/errors.ts";
import type { ItemRef } from "../../events/ids.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { ImapConnector } from "../../shared/scouts/connectors/imap/connector.ts";
import { GrantVault } from "../../shared/scouts/connectors/imap/grant/grant-vault.ts";
import { type ImapSettings, imapSettings } from "../../shared/scouts/connectors/imap/settings.ts";
import { SettingsVault } from "../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../shared/scouts/scout-store.ts";
import { OpenTable, scoutAtSource as scout, vault } from "../contract/connector-fixtures.ts";
import { letter, type Scripted, startScripted } from "./scripted-imap.ts";

export interface Mailbox {
  readonly server: Scripted;
  readonly connector: ImapConnector;
  readonly cursor: string;
  deliver(...subjects: string[]): void;
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
  const scouts = new ScoutStore(new OpenTable());
  const settings = new SettingsVault(scouts, vault());
  const { taskTimeoutMs = 60_000 } = options;
  const connector = new ImapConnector({
    settings,
    grants: noGrants,
    clock: Date.now,
    dial: { reach: "any" },
    taskTimeoutMs,
  });
  opened.push(connector);
  const { own, cursor } = await connector.settings.verify(scout, new Transient({ given }));
  const sealedSettings = await settings.seal(scout, new Transient({ given, ...(own && { own: own.reveal() }) }));
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
  return { server, connector, cursor, deliver };
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
    if (page === undefined) return { refs, cursor: listing.cursor ?? "", gap: listing.gap };
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
