/** Ranges of message numbers or UIDs, both ends included (RFC 3501 §9, `sequence-set`). */
export type SequenceSet = readonly (readonly [from: number, to: number])[];

const one = String.raw`(?:[1-9]\d{0,9}|\*)`;
const form = new RegExp(`^${one}(?::${one})?(?:,${one}(?::${one})?)*$`);

/**
 * @param last what `*` stands for: the highest number in use
 * @returns `undefined` when it is no set
 */
export function parseSequenceSet(text: string, last: number): SequenceSet | undefined {
  if (!form.test(text)) return undefined;
  const numberOf = (part: string) => (part === "*" ? last : Number(part));
  return text.split(",").map((range) => {
    const [from = "", to = from] = range.split(":");
    const ends = [numberOf(from), numberOf(to)] as const;
    return [Math.min(...ends), Math.max(...ends)] as const;
  });
}

export const includes = (set: SequenceSet, number: number): boolean =>
  set.some(([from, to]) => from <= number && number <= to);

/** The shortest way to write ascending numbers: `1:3,7`. */
export function writeSequenceSet(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}:${to}`)).join(",");
}
