import { userIdOf } from "../../shared/privacy/opaque.ts";
import { DeviceError } from "../errors.ts";
import type { DeviceStore } from "../store/open.ts";
import type { CloudApi } from "./cloud-api.ts";

/** Whose devices this data folder is one of: the id the cloud has for them, which says nothing about them. */
const personCursor = "person";

/**
 * The same home, for the person this data folder is a device of and nobody else. What lies in the folder is theirs: sent as somebody
 * else, a decision that waits is one of a proposal that never was, and proposals are asked for from where another person's ended.
 * The first who is connected is that person.
 *
 * @throws DeviceError `person_other`, from `auth`, whoever has signed in meanwhile
 */
export function ofOnePerson(api: CloudApi, { cursors }: Pick<DeviceStore, "cursors">): CloudApi {
  return {
    ...api,
    auth: async (refused) => {
      const token = await api.auth(refused);
      requireSamePerson(token, cursors);
      const person = personOf(token);
      if (person !== undefined && cursors.get(personCursor) === undefined) cursors.set(personCursor, person);
      return token;
    },
  };
}

/** @throws DeviceError `person_other` where the data folder is a device of somebody else */
export function requireSamePerson(token: string, cursors: DeviceStore["cursors"]): void {
  const known = cursors.get(personCursor)?.value;
  const person = personOf(token);
  if (known !== undefined && person !== undefined && person !== known) throw new DeviceError("person_other");
}

/** Whom a token is of; undefined where it does not say (a token may be opaque to a device: RFC 6749 §1.4). */
function personOf(token: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    if (typeof claims !== "object" || claims === null || !("iss" in claims) || !("sub" in claims)) return undefined;
    const { iss, sub } = claims;
    return typeof iss === "string" && typeof sub === "string" ? userIdOf(iss, sub) : undefined;
  } catch {
    // No JWT.
    return undefined;
  }
}
