/** Names offered for one that is not known. */
const offered = 3;
/** A name may differ in a third of its letters, in one always. */
const tolerance = 1 / 3;

/**
 * The names that are most like a text, nearest first, at most three; none when none is near. Letters' case and form of
 * composition do not count; a name that the text begins, or that begins the text, is near.
 */
export function nearestNames(text: string, names: readonly string[]): string[] {
  const wanted = folded(text);
  return names
    .map((name) => ({ name, distance: distanceTo(wanted, folded(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length * tolerance)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, offered)
    .map(({ name }) => name);
}

function distanceTo(wanted: string, name: string): number {
  if (wanted.length > 2 && (name.startsWith(wanted) || wanted.startsWith(name))) return 1;
  // What follows a mention is the rest of the sentence: only as many words as the name has are compared.
  const words = wanted.split(" ").slice(0, name.split(" ").length).join(" ");
  return editDistance(words, name);
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

function folded(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}
