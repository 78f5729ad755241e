import type { DeviceStore } from "../../store/open.ts";
import type { EntityChange } from "../../store/work-schema.ts";
import { addEntity, changedFields, removeEntity } from "../../work/change-entities.ts";
import { editSeen, type Seen, seenNow } from "../../work/edit-seen.ts";
import { type Draft, type EntityKind, type EntityTypes, titleOf } from "../../work/entities.ts";
import { gapOf } from "../../work/recurrence/partly-known.ts";
import { isUndone, undoChange } from "../../work/undo-change.ts";
import { shownRepeats } from "./shown-repeats.ts";

/** Changes shown of one entity. */
const shownChanges = 200;

/** What is said of an entity becomes what is kept; `before` is the one that is changed. */
export type DraftOf<K extends EntityKind, Said> = (said: Said, before?: EntityTypes[K]) => Draft<K> | Promise<Draft<K>>;

/** What a tab can ask of and do with one of any kind, but for what is said of it. */
export type OneUseCases<Shown> = { one(id: string): Shown } & Pick<
  ReturnType<typeof entityUseCases<EntityKind, unknown>>,
  "remove" | "history" | "undo"
>;

interface KeptIn {
  readonly store: DeviceStore;
  readonly now: () => number;
  /** The IANA zone that times are shown in. */
  readonly zone: () => string;
}

/** What a tab can do with one kind of work. */
export function entityUseCases<K extends EntityKind, Said>(
  { store, now, zone }: KeptIn,
  kind: K,
  draftOf: DraftOf<K, Said>,
) {
  return {
    /** @throws DeviceError `value_invalid`, `date_invalid`, `project_unknown`, `store_full` */
    async add(said: Said) {
      const draft = await draftOf(said);
      return shown({ store, now, zone }, seenNow(store, kind, addEntity(store, kind, draft, now()).id));
    },

    /** @throws DeviceError the kind's own when there is none */
    one: (id: string) => shown({ store, now, zone }, seenNow(store, kind, id)),

    /** @throws as `editSeen` and `add` */
    async edit(id: string, revision: number, said: Said) {
      const draft = await draftOf(said, seenNow(store, kind, id).entity);
      return shown({ store, now, zone }, editSeen(store, kind, { id, revision }, draft, now()));
    },

    /** @throws DeviceError the kind's own when there is none */
    remove: (id: string) =>
      store.transaction(() => {
        const title = titleOf(removeEntity(store, kind, id));
        return { id, title, revision: store.entityChanges.latestOf(id) };
      }),

    /** What was done to it, newest first; also of one that is gone. */
    history(id: string) {
      const changes = store.entityChanges.of(id);
      const newest = changes.toReversed().slice(0, shownChanges);
      return { changes: newest.map((change) => shownChange(change, changes)), total: changes.length };
    },

    /** Takes the newest change back that stands, or one by its number. @throws as `undoChange` */
    undo(id: string, change: number | undefined) {
      const { entity, title } = undoChange(store, kind, id, change);
      return { id, title, isGone: entity === null };
    },
  };
}

/** An entity as a page shows it, with the proposal it came from. */
function shown<K extends EntityKind>({ store, now, zone }: KeptIn, { entity, revision }: Seen<K>) {
  const { sourceSuggestionId: id } = entity;
  const subject = id === null ? undefined : store.proposals.find(id)?.rawSubject;
  const gap = "recurrence" in entity ? gapOf(entity) : null;
  const here = { nowMs: now(), zone: zone() };
  const repeats = "recurrence" in entity ? shownRepeats(entity, here) : null;
  const source = id === null ? null : { id, subject: subject ?? null };
  return { entity, revision, source, gap, repeats, zone: here.zone };
}

function shownChange(change: EntityChange, all: readonly EntityChange[]) {
  const { number, before, after, undoes, changedAt } = change;
  const [old, fresh] = [stateOf(before), stateOf(after)];
  const what = undoes !== null ? "undo" : old === null ? "added" : fresh === null ? "removed" : "changed";
  const fields = old === null || fresh === null ? [] : changedFields(old, fresh);
  return { number, at: changedAt, what, undoes, fields, isUndone: isUndone(change, all) } as const;
}

const stateOf = (state: unknown): object | null => (typeof state === "object" ? state : null);
