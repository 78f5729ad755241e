/**
 * Moves runs of changed lines of one side that can slide (the line before the run equals its last) as far down as they
 * go, joining runs they meet; a run that can stand beside a run of the other side stands there, so that a replacement is
 * one change. What git does before it merges (xdiff, "change compaction"), so that merges come out alike.
 */
export function compactGroups(lines: Int32Array, changed: Uint8Array, other: Uint8Array): void {
  let at = 0;
  let otherAt = 0;
  while (at < lines.length) {
    if (changed[at] !== 1) {
      while (other[otherAt] === 1) otherAt++;
      otherAt++;
      at++;
      continue;
    }
    const slid = slide(lines, changed, other, at, otherAt);
    at = slid.end;
    otherAt = slid.otherAt;
  }
}

interface Slid {
  /** Behind the run. */
  end: number;
  /** The place on the other side that the end of the run corresponds to. */
  otherAt: number;
}

function slide(lines: Int32Array, changed: Uint8Array, other: Uint8Array, from: number, otherFrom: number): Slid {
  let start = from;
  let end = from;
  let otherAt = otherFrom;
  while (changed[end] === 1) end++;
  let size = 0;
  let besideOther = -1;
  do {
    size = end - start;
    while (start > 0 && lines[start - 1] === lines[end - 1]) {
      changed[--start] = 1;
      changed[--end] = 0;
      while (start > 0 && changed[start - 1] === 1) start--;
      otherAt = stepBack(other, otherAt);
    }
    besideOther = other[otherAt] === 1 || other[otherAt - 1] === 1 ? end : -1;
    while (end < lines.length && lines[start] === lines[end]) {
      changed[start++] = 0;
      changed[end++] = 1;
      while (changed[end] === 1) end++;
      otherAt = stepForward(other, otherAt);
      if (other[otherAt] === 1 || other[otherAt - 1] === 1) besideOther = end;
    }
  } while (size !== end - start);
  while (besideOther !== -1 && end > besideOther) {
    changed[--start] = 1;
    changed[--end] = 0;
    otherAt = stepBack(other, otherAt);
  }
  return { end, otherAt };
}

/** Over one unchanged line of the other side, to the start of the run before it. */
function stepBack(other: Uint8Array, at: number): number {
  let to = at;
  while (to > 0 && other[to - 1] === 1) to--;
  if (to > 0) to--;
  while (to > 0 && other[to - 1] === 1) to--;
  return to;
}

function stepForward(other: Uint8Array, at: number): number {
  let to = at;
  while (other[to] === 1) to++;
  return to + 1;
}
