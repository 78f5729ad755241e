/** What is attached to one question, at most. */
export const attachmentLimits = {
  count: 8,
  /** Of each, as it comes, and after decompression. */
  bytes: 5 * 1024 * 1024,
  /** Each is given up after this long. */
  timeMs: 30_000,
  /** Of each, that an agent can look at; documents give less (100,000 tokens). */
  characters: 400_000,
  /** Of all together, that an agent is shown at once, about 6,000 tokens; the rest it has to ask for. */
  shownCharacters: 23_000,
} as const;
