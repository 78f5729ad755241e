/** What a proposal is for the person who got it. */
export const categories = [
  "task",
  "event",
  "note",
  "project",
  "reply",
  "actionable_only",
  "information",
  "automatic",
] as const;
export type Category = (typeof categories)[number];

/** How soon something deserves attention. */
export const priorities = ["now", "soon", "later", "none"] as const;
export type Priority = (typeof priorities)[number];

/** Longest texts of a draft, in UTF-16 units, and how many quotes it may give. */
export const categorizeBounds = { title: 200, quote: 300, quotes: 3 } as const;

/**
 * For so long a run has a proposal's round to itself among its person's devices. Longer than a run takes; whoever was
 * refused asks again after it.
 */
export const categorizeLeaseMs = 15 * 60_000;

/** What one device sends the others of a result: it always fits a frame. */
export const maxResultCharacters = 20_000;
