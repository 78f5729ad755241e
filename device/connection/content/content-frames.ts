import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { Draft } from "../window.ts";

/** A frame about content before it has its id. */
export type ContentDraft = Extract<Draft, { type: `index_${string}` | "agent_run" | "agent_cancel" | "tool_results" }>;

const contentFrameTypes = [
  "index_file_result",
  "index_session_progress",
  "index_session_done",
  "tool_calls",
  "run_delta",
  "run_complete",
] as const;

/** What the cloud answers about content. */
export type ContentFrame = Extract<ServerFrame, { type: (typeof contentFrameTypes)[number] }>;

/** Whether a frame answers a request for content, which another part of the program waits for. */
export function isContentFrame(frame: ServerFrame): frame is ContentFrame {
  const types: readonly string[] = contentFrameTypes;
  return types.includes(frame.type);
}
