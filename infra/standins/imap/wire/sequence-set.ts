/** Ranges of message numbers or UIDs, both ends included (RFC 3501 §9, `sequence-set`); ascending, none overlaps another. */
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
  const ranges = text.split(",").map((range) => {
    const [from = "", to = from] = range.split(":");
    const ends = [numberOf(from), numberOf(to)] as const;
    return [Math.min(...ends), Math.max(...ends)] as const;
  });
  return joined(ranges);
}

/** Ranges in order, those that overlap as one: a message that is named twice is answered once. */
function joined(ranges: SequenceSet): SequenceSet {
  const apart: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = apart.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else apart.push([from, to]);
  }
  return apart;
}

/** Whether a set names a number. The ends of its ranges are in it. */
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
