import { expect, test } from "vitest";
import { areAlike, sharedKeys, sketchValues } from "../../../device/knowledge/text/sketch.ts";

const sketch = (values: readonly number[]) => new Uint8Array(Uint32Array.from(values).buffer);
const values = Array.from({ length: sketchValues }, (_, at) => at * 7_919 + 1);

test("15: whichever two values two alike sketches differ in, they have a key in common", () => {
  const one = sketch(values);
  const keys = new Set(sharedKeys(one));
  for (let first = 0; first < sketchValues; first++) {
    for (let second = first; second < sketchValues; second++) {
      const other = sketch(values.with(first, 1e6 + first).with(second, 1e6 + second));
      expect(areAlike(one, other)).toBe(true);
      expect(sharedKeys(other).some((key) => keys.has(key))).toBe(true);
    }
  }
  const far = sketch(values.map((value) => value + 13));
  expect([areAlike(one, far), sharedKeys(far).some((key) => keys.has(key))]).toEqual([false, false]);
  expect(sharedKeys(new Uint8Array(0))).toEqual([]);
});
