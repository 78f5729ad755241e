import type { Reserved } from "../../../shared/billing/reservation.ts";
import { TokenBudget } from "../../../shared/billing/token-budget.ts";
import type { FileRow } from "../../../shared/folders/index/index-row.ts";
import { IndexStore } from "../../../shared/folders/index/index-store.ts";
import type { SummarizePorts } from "../../../shared/folders/summarize/summarize-ports.ts";
import type { Condition, Item, Table } from "../../../shared/ports/table.ts";
import { newId } from "../../memory/chance.ts";
import { ignoredBreaker } from "../breaker.ts";
import type { MustBeNoticed } from "../noticed.ts";
import type { FolderVariant } from "./world.ts";

/** The tables a process's ports stand on are private to them: what breaks is put in between where they are made. */
type Broken = (ports: SummarizePorts) => Partial<SummarizePorts>;

const broken =
  (change: Broken): FolderVariant =>
  (ports) => ({ ...ports, ...change(ports) });

function overwriting(table: Table): Table {
  return {
    get: (key) => table.get(key),
    getMany: (keys) => table.getMany(keys),
    put: (item: Item, when?: Condition) => (item.sk.startsWith("INDEXED#") ? table.put(item) : table.put(item, when)),
    update: (key, change, when) => table.update(key, change, when),
    delete: (key, when) => table.delete(key, when),
    query: (query) => table.query(query),
  };
}

interface Breakage extends MustBeNoticed {
  readonly variant: FolderVariant;
}

/** Defects a run must notice, each the way somebody might really write it, and the rule that notices. */
export const folderBreakages: Readonly<Record<string, Breakage>> = {
  "a file's end is overwritten by who comes later": {
    seed: 3,
    rule: /written once|the same each time|token sums/,
    variant: broken(({ post }) => ({ index: new IndexStore(overwriting(post.table)) })),
  },
  "tokens are not held against the cap": {
    rule: /cap holds/,
    variant: broken(({ ledger, post }) => ({
      budget: new (class extends TokenBudget {
        override reserve(...[user, requests]: Parameters<TokenBudget["reserve"]>): Promise<Reserved> {
          return super.reserve(user, requests, { total: undefined, within: new Map() });
        }
      })(ledger, "folder_index", post.clock, newId),
    })),
  },
  "the end is written without its reservation": {
    rule: /token sums/,
    variant: broken(({ post }) => ({
      index: new (class extends IndexStore {
        override finish(...[user, index, file, end, nowMs]: Parameters<IndexStore["finish"]>): Promise<FileRow> {
          return super.finish(user, index, file, { ...end, reservation: undefined }, nowMs);
        }
      })(post.table),
    })),
  },
  "a worker asks the model whatever the breaker says": {
    seed: 7,
    rule: /while the model cannot be asked/,
    variant: broken(({ breaker }) => ({ breaker: ignoredBreaker(breaker) })),
  },
  "what has to wait is not queued again": {
    rule: /the session always ends/,
    variant: broken(() => ({ summarize: { send: async () => {} } })),
  },
};
