import * as z from "zod";
import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import { ledgerKey } from "../../../keys.ts";
import type { After, Clock } from "../../../ports/clock.ts";
import type { Condition, Table } from "../../../ports/table.ts";
import type { RingSealer } from "../../../privacy/ring-sealer.ts";
import { Transient } from "../../../privacy/transient.ts";
import { sealingContext } from "../../scout-row.ts";
import type { ScoutAtSource } from "../connector.ts";
import { inTurn, type Renewed } from "../refresh-turn.ts";
import { type GoogleOAuthOptions, type GrantedTokens, refreshTokens } from "./oauth.ts";

/** A token is not used in its last minute: it would expire on the way. */
const marginMs = 60_000;
/** Google's live an hour. A later time was written by a clock that has stepped back since; ten minutes, as clocks differ. */
const longestLifeMs = 3_600_000;
const clockMarginMs = 10 * 60_000;

const access = z.object({
  refreshToken: z.string(),
  accessToken: z.string(),
  expiresAt: z.number(),
  scopes: z.array(z.string()),
  /** The mailbox it is for, blinded; absent in rows of before it was kept. */
  address: z.string().optional(),
});
type Access = z.infer<typeof access>;

/** The newest access, and the one to the mailbox before while the scout's row may still name that. */
const vaultContent = access.extend({ former: access.optional() });
type VaultContent = z.infer<typeof vaultContent>;

/** A vault row as it was read. */
interface VaultRow {
  readonly sealed: string;
  readonly content: VaultContent;
}

/** Who writes at the same time is another worker that refreshes, or the person who connects anew: seldom, and once. */
const maxTries = 4;

/**
 * A scout's access to its mailbox: sealed in the Ledger, opened in memory, refreshed by one worker at a time and written
 * before it is used, because the refresh token may be another one from then on (see {@link inTurn}). A token is used for the mailbox it is for and no other: what is kept in memory is known by scout and address, so that a process
 * that has read the old mailbox for an hour reads the new one with the first row that names it, and one that still holds
 * the old row goes on with the old access.
 */
export class GmailCredentials {
  readonly #ledger: Table;
  readonly #sealer: () => Promise<RingSealer>;
  readonly #oauth: GoogleOAuthOptions;
  readonly #clock: Clock;
  readonly #after: After;
  readonly #open = new Map<string, Promise<Access>>();
  /** What was answered and could not be written, by the refresh token that was spent on it. */
  readonly #unwritten = new Map<string, Access>();

  constructor(ledger: Table, sealer: () => Promise<RingSealer>, oauth: GoogleOAuthOptions, clock: Clock, after: After) {
    this.#ledger = ledger;
    this.#sealer = sealer;
    this.#oauth = oauth;
    this.#clock = clock;
    this.#after = after;
  }

  /** @throws source_not_connected, reauth, source_unavailable (no access to this mailbox is kept) */
  async accessToken(scout: ScoutAtSource): Promise<Transient<string>> {
    return new Transient((await this.#usable(scout)).accessToken);
  }

  /** Forgets a token the source has refused, so that the next call refreshes. */
  async refused(scout: ScoutAtSource): Promise<void> {
    const known = await this.#load(scout);
    this.#open.set(nameOf(scout), Promise.resolve({ ...known, expiresAt: 0 }));
  }

  /**
   * Keeps what a consent granted for the scout's address. Access to the mailbox it is on until then, its former address,
   * stays beside it.
   */
  async store(scout: ScoutAtSource, granted: GrantedTokens): Promise<void> {
    const { address, formerAddress } = scout;
    if (!granted.refreshToken) throw new ScoutsError("consent_incomplete");
    const fresh = this.#accessOf(granted, granted.refreshToken.reveal(), granted.scopes, address);
    await this.#change(scout, (before) => {
      const kept = before ? [withoutFormer(before), ...(before.former ? [before.former] : [])] : [];
      const labelled = kept.map((each) => ({ address: formerAddress, ...each }));
      const former = labelled.find((each) => each.address !== undefined && each.address !== address);
      return former ? { ...fresh, former } : fresh;
    });
    this.#open.set(nameOf(scout), Promise.resolve(fresh));
  }

  /** The one that is good now, read afresh: another worker may have spent the one that is known here. */
  async refreshToken(scout: ScoutAtSource): Promise<Transient<string>> {
    return new Transient((await this.#readAccess(scout)).refreshToken);
  }

  /** What the person has granted by now, read afresh: a consent is given elsewhere, and its token is the one to use. */
  async scopes(scout: ScoutAtSource): Promise<readonly string[]> {
    const kept = await this.#readAccess(scout);
    const known = await this.#open.get(nameOf(scout));
    if (known?.refreshToken !== kept.refreshToken) this.#open.set(nameOf(scout), Promise.resolve(kept));
    return kept.scopes;
  }

  async remove(scout: ScoutAtSource): Promise<void> {
    await this.#ledger.delete(ledgerKey.vault(scout.userId, scout.scoutId));
    this.#open.delete(nameOf(scout));
  }

  /** Everybody who asks while a token is being fetched waits for the same one. */
  #usable(scout: ScoutAtSource): Promise<Access> {
    const known = this.#open.get(nameOf(scout)) ?? this.#load(scout);
    const usable = known.then((content) =>
      this.#isFresh(content) ? content : this.#refreshOnce(scout, known, content),
    );
    if (!this.#open.has(nameOf(scout))) this.#remember(scout, known);
    return usable;
  }

  #refreshOnce(scout: ScoutAtSource, stale: Promise<Access>, content: Access): Promise<Access> {
    const current = this.#open.get(nameOf(scout));
    if (current && current !== stale) return current;
    const fresh = this.#refresh(scout, content);
    this.#remember(scout, fresh);
    return fresh;
  }

  #remember(scout: ScoutAtSource, content: Promise<Access>): void {
    this.#open.set(nameOf(scout), content);
    content.catch(() => this.#open.delete(nameOf(scout)));
  }

  #refresh(scout: ScoutAtSource, known: Access): Promise<Access> {
    const key = ledgerKey.vault(scout.userId, scout.scoutId);
    const ports = { ledger: this.#ledger, clock: this.#clock, after: this.#after };
    const usable = async () => {
      // Another worker may have refreshed, or the person connected anew, since this one read the row.
      const kept = await this.#readAccess(scout);
      return kept.accessToken !== known.accessToken && this.#isFresh(kept) ? kept : undefined;
    };
    return inTurn(ports, key, { usable, renew: () => this.#renew(scout), when: { exists: ["pk"] } });
  }

  async #renew(scout: ScoutAtSource): Promise<Renewed<Access>> {
    const stale = await this.#readAccess(scout);
    let fresh = this.#unwritten.get(stale.refreshToken);
    try {
      fresh ??= await this.#ask(stale);
    } catch (error) {
      const connected = isScoutsError(error, "reauth") ? await this.#connectedSince(scout, stale) : undefined;
      if (connected === undefined) throw error;
      return { access: connected, written: false };
    }
    this.#unwritten.set(stale.refreshToken, fresh);
    const written = await this.#change(scout, (now) => now && replaced(now, stale, fresh, scout));
    this.#unwritten.delete(stale.refreshToken);
    return { access: fresh, written };
  }

  async #ask(stale: Access): Promise<Access> {
    const granted = await refreshTokens(this.#oauth, new Transient(stale.refreshToken));
    const scopes = granted.scopes.length > 0 ? granted.scopes : stale.scopes;
    const refreshToken = granted.refreshToken?.reveal() ?? stale.refreshToken;
    return this.#accessOf(granted, refreshToken, scopes, stale.address);
  }

  /** What the person has consented to since a row was read, if they have: that ends the grant before at some servers. */
  async #connectedSince(scout: ScoutAtSource, stale: Access): Promise<Access | undefined> {
    const now = await this.#readAccess(scout);
    return now.refreshToken !== stale.refreshToken && this.#isFresh(now) ? now : undefined;
  }

  #accessOf(
    granted: GrantedTokens,
    refreshToken: string,
    scopes: readonly string[],
    address: string | undefined,
  ): Access {
    const expiresAt = this.#clock() + Math.min(granted.expiresInSeconds * 1000, longestLifeMs);
    const kept = { refreshToken, accessToken: granted.accessToken.reveal(), expiresAt, scopes: [...scopes] };
    return address === undefined ? kept : { ...kept, address };
  }

  #isFresh({ expiresAt }: Access): boolean {
    const leftMs = expiresAt - this.#clock();
    return leftMs > marginMs && leftMs <= longestLifeMs + clockMarginMs;
  }

  async #load(scout: ScoutAtSource): Promise<Access> {
    return this.#open.get(nameOf(scout)) ?? this.#readAccess(scout);
  }

  /** @throws source_unavailable when no access to the scout's mailbox is kept: the row that names it is of yesterday */
  async #readAccess(scout: ScoutAtSource): Promise<Access> {
    const row = await this.#read(scout);
    if (!row) throw new ScoutsError("source_not_connected", { data: { scoutId: scout.scoutId } });
    const found = [row.content, row.content.former].find((each) => each && isFor(each, scout));
    if (!found) throw new ScoutsError("source_unavailable", { data: { scoutId: scout.scoutId, what: "access" } });
    return withoutFormer(found);
  }

  async #read(scout: ScoutAtSource): Promise<VaultRow | undefined> {
    const item = await this.#ledger.get(ledgerKey.vault(scout.userId, scout.scoutId));
    if (!item) return undefined;
    const sealed = String(item["sealed"]);
    const opened = await (await this.#sealer()).open(sealed, sealingContext(scout, "vault"));
    return { sealed, content: opened.map((json) => vaultContent.parse(JSON.parse(json))).reveal() };
  }

  /**
   * Changes the row on condition that it is still the one that was read, so that a token fetched for the old mailbox does
   * not take the place of the new one's.
   *
   * @returns whether it was changed: not, when `change` gives nothing
   */
  async #change(
    scout: ScoutAtSource,
    change: (now: VaultContent | undefined) => VaultContent | undefined,
  ): Promise<boolean> {
    const sealer = await this.#sealer();
    const key = ledgerKey.vault(scout.userId, scout.scoutId);
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const now = await this.#read(scout);
      const next = change(now?.content);
      if (next === undefined) return false;
      const sealed = await sealer.seal(new Transient(JSON.stringify(next)), sealingContext(scout, "vault"));
      const unchanged: Condition = now ? { path: ["sealed"], is: "=", value: now.sealed } : { absent: ["pk"] };
      if (await this.#ledger.put({ ...key, sealed }, unchanged)) return true;
    }
    throw new ScoutsError("storage_throttled", { data: { what: "vault" } });
  }
}

function nameOf({ scoutId, address = "" }: ScoutAtSource): string {
  return `${scoutId} ${address}`;
}

function isFor({ address }: Access, scout: ScoutAtSource): boolean {
  return address === undefined || scout.address === undefined || address === scout.address;
}

function withoutFormer({ former: _, ...rest }: VaultContent): Access {
  return rest;
}

/** The row with a refreshed access in its place, unless it has been replaced meanwhile; and without one nobody needs. */
function replaced(now: VaultContent, stale: Access, fresh: Access, scout: ScoutAtSource): VaultContent | undefined {
  const { former } = now;
  if (former && former.refreshToken === stale.refreshToken) return { ...now, former: fresh };
  if (now.refreshToken !== stale.refreshToken) return undefined;
  const needed = former && former.address === scout.formerAddress;
  return needed ? { ...fresh, former } : fresh;
}
