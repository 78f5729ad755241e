import type { MethodName } from "./api/method-name.ts";

/** What can go wrong with the real service, to be asked for by a test or a hostile run. */
export type Fault =
  /** history.list answers 404: the start id is too old. */
  | { readonly kind: "historyNotFound" }
  /** A page of history.list has no `history` key and points to the page that has it. */
  | { readonly kind: "historyWithoutKey" }
  /** The next page of history.list begins with the record the last one ended with. */
  | { readonly kind: "historyRepeated" }
  /** messages.get, trash, untrash or modify answers 404 (of that message, when one is named). */
  | { readonly kind: "messageGone"; readonly id?: string }
  /** 429 with the time in the sentence; in a Retry-After header too when `header`. */
  | { readonly kind: "tooManyRequests"; readonly retryAfterMs: number; readonly header?: boolean }
  | { readonly kind: "resourceExhausted" }
  | { readonly kind: "rateLimitExceeded" }
  | { readonly kind: "userRateLimitExceeded" }
  | { readonly kind: "domainPolicy" }
  | { readonly kind: "insufficientPermissions" }
  | { readonly kind: "unauthorized" }
  /** The token endpoint refuses the refresh token or the code. */
  | { readonly kind: "invalidGrant" }
  /** users.watch answers 400 until users.stop was called. */
  | { readonly kind: "onePushClient" }
  /** After messages.get has been answered the message's labels change. */
  | { readonly kind: "labelsChange"; readonly add?: readonly string[]; readonly remove?: readonly string[] }
  | { readonly kind: "slow"; readonly delayMs: number }
  /** The answer breaks off half way. */
  | { readonly kind: "truncated" }
  | { readonly kind: "serverError"; readonly status?: 500 | 502 | 503 }
  /** The call is not run; this is the answer. */
  | { readonly kind: "answer"; readonly status: number; readonly body: string };

export type FaultKind = Fault["kind"];
export type FaultPlace = MethodName | "token" | "batch" | "other";

export interface FaultRule {
  /** How often it strikes; once by default, `Infinity` for ever. */
  readonly times?: number;
  /** Only calls of this method; any by default. */
  readonly method?: FaultPlace;
  /** Share of the matching calls it strikes, 0 to 1; all by default. */
  readonly probability?: number;
}

export interface Faults {
  /** Arms a fault; the returned function disarms it. */
  arm(fault: Fault, arming?: FaultRule): () => void;
  disarmAll(): void;
  /** Takes the first armed fault of a kind that strikes this call. */
  take<K extends FaultKind>(kind: K, place: FaultPlace, id?: string): Extract<Fault, { kind: K }> | undefined;
  /** How often faults of a kind have struck. */
  struck(kind: FaultKind): number;
}

/** Faults on request, settable while the server runs. `random` decides those with a probability. */
export function createFaults(random: () => number): Faults {
  const armed = new Set<{ fault: Fault; left: number; arming: FaultRule }>();
  const counts = new Map<FaultKind, number>();

  function isKind<K extends FaultKind>(fault: Fault, kind: K): fault is Extract<Fault, { kind: K }> {
    return fault.kind === kind;
  }

  return {
    arm: (fault, arming = {}) => {
      const entry = { fault, left: arming.times ?? 1, arming };
      armed.add(entry);
      return () => armed.delete(entry);
    },
    disarmAll: () => armed.clear(),
    take: (kind, place, id) => {
      for (const entry of armed) {
        const { fault, arming } = entry;
        if (!isKind(fault, kind)) continue;
        if (arming.method !== undefined && arming.method !== place) continue;
        if ("id" in fault && fault.id !== undefined && fault.id !== id) continue;
        if (arming.probability !== undefined && random() >= arming.probability) continue;
        entry.left -= 1;
        if (entry.left <= 0) armed.delete(entry);
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
        return fault;
      }
      return undefined;
    },
    struck: (kind) => counts.get(kind) ?? 0,
  };
}
