/**
 * Where the connection stands:
 *
 *     idle ─▶ ticketing ─▶ connecting ─▶ greeting ─▶ ready ─▶ closing ─▶ idle
 *                ▲ │            │            │         │
 *                │ └────────────┴─────┬──────┴─────────┘
 *                └──── waiting ◀──────┘   (back-off)
 */
export type ConnectionState = "idle" | "ticketing" | "connecting" | "greeting" | "ready" | "waiting" | "closing";

const successors: Record<ConnectionState, readonly ConnectionState[]> = {
  idle: ["ticketing"],
  ticketing: ["connecting", "waiting", "closing"],
  connecting: ["greeting", "waiting", "closing"],
  greeting: ["ready", "waiting", "closing"],
  ready: ["waiting", "closing"],
  waiting: ["ticketing", "closing"],
  closing: ["idle"],
};

/** A state with its legal transitions; `onChange` hears of each one after it happened. */
export function connectionState(onChange: (from: ConnectionState, to: ConnectionState) => void) {
  let current: ConnectionState = "idle";
  return {
    get current(): ConnectionState {
      return current;
    },
    /** @throws Error on a transition that is not drawn above: a defect of the caller. */
    move(to: ConnectionState): void {
      const from = current;
      if (!successors[from].includes(to)) throw new Error(`illegal transition ${from} -> ${to}`);
      current = to;
      onChange(from, to);
    },
  };
}
