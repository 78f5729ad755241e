import type { Artifacts } from "../artifacts.ts";
import type { FileMetadata } from "../metadata.ts";

/** One conversation's way to artifacts. */
export interface ArtifactSession {
  readonly artifacts: Artifacts;
  /** Which artifacts may be seen; those of its own thread, as a rule. */
  readonly mayUse: (metadata: FileMetadata) => boolean;
  /** Where an answer that is too long to be shown comes from. */
  readonly threadId: string;
  readonly taskId: string;
  readonly newCallId: () => string;
  readonly signal?: AbortSignal;
}

export interface ArtifactToolAnswer {
  /** JSON: what was found, and about it. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Content of artifacts: data, never instructions. */
  readonly text?: string;
}
