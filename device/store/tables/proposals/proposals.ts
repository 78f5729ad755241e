import type { Database } from "../../sqlite/sqlite.ts";
import { type Arrivals, arrivals } from "./arrivals.ts";
import { type Categories, categories } from "./categories.ts";
import { type Decisions, decisions } from "./decisions.ts";
import { type ProposalList, proposalList } from "./list.ts";
import { type OfScouts, ofScouts } from "./of-scouts.ts";
import { type Readings, readings } from "./readings.ts";
import { type SetAside, setAside } from "./set-aside.ts";
import { type ThreadList, threadList } from "./threads.ts";

/** The proposals of one device. Every method is one transaction unless it runs inside another. */
export interface ProposalTable
  extends Arrivals,
    ProposalList,
    ThreadList,
    Decisions,
    OfScouts,
    Categories,
    Readings,
    SetAside {}

/** All that the device keeps of proposals, over one database. @param now milliseconds since the epoch */
export function proposalTable(db: Database, now: () => number): ProposalTable {
  const list = proposalList(db);
  const decided = { ...decisions(db, now, list.find), ...ofScouts(db, now), ...setAside(db, now) };
  return { ...arrivals(db, now), ...list, ...threadList(db), ...decided, ...categories(db, now), ...readings(db, now) };
}
