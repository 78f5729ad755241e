import { randomBytes } from "node:crypto";
import type { Grant } from "./authorizations.ts";
import { OAuthRefusal } from "./oauth-refusal.ts";

interface Family extends Grant {
  current: string;
}

/**
 * Refresh tokens of public clients: each is good once and replaced by its use; one that is used again was stolen from
 * somebody, so all that came of the same sign-in end (RFC 9700 §4.14.2).
 */
export class RefreshTokens {
  readonly #families = new Map<string, Family>();

  issue(grant: Grant): string {
    const id = randomBytes(12).toString("base64url");
    const family = { ...grant, current: "" };
    this.#families.set(id, family);
    return renew(id, family);
  }

  /** @throws OAuthRefusal `invalid_grant` */
  use(form: URLSearchParams): { grant: Grant; next: string } {
    const token = form.get("refresh_token") ?? "";
    const [id = ""] = token.split(".");
    const family = this.#families.get(id);
    if (!family || family.clientId !== form.get("client_id")) throw new OAuthRefusal("invalid_grant");
    if (family.current !== token) {
      this.#families.delete(id);
      throw new OAuthRefusal("invalid_grant");
    }
    return { grant: family, next: renew(id, family) };
  }

  /** RFC 7009: an unknown token is revoked already. */
  revoke(token: string | null): void {
    this.#families.delete((token ?? "").split(".")[0] ?? "");
  }
}

function renew(id: string, family: Family): string {
  family.current = `${id}.${randomBytes(24).toString("base64url")}`;
  return family.current;
}
