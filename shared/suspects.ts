/** Whether a message came before: its worker died, or could not say what became of it. */
export const cameBefore = ({ receiveCount }: { readonly receiveCount: number }): boolean => receiveCount > 1;

/**
 * The order in which messages that come again are worked on, one after another. One of them may take its worker with it
 * each time, and nobody can tell which; side by side it would take the others with it as often, until the queue sets them
 * all aside. What stands before it is done the second time they come, and what stands behind it the third, backwards.
 *
 *   receive 2:  a ✓  b ✓  c †          receive 3:  e ✓  d ✓  c †
 *
 * @param nameOf the same at every receive, whatever the order of the batch
 */
export function inTurn<T>(suspects: readonly T[], nameOf: (suspect: T) => string, receiveCount: number): T[] {
  const order = suspects.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return receiveCount % 2 === 0 ? order : order.reverse();
}
