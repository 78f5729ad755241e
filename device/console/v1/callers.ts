import type { ProjectId } from "../../../events/ids.ts";
import type { FileAccess } from "../../access/file-access.ts";
import { openPersonSession } from "../../access/person-session.ts";
import type { Approver } from "../../access/policy/approver.ts";
import type { AccessSession } from "../../access/session/session.ts";
import { type FileToken, findFileToken, type TokenRight } from "../../access/tokens/file-tokens.ts";
import type { TabTokens } from "../entrance/tab-tokens.ts";

/** How long a token's allowance of calls, bytes, tokens and writes lasts before it begins anew. */
const sessionMs = 3_600_000;
/** Sessions kept; the oldest is let go. */
const mostSessions = 100;

/** Who asks over HTTP. */
export interface HttpCaller {
  readonly right: TokenRight;
  /** Null: every project, as the person whose device this is. */
  readonly project: ProjectId | null;
  /** False once the token was revoked or has ended. */
  isStillGood(): boolean;
  /** The session the caller's calls on a project are counted in, and when its allowance begins anew. */
  session(opened: CalledProject): Counted;
}

/** A project's folder that a caller works on. */
export interface CalledProject {
  readonly root: string;
  readonly access: FileAccess;
  readonly approver: Approver;
}

interface Counted {
  readonly session: AccessSession;
  readonly endsAtMs: number;
}

export interface CallerParts {
  readonly dataFolder: string;
  readonly tabs: TabTokens;
  readonly now: () => number;
}

/** Tells callers by their tokens, and keeps the sessions of programs: what a program may use is counted over its requests. */
export class HttpCallers {
  readonly #parts: CallerParts;
  readonly #sessions = new Map<string, Counted>();

  constructor(parts: CallerParts) {
    this.#parts = parts;
  }

  /** Who holds a token; undefined: nobody. */
  find(token: string): HttpCaller | undefined {
    const { tabs, dataFolder, now } = this.#parts;
    if (tabs.isGood(token)) return this.#person(token);
    const found = findFileToken(dataFolder, token, now());
    return found && this.#program(found, token);
  }

  #person(token: string): HttpCaller {
    const { tabs, now } = this.#parts;
    return {
      right: "write",
      project: null,
      isStillGood: () => tabs.isGood(token),
      session: ({ access, approver }) => {
        return { session: openPersonSession(access, { approver, isEditor: true }), endsAtMs: now() };
      },
    };
  }

  #program(found: FileToken, token: string): HttpCaller {
    const { dataFolder, now } = this.#parts;
    return {
      right: found.right,
      project: found.project,
      isStillGood: () => findFileToken(dataFolder, token, now()) !== undefined,
      session: (opened) => this.#counted(found, opened),
    };
  }

  #counted({ id, name, backend, right }: FileToken, { root, access, approver }: CalledProject): Counted {
    const key = `${id} ${root}`;
    const known = this.#sessions.get(key);
    if (known !== undefined && known.endsAtMs > this.#parts.now()) return known;
    this.#sessions.delete(key);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= mostSessions && oldest !== undefined) this.#sessions.delete(oldest);
    const caller = { caller: `http:${name}`, backend, approver, isEditor: true, readsOnly: right === "read" };
    const counted = { session: access.openSession(caller), endsAtMs: this.#parts.now() + sessionMs };
    this.#sessions.set(key, counted);
    return counted;
  }
}
