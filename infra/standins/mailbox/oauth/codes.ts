import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";

const codeRow = z.object({
  redirect_uri: z.string(),
  challenge: z.string(),
  scopes: z.string().transform((text) => text.split(" ").filter((scope) => scope !== "")),
  offline: z.number().transform((value) => value === 1),
  expires_at_ms: z.number(),
  spent_for: z.string(),
});
export type AuthorizationCode = z.infer<typeof codeRow>;

/** Authorization codes live ten minutes (RFC 6749 §4.1.2 "maximum … RECOMMENDED"). */
const lifeMs = 600_000;

export interface Codes {
  create(code: { redirectUri: string; challenge: string; scopes: readonly string[]; offline: boolean }): string;
  find(code: string): AuthorizationCode | undefined;
  /** Marks a code as used; `spentFor` is the refresh token it gave, to be revoked if the code comes again. */
  spend(code: string, spentFor: string): void;
}

/**
 * Authorization codes in the stand-in's database; those that have expired go when a new one is made.
 *
 * @param clock milliseconds since the epoch
 */
export function openCodes(database: DatabaseSync, clock: () => number, randomId: () => string): Codes {
  const insert = database.prepare("INSERT INTO codes VALUES (?, ?, ?, ?, ?, ?, '')");
  const select = database.prepare("SELECT * FROM codes WHERE code = ?");
  const spend = database.prepare("UPDATE codes SET spent_for = ? WHERE code = ?");
  const prune = database.prepare("DELETE FROM codes WHERE expires_at_ms <= ?");
  return {
    create: ({ redirectUri, challenge, scopes, offline }) => {
      prune.run(clock());
      const code = `4/0${randomId()}`;
      insert.run(code, redirectUri, challenge, scopes.join(" "), offline ? 1 : 0, clock() + lifeMs);
      return code;
    },
    find: (code) => {
      const row = select.get(code);
      const found = row === undefined ? undefined : codeRow.parse(row);
      return found !== undefined && found.expires_at_ms > clock() ? found : undefined;
    },
    spend: (code, spentFor) => {
      spend.run(spentFor, code);
    },
  };
}
