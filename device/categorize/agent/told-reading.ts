import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { StoredProposal } from "../../store/schema.ts";
import { type Categorized, categorized } from "../draft.ts";

/** A result as another device of the person is told of it. */
export const toldReading = (result: Categorized): string => JSON.stringify(result);

/**
 * Keeps what another device of the person has had a proposal read as. That device held it against the item; here only what
 * differs between devices is looked at: projects are this device's own.
 *
 * @returns the row, unless there is a model's result already, the round is another, or it cannot be understood
 */
export function keepToldReading(
  store: DeviceStore,
  { proposalId, round, result }: Extract<ServerFrame, { type: "categorize_result" }>,
): StoredProposal | undefined {
  const told = understood(result.inline);
  if (told === undefined) return undefined;
  return store.proposals.keepToldReading(proposalId, round, withOwnProject(store, told));
}

/** A device of another version may say it otherwise; then what the rules found stays. */
function understood(text: string): Categorized | undefined {
  try {
    return categorized.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function withOwnProject(store: DeviceStore, told: Categorized): Categorized {
  const { draft } = told;
  if (draft.projectId === null || store.projects.list().some(({ id }) => id === draft.projectId)) return told;
  const dropped = [...new Set([...draft.dropped, "project_unknown" as const])].slice(0, 8);
  return { ...told, draft: { ...draft, projectId: null, dropped } };
}
