import type { Draft, EntityKind, EntityTypes } from "../entities.ts";

/**
 * Whether what a file says of an entity is what the entity of this device says already.
 *
 * @param apart a field in which they may differ: when something was done, or its revision written
 */
export function isSaid<K extends EntityKind>(
  entity: EntityTypes[K],
  draft: Draft<K>,
  apart?: "doneAt" | "stampedAt",
): boolean {
  const now: object = entity;
  return Object.entries(draft).every(
    ([name, value]) => name === apart || JSON.stringify(Reflect.get(now, name)) === JSON.stringify(value),
  );
}
