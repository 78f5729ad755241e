import type * as z from "zod";
import type { ProposalId } from "../../events/ids.ts";
import { DeviceError, type DeviceErrorCode } from "../errors.ts";
import { exactError } from "../exact-sentences.ts";
import type { DeviceStore } from "../store/open.ts";
import type { EntityChange } from "../store/work-schema.ts";
import { type Draft, type EntityKind, type EntityTypes, entitySchemas, idPrefixes } from "./entities.ts";

/** How each kind says that there is none. */
export const unknownCodes = {
  task: "task_unknown",
  event: "event_unknown",
  note: "note_unknown",
  person: "person_unknown",
  memory: "memory_unknown",
} as const satisfies Record<EntityKind, DeviceErrorCode>;

/**
 * Makes an entity; its row and its history are one transaction.
 *
 * @param nowMs milliseconds since the epoch
 * @param from the proposal it is made of
 * @throws DeviceError `value_invalid`, `project_unknown`
 */
export function addEntity<K extends EntityKind>(
  store: DeviceStore,
  kind: K,
  draft: Draft<K>,
  nowMs: number,
  from: ProposalId | null = null,
): EntityTypes[K] {
  const row = newEntity(store, kind, draft, nowMs, from);
  store.transaction(() => writeChange(store, kind, { entityId: row.id, after: row }));
  return row;
}

/** An entity as it would be made; nothing is written. @throws DeviceError as {@link addEntity} */
export function newEntity<K extends EntityKind>(
  store: DeviceStore,
  kind: K,
  draft: Draft<K>,
  nowMs: number,
  from: ProposalId | null = null,
): EntityTypes[K] {
  const id = `${idPrefixes[kind]}_${store.newId()}`;
  const uid = kind === "event" ? { uid: `${id}@scouts` } : {};
  const times = { createdAt: nowMs, updatedAt: nowMs };
  return checked(store, kind, { ...uid, ...given(draft), id, sourceSuggestionId: from, ...times });
}

/**
 * Changes what is given of an entity. Nothing is written, nor kept in its history, when that is what it says already.
 *
 * @throws DeviceError `value_invalid`, `project_unknown`, and the kind's own when there is none
 */
export function editEntity<K extends EntityKind>(
  store: DeviceStore,
  kind: K,
  id: string,
  draft: Draft<K>,
  nowMs: number,
): EntityTypes[K] {
  return store.transaction(() => {
    const before = existing(store, kind, id);
    const after = checked(store, kind, { ...before, ...given(draft), updatedAt: nowMs });
    if (changedFields(before, after).length === 0) return before;
    writeChange(store, kind, { entityId: id, after });
    return after;
  });
}

/** Takes an entity away; its history stays, so that this can be undone. @throws DeviceError the kind's own when there is none */
export function removeEntity<K extends EntityKind>(store: DeviceStore, kind: K, id: string): EntityTypes[K] {
  return store.transaction(() => {
    const before = existing(store, kind, id);
    writeChange(store, kind, { entityId: id, after: null });
    return before;
  });
}

/** Forgets an entity and all that is known of its past: nothing brings it back. It may be gone already, its past not. */
export function eraseEntity(store: DeviceStore, kind: EntityKind, id: string): void {
  store.transaction(() => {
    store.work[kind].remove(id);
    store.entityChanges.forget(id);
  });
}

/** @throws DeviceError the kind's own */
export function existing<K extends EntityKind>(store: DeviceStore, kind: K, id: string): EntityTypes[K] {
  const found = store.work[kind].find(id);
  if (found === undefined) throw new DeviceError(unknownCodes[kind], { data: { id } });
  return found;
}

/**
 * Puts an entity into a state and notes what it was before. To be called within a transaction.
 *
 * @param change `after` null takes it away; `undoes` is the change that this one takes back
 */
export function writeChange<K extends EntityKind>(
  store: DeviceStore,
  kind: K,
  { entityId, after, undoes = null }: { entityId: string; after: EntityTypes[K] | null; undoes?: number | null },
): EntityChange {
  const before = store.work[kind].find(entityId) ?? null;
  if (after === null) store.work[kind].remove(entityId);
  else store.work[kind].put(after);
  return store.entityChanges.add({ kind, entityId, before, after, undoes });
}

/** What two states of an entity differ in, but for when they were written. */
export function changedFields(before: object | null, after: object | null): string[] {
  const [old, fresh] = [fieldsOf(before), fieldsOf(after)];
  const names = new Set([...old.keys(), ...fresh.keys()]);
  return [...names].filter((name) => old.get(name) !== fresh.get(name));
}

const fieldsOf = (state: object | null): Map<string, string> =>
  new Map(
    Object.entries(state ?? {})
      .filter(([name]) => name !== "updatedAt")
      .map(([name, value]) => [name, JSON.stringify(value)]),
  );

const given = (draft: object): object =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));

/** @throws DeviceError `value_invalid` naming the field, `project_unknown` */
export function checked<K extends EntityKind>(store: DeviceStore, kind: K, row: unknown): EntityTypes[K] {
  const parsed = entitySchemas[kind].safeParse(row);
  if (!parsed.success) throw invalid(kind, parsed.error);
  const { data } = parsed;
  if ("projectId" in data && data.projectId !== null) store.projects.get(data.projectId);
  return data;
}

/** The most characters of each field; of a list those of each entry, and how many there may be. */
const longest: Readonly<
  Record<string, { readonly about: "title" | "name" | "fact" | "text"; readonly characters: number }>
> = {
  title: { about: "title", characters: 500 },
  name: { about: "name", characters: 500 },
  fact: { about: "fact", characters: 2_000 },
  note: { about: "text", characters: 100_000 },
  markdown: { about: "text", characters: 1_000_000 },
  place: { about: "text", characters: 1_000 },
  source: { about: "text", characters: 1_000 },
};
const mostListed: Readonly<Record<string, number>> = { people: 500, addresses: 50 };

function invalid(kind: EntityKind, { issues }: z.ZodError): DeviceError {
  const [issue] = issues;
  const field = issue?.path.map(String).join(".") || "field";
  const name = String(issue?.path[0] ?? "");
  const data = { field: name };
  const [text, most] = [longest[name], mostListed[name]];
  if (text !== undefined) return exactError("value_invalid", text.about, { longest: text.characters }, { data });
  if (most !== undefined) return exactError("value_invalid", "list", { most, longest: 500 }, { data });
  if (name === "end" && issue?.code === "custom") return exactError("value_invalid", "end", {}, { data });
  const sentence = `This ${kind} cannot be kept: its ${field} ${issue?.message ?? "is not valid"}. Nothing was changed.`;
  return new DeviceError("value_invalid", { sentence, data });
}
