import { type ErrorCode, ScoutsError } from "../../../events/errors.ts";
import type { ClientFrame, ServerFrame } from "../../../events/frames.ts";
import type { FrameId, ProposalId } from "../../../events/ids.ts";
import { DeviceError } from "../../errors.ts";
import type { Clock } from "../clock.ts";

type ItemFrame = Extract<ServerFrame, { type: "scout_item" }>;
const itemTimeoutMs = 60_000;

/** The full text behind a proposal, fetched from its source for this one look. */
export interface FullItem {
  readonly proposalId: ProposalId;
  readonly subject: string | null;
  readonly sender: string | null;
  readonly text: string;
}

interface OpenRequest {
  readonly parts: Map<number, string>;
  readonly resolve: (item: FullItem) => void;
  readonly reject: (error: Error) => void;
  readonly cancel: () => void;
}

/** Requests for full items, answered in numbered parts. Nothing of them is stored on either side. */
export function createItemRequests(clock: Clock, newFrameId: () => FrameId) {
  const open = new Map<FrameId, OpenRequest>();

  const take = (id: FrameId): OpenRequest | undefined => {
    const request = open.get(id);
    request?.cancel();
    open.delete(id);
    return request;
  };

  return {
    /** @throws (rejects) ScoutsError with the cloud's code; DeviceError `answer_overdue`, `connection_lost`. */
    request(proposalId: ProposalId, send: (frame: ClientFrame) => void): Promise<FullItem> {
      const id = newFrameId();
      const { promise, resolve, reject } = Promise.withResolvers<FullItem>();
      const cancel = clock.after(itemTimeoutMs, () => take(id)?.reject(new DeviceError("answer_overdue")));
      open.set(id, { parts: new Map(), resolve, reject, cancel });
      send({ type: "scout_item_request", id, proposalId });
      return promise;
    },

    arrived({ inReplyTo, proposalId, subject, sender, part, parts, text }: ItemFrame): void {
      const request = open.get(inReplyTo);
      if (request === undefined) return;
      request.parts.set(part, text);
      if (request.parts.size < parts) return;
      const ordered = [...request.parts].sort(([a], [b]) => a - b).map(([, piece]) => piece);
      take(inReplyTo)?.resolve({ proposalId, subject, sender, text: ordered.join("") });
    },

    /** False when the error answers none of these requests. */
    failed(inReplyTo: FrameId, code: ErrorCode): boolean {
      const request = take(inReplyTo);
      request?.reject(new ScoutsError(code));
      return request !== undefined;
    },

    stop(): void {
      for (const id of [...open.keys()]) take(id)?.reject(new DeviceError("connection_lost"));
    },
  };
}
