import * as z from "zod";
import { ScoutsError } from "../../../../events/errors.ts";
import { ledgerKey } from "../../../keys.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Table } from "../../../ports/table.ts";
import type { RingSealer } from "../../../privacy/ring-sealer.ts";
import { Transient } from "../../../privacy/transient.ts";
import { sealingContext } from "../../scout-row.ts";
import type { ScoutAtSource } from "../connector.ts";
import { type GoogleOAuthOptions, type GrantedTokens, refreshTokens } from "./oauth.ts";

/** A token is not used in its last minute: it would expire on the way. */
const marginMs = 60_000;

const vaultContent = z.object({
  refreshToken: z.string(),
  accessToken: z.string(),
  expiresAt: z.number(),
  scopes: z.array(z.string()),
});
type VaultContent = z.infer<typeof vaultContent>;

/** A scout's access to its mailbox: sealed in the Ledger, opened in memory, refreshed by one caller at a time. */
export class GmailCredentials {
  readonly #ledger: Table;
  readonly #sealer: () => Promise<RingSealer>;
  readonly #oauth: GoogleOAuthOptions;
  readonly #clock: Clock;
  readonly #open = new Map<string, Promise<VaultContent>>();

  constructor(ledger: Table, sealer: () => Promise<RingSealer>, oauth: GoogleOAuthOptions, clock: Clock) {
    this.#ledger = ledger;
    this.#sealer = sealer;
    this.#oauth = oauth;
    this.#clock = clock;
  }

  /** @throws source_not_connected, reauth */
  async accessToken(scout: ScoutAtSource): Promise<Transient<string>> {
    const content = await this.#usable(scout);
    return new Transient(content.accessToken);
  }

  /** Forgets a token the source has refused, so that the next call refreshes. */
  async refused(scout: ScoutAtSource): Promise<void> {
    const content = await this.#load(scout);
    this.#open.set(scout.scoutId, Promise.resolve({ ...content, expiresAt: 0 }));
  }

  /** Keeps what a consent granted. */
  async store(scout: ScoutAtSource, granted: GrantedTokens): Promise<void> {
    if (!granted.refreshToken) throw new ScoutsError("consent_incomplete");
    const content = this.#contentOf(granted, granted.refreshToken.reveal(), granted.scopes);
    await this.#write(scout, content);
    this.#open.set(scout.scoutId, Promise.resolve(content));
  }

  async refreshToken(scout: ScoutAtSource): Promise<Transient<string>> {
    return new Transient((await this.#load(scout)).refreshToken);
  }

  /** What the person has granted by now, read afresh: a consent is given elsewhere, and its token is the one to use. */
  async scopes(scout: ScoutAtSource): Promise<readonly string[]> {
    const kept = await this.#read(scout);
    const known = await this.#open.get(scout.scoutId);
    if (known?.refreshToken !== kept.refreshToken) this.#open.set(scout.scoutId, Promise.resolve(kept));
    return kept.scopes;
  }

  async remove(scout: ScoutAtSource): Promise<void> {
    await this.#ledger.delete(ledgerKey.vault(scout.userId, scout.scoutId));
    this.#open.delete(scout.scoutId);
  }

  /** Everybody who asks while a token is being fetched waits for the same one. */
  #usable(scout: ScoutAtSource): Promise<VaultContent> {
    const known = this.#open.get(scout.scoutId) ?? this.#load(scout);
    const usable = known.then((content) =>
      content.expiresAt - marginMs > this.#clock() ? content : this.#refreshOnce(scout, known, content),
    );
    if (!this.#open.has(scout.scoutId)) this.#remember(scout, known);
    return usable;
  }

  #refreshOnce(scout: ScoutAtSource, stale: Promise<VaultContent>, content: VaultContent): Promise<VaultContent> {
    const current = this.#open.get(scout.scoutId);
    if (current && current !== stale) return current;
    const fresh = this.#refresh(scout, content);
    this.#remember(scout, fresh);
    return fresh;
  }

  #remember(scout: ScoutAtSource, content: Promise<VaultContent>): void {
    this.#open.set(scout.scoutId, content);
    content.catch(() => this.#open.delete(scout.scoutId));
  }

  async #refresh(scout: ScoutAtSource, known: VaultContent): Promise<VaultContent> {
    // Another environment may have refreshed, or the person connected anew, since this one read the row.
    const stale = await this.#read(scout);
    if (stale.refreshToken !== known.refreshToken && stale.expiresAt - marginMs > this.#clock()) return stale;
    const granted = await refreshTokens(this.#oauth, new Transient(stale.refreshToken));
    const scopes = granted.scopes.length > 0 ? granted.scopes : stale.scopes;
    const content = this.#contentOf(granted, granted.refreshToken?.reveal() ?? stale.refreshToken, scopes);
    await this.#write(scout, content);
    return content;
  }

  #contentOf(granted: GrantedTokens, refreshToken: string, scopes: readonly string[]): VaultContent {
    const expiresAt = this.#clock() + granted.expiresInSeconds * 1000;
    return { refreshToken, accessToken: granted.accessToken.reveal(), expiresAt, scopes: [...scopes] };
  }

  async #load(scout: ScoutAtSource): Promise<VaultContent> {
    return this.#open.get(scout.scoutId) ?? this.#read(scout);
  }

  async #read(scout: ScoutAtSource): Promise<VaultContent> {
    const item = await this.#ledger.get(ledgerKey.vault(scout.userId, scout.scoutId));
    if (!item) throw new ScoutsError("source_not_connected", { data: { scoutId: scout.scoutId } });
    const opened = await (await this.#sealer()).open(String(item["sealed"]), sealingContext(scout, "vault"));
    return opened.map((json) => vaultContent.parse(JSON.parse(json))).reveal();
  }

  async #write(scout: ScoutAtSource, content: VaultContent): Promise<void> {
    const sealer = await this.#sealer();
    const sealed = await sealer.seal(new Transient(JSON.stringify(content)), sealingContext(scout, "vault"));
    await this.#ledger.put({ ...ledgerKey.vault(scout.userId, scout.scoutId), sealed });
  }
}
