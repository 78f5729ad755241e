import { DeviceError } from "../errors.ts";
import type { DeviceStore } from "../store/open.ts";
import type { EntityChange } from "../store/work-schema.ts";
import { changedFields, editEntity, existing } from "./change-entities.ts";
import type { Draft, EntityKind, EntityTypes } from "./entities.ts";

/** An entity, and the number of the newest change it has in it: who changes it says which one they saw. */
export interface Seen<K extends EntityKind> {
  readonly entity: EntityTypes[K];
  readonly revision: number;
}

/** @throws DeviceError the kind's own when there is none */
export const seenNow = <K extends EntityKind>(store: DeviceStore, kind: K, id: string): Seen<K> =>
  store.transaction(() => ({ entity: existing(store, kind, id), revision: store.entityChanges.latestOf(id) }));

/**
 * Changes what somebody saw, unless what they change has been changed since: nothing is overwritten unasked. What others
 * have changed of it besides stays.
 *
 *   A  sees change 7 ─────────────────────── title: "Paint" ✓ (8)
 *   B       sees change 7 ─ done ✓ (8 or 9)                       title: "Tiles" ✗ work_changed
 *
 * @param revision what was seen, by the number of its newest change
 * @throws DeviceError `work_changed`; as `editEntity`
 */
export function editSeen<K extends EntityKind>(
  store: DeviceStore,
  kind: K,
  { id, revision }: { readonly id: string; readonly revision: number },
  draft: Draft<K>,
  nowMs: number,
): Seen<K> {
  return store.transaction(() => {
    const before = existing(store, kind, id);
    const wanted = new Set(changedFields(before, { ...before, ...draft }));
    const others = store.entityChanges.of(id).filter(({ number }) => number > revision);
    if (others.some((change) => fieldsOf(change).some((field) => wanted.has(field)))) {
      throw new DeviceError("work_changed", { data: { id } });
    }
    return { entity: editEntity(store, kind, id, draft, nowMs), revision: store.entityChanges.latestOf(id) };
  });
}

const fieldsOf = ({ before, after }: EntityChange): string[] => changedFields(objectOf(before), objectOf(after));
const objectOf = (state: unknown): object | null => (typeof state === "object" ? state : null);
