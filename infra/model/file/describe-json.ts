const maxKeys = 15;
const maxValues = 6;
const maxDepth = 3;
/** A string that does not end on its line is no string: it is passed over as a whole. */
const token = /"((?:[^"\\\n]|\\.)*)"|"(?:[^"\\\n]|\\.)*|[{}[\],:]|[^\s{}[\],:"]+/g;

/** What stands in JSON, cut or broken JSON included: its shape, its keys from the outside in, its first texts. */
interface JsonView {
  readonly root: "object" | "list" | "value";
  /** By depth of the objects they are of. */
  readonly keys: readonly ReadonlySet<string>[];
  readonly fields: ReadonlyMap<string, string>;
  readonly values: readonly string[];
}

/**
 * A sentence about a JSON file: its form, its keys, what is inside, and a few of its values. A text that is cut short
 * is read as far as it goes.
 */
export function describeJson(text: string): string {
  const { root, keys, fields, values } = viewOf(text);
  if (root === "value") return `JSON value ${text.trim().slice(0, 80)}.`;
  const named = ["name", "title", "description"].flatMap((name) => fields.get(name) ?? []);
  const [outer = [], ...inner] = keys.filter((each) => each.size > 0).map((each) => [...each]);
  const shape = root === "list" ? "JSON list" : "JSON";
  const listed = outer.length === 0 ? shape : `${shape} ${root === "list" ? "of entries with" : "with"} ${list(outer)}`;
  const below = inner[0] === undefined || outer.length > 8 ? "" : `; in them ${list(inner[0])}`;
  const rest = values.filter((value) => !named.includes(value)).slice(0, maxValues);
  const examples = rest.length === 0 ? "" : ` Such as ${rest.join(", ")}.`;
  const empty = outer.length === 0 && rest.length === 0 && !/\d/.test(text);
  return `${named.map((each) => `${each}. `).join("")}${empty ? `Empty ${shape}` : listed}${below}.${examples}`;
}

function list(names: readonly string[]): string {
  return `${names.slice(0, maxKeys).join(", ")}${names.length > maxKeys ? ", …" : ""}`;
}

function viewOf(text: string): JsonView {
  const keys: Set<string>[] = [];
  const fields = new Map<string, string>();
  const values = new Set<string>();
  const open: string[] = [];
  let key: string | undefined;
  let pending: string | undefined;
  const settle = () => {
    if (pending === undefined) return;
    if (key !== undefined && open.length === 1) fields.set(key, pending);
    if (/\p{L}{3}/u.test(pending) && pending.length <= 60) values.add(pending);
    pending = undefined;
  };
  for (const [mark, string] of text.matchAll(token)) {
    if (string !== undefined) {
      pending = string.replace(/\\[nrt]/g, " ").replace(/\\(["\\/])/g, "$1");
    } else if (mark === ":") {
      const depth = open.filter((each) => each === "{").length - 1;
      if (pending !== undefined && depth >= 0 && depth < maxDepth) {
        keys[depth] ??= new Set();
        keys[depth].add(pending);
      }
      key = pending;
      pending = undefined;
    } else {
      settle();
      if (mark === "{" || mark === "[") open.push(mark);
      else if (mark === "}" || mark === "]") open.pop();
      if (mark !== undefined && mark.length === 1) key = undefined;
    }
  }
  settle();
  const first = text.trimStart()[0];
  return {
    root: first === "{" ? "object" : first === "[" ? "list" : "value",
    keys: keys.map((each) => each ?? new Set()),
    fields,
    values: [...values],
  };
}
