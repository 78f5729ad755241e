import type { Scout } from "./queries.ts";

/** What a scout is up to, in a word. */
export function stateOf({ disabledCode, connected, paused }: Scout): "off" | "notConnected" | "paused" | "watching" {
  if (disabledCode !== null) return "off";
  if (!connected) return "notConnected";
  return paused ? "paused" : "watching";
}

/** What a list is looked through for: a part of a name, in any case. */
export const isNamed = ({ name }: { readonly name: string }, text: string): boolean =>
  name.toLowerCase().includes(text.trim().toLowerCase());
