/** Which of two texts comes first, by their code units: ids, and days or times as they are kept, in their order. */
export const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
