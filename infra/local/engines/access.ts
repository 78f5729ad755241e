import { randomBytes } from "node:crypto";
import type { Permission } from "../graph.ts";

/** An access key of the local cloud and what it may do. `everything` is for the person who runs the machine. */
export interface Principal {
  name: string;
  accessKeyId: string;
  secretAccessKey: string;
  rights: Permission[] | "everything";
}

const compiled = new Map<string, RegExp>();

/** IAM's wildcards: `*` any text, `?` one character (IAM JSON policy elements: Resource). */
function matches(pattern: string, text: string): boolean {
  let expression = compiled.get(pattern);
  if (!expression) {
    const source = pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".");
    expression = new RegExp(`^${source}$`, "s");
    compiled.set(pattern, expression);
  }
  return expression.test(text);
}

/** Whether some statement allows the action on the resource. There are no denies: nothing here writes one. */
export function allows(rights: Permission[], action: string, resource: string): boolean {
  return rights.some(
    (statement) =>
      statement.actions.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
      statement.resources.some((pattern) => matches(pattern, resource)),
  );
}

/** The keys handed out in this run. Random, so that another program on the machine does not reach the stores by luck. */
export class Principals {
  readonly #byKey = new Map<string, Principal>();

  create(name: string, rights: Permission[] | "everything"): Principal {
    const principal = {
      name,
      accessKeyId: `ASIA${randomBytes(10).toString("hex").toUpperCase()}`,
      secretAccessKey: randomBytes(30).toString("base64url"),
      rights,
    };
    this.#byKey.set(principal.accessKeyId, principal);
    return principal;
  }

  find(accessKeyId: string | undefined): Principal | undefined {
    return accessKeyId === undefined ? undefined : this.#byKey.get(accessKeyId);
  }
}

/** The access key in a Signature Version 4 header or presigned query, if there is one. */
export function accessKeyOf(authorization: string | undefined, url: string | undefined): string | undefined {
  const header = /Credential=([^/,=\s]+)\//.exec(authorization ?? "");
  return (header ?? /[?&]X-Amz-Credential=([^/%&]+)/.exec(url ?? ""))?.[1];
}
