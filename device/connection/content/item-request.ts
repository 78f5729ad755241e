import type { ProposalId } from "../../../events/ids.ts";
import { errorOf } from "../../errors.ts";
import type { Connection } from "../connection.ts";
import { readMs } from "../timing.ts";
import { type FullItem, ItemAssembly } from "./item-assembly.ts";

/**
 * Asks for an item over a connection that has been greeted; its text comes in numbered parts, in any order.
 *
 * @param options.isWaitedFor somebody does: it may use what its source has in reserve
 * @throws (rejects) ScoutsError with the cloud's code; DeviceError `answer_overdue`, `connection_lost`
 */
export function requestItem(
  { state, window }: Connection,
  proposalId: ProposalId,
  { isWaitedFor = true } = {},
): Promise<FullItem> {
  if (state !== "ready") return Promise.reject(errorOf("connection_lost"));
  const assembly = new ItemAssembly();
  const background = isWaitedFor ? {} : { background: true as const };
  const { promise, resolve, reject } = Promise.withResolvers<FullItem>();
  window.ask({ type: "scout_item_request", proposalId, ...background }, readMs, {
    answered(reply) {
      const item = reply.type === "scout_item" ? assembly.add(reply) : undefined;
      if (item === undefined) return "more";
      resolve(item);
      return undefined;
    },
    failed(code): undefined {
      reject(errorOf(code));
    },
  });
  return promise;
}
