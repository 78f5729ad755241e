import type { Database } from "../../sqlite/sqlite.ts";
import { type Arrivals, arrivals } from "./arrivals.ts";
import { type Categories, categories } from "./categories.ts";
import { type Decisions, decisions } from "./decisions.ts";
import { type ProposalList, proposalList } from "./list.ts";
import { type ThreadList, threadList } from "./threads.ts";

/** The proposals of one device. Every method is one transaction unless it runs inside another. */
export interface ProposalTable extends Arrivals, ProposalList, ThreadList, Decisions, Categories {}

export function proposalTable(db: Database, now: () => number): ProposalTable {
  const list = proposalList(db);
  return { ...arrivals(db, now), ...list, ...threadList(db), ...decisions(db, now, list.find), ...categories(db, now) };
}
