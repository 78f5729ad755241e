import type { ProposalId } from "../../../events/ids.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { ProposalFilter } from "../../store/tables/proposals/filter.ts";
import type { ProposalPlace } from "../../store/tables/proposals/list.ts";
import { type Attended, attentionNow, type Cause, soonest } from "./order.ts";

/** Looks that are remembered: those of tabs that are open. */
const keptLooks = 8;
/** So many that are new are read one by one; of more the whole list is. */
const mostSingle = 200;

interface Look {
  readonly attend: (row: Parameters<ReturnType<typeof attentionNow>>[0]) => Attended;
  /** By id: what the score was worked out for, and the score. */
  readonly scores: Map<ProposalId, { readonly of: string; readonly score: number; readonly causes: readonly Cause[] }>;
}

/**
 * Lists in the order of attention, as somebody looks at them: what is decided meanwhile teaches the order of the next look,
 * and does not move this one; what arrives is put where it belongs.
 */
export class AttentionLooks {
  readonly #looks = new Map<string, Look>();

  /**
   * Every proposal a filter lets through, what deserves attention first.
   *
   * @param look names the look; another one has what was decided since
   */
  order(store: DeviceStore, filter: ProposalFilter, look: string): ProposalId[] {
    const known = this.#lookNamed(store, look);
    const places = store.proposals.places(filter);
    const fresh = places.filter((each) => known.scores.get(each.id)?.of !== printOf(each));
    if (fresh.length > mostSingle) note(known, store.proposals.list(filter));
    else if (fresh.length > 0) note(known, store.proposals.list({ ids: fresh.map(({ id }) => id) }));
    const scoreOf = ({ id }: ProposalPlace) => known.scores.get(id)?.score ?? 0;
    // Newest first already, and the sort keeps that.
    return places
      .toSorted((one, other) => scoreOf(other) - scoreOf(one) || soonest(one.day, other.day))
      .map(({ id }) => id);
  }

  /** Why a proposal has its place in a look; undefined where it has none. */
  causes(look: string, id: ProposalId): readonly Cause[] | undefined {
    return this.#looks.get(look)?.scores.get(id)?.causes;
  }

  #lookNamed(store: DeviceStore, name: string): Look {
    const look = this.#looks.get(name) ?? { attend: attentionNow(store), scores: new Map() };
    this.#looks.delete(name);
    this.#looks.set(name, look);
    const [oldest] = this.#looks.keys();
    if (this.#looks.size > keptLooks && oldest !== undefined) this.#looks.delete(oldest);
    return look;
  }
}

const printOf = ({ category, priority, day }: Omit<ProposalPlace, "id">): string => `${category} ${priority} ${day}`;

function note({ attend, scores }: Look, rows: readonly Attended["row"][]): void {
  for (const row of rows) {
    const { id, category, priority, payload } = row;
    const day = payload?.due ?? payload?.start ?? null;
    const { score, causes } = attend(row);
    scores.set(id, { of: printOf({ category, priority, day }), score, causes });
  }
}
