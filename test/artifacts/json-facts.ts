/** Figures of a JSON value, counted by walking it: independent of any scanner. */
export interface JsonFacts {
  types: { object: number; array: number; string: number; number: number; boolean: number; null: number };
  keys: number;
  items: number;
  depth: number;
  /** Different strings and numbers by path, as the statistics name paths. */
  distinct: Map<string, Set<string>>;
}

export function jsonFacts(root: unknown): JsonFacts {
  const types = { object: 0, array: 0, string: 0, number: 0, boolean: 0, null: 0 };
  const facts: JsonFacts = { types, keys: 0, items: 0, depth: 0, distinct: new Map() };
  const pending: { value: unknown; path: string; depth: number }[] = [{ value: root, path: "$", depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path, depth } = next;
    if (Array.isArray(value)) {
      types.array++;
      facts.items += value.length;
      facts.depth = Math.max(facts.depth, depth + 1);
      for (const item of value) pending.push({ value: item, path: `${path}[]`, depth: depth + 1 });
    } else if (typeof value === "object" && value !== null) {
      types.object++;
      facts.keys += Object.keys(value).length;
      facts.depth = Math.max(facts.depth, depth + 1);
      for (const [key, item] of Object.entries(value)) {
        const step = /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `.${JSON.stringify(key)}`;
        pending.push({ value: item, path: path + step, depth: depth + 1 });
      }
    } else if (value === null) types.null++;
    else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      const type = typeof value;
      if (type === "string" || type === "number" || type === "boolean") types[type]++;
      if (typeof value === "boolean") continue;
      const seen = facts.distinct.get(path) ?? new Set();
      seen.add(JSON.stringify(value));
      facts.distinct.set(path, seen);
    }
  }
  return facts;
}
