import { type RefObject, useState } from "react";
import type { Proposal } from "../app/api.ts";

interface Steady {
  /** Those that are shown, where they were; what they say is as it is now. */
  readonly shown: readonly Proposal[];
  /** How many have arrived above, and are held back. */
  readonly fresh: number;
  readonly showFresh: () => void;
}

/**
 * Keeps cards where they are while somebody is at them: what would come between them is held back until it is asked for, and
 * what comes behind them moves nothing. Where nobody is, the order is as it is now.
 */
export function useSteadyOrder(waiting: readonly Proposal[], list: RefObject<HTMLElement | null>): Steady {
  const now = waiting.map(({ id }) => id);
  const [order, setOrder] = useState(now);
  const byId = new Map(waiting.map((each) => [each.id, each]));
  const known = new Set(order);
  const behind = now.slice(now.findLastIndex((id) => known.has(id)) + 1);
  const kept = [...order.filter((id) => byId.has(id)), ...behind];
  const held = now.length - kept.length;
  const { current: view } = list;
  const isUsed = view !== null && (view.contains(document.activeElement) || view.matches(":hover"));
  const next = isUsed ? kept : now;
  if (next.join() !== order.join()) setOrder(next);
  return { shown: next.flatMap((id) => byId.get(id) ?? []), fresh: isUsed ? held : 0, showFresh: () => setOrder(now) };
}
