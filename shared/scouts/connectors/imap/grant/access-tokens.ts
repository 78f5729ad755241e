import { ScoutsError } from "../../../../../events/errors.ts";
import { ledgerKey } from "../../../../keys.ts";
import type { After, Clock } from "../../../../ports/clock.ts";
import { Transient } from "../../../../privacy/transient.ts";
import type { ScoutAtSource } from "../../connector.ts";
import { inTurn, type Renewed } from "../../refresh-turn.ts";
import type { Dial } from "../session.ts";
import type { ImapAccess } from "../settings.ts";
import type { GrantVault, KeptGrant } from "./grant-vault.ts";
import { askForToken, type Granted } from "./token-endpoint.ts";

/** A token is not used in its last minute: it would expire on the way. */
const marginMs = 60_000;
/** A token lives an hour at most. A later end was written by a clock that has stepped back since; ten minutes, as clocks differ. */
const longestLeftMs = 70 * 60_000;

export interface GrantPorts {
  readonly vault: GrantVault;
  readonly clock: Clock;
  readonly after: After;
  readonly dial: Dial;
}

/**
 * Access tokens for XOAUTH2, fetched with a person's grant (RFC 6749 §6) and used while they last. Where the answer holds
 * another refresh token, that is sealed and written before anything is done with the access token; one worker at a time
 * spends one (see {@link inTurn}).
 */
export class AccessTokens {
  readonly #ports: GrantPorts;
  readonly #known = new Map<string, KeptGrant>();
  /** The last token of each scout that the server did not take. */
  readonly #refused = new Map<string, string>();
  /** What was answered and could not be written, by the refresh token that was spent on it. */
  readonly #unwritten = new Map<string, KeptGrant>();

  constructor(ports: GrantPorts) {
    this.#ports = ports;
  }

  /** The one to use now. @throws as {@link askForToken} */
  async token(scout: ScoutAtSource, access: ImapAccess): Promise<Transient<string>> {
    const of = grantOf(access);
    const known = this.#known.get(scout.scoutId);
    if (known && this.#isUsable(scout, of, known)) return new Transient(known.accessToken);
    const { vault, clock, after } = this.#ports;
    const ports = { ledger: vault.ledger, clock, after };
    const usable = async () => {
      const { kept } = await vault.read(scout);
      return kept && this.#isUsable(scout, of, kept) ? kept : undefined;
    };
    const found = await inTurn(ports, ledgerKey.scout(scout.userId, scout.scoutId), {
      usable,
      renew: () => this.#renew(scout, access, of),
      when: { all: [{ exists: ["pk"] }, { absent: ["deleting"] }] },
    });
    this.#known.set(scout.scoutId, found);
    return new Transient(found.accessToken);
  }

  /**
   * The first token of a grant that somebody types in, whose scout is yet to be written: with what takes the grant's place,
   * which is for the caller to keep. @throws as {@link askForToken}
   */
  async first(scout: ScoutAtSource, access: ImapAccess): Promise<{ readonly refreshToken: string }> {
    const of = grantOf(access);
    const granted = await askForToken(this.#ports.dial, access, new Transient(of));
    const refreshToken = granted.refreshToken?.reveal() ?? of;
    this.#known.set(scout.scoutId, this.#keptOf(granted, refreshToken, refreshToken));
    return { refreshToken };
  }

  /** Forgets a token the server does not take. */
  refused({ scoutId }: ScoutAtSource): void {
    const known = this.#known.get(scoutId);
    if (known) this.#refused.set(scoutId, known.accessToken);
    this.#known.delete(scoutId);
  }

  async #renew(scout: ScoutAtSource, access: ImapAccess, of: string): Promise<Renewed<KeptGrant>> {
    const { vault, dial } = this.#ports;
    const { kept } = await vault.read(scout);
    const spent = kept?.of === of ? kept.refreshToken : of;
    let fresh = this.#unwritten.get(spent);
    if (fresh === undefined) {
      const granted = await askForToken(dial, access, new Transient(spent));
      fresh = this.#keptOf(granted, of, granted.refreshToken?.reveal() ?? spent);
    }
    this.#unwritten.set(spent, fresh);
    const written = await vault.write(scout, spent, fresh);
    this.#unwritten.delete(spent);
    return { access: fresh, written };
  }

  #keptOf({ accessToken, lifeMs }: Granted, of: string, refreshToken: string): KeptGrant {
    return { of, refreshToken, accessToken: accessToken.reveal(), expiresAt: this.#ports.clock() + lifeMs };
  }

  #isUsable({ scoutId }: ScoutAtSource, of: string, kept: KeptGrant): boolean {
    const leftMs = kept.expiresAt - this.#ports.clock();
    const isFresh = leftMs > marginMs && leftMs <= longestLeftMs;
    return kept.of === of && isFresh && this.#refused.get(scoutId) !== kept.accessToken;
  }
}

/** @throws source_credentials_refused when the settings hold none */
function grantOf({ refreshToken }: ImapAccess): string {
  if (refreshToken === undefined) throw new ScoutsError("source_credentials_refused");
  return refreshToken;
}
