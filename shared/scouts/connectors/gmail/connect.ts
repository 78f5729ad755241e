import * as z from "zod";
import { ScoutsError } from "../../../../events/errors.ts";
import type { CompleteRequest } from "../../../../events/http/consent.ts";
import type { ScoutId, UserId } from "../../../../events/ids.ts";
import type { SyncMessage } from "../../../../events/queues.ts";
import type { Queue } from "../../../ports/queue.ts";
import type { Table } from "../../../ports/table.ts";
import { blindAddress } from "../../../privacy/opaque.ts";
import type { RingSealer } from "../../../privacy/ring-sealer.ts";
import { Transient } from "../../../privacy/transient.ts";
import { holdingSource } from "../../lifecycle/source-hold.ts";
import type { ScoutRow } from "../../scout-row.ts";
import type { ScoutStore } from "../../scout-store.ts";
import { syncHint } from "../../sync/sync-hint.ts";
import type { MailboxStore } from "../../watch/mailbox-store.ts";
import { OtherAccount } from "../other-account.ts";
import { SettingsVault } from "../settings-vault.ts";
import type { GmailConnector } from "./connector.ts";
import { type ConsentPorts, scopesOf, spendState } from "./consent.ts";
import type { GmailCredentials } from "./credentials.ts";
import { exchangeCode, type GrantedTokens, revokeToken } from "./oauth.ts";

export interface ConnectPorts extends ConsentPorts {
  readonly ledger: Table;
  readonly scouts: ScoutStore;
  readonly mailboxes: MailboxStore;
  readonly credentials: GmailCredentials;
  readonly connector: GmailConnector;
  readonly sync: Queue<SyncMessage>;
  readonly addressKey: Uint8Array;
  readonly vault: () => Promise<RingSealer>;
}

/**
 * Connects a scout to the mailbox the person has consented to: tokens into the vault, the address (blinded) into the
 * look-up of the webhook, and the position from which it reads: now. A crash in between leaves a scout that is as it was
 * before, with the access it had, and the person connects again. The watch is the first sync run's business, which is tried again by
 * itself: mail that arrives before it is covered by the position.
 *
 * @throws consent_invalid, consent_incomplete (a scope was unticked; what was connected before still is), source_in_use,
 * source_account_other (the scout reads as it did),
 * scout_deleting
 */
export async function completeConnection(
  ports: ConnectPorts,
  user: UserId,
  scout: ScoutId,
  request: CompleteRequest,
): Promise<void> {
  const row = await ports.scouts.get(user, scout);
  if (row.deleting) throw new ScoutsError("scout_deleting");
  const state = await spendState(ports, user, scout, request);
  const { code, codeVerifier } = request;
  const granted = await exchangeCode(ports.oauth, { code, codeVerifier, redirectUri: ports.redirectUri });
  if (!scopesOf(state).every((scope) => granted.scopes.includes(scope))) throw new ScoutsError("consent_incomplete");
  const chosen = await ports.connector.address(row, granted.accessToken);
  const address = blindAddress(ports.addressKey, chosen);
  if (request.sameAccount && row.address !== undefined && row.address !== address) {
    throw new OtherAccount(new Transient({ expected: await knownAddress(ports, row), chosen }));
  }
  await holdingSource(ports, row, address, () => connect(ports, row, { chosen, address, granted }));
  await ports.sync.send([syncHint(row, "connected", ports.newId())]);
}

async function connect(
  ports: ConnectPorts,
  row: ScoutRow,
  { chosen, address, granted }: { chosen: string; address: string; granted: GrantedTokens },
): Promise<void> {
  const there = { ...row, address, formerAddress: row.address };
  await ports.credentials.store(there, granted);
  await ports.mailboxes.add(address, row);
  try {
    const cursor = await ports.connector.currentCursor(there);
    // Due at once: should this die before the message below is sent, the poll cron begins within a minute.
    const nowMs = ports.clock();
    const kept = new Transient({ given: { address: chosen } });
    const sealedSettings = await settingsOf(ports).seal(row, kept);
    await ports.scouts.noteConnected(row, { address, cursor, sealedSettings, dueAtMs: nowMs, nowMs });
  } catch (error) {
    await giveBackOfRemoved(ports, there, granted);
    throw error;
  }
  await forgetEarlier(ports, row, address);
}

/**
 * Its person may have removed the scout meanwhile, by what they had before: nobody else leads to what they have granted since. One
 * that is there keeps it, and connects anew.
 */
async function giveBackOfRemoved(
  ports: ConnectPorts,
  scout: ScoutRow & { readonly address: string },
  { refreshToken }: GrantedTokens,
): Promise<void> {
  if (await ports.scouts.find(scout.userId, scout.scoutId)) return;
  await ports.credentials.remove(scout);
  const isLast = await ports.mailboxes.remove(scout.address, scout.scoutId, ports.clock());
  if (isLast && refreshToken) await revokeToken(ports.oauth, refreshToken);
}

/** What is kept of an account beside its tokens: its address, so that its owner can be told it from another. */
const keptAccount = z.object({ address: z.string() });

const settingsOf = ({ scouts, vault }: ConnectPorts) => new SettingsVault(scouts, vault);

/** The address of the mailbox a scout reads; null for one that was connected before it was kept. */
async function knownAddress(ports: ConnectPorts, row: ScoutRow): Promise<string | null> {
  if (row.sealedSettings === undefined) return null;
  return (await settingsOf(ports).open(row, keptAccount)).reveal().given.address;
}

/** The mailbox the scout was on is left by its next run; of one before that nothing is known any more but its row. */
async function forgetEarlier({ mailboxes, clock }: ConnectPorts, row: ScoutRow, address: string): Promise<void> {
  const { formerAddress } = row;
  if (formerAddress === undefined || row.address === address || formerAddress === address) return;
  await mailboxes.remove(formerAddress, row.scoutId, clock());
}
