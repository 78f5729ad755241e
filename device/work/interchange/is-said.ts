import type { Draft, EntityKind, EntityTypes } from "../entities.ts";

/** A field in which two may differ and say the same: when something was done, or its revision written. */
type Apart = "doneAt" | "stampedAt";

/** Whether what a file says of an entity is what the entity of this device says already. */
export const isSaid = <K extends EntityKind>(entity: EntityTypes[K], draft: Draft<K>, apart?: Apart): boolean =>
  namesIn(draft, apart).every((name) => saidIn(entity, name) === saidIn(draft, name));

/** Finds the first of many entities that says what a file says, however many there are: a file may say thousands of things. */
export class SaidAlready<K extends EntityKind> {
  readonly #entities: EntityTypes[K][];
  readonly #apart: Apart;
  /** By the fields that a file says, then by their values. Files say few sorts of things. */
  readonly #byFields = new Map<string, Map<string, EntityTypes[K]>>();

  constructor(entities: readonly EntityTypes[K][], apart: Apart) {
    this.#entities = [...entities];
    this.#apart = apart;
  }

  add(entity: EntityTypes[K]): void {
    this.#entities.push(entity);
    for (const [fields, byValues] of this.#byFields) addTo(byValues, valuesOf(entity, JSON.parse(fields)), entity);
  }

  find(draft: Draft<K>): EntityTypes[K] | undefined {
    const names = namesIn(draft, this.#apart).sort();
    const fields = JSON.stringify(names);
    const byValues = this.#byFields.get(fields) ?? new Map<string, EntityTypes[K]>();
    if (!this.#byFields.has(fields)) {
      this.#byFields.set(fields, byValues);
      for (const entity of this.#entities) addTo(byValues, valuesOf(entity, names), entity);
    }
    return byValues.get(valuesOf(draft, names));
  }
}

const namesIn = (draft: object, apart?: Apart): string[] => Object.keys(draft).filter((name) => name !== apart);

/** Comparable as text; absent and null are not the same. */
const saidIn = (said: object, name: string): string => String(JSON.stringify(Reflect.get(said, name)));

const valuesOf = (said: object, names: readonly string[]): string => names.map((name) => saidIn(said, name)).join("\n");

function addTo<T>(byValues: Map<string, T>, values: string, entity: T): void {
  if (!byValues.has(values)) byValues.set(values, entity);
}
