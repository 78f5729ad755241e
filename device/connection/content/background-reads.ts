import { socketLimits } from "../../../events/frames/limits.ts";
import type { ProposalId } from "../../../events/ids.ts";
import { errorOf } from "../../errors.ts";
import type { Connection } from "../connection.ts";
import { readMs } from "../timing.ts";
import { type FullItem, ItemAssembly } from "./item-assembly.ts";
import { requestItem } from "./item-request.ts";

type Read = PromiseWithResolvers<FullItem>;

/** Items that nobody waits for: those asked for in one turn share a frame, as far as the cloud takes several in one. */
export class BackgroundReads {
  readonly #connection: Connection;
  #begun = new Map<ProposalId, Read>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** @throws (rejects) as {@link requestItem} does */
  read(id: ProposalId): Promise<FullItem> {
    if (this.#begun.size === 0) queueMicrotask(() => this.#ask());
    const read: Read = this.#begun.get(id) ?? Promise.withResolvers();
    this.#begun.set(id, read);
    return read.promise;
  }

  #ask(): void {
    const reads = [...this.#begun];
    this.#begun = new Map();
    const most = Math.max(1, Math.min(socketLimits.itemsPerFrame, this.#connection.limit("itemsPerFrame") ?? 1));
    for (let from = 0; from < reads.length; from += most) this.#askTogether(reads.slice(from, from + most));
  }

  #askTogether(reads: readonly (readonly [ProposalId, Read])[]): void {
    const [only, ...more] = reads;
    if (only === undefined) return;
    if (more.length > 0) askForAll(this.#connection, new Map(reads));
    else requestItem(this.#connection, only[0], { isWaitedFor: false }).then(only[1].resolve, only[1].reject);
  }
}

function askForAll({ window }: Connection, open: Map<ProposalId, Read>): void {
  const assemblies = new Map([...open.keys()].map((id) => [id, new ItemAssembly()]));
  window.ask({ type: "scout_items_request", proposalIds: [...open.keys()] }, readMs, {
    answered(reply) {
      if (reply.type !== "scout_items") return "more";
      for (const part of reply.parts) {
        const item = assemblies.get(part.proposalId)?.add(part);
        if (item === undefined) continue;
        open.get(part.proposalId)?.resolve(item);
        open.delete(part.proposalId);
      }
      for (const { proposalId, code } of reply.refused) {
        open.get(proposalId)?.reject(errorOf(code));
        open.delete(proposalId);
      }
      return open.size > 0 ? "more" : undefined;
    },
    failed(code): undefined {
      for (const { reject } of open.values()) reject(errorOf(code));
    },
  });
}
