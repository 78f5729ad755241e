import { DatabaseSync } from "node:sqlite";

/** Where SQLite is called: the prototypes that all connections and statements share. */
function callers(): readonly (readonly [holder: object, name: string])[] {
  const probe = new DatabaseSync(":memory:");
  const statement: object = Object.getPrototypeOf(probe.prepare("SELECT 1"));
  probe.close();
  return [
    [DatabaseSync.prototype, "exec"],
    ...(["run", "get", "all"] as const).map((name) => [statement, name] as const),
  ];
}

/**
 * Does something that awaits nothing, and looks before and after each call of SQLite that it makes.
 *
 * @param look is not called for the calls it makes itself
 * @returns how many calls there were
 */
export function atEachCall(work: () => void, look: (call: number, when: "before" | "after") => void): number {
  let calls = 0;
  let isLooking = false;
  const lookAt = (when: "before" | "after") => {
    isLooking = true;
    look(calls, when);
    isLooking = false;
  };
  const real = callers().map(([holder, name]) => {
    const own: unknown = Reflect.get(holder, name);
    if (typeof own !== "function") throw new Error(`there is no ${name}`);
    Reflect.set(holder, name, function (this: unknown, ...values: unknown[]) {
      if (isLooking) return Reflect.apply(own, this, values);
      calls += 1;
      lookAt("before");
      const result: unknown = Reflect.apply(own, this, values);
      lookAt("after");
      return result;
    });
    return () => Reflect.set(holder, name, own);
  });
  try {
    work();
  } finally {
    for (const restore of real) restore();
  }
  return calls;
}
