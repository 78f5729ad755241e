import type { ProposalId } from "../../../events/ids.ts";
import { errorOf } from "../../errors.ts";
import type { Connection } from "../connection.ts";
import { readMs } from "../timing.ts";

/** The full text behind a proposal, fetched from its source for this one look. Nothing of it is stored on either side. */
export interface FullItem {
  readonly proposalId: ProposalId;
  readonly subject: string | null;
  readonly sender: string | null;
  readonly text: string;
}

/**
 * Asks for an item over a connection that has been greeted; its text comes in numbered parts, in any order.
 *
 * @throws (rejects) ScoutsError with the cloud's code; DeviceError `answer_overdue`, `connection_lost`
 */
export function requestItem({ state, window }: Connection, proposalId: ProposalId): Promise<FullItem> {
  if (state !== "ready") return Promise.reject(errorOf("connection_lost"));
  const parts = new Map<number, string>();
  const { promise, resolve, reject } = Promise.withResolvers<FullItem>();
  window.ask({ type: "scout_item_request", proposalId }, readMs, {
    answered(reply) {
      if (reply.type !== "scout_item") return "more";
      const { subject, sender, part, text } = reply;
      parts.set(part, text);
      if (parts.size < reply.parts) return "more";
      const ordered = [...parts].sort(([a], [b]) => a - b).map(([, piece]) => piece);
      resolve({ proposalId, subject, sender, text: ordered.join("") });
      return undefined;
    },
    failed(code): undefined {
      reject(errorOf(code));
    },
  });
  return promise;
}
