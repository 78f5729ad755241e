import type { ToolCall } from "../../events/frames/agents.ts";
import type { ProposalId } from "../../events/ids.ts";
import type { ActionResult, FilePlace, ProjectFile } from "../actions/action-result.ts";
import type { ActionTable } from "../actions/action-table.ts";

/** One call of a run, as it may be shown and kept: what was asked and what became of it, without the result. */
export interface AnsweredCall {
  readonly action: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly filesRead: readonly ProjectFile[];
  readonly proposalsRead: readonly ProposalId[];
  /** Where it looked into files: one place each. */
  readonly places: readonly FilePlace[];
}

export interface CallAnswer {
  readonly call: ToolCall;
  readonly result: ActionResult;
}

/**
 * Does what a step asks for, all of it at once: no action changes anything, so none can be in another's way, and tools, which
 * work in copies, wait for each other. An answer has its call's place; `onAnswered` is told of each when it is ready, with that place.
 */
export function answerCalls(
  calls: readonly ToolCall[],
  actions: Pick<ActionTable, "run">,
  onAnswered: (answered: AnsweredCall, place: number) => void,
): Promise<CallAnswer[]> {
  return Promise.all(
    calls.map(async (call, place) => {
      const { action, data, callId } = call;
      const result = await actions.run(action, data, callId);
      const { error, filesRead = [], proposalsRead = [] } = result;
      const places = firstPlaces(result.parts ?? []);
      onAnswered({ action, data, filesRead, proposalsRead, places, ...(error !== undefined && { error }) }, place);
      return { call, result };
    }),
  );
}

function firstPlaces(parts: readonly FilePlace[]): FilePlace[] {
  const first = new Map<string, FilePlace>();
  for (const { projectId, path, line } of parts) {
    const file = `${projectId} ${path}`;
    if (!first.has(file)) first.set(file, { projectId, path, line });
  }
  return [...first.values()];
}
