/** What is looked at costs no more than this part of the time. */
const share = 1 / 40;

/**
 * The same answer again until so long has passed that the look it came of took a fortieth of it: to count a large mailbox four
 * times a second would take from what is counted.
 *
 * @param now milliseconds
 */
export function paced<T>(look: () => T, now: () => number): () => T {
  let known: { readonly value: T; readonly untilMs: number } | undefined;
  return () => {
    const startedAtMs = now();
    if (known === undefined || startedAtMs >= known.untilMs) {
      const value = look();
      const endedAtMs = now();
      known = { value, untilMs: endedAtMs + (endedAtMs - startedAtMs) / share };
    }
    return known.value;
  };
}
