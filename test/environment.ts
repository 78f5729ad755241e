import process from "node:process";

/**
 * Sets variables of this process for a while. The object itself stays: one that is put in its place is a plain one, and what is set
 * in it later, such as TZ, changes nothing.
 *
 * @returns puts back what was
 */
export function setVariables(values: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, values);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
