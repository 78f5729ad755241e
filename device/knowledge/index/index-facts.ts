/** What an index notes of itself, by the names of its table of facts. */
export const facts = {
  /** The last change of somebody's work that is in it. */
  followed: "followedTo",
  /** "0" while the bytes may hold something of what was removed. */
  purged: "purged",
  /** "1" where all of its manifest was in when it was last written. */
  complete: "complete",
  /** The latest run whose changes are all in. */
  through: "through",
  /** Those that have read all that is in it. */
  readers: "readers",
} as const;

const queryOf = (name: string) => `SELECT value FROM facts WHERE name = '${name}'`;

export const followedQuery = queryOf(facts.followed);
export const purgedQuery = queryOf(facts.purged);
export const completeQuery = queryOf(facts.complete);
export const throughQuery = queryOf(facts.through);
export const readersQuery = queryOf(facts.readers);
