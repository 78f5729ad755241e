import { DistinctCounter, mixed } from "../distinct-counter.ts";
import { asExactNumber, type CsvColumn } from "../stats.ts";

const maxSamples = 5;
const maxSampleChars = 80;
/** What a cell can be. */
export const [integer, decimal, boolean, date, text] = [0, 1, 2, 3, 4] as const;
export type CellType = 0 | 1 | 2 | 3 | 4;
const typeNames = ["integer", "number", "boolean", "date", "text"] as const;
/** A column is of a type when so many of its values are; the rest are strays. */
const dominance = 0.95;

/** What is known about one column. */
export class ColumnCounter {
  nulls = 0;
  readonly types = new Float64Array(5);
  readonly samples: string[] = [];
  min: number | bigint = Number.POSITIVE_INFINITY;
  max: number | bigint = Number.NEGATIVE_INFINITY;
  /** Within 0.8 %: whether it is more than half the rows is what matters. */
  readonly #distinct = new DistinctCounter(14, 512);

  /** True when the value should be offered as a sample. */
  count(type: CellType, hash: number): boolean {
    this.types[type] = (this.types[type] ?? 0) + 1;
    return this.#distinct.add(mixed(hash)) && this.samples.length < maxSamples;
  }

  sample(value: string): void {
    this.samples.push(value.length > maxSampleChars ? `${value.slice(0, maxSampleChars)}…` : value);
  }

  describe(name: string, rows: number): CsvColumn {
    const distinct = this.#distinct.resultAmong(this.types.reduce((sum, count) => sum + count, 0));
    // Neither when there was no number, nor when one was too large for a double.
    const hasNumbers = [this.min, this.max].every((end) => typeof end === "bigint" || Number.isFinite(end));
    return {
      name,
      type: this.#type(),
      nulls: this.nulls,
      distinct,
      highCardinality: distinct.count > rows / 2,
      samples: [...this.samples],
      ...(hasNumbers && { min: asExactNumber(this.min), max: asExactNumber(this.max) }),
    };
  }

  #type(): CsvColumn["type"] {
    const [integers = 0, decimals = 0] = this.types;
    const values = this.types.reduce((sum, count) => sum + count, 0);
    if (values === 0) return "empty";
    if (integers === values) return "integer";
    if (integers + decimals >= values * dominance)
      return integers + decimals === values || decimals > 0 ? "number" : "integer";
    for (const type of [boolean, date, text] as const) {
      if ((this.types[type] ?? 0) >= values * dominance) return typeNames[type];
    }
    return "mixed";
  }
}
