import type { ProposalId, ScoutId } from "../../events/ids.ts";
import { splitProposalId } from "../../events/ids.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import { listScouts } from "../connect/list-scouts.ts";
import type { Clock } from "../connection/clock.ts";
import type { FullItem } from "../connection/content/item-assembly.ts";
import type { Device } from "../connection/device.ts";
import { DeviceError } from "../errors.ts";
import { dismissedPage, dismissedPageSize, restoreDismissed, whenWritten } from "../items/dismissed.ts";
import { readItem } from "../items/read-item.ts";
import { AttentionLooks } from "../proposals/attention/looks.ts";
import { type Narrowed, type PageRequest, proposalCounts, proposalPage } from "../proposals/proposal-page.ts";
import { withState } from "../sources/state.ts";
import { failingIn, troublesIn } from "../sources/trouble.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredProposal } from "../store/schema.ts";
import { shownProposal } from "./inbox/shown.ts";
import type { EventLog } from "./news/event-log.ts";
import { toldFailing, toldTrouble } from "./told.ts";

/** As `pageSize` in page/inbox/proposals.ts. */
const proposalsAPage = 100;
/** Whoever knows a Message-ID can join its conversation, as often as they like. */
const shownOfConversation = 20;

export interface UseCaseParts {
  readonly device: Pick<Device, "undo" | "reopen" | "requestItem">;
  readonly store: DeviceStore;
  readonly api: CloudApi;
  readonly clock: Clock;
  readonly log: EventLog;
  /** The IANA zone of the person. */
  readonly zone: () => string;
}

/** What a tab can ask for and do. */
export type ConsoleUseCases = ReturnType<typeof consoleUseCases>;

/** The device's use cases, as the console offers them; every one says what it did to whoever follows the log. */
export function consoleUseCases({ device, store, api, clock, log, zone }: UseCaseParts) {
  const here = () => ({ nowMs: clock.now(), zone: zone() });
  const changed = (row: StoredProposal) => {
    const proposal = shownProposal(row, here());
    log.add({ type: "proposal", proposal });
    return proposal;
  };

  const looks = new AttentionLooks();

  const known = (id: ProposalId) => {
    const found = store.proposals.find(id);
    if (found === undefined) throw new DeviceError("proposal_unknown", { data: { id } });
    return found;
  };

  return {
    page(request: Omit<PageRequest, "limit" | "nowMs">) {
      const { rows, total } = proposalPage(store, { ...request, limit: proposalsAPage, nowMs: clock.now() }, looks);
      const { look } = request;
      const now = here();
      const causesOf = (id: ProposalId) => (look === undefined ? undefined : looks.causes(look, id));
      return { proposals: rows.map((row) => shownProposal(row, now, causesOf(row.id))), total };
    },

    counts: (narrowed: Omit<Narrowed, "nowMs">) => proposalCounts(store, { ...narrowed, nowMs: clock.now() }),

    /** @throws DeviceError `proposal_unknown` */
    find: (id: ProposalId) => shownProposal(known(id), here()),

    /** What this device has seen of a proposal's conversation, newest first. @throws DeviceError `proposal_unknown` */
    conversation(id: ProposalId) {
      const { rows, total } = store.proposals.conversation(known(id), shownOfConversation);
      const now = here();
      return { proposals: rows.map((row) => shownProposal(row, now)), total };
    },

    /** The full text, from its source, for one look; proposals and dismissed items alike. @throws as {@link readItem} and `Device.requestItem` */
    async item(id: ProposalId): Promise<Omit<FullItem, "machine">> {
      const { machine: _, ...shown } = await readItem(store, id, (asked) => device.requestItem(asked));
      return shown;
    },

    /** What was decided in the last seconds and the cloud is not told of yet, oldest first, and how long that can be taken back. */
    undoable() {
      const now = here();
      const decisions = store.outbox.heldDecisions().flatMap(({ proposalId, notBefore }) => {
        const row = store.proposals.find(proposalId);
        return row === undefined ? [] : [{ proposal: shownProposal(row, now), undoableMs: notBefore - now.nowMs }];
      });
      return { decisions };
    },

    /** @throws DeviceError `proposal_unknown`, `proposal_undecided`, `change_superseded` */
    undo(id: ProposalId) {
      const { proposal, by } = device.undo(id);
      return { proposal: changed(proposal), by };
    },

    /** @throws DeviceError `proposal_unknown`, `proposal_undecided`, `change_superseded` */
    reopen: (id: ProposalId) => ({ proposal: changed(device.reopen(id)) }),

    /** @throws ScoutsError; DeviceError `request_refused` */
    async dismissed(scout: ScoutId, cursor: string | undefined) {
      const page = await dismissedPage(api, scout, { cursor: cursor ?? null, limit: dismissedPageSize, read: true });
      return { ...page, items: page.items.map((item) => ({ ...item, writtenAt: whenWritten(item) })) };
    },

    /** @throws ScoutsError `proposal_not_found`; DeviceError `request_refused` */
    async restore(id: ProposalId) {
      const { scoutId, ref } = splitProposalId(id);
      await restoreDismissed(api, scoutId, ref);
      // Other tabs list it still.
      log.add({ type: "changed" });
      return { restored: id };
    },

    /**
     * Every scout, asked of the home, with its state, and what keeps those that find nothing; the device keeps what it is told. @throws
     * ScoutsError; DeviceError `request_refused`
     */
    async scouts() {
      const scouts = await listScouts(api);
      store.knownScouts.replace(scouts);
      const troubles = troublesIn(scouts, store.knownScouts.off()).map(toldTrouble);
      return { scouts: scouts.map(withState), troubles: [...troubles, ...failingIn(scouts).map(toldFailing)] };
    },
  };
}
