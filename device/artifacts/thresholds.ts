/** Sizes from which on a tool's result is stored instead of shown, in bytes. */
export const thresholdPresets = { development: 10 * 1024, default: 50 * 1024, roomy: 100 * 1024 } as const;
export type ThresholdPreset = keyof typeof thresholdPresets;

/** Larger artifacts would need more memory than a query may have. */
export const maxQueriedBytes = 64 * 1024 * 1024;

export interface ThresholdPolicy {
  readonly preset?: ThresholdPreset | undefined;
  /** In bytes; a tool's goes before an agent's. */
  readonly perAgent?: Readonly<Record<string, number>>;
  readonly perTool?: Readonly<Record<string, number>>;
}

export interface ThresholdSituation {
  readonly agent?: string;
  readonly tool: string;
  /** Tokens the model can still take. */
  readonly windowTokensLeft?: number;
  /** What can be shown at all, in bytes. */
  readonly mostBytes?: number;
}

/** One result may take so much of what is left of the window. */
const windowShare = 0.25;
/** JSON has the fewest characters per token of what tools give: 2.24 (o200k). */
const bytesPerToken = 2;
const leastBytes = 1_024;
/** Tokens of a conversation where nobody says what the model can take: what a run may use in all. */
export const defaultWindowTokens = 120_000;

/** The size from which on a result is stored, in bytes. */
export function thresholdBytes(policy: ThresholdPolicy, situation: ThresholdSituation): number {
  const { agent, tool, windowTokensLeft, mostBytes = Number.POSITIVE_INFINITY } = situation;
  const wanted =
    ownNumber(policy.perTool, tool) ??
    ownNumber(policy.perAgent, agent) ??
    thresholdPresets[policy.preset ?? "default"];
  const configured = Math.min(wanted, mostBytes);
  if (windowTokensLeft === undefined) return configured;
  const fitting = Math.floor(Math.max(0, windowTokensLeft) * windowShare * bytesPerToken);
  return Math.min(configured, Math.max(leastBytes, fitting));
}

function ownNumber(from: Readonly<Record<string, number>> | undefined, key: string | undefined): number | undefined {
  return from !== undefined && key !== undefined && Object.hasOwn(from, key) ? from[key] : undefined;
}
