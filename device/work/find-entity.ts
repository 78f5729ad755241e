import { called } from "../errors/called.ts";
import { severalCalled } from "../errors/several-called.ts";
import { DeviceError } from "../errors.ts";
import type { DeviceStore } from "../store/open.ts";
import { unknownCodes } from "./change-entities.ts";
import { type EntityKind, type EntityTypes, entitySchemas, titleOf } from "./entities.ts";

/** What a person calls each kind in a sentence. */
export const kindNames: Readonly<Record<EntityKind, Record<"a" | "one" | "many", string>>> = {
  task: { a: "a task", one: "task", many: "tasks" },
  event: { a: "an event", one: "event", many: "events" },
  note: { a: "a note", one: "note", many: "notes" },
  person: { a: "a person", one: "person", many: "people" },
  memory: { a: "a fact", one: "fact", many: "facts" },
};

/** Characters of an id's end that name it at least. */
const shortestEnd = 4;

/**
 * Finds what a person names: by its id, the end of its id, or its title or a part of it when that names one only; open
 * tasks come before done ones.
 *
 * @throws DeviceError `usage` when several are meant; the kind's own when there is none
 */
export function entityNamed<K extends EntityKind>(store: DeviceStore, kind: K, text: string): EntityTypes[K] {
  const exact = store.work[kind].find(text);
  if (exact !== undefined) return exact;
  const found = onlyOne(kind, text, store.work[kind].list());
  if (found !== undefined) return found;
  throw new DeviceError(unknownCodes[kind], {
    sentence: `There is no ${kindNames[kind].one} ${called(text)} on this device; \`scouts ${commandOf(kind)} list\` shows them.`,
  });
}

/**
 * The id of what a person names, also of what has been taken away.
 * @throws as {@link entityNamed}
 */
export function idNamed(store: DeviceStore, kind: EntityKind, text: string): string {
  try {
    return entityNamed(store, kind, text).id;
  } catch (error) {
    if (!(error instanceof DeviceError) || error.code !== unknownCodes[kind]) throw error;
    const gone = removedEntities(store, kind);
    const id = onlyOne(kind, text, gone)?.id;
    if (id === undefined) throw error;
    return id;
  }
}

/** The word after `scouts` for a kind. */
export const commandOf = (kind: EntityKind): string => (kind === "person" ? "people" : kind);

/** How many changes are looked through for what was taken away. */
const mostLookedThrough = 10_000;

/** What has been taken away, as it was last, newest first. */
function removedEntities<K extends EntityKind>(store: DeviceStore, kind: K): EntityTypes[K][] {
  const seen = new Set<string>();
  return store.entityChanges.latest(kind, mostLookedThrough).flatMap(({ entityId, before, after }) => {
    if (seen.has(entityId)) return [];
    seen.add(entityId);
    return after === null && before !== null ? [entitySchemas[kind].parse(before)] : [];
  });
}

/** @throws DeviceError `usage` */
function onlyOne<T extends EntityTypes[EntityKind]>(kind: EntityKind, text: string, all: readonly T[]): T | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return undefined;
  const isEnd = text.length >= shortestEnd && /^[0-9A-Z_]+$/i.test(text);
  const ends = isEnd ? all.filter(({ id }) => id.toUpperCase().endsWith(text.toUpperCase())) : [];
  const called = all.filter((each) => titleOf(each).toLowerCase() === wanted);
  const like = all.filter((each) => titleOf(each).toLowerCase().includes(wanted));
  const [meant = []] = [ends, called, like].filter(({ length }) => length > 0);
  const open = meant.filter((each) => !("status" in each) || each.status !== "done");
  const chosen = open.length > 0 ? open : meant;
  const [found, another] = chosen;
  if (another !== undefined) {
    const told = chosen.map((each) => ({ id: each.id, title: titleOf(each) }));
    throw severalCalled(kindNames[kind].many, text, told);
  }
  return found;
}
