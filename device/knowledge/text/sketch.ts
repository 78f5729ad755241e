/**
 * What a text is like, in 64 bytes: of the hashes of all its runs of four words, the least of each of 16 classes. Two
 * texts agree in about as many as they share of their runs (one-permutation hashing: Li, Owen, Zhang 2012).
 */
export const sketchValues = 16;
const runWords = 4;
/** Two texts with less are told apart by a word; that says nothing. */
const minRuns = 20;
/** 14 of 16 values: nine in ten of the runs are the same. */
const minAlike = 14;

/** Empty for a text too short to be compared. */
export function sketchOf(text: string): Uint8Array {
  const least = new Uint32Array(sketchValues).fill(0xffffffff);
  // The hashes of the last words, oldest first.
  let [third, second, first] = [0, 0, 0];
  let words = 0;
  let hash = 0;
  let isInWord = false;
  for (let at = 0; at <= text.length; at++) {
    const unit = at < text.length ? text.charCodeAt(at) : 32;
    const isSpace = unit <= 32;
    if (!isSpace) {
      // FNV-1a.
      hash = Math.imul((isInWord ? hash : 0x811c9dc5) ^ unit, 0x01000193);
      isInWord = true;
      // Without spaces a text would be one word: every few characters count as one.
      if (unit < 0x2e80) continue;
    }
    if (!isInWord) continue;
    isInWord = false;
    words++;
    const run = Math.imul(Math.imul(Math.imul(third, 31) + second, 31) + first, 31) + hash;
    third = second;
    second = first;
    first = hash;
    if (words < runWords) continue;
    const value = mixed(run);
    const place = value % sketchValues;
    if (value < (least[place] ?? 0)) least[place] = value;
  }
  return words < minRuns + runWords ? new Uint8Array(0) : new Uint8Array(least.buffer);
}

/** MurmurHash3's last step: every bit of the input moves every bit of the output. */
function mixed(value: number): number {
  let each = value;
  each = Math.imul(each ^ (each >>> 16), 0x85ebca6b);
  each = Math.imul(each ^ (each >>> 13), 0xc2b2ae35);
  return (each ^ (each >>> 16)) >>> 0;
}

/** Whether two texts are the same but for a few words, by their sketches. */
export function areAlike(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length === 0 || one.length !== other.length) return false;
  let same = 0;
  for (let at = 0; at < one.length; at += 4) {
    if ([0, 1, 2, 3].every((byte) => one[at + byte] === other[at + byte])) same++;
  }
  return same >= minAlike;
}

/**
 * Keys of which two sketches that are alike have one in common, so that not each has to be compared with each: two of 16 values
 * may differ, and of three parts of the values one is then the same in both. None for a text too short to be compared.
 */
export function sharedKeys(sketch: Uint8Array): string[] {
  if (sketch.length === 0) return [];
  const parts = sketchValues - minAlike + 1;
  const bytes = Buffer.from(sketch.buffer, sketch.byteOffset, sketch.byteLength);
  const valuesAPart = Math.floor(sketchValues / parts);
  return Array.from({ length: parts }, (_, part) => {
    const end = part === parts - 1 ? bytes.length : (part + 1) * valuesAPart * 4;
    return `${part}:${bytes.toString("latin1", part * valuesAPart * 4, end)}`;
  });
}
