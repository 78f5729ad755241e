import { exactError } from "../exact-sentences.ts";
import type { DeviceStore } from "../store/open.ts";
import type { EntityChange } from "../store/work-schema.ts";
import { changedFields, checked, writeChange } from "./change-entities.ts";
import { type EntityKind, type EntityTypes, entitySchemas, titleOf } from "./entities.ts";
import { eventKey } from "./recurrence/time-of-series.ts";

/** What an undo has made of an entity. */
export interface Undone<K extends EntityKind> {
  readonly change: EntityChange;
  /** As it is now; null when it is gone. */
  readonly entity: EntityTypes[K] | null;
  readonly title: string;
}

/**
 * Takes a change back, an undo included, and notes that as a change of its own: one transaction. Without a number it is
 * the newest that stands and is not an undo itself.
 *
 * @throws DeviceError `change_unknown`, `change_superseded` when something newer rests on it, `project_unknown`
 */
export function undoChange<K extends EntityKind>(
  store: DeviceStore,
  kind: K,
  entityId: string,
  number?: number,
): Undone<K> {
  return store.transaction(() => {
    const history = store.entityChanges.of(entityId);
    const wanted =
      number === undefined
        ? history.findLast((each) => each.undoes === null && !isUndone(each, history))
        : history.find((each) => each.number === number);
    if (wanted === undefined) {
      throw number === undefined
        ? exactError("change_unknown", "none")
        : exactError("change_unknown", "number", { change: number });
    }
    refuseWhenSuperseded(wanted, history);
    const before = stateOf(kind, wanted.before);
    const current = store.work[kind].find(entityId) ?? null;
    const after = current !== null && before !== null ? merged(store, kind, current, wanted) : before;
    if (after !== null) checked(store, kind, after);
    if (current === null && after !== null) {
      refuseWhenProposedAgain(store, after);
      refuseWhenThereAgain(store, after);
    }
    const change = writeChange(store, kind, { entityId, after, undoes: wanted.number });
    const named = after ?? current ?? before;
    return { change, entity: after, title: named === null ? entityId : titleOf(named) };
  });
}

/** Whether a change does not stand: some undo of it does. */
export function isUndone(change: EntityChange, history: readonly EntityChange[]): boolean {
  return history.some((each) => each.undoes === change.number && !isUndone(each, history));
}

/** @throws DeviceError `change_superseded` */
function refuseWhenSuperseded(wanted: EntityChange, history: readonly EntityChange[]): void {
  if (isUndone(wanted, history)) {
    throw exactError("change_superseded", "undone", { change: wanted.number });
  }
  const newer = history.filter(({ number }) => number > wanted.number);
  const numbers = new Set(newer.map(({ number }) => number));
  // An undo of something that is newer itself, and what it took back, leave things as they were.
  const standing = newer.filter(
    (each) => !isUndone(each, history) && (each.undoes === null || !numbers.has(each.undoes)),
  );
  const fields = fieldsOf(wanted);
  const first = standing.find((each) => fieldsOf(each).some((field) => fields.includes(field)));
  if (first === undefined) return;
  const values = { change: wanted.number, newer: first.number };
  throw exactError("change_superseded", "newer", values, { data: values });
}

/**
 * What was made of a proposal whose decision was taken back does not come back beside the proposal: it could be approved
 * once more and be there twice.
 *
 * @throws DeviceError `change_superseded`
 */
function refuseWhenProposedAgain(store: DeviceStore, { id, sourceSuggestionId }: EntityTypes[EntityKind]): void {
  const proposal = sourceSuggestionId === null ? undefined : store.proposals.find(sourceSuggestionId);
  if (proposal === undefined || proposal.resolvedEntityId === id) return;
  throw exactError("change_superseded", "proposal", { id: proposal.id });
}

/** An event that was taken from its file once more has its place already. @throws DeviceError `change_superseded` */
function refuseWhenThereAgain(store: DeviceStore, entity: EntityTypes[EntityKind]): void {
  if (!("uid" in entity)) return;
  const key = eventKey(entity);
  const other = store.workLookups.eventsOf(entity.uid).find((each) => eventKey(each) === key);
  if (other === undefined) return;
  throw exactError("change_superseded", "there", { id: other.id });
}

const objectOf = (state: unknown): object | null => (typeof state === "object" ? state : null);

/** What a change is about: all of the entity when it made it or took it away. */
function fieldsOf({ before, after }: EntityChange): string[] {
  return changedFields(objectOf(before), objectOf(after));
}

/** The entity as it is, but for what the change had changed. */
function merged<K extends EntityKind>(
  store: DeviceStore,
  kind: K,
  current: EntityTypes[K],
  change: EntityChange,
): EntityTypes[K] {
  const before = Object.entries(objectOf(change.before) ?? {});
  const fields = fieldsOf(change);
  return checked(store, kind, {
    ...current,
    ...Object.fromEntries(before.filter(([name]) => fields.includes(name) || name === "updatedAt")),
  });
}

const stateOf = <K extends EntityKind>(kind: K, state: unknown): EntityTypes[K] | null =>
  state === null ? null : entitySchemas[kind].parse(state);
