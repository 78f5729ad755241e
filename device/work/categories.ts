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
