import { isDeviceError } from "../../errors.ts";
import { exactError } from "../../exact-sentences.ts";
import type { DeviceStore } from "../../store/open.ts";
import { addEntity, editEntity, newEntity } from "../change-entities.ts";
import type { Draft, Task } from "../entities.ts";
import { type InParts, takeInParts } from "../in-parts.ts";
import { isSaid, SaidAlready } from "./is-said.ts";
import type { FileTask } from "./task-file.ts";

/** What became of the tasks of a file. */
export interface ImportedTasks {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}

/**
 * Takes the tasks of a file in parts, none where one of them cannot be kept: one that was written from a task of this device changes
 * that one, one that says what another says already is passed over, so that a file can be taken twice, and to its end after an
 * interruption.
 *
 * @throws DeviceError `value_invalid`, which names the task (a file has many), and as {@link takeInParts}
 */
export async function importTasks(
  store: DeviceStore,
  tasks: readonly FileTask[],
  nowMs: number,
  parts: InParts = {},
): Promise<ImportedTasks> {
  const taking = new TaskImport(store, nowMs);
  for (const { draft } of tasks) taking.requireKept(draft);
  await takeInParts(tasks, (part) => taking.take(part), "tasks", parts);
  return taking.counts;
}

/** One import, and what has become of its tasks so far. */
class TaskImport {
  readonly counts = { added: 0, changed: 0, unchanged: 0 };
  readonly #store: DeviceStore;
  readonly #nowMs: number;
  #byId = new Map<string, Task>();
  #said = new SaidAlready<"task">([], "doneAt");
  /** The newest change of the person's work when the known tasks were looked at. */
  #newest = -1;

  constructor(store: DeviceStore, nowMs: number) {
    this.#store = store;
    this.#nowMs = nowMs;
  }

  /** @throws DeviceError `value_invalid` where a task could not be kept */
  requireKept(draft: Draft<"task">): void {
    named(draft, () => newEntity(this.#store, "task", this.#added(draft), this.#nowMs));
  }

  /** All of them or, when it throws, none. */
  take(tasks: readonly FileTask[]): void {
    this.#store.transaction(() => {
      const { work, entityChanges } = this.#store;
      if (entityChanges.newest() !== this.#newest) this.#knows(work.task.list());
      for (const task of tasks) this.#takeOne(task);
      this.#newest = entityChanges.newest();
    });
  }

  #knows(all: readonly Task[]): void {
    this.#byId = new Map(all.map((task) => [task.id, task]));
    this.#said = new SaidAlready(all, "doneAt");
  }

  #takeOne({ id, draft }: FileTask): void {
    // The id of a task of another device says nothing here.
    const before = (id === undefined ? undefined : this.#byId.get(id)) ?? this.#said.find(draft);
    if (before === undefined) {
      this.#said.add(named(draft, () => addEntity(this.#store, "task", this.#added(draft), this.#nowMs)));
      this.counts.added++;
    } else if (isSaid(before, draft, "doneAt")) this.counts.unchanged++;
    else {
      const after = ended(before, draft, this.#nowMs);
      const edited = named(draft, () => editEntity(this.#store, "task", before.id, after, this.#nowMs));
      this.#byId.set(edited.id, edited);
      this.counts.changed++;
    }
  }

  #added(draft: Draft<"task">): Draft<"task"> {
    return { ...draft, doneAt: doneAtOf(draft, this.#nowMs) };
  }
}

/** What can be wrong with a task of a file, by its field. */
const wrong: Readonly<Record<string, "taskTitle" | "taskNote" | "taskDue">> = {
  title: "taskTitle",
  note: "taskNote",
  due: "taskDue",
};

/** A file may have thousands of tasks: what is refused is refused with how its title begins. */
function named<T>({ title = "" }: Draft<"task">, take: () => T): T {
  try {
    return take();
  } catch (error) {
    if (!isDeviceError(error, "value_invalid")) throw error;
    const about = wrong[String(error.data["field"])];
    if (about === undefined) throw error;
    const begins = title.length > 60 ? `${title.slice(0, 60).toWellFormed()}…` : title;
    throw exactError("value_invalid", about, { ...error.exact?.values, begins }, { data: error.data, cause: error });
  }
}

/** When it was done is known better here than a file says it. */
function ended(before: Task, draft: Draft<"task">, nowMs: number): Draft<"task"> {
  if (draft.status === before.status) return { ...draft, doneAt: before.doneAt };
  return { ...draft, doneAt: doneAtOf(draft, nowMs) };
}

const doneAtOf = ({ status, doneAt }: Draft<"task">, nowMs: number): number | null =>
  status === "done" ? (doneAt ?? nowMs) : null;
