import { type ItemHeader, type ItemMachineParts, itemMachineParts } from "../../../events/frames.ts";
import type { ProposalId } from "../../../events/ids.ts";
import { errorOf } from "../../errors.ts";
import type { Connection } from "../connection.ts";
import { readMs } from "../timing.ts";

/** The full text behind a proposal, fetched from its source for this one look. Nothing of it is stored on either side. */
export interface FullItem {
  readonly proposalId: ProposalId;
  readonly subject: string | null;
  readonly sender: string | null;
  /** Where it comes from, as its source has it; null where the source has no such thing. */
  readonly header: ItemHeader | null;
  readonly text: string;
  /** What it says for programs. */
  readonly machine: ItemMachineParts;
}

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
  const parts = new Map<number, { readonly text: string; readonly machine: string }>();
  const background = isWaitedFor ? {} : { background: true as const };
  let header: ItemHeader | null = null;
  const { promise, resolve, reject } = Promise.withResolvers<FullItem>();
  window.ask({ type: "scout_item_request", proposalId, ...background }, readMs, {
    answered(reply) {
      if (reply.type !== "scout_item") return "more";
      const { subject, sender, part, text, machine = "" } = reply;
      parts.set(part, { text, machine });
      header = reply.header ?? header;
      if (parts.size < reply.parts) return "more";
      const ordered = [...parts].sort(([a], [b]) => a - b).map(([, piece]) => piece);
      const whole = ordered.map((each) => each.text).join("");
      resolve({
        proposalId,
        subject,
        sender,
        header,
        text: whole,
        machine: machineOf(ordered.map((each) => each.machine).join("")),
      });
      return undefined;
    },
    failed(code): undefined {
      reject(errorOf(code));
    },
  });
  return promise;
}

const nothing: ItemMachineParts = { calendars: [], linkedData: [] };

/** A cloud of another version may tell it otherwise: then the letter alone is read. */
function machineOf(text: string): ItemMachineParts {
  if (text === "") return nothing;
  try {
    return itemMachineParts.safeParse(JSON.parse(text)).data ?? nothing;
  } catch (error) {
    if (error instanceof SyntaxError) return nothing;
    throw error;
  }
}
