/**
 * Every place where `needle` stands in `lines`, in linear time (Knuth, Morris and Pratt, 1977): a hunk of blank lines in a
 * file of blank lines must not take minutes.
 *
 * @returns 0-based line numbers, ascending; overlapping places included
 */
export function findLines(lines: readonly string[], needle: readonly string[]): number[] {
  if (needle.length === 0) return [];
  const borders = bordersOf(needle);
  const found: number[] = [];
  let matched = 0;
  for (const [index, line] of lines.entries()) {
    while (matched > 0 && needle[matched] !== line) matched = borders[matched - 1] ?? 0;
    if (needle[matched] === line) matched++;
    if (matched === needle.length) {
      found.push(index - needle.length + 1);
      matched = borders[matched - 1] ?? 0;
    }
  }
  return found;
}

function bordersOf(needle: readonly string[]): number[] {
  const borders = [0];
  let length = 0;
  for (let at = 1; at < needle.length; at++) {
    while (length > 0 && needle[length] !== needle[at]) length = borders[length - 1] ?? 0;
    if (needle[length] === needle[at]) length++;
    borders.push(length);
  }
  return borders;
}
