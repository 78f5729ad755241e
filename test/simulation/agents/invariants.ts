import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { ProposalId } from "../../../events/ids.ts";
import { categorizeLeaseMs } from "../../../events/proposals/categorize.ts";
import { parseRunRow, runPath } from "../../../shared/agents/run/run-row.ts";
import type { Item, Key } from "../../../shared/ports/table.ts";
import { BreakerInvariants } from "../breaker.ts";
import type { Simulation } from "../simulation.ts";
import type { AgentWorld } from "./world.ts";

/** In every question, tool call, tool result and answer. */
export const canary = "KANARIENVOGEL";
const hidden = [canary, Buffer.from(canary).toString("base64").slice(0, -3), Buffer.from(canary).toString("hex")];

/** What must hold of runs at every write, and when everything has come to rest. */
export class AgentInvariants {
  readonly breaker: BreakerInvariants;
  /** By whose they are. */
  readonly proposals = new Map<string, readonly ProposalId[]>();
  readonly #sim: Simulation;
  /** Whose run it is, by the first write of its row. */
  readonly #owners = new Map<string, string>();

  constructor(world: AgentWorld) {
    this.#sim = world.sim;
    this.breaker = new BreakerInvariants(() => {
      const { sim, ledger, model } = world;
      return { sim, ledger, outages: model.outages };
    });
  }

  holdsNoContent(where: string, text: string): void {
    if (hidden.some((form) => text.includes(form))) this.#sim.violate("P1: nothing readable at rest", where);
  }

  written(key: Key, before: Item | undefined, after: Item | undefined): void {
    if (after) this.holdsNoContent(key.sk, JSON.stringify(after));
    this.breaker.written(key, before, after);
    if (key.sk.startsWith("ITEM#")) this.#leased(key, before, after);
    if (!key.sk.startsWith("AGENT#") || !after) return;
    const now = parseRunRow(after);
    this.#owners.set(now.runId, now.userId);
    if (!before) return;
    const was = parseRunRow(before);
    if (was.status !== "running" && was.status !== now.status) {
      this.#sim.violate("a run ends with one status", `${was.status}, then ${now.status}`);
    }
    if (now.step !== was.step && now.step !== was.step + 1) {
      this.#sim.violate("steps follow each other", `${was.step}, then ${now.step}`);
    }
    for (const [step, spent] of was.spent) {
      const later = now.spent.get(step);
      if (later?.tokens !== spent.tokens || later.reservation !== spent.reservation) {
        this.#sim.violate("a step's result is written once", String(runPath.spent(step)));
      }
    }
  }

  /** Another device's lease has to be over, or of a round that is. */
  #leased({ sk }: Key, before: Item | undefined, after: Item | undefined): void {
    if (before?.["readBy"] === undefined || after?.["readBy"] === undefined) return;
    const isOther = before["readBy"] !== after["readBy"] && before["readRound"] === after["readRound"];
    const takenAt = Number(after["readUntil"]) - categorizeLeaseMs;
    const isAhead = Number(before["readUntil"]) > takenAt + 2 * categorizeLeaseMs;
    if (isOther && takenAt < Number(before["readUntil"]) && !isAhead) {
      this.#sim.violate("a round is read by one device at a time", sk);
    }
  }

  posted(owner: string, frame: ServerFrame): void {
    if (frame.type === "categorize_result" && !this.proposals.get(owner)?.includes(frame.proposalId)) {
      this.#sim.violate("tenant isolation", frame.type);
    }
    if (!("runId" in frame)) return;
    if (this.#owners.get(frame.runId) !== owner) this.#sim.violate("tenant isolation", frame.type);
  }

  /** Nothing is under way any more, and no fault strikes. */
  async atRest(world: AgentWorld): Promise<void> {
    for (const open of this.breaker.open()) this.#sim.violate("once the model is mended it is asked again", open);
    const rows = world.sessions.items
      .dump()
      .filter(({ sk }) => sk.startsWith("AGENT#"))
      .map(parseRunRow);
    for (const row of rows) {
      const spent = [...row.spent.values()].reduce((sum, { tokens }) => sum + tokens, 0);
      if (spent !== row.inputTokens + row.outputTokens) this.#sim.violate("tokens are the sum of steps", row.runId);
    }
    for (const { userId, deviceId, reader } of world.devices) {
      const readers = world.devices.filter((each) => each.userId === userId).map((each) => each.reader);
      for (const proposal of this.proposals.get(userId) ?? []) {
        // Whoever has the round may have no tokens left, and keeps it.
        if (reader.results.has(proposal) || readers.some(({ hopeless }) => hopeless.has(proposal))) continue;
        this.#sim.violate("every device comes to a result", `${deviceId} ${proposal}`);
      }
    }
    for (const device of world.devices) {
      const own = rows.filter(({ userId }) => userId === device.userId);
      for (const run of device.runs.values()) {
        const row = own.find(({ runId }) => runId === run.runId);
        if (run.lost) continue;
        if (!row) this.#sim.violate("an accepted run has a row", run.runId);
        else if (row.status === "running") this.#sim.violate("every run ends", `${run.runId} at step ${row.step}`);
        else if (run.end?.status !== row.status) this.#sim.violate("the device hears how its run ended", run.runId);
        else if (run.end.tokensUsed !== row.inputTokens + row.outputTokens) {
          this.#sim.violate("a run says what it took", run.runId);
        }
      }
    }
  }

  /** Every session is over, everything expired is swept, lost reservations are settled. */
  afterwards(world: AgentWorld, took: ReadonlyMap<string, number>): void {
    for (const device of world.devices) {
      const items = world.ledger.items.dump().filter(({ pk }) => pk === `USER#${device.userId}`);
      const usage = items.filter(({ sk }) => sk.startsWith("USAGE#"));
      const total = (name: string) => usage.reduce((sum, item) => sum + Number(item[name] ?? 0), 0);
      const open = usage.flatMap((item) => Object.keys(item).filter((name) => name.startsWith("open#")));
      const expected = took.get(device.userId) ?? 0;
      if (total("used") !== expected) this.#sim.violate("tokens are counted once", `${total("used")} of ${expected}`);
      if (open.length > 0 || total("committed") !== expected) this.#sim.violate("nothing stays set aside", open.join());
      const told = items.filter(({ sk }) => sk.startsWith("RUN#")).length;
      const begun = [...this.#owners.values()].filter((owner) => owner === device.userId).length;
      if (told !== begun) this.#sim.violate("every run is in the history once", `${told} of ${begun}`);
    }
    if (world.objects.stored.size > 0)
      this.#sim.violate("objects go with their session", `${world.objects.stored.size}`);
    const left = world.sessions.items.dump().length;
    if (left > 0) this.#sim.violate("what has expired is deleted", `${left} rows`);
  }
}
