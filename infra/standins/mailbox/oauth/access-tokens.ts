import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";

const scopesText = z.string().transform((text) => text.split(" ").filter((scope) => scope !== ""));
const tokenRow = z.object({ scopes: scopesText });
const grantRow = z.object({ refresh_token: z.string(), scopes: scopesText });

/** Lifetime Google states for an access token, seconds. */
export const accessTokenSeconds = 3599;

export interface AccessTokens {
  /** A new refresh token for these scopes. */
  grant(scopes: readonly string[]): string;
  /** The scopes of a refresh token that is still good. */
  grantedScopes(refreshToken: string): readonly string[] | undefined;
  /** Everything granted so far, for `include_granted_scopes`. */
  allGranted(): string[];
  issue(refreshToken: string, scopes: readonly string[]): string;
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

  return {
    grant: (scopes) => {
      const refreshToken = `1//0${randomId()}`;
      insertGrant.run(refreshToken, scopes.join(" "));
      return refreshToken;
    },
    grantedScopes: (refreshToken) => {
      const row = selectGrant.get(refreshToken);
      return row === undefined ? undefined : grantRow.parse(row).scopes;
    },
    allGranted: () => {
      const grants = z.array(grantRow).parse(selectGrants.all());
      return [...new Set(grants.flatMap((grant) => grant.scopes))];
    },
    issue: (refreshToken, scopes) => {
      const token = `ya29.${randomId()}`;
      insertToken.run(token, refreshToken, scopes.join(" "), clock() + accessTokenSeconds * 1000);
      return token;
    },
    scopesOf: (authorization) => {
      const token = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
      const row = token === undefined ? undefined : selectToken.get(token, clock());
      return row === undefined ? undefined : tokenRow.parse(row).scopes;
    },
    revoke: (token) => {
      const owner = ownerOf.get(token);
      const refreshToken = owner === undefined ? token : grantRow.parse(owner).refresh_token;
      const { changes } = revokeGrant.run(refreshToken);
      deleteTokens.run(refreshToken, clock());
      return Number(changes) > 0 || owner !== undefined;
    },
    revokeAll: () => {
      database.exec("UPDATE grants SET revoked = 1; DELETE FROM access_tokens;");
    },
  };
}
