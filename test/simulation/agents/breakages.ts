import { ignoredBreaker } from "../breaker.ts";
import type { MustBeNoticed } from "../noticed.ts";
import { canary } from "./invariants.ts";
import type { AgentVariant } from "./world.ts";

interface Breakage extends MustBeNoticed {
  readonly variant: AgentVariant;
}

/** Ways to break runs, each of which the simulation must notice. */
export const breakages: Readonly<Record<string, Breakage>> = {
  "a step is written by whoever comes to it": {
    variant: {
      sessions: (table) => ({
        ...table,
        update: (key, change, when) =>
          table.update(key, change, key.sk.startsWith("AGENT#") ? { exists: ["pk"] } : when),
      }),
    },
    rule: /once|one status|follow|replay|sum of steps/,
  },
  "what a step has to say is not kept": {
    seed: 2,
    variant: { ports: (ports) => ({ ...ports, objects: { ...ports.objects, put: async () => {} } }) },
    rule: /every run ends|hears how|comes to a result/,
  },
  "tokens are given back instead of counted": {
    variant: {
      ports: (ports) => {
        const budget = ports.budgets.agents;
        const settle = budget.settle.bind(budget);
        budget.settle = (user, month, spent) =>
          settle(
            user,
            month,
            spent.map(({ request }) => ({ request })),
          );
        return ports;
      },
    },
    rule: /counted once/,
  },
  "a step asks the model whatever the breaker says": {
    variant: { ports: (ports) => ({ ...ports, breaker: ignoredBreaker(ports.breaker) }) },
    rule: /while the model cannot be asked/,
  },
  "the row says what was asked": {
    variant: {
      ports: (ports) => ({
        ...ports,
        prompts: { current: async (prompt) => ({ ...prompt, version: canary }) },
      }),
    },
    rule: /P1/,
  },
  "a lease is given to whoever asks": {
    seed: 2,
    variant: {
      ledger: (table) => ({
        ...table,
        update: (key, change, when) =>
          table.update(key, change, key.sk.startsWith("ITEM#") ? { exists: ["pk"] } : when),
      }),
    },
    rule: /one device at a time/,
  },
  "a lease is never over": {
    seed: 2,
    variant: {
      ledger: (table) => ({
        ...table,
        async update(key, change, when) {
          const before = key.sk.startsWith("ITEM#") ? await table.get(key) : undefined;
          const by = before?.["readBy"];
          const wants = change.set?.find(([[name]]) => name === "readBy")?.[1];
          return by !== undefined && wants !== by ? false : table.update(key, change, when);
        },
      }),
    },
    rule: /every device comes to a result/,
  },
};
