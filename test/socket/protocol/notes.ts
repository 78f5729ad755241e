import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { ClientFrameType, ServerFrameType } from "../../../events/frames/frames.ts";

interface ClientNote {
  readonly purpose: string;
  /** What the cloud answers with when all is well. */
  readonly answers?: readonly ServerFrameType[];
  /** Codes of an `error` that means this frame in particular; those of every frame are listed once. */
  readonly refusals?: readonly ErrorCode[];
}

/** What the schemas do not say about what a device sends. A frame that is not here is documented by its schema alone. */
export const clientNotes: Partial<Record<ClientFrameType, ClientNote>> = {
  hello: {
    purpose: "Begins the session, or takes it up again. Only it starts delivery; nothing is pushed to a silent socket.",
    answers: ["session_ready", "scout_reauth_required", "scout_health"],
    refusals: ["protocol_unsupported", "forbidden", "keys_unavailable"],
  },
  ping: {
    purpose: "Keeps a connection open that has nothing to pull, and shows the device that it still is.",
    answers: ["pong"],
  },
  bye: {
    purpose: "Ends the session. Whatever was sealed under its key is unreadable from then on.",
    answers: ["accepted"],
  },
  proposals_pull: {
    purpose:
      "Asks for open proposals this device has not stored yet, oldest first, each read afresh at its source. One that expired before any device had stored it comes as well, after all that are open and behind its `scout_proposal_closed` (`expired`), until a device has stored it.",
    answers: ["scout_proposal", "scout_proposal_closed", "proposals_page"],
    refusals: ["session_unknown"],
  },
  scout_proposal_ack: {
    purpose: "The device has stored the proposal as it is in a round. Until it says so, the proposal comes again.",
    answers: ["accepted"],
    refusals: ["proposal_not_found"],
  },
  scout_proposals_ack: {
    purpose:
      "The device has stored these proposals, each in its first round. Those that do not exist (any more) keep nothing from the others; the frame is refused when none of them does.",
    answers: ["accepted"],
    refusals: ["proposal_not_found"],
  },
  scout_proposal_resolved: {
    purpose:
      "The person has decided a round. The first decision of a round counts, and closes the proposal on their other devices; whoever comes later is told that another one does. Of another round it changes nothing.",
    answers: ["accepted"],
    refusals: ["proposal_not_found", "scout_not_found"],
  },
  scout_proposal_reopen: {
    purpose:
      "The person wants to decide once more. The round that is named has to be decided; then the next one begins, on every device. Said again it is accepted, and begins no other.",
    answers: ["accepted", "scout_proposal"],
    refusals: ["proposal_not_found", "scout_not_found"],
  },
  proposals_check: {
    purpose:
      "Asks which of the proposals that are pending here need no decision any more, and which of those decided here were decided anew in a later round: for whoever was away when that was said.",
    answers: ["scout_removed", "scout_proposal_closed", "accepted"],
  },
  categorize_result: {
    purpose:
      "What a run of `categorize` came to, when the device has checked it: it is passed on to the person's other devices that are connected, and kept nowhere. Of a round that another device has read it is accepted, and passed on to nobody.",
    answers: ["accepted"],
  },
  scout_items_request: {
    purpose:
      "The full texts of several items, read at their sources while nobody waits for them. An item that cannot be read keeps nothing from the others: it is named with its code, one of those that refuse `scout_item_request`. As many as `itemsPerFrame` of `session_ready` says; a cloud that does not say it knows `scout_item_request` only.",
    answers: ["scout_items"],
    refusals: ["session_unknown"],
  },
  scout_item_request: {
    purpose: "The full text of an item, read at its source for one look.",
    answers: ["scout_item"],
    refusals: [
      "session_unknown",
      "proposal_not_found",
      "item_gone",
      "item_unreadable",
      "source_quota_spent",
      "source_rate_limited",
      "source_unavailable",
      "reauth",
      "source_forbidden",
    ],
  },
  index_session_start: {
    purpose: "Begins to have a folder summarised.",
    answers: ["accepted"],
    refusals: ["session_unknown", "session_ended", "folder_max_files", "conflict"],
  },
  index_file_batch: {
    purpose: "Files to be summarised. A file that has its result is answered with it again.",
    answers: ["accepted", "index_file_result", "index_session_progress"],
    refusals: [
      "session_unknown",
      "session_ended",
      "index_unknown",
      "index_ended",
      "upload_missing",
      "forbidden",
      "queue_unavailable",
    ],
  },
  index_session_cancel: {
    purpose: "Gives up: what is queued is dropped.",
    answers: ["index_session_done"],
    refusals: ["session_unknown", "session_ended", "index_unknown"],
  },
  index_session_finish: {
    purpose: "Every file has a result.",
    answers: ["index_session_done"],
    refusals: ["session_unknown", "session_ended", "index_unknown"],
  },
  agent_run: {
    purpose:
      "Asks a question. The answer may need the device: see `tool_calls`. `categorize` has a proposal read; it names the proposal and its round, and one device of a person has that for a quarter of an hour.",
    answers: ["accepted", "run_delta", "tool_calls", "run_complete"],
    refusals: [
      "session_unknown",
      "session_ended",
      "upload_missing",
      "forbidden",
      "conflict",
      "categorize_off",
      "categorize_claimed",
      "proposal_not_open",
      "proposal_not_found",
    ],
  },
  agent_cancel: {
    purpose: "The answer is not wanted any more.",
    answers: ["run_complete"],
    refusals: ["session_unknown", "session_ended", "run_unknown"],
  },
  tool_results: {
    purpose:
      "What the device found, with the continuation as it came. A step is taken once. After `run_ended` the device says `agent_run` again, and is told again how the run ended.",
    answers: ["accepted", "run_delta", "tool_calls", "run_complete"],
    refusals: [
      "session_unknown",
      "session_ended",
      "run_unknown",
      "run_ended",
      "step_replayed",
      "state_invalid",
      "upload_missing",
      "forbidden",
    ],
  },
};

/** The same for what the cloud sends. */
export const serverNotes: Partial<Record<ServerFrameType, string>> = {
  session_ready: "The session, its key (AES-256-GCM, base64url), the limits that hold here, and the cloud's clock.",
  accepted: "The frame's effect is durable. What was not accepted may be sent again under the same id.",
  pong: "The cloud heard the ping.",
  scout_proposal:
    "Something a scout thinks deserves attention. It may come more than once: its id and round say so. A later round opens what was closed or decided in an earlier one.",
  scout_proposals:
    "Several proposals in one frame, each as if it had come alone: only to a device whose `hello` says `takesProposals`. A page of `proposals_pull` comes one by one.",
  categorize_result:
    "What another device of the person had a language model make of a proposal, checked by that device.",
  proposals_page: "The end of a page: how many frames belong to it, and where to go on.",
  scout_proposal_closed:
    "A round of the proposal needs no decision any more. It may overtake the proposal itself; of an earlier round it changes nothing.",
  scout_removed:
    "A scout is removed. All its proposals that are pending are closed, whatever round they are in; a decision of one is refused with `scout_not_found`, which says the same. Said to every device that is connected, and to one that was away when it asks about the scout's proposals. Said again it changes nothing.",
  scout_item:
    "A part of an item's text; all parts of one answer have the same `inReplyTo`. The first carries the item's header, where it has one.",
  scout_items:
    "Parts of items' texts, as a `scout_item` has them, and the items that cannot be read. All of one answer have the same `inReplyTo`; there are more until each item is there in all its parts, or refused.",
  scout_reauth_required:
    "A scout lost its source and is off until its person has done something: the code says what it was. Where connecting it again mends it (`reauth`, `consent_incomplete`), this is said at every hello too; the others are told then by `scout_health`.",
  scout_health: "A scout that has something to tell: off, failing, told of nothing by its source, or with a gap.",
  index_file_result: "A file's summary, or why there is none.",
  index_session_progress: "For display; the device's own count of results decides.",
  index_session_done: "The index session has ended, and how.",
  tool_calls: "The run needs the device: calls to make, and a sealed continuation to hand back unread.",
  run_delta: "A piece of the answer while it is written.",
  run_complete: "The run has ended; every run ends with one of these.",
  error: "A frame was refused, or its work failed. Nothing was changed by a frame that was refused.",
};

/** Codes with which any frame may be refused, or with which the cloud's own troubles are told. */
export const anyFrame: readonly ErrorCode[] = [
  "invalid_frame",
  "unknown_frame",
  "rate_limited",
  "storage_throttled",
  "storage_unavailable",
  "internal",
];

/** How a WebSocket ends, or does not begin. */
export const endings: readonly (readonly [what: string, meaning: string, then: string])[] = [
  ["HTTP 403", "the ticket is not ours, expired or spent (HTTP 401: there is none)", "buy another"],
  ["HTTP 429, 5xx", "the gateway is busy or a function failed", "try again, with back-off"],
  [
    "close 1000",
    "the device closed it, or the cloud did after `error rate_limited`",
    "come back after half a minute or more",
  ],
  ["close 1001", "ten minutes without a frame, or two hours old", "connect again"],
  ["close 1006", "the line was cut", "connect again, with back-off"],
  ["close 1009", "a frame of more than 32 KB or a message of more than 128 KB", "use an upload"],
];
