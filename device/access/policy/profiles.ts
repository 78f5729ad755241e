import * as z from "zod";

/** Where the asking model runs, and what for. */
export const backends = ["local", "cloud", "review"] as const;
export const backend = z.enum(backends);
export type Backend = z.infer<typeof backend>;

/** How much a backend is shown at once. */
export interface BackendProfile {
  /** Lines a call may give without approval. */
  readonly linesWithoutApproval: number;
  /** Lines around what a call is about. */
  readonly contextLines: number;
  /** Characters a result may have; the rest is cut, and said to be. */
  readonly maxResultChars: number;
  /** Whether a cut file comes with its cached summary. */
  readonly addsSummary: boolean;
}

/**
 * `local`: small windows, so minimal snippets. `cloud`: room for context. `review`: sees whole files, to judge changes.
 */
export const backendProfiles: Record<Backend, BackendProfile> = {
  local: { linesWithoutApproval: 200, contextLines: 1, maxResultChars: 16_000, addsSummary: true },
  cloud: { linesWithoutApproval: 2_000, contextLines: 3, maxResultChars: 60_000, addsSummary: true },
  review: { linesWithoutApproval: 10_000, contextLines: 10, maxResultChars: 200_000, addsSummary: true },
};
