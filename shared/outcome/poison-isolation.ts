/**
 * The order in which messages that come again are worked on, one after another. One of them may take its worker with it
 * each time, and nobody can tell which; side by side it would take the others with it as often, until the queue sets them
 * all aside. What stands before it is done the second time they come, and what stands behind it the third, backwards.
 *
 *   receive 2:  a ✓  b ✓  c †          receive 3:  e ✓  d ✓  c †
 *
 * @param nameOf the same at every receive, whatever the order of the batch
 */
export function isolationOrder<T>(suspects: readonly T[], nameOf: (suspect: T) => string, receiveCount: number): T[] {
  const order = suspects.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return receiveCount % 2 === 0 ? order : order.reverse();
}

/** Takes what comes for the first time side by side, then the suspects {@link isolationOrder}. */
export async function isolatePoison<T>(
  all: readonly T[],
  nameOf: (each: T) => string,
  receivesOf: (each: T) => number,
  take: (each: T) => Promise<void>,
): Promise<void> {
  const suspects = all.filter((each) => receivesOf(each) > 1);
  await Promise.all(all.filter((each) => receivesOf(each) <= 1).map(take));
  for (const each of isolationOrder(suspects, nameOf, Math.max(...suspects.map(receivesOf)))) await take(each);
}
