import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";

const scopesText = z.string().transform((text) => text.split(" ").filter((scope) => scope !== ""));
const tokenRow = z.object({ scopes: scopesText });
const rotationRow = z.object({ grant_token: z.string(), is_current: z.number() });
const grantRow = z.object({ refresh_token: z.string(), scopes: scopesText });

/** Lifetime Google states for an access token, seconds. */
export const accessTokenSeconds = 3599;

/** What a person has granted. */
export interface Grant {
  /** Its name: the refresh token it began with. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** Whether the token it was found by is good: not, when it was spent for the next one. */
  readonly isCurrent: boolean;
}

export interface AccessTokens {
  /** A new refresh token for these scopes. */
  grant(scopes: readonly string[]): string;
  /** What a refresh token stands for; nothing when it is unknown or its grant has ended. */
  find(refreshToken: string): Grant | undefined;
  /** The refresh token in whose favour the current one of a grant is good no more. */
  rotate(grant: string): string;
  /** Everything granted so far, for `include_granted_scopes`. */
  allGranted(): string[];
  /** @param grant its name */
  issue(grant: string, scopes: readonly string[]): string;
  /** The scopes behind an Authorization header; undefined when its token is unknown, expired or revoked. */
  scopesOf(authorization: string | undefined): readonly string[] | undefined;
  /** Ends a grant by its refresh token or one of its access tokens; false when there is none. */
  revoke(token: string): boolean;
  revokeAll(): void;
}

/** Refresh tokens and the access tokens made from them. `randomId` gives unguessable text. */
export function openAccessTokens(database: DatabaseSync, clock: () => number, randomId: () => string): AccessTokens {
  const insertGrant = database.prepare("INSERT INTO grants VALUES (?, ?, 0)");
  const selectGrant = database.prepare(
    "SELECT refresh_token, scopes FROM grants WHERE refresh_token = ? AND revoked = 0",
  );
  const selectGrants = database.prepare("SELECT refresh_token, scopes FROM grants WHERE revoked = 0");
  const insertToken = database.prepare("INSERT INTO access_tokens VALUES (?, ?, ?, ?)");
  const selectToken = database.prepare(`SELECT access_tokens.scopes FROM access_tokens
    LEFT JOIN grants USING (refresh_token)
    WHERE token = ? AND expires_at_ms > ? AND COALESCE(revoked, 0) = 0`);
  const ownerOf = database.prepare("SELECT refresh_token, scopes FROM access_tokens WHERE token = ?");
  const deleteTokens = database.prepare("DELETE FROM access_tokens WHERE refresh_token = ? OR expires_at_ms <= ?");
  const revokeGrant = database.prepare("UPDATE grants SET revoked = 1 WHERE refresh_token = ? AND revoked = 0");

  const selectRotation = database.prepare("SELECT grant_token, is_current FROM rotations WHERE token = ?");
  const selectRotated = database.prepare("SELECT grant_token, is_current FROM rotations WHERE grant_token = ? LIMIT 1");
  const spendRotation = database.prepare("UPDATE rotations SET is_current = 0 WHERE grant_token = ?");
  const insertRotation = database.prepare("INSERT INTO rotations VALUES (?, ?, 1)");

  /** Which grant a refresh token is of, and whether it is the one that is good now. */
  function nameOf(refreshToken: string): { name: string; isCurrent: boolean } {
    const row = selectRotation.get(refreshToken);
    if (row === undefined) return { name: refreshToken, isCurrent: selectRotated.get(refreshToken) === undefined };
    const { grant_token: name, is_current } = rotationRow.parse(row);
    return { name, isCurrent: is_current === 1 };
  }

  return {
    grant: (scopes) => {
      const refreshToken = `1//0${randomId()}`;
      insertGrant.run(refreshToken, scopes.join(" "));
      return refreshToken;
    },
    find: (refreshToken) => {
      const named = nameOf(refreshToken);
      const row = selectGrant.get(named.name);
      return row === undefined ? undefined : { ...named, scopes: grantRow.parse(row).scopes };
    },
    rotate: (grant) => {
      const next = `1//0${randomId()}`;
      spendRotation.run(grant);
      insertRotation.run(next, grant);
      return next;
    },
    allGranted: () => {
      const grants = z.array(grantRow).parse(selectGrants.all());
      return [...new Set(grants.flatMap((grant) => grant.scopes))];
    },
    issue: (grant, scopes) => {
      const token = `ya29.${randomId()}`;
      insertToken.run(token, grant, scopes.join(" "), clock() + accessTokenSeconds * 1000);
      return token;
    },
    scopesOf: (authorization) => {
      const token = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
      const row = token === undefined ? undefined : selectToken.get(token, clock());
      return row === undefined ? undefined : tokenRow.parse(row).scopes;
    },
    revoke: (token) => {
      const owner = ownerOf.get(token);
      const grant = owner === undefined ? nameOf(token).name : grantRow.parse(owner).refresh_token;
      const { changes } = revokeGrant.run(grant);
      deleteTokens.run(grant, clock());
      return Number(changes) > 0 || owner !== undefined;
    },
    revokeAll: () => {
      database.exec("UPDATE grants SET revoked = 1; DELETE FROM access_tokens;");
    },
  };
}
