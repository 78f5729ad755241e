/**
 * Each value with what `work` makes of it, in the order of the values, while up to `ahead` of them are being worked on.
 * Nothing more is begun once nobody takes any more; what failed is thrown at its turn.
 */
export async function* inOrder<T, R>(
  values: readonly T[],
  ahead: number,
  work: (value: T) => Promise<R>,
): AsyncGenerator<readonly [value: T, result: R]> {
  const rest = values.values();
  const begun: { readonly value: T; readonly result: Promise<R> }[] = [];
  const begin = () => {
    const { value, done } = rest.next();
    if (done) return;
    const result = work(value);
    // Its turn comes later; until then its failure is nobody's.
    result.catch(() => {});
    begun.push({ value, result });
  };
  for (let free = ahead; free > 0; free -= 1) begin();
  for (let first = begun.shift(); first !== undefined; first = begun.shift()) {
    const result = await first.result;
    begin();
    yield [first.value, result];
  }
}
