import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { type Called, useDeed } from "../form/use-deed.ts";
import { apis, type Kind } from "./kinds.ts";
import { noteDone } from "./last-change.ts";

/** Everything about work begins with this word: news of it has it asked anew. */
export const about = "work";

type OneTask = InferResponseType<(typeof api.work.tasks)[":id"]["$get"]>;
type OneEvent = InferResponseType<(typeof api.work.events)[":id"]["$get"]>;
type OneNote = InferResponseType<(typeof api.work.notes)[":id"]["$get"]>;
type OnePerson = InferResponseType<(typeof api.work.people)[":id"]["$get"]>;
type OneFact = InferResponseType<(typeof api.work.memory)[":id"]["$get"]>;

/** One of any kind, with what it came from and which state of it this is. */
export type One = OneTask | OneEvent | OneNote | OnePerson | OneFact;
export type History = InferResponseType<(typeof api.work.tasks)[":id"]["history"]["$get"]>;
export type Change = History["changes"][number];
type Undone = InferResponseType<(typeof api.work.tasks)[":id"]["undo"]["$post"]>;
type Removed = InferResponseType<(typeof api.work.tasks)[":id"]["$delete"]>;

/** What a form says, by the names of fields. */
export type Said = Readonly<Record<string, unknown>>;

export const useOne = (kind: Kind, id: string) =>
  useQuery({ queryKey: [about, kind, id], queryFn: () => answerOf<One>(apis[kind][":id"].$get({ param: { id } })) });

export const useHistory = (kind: Kind, id: string) =>
  useQuery({
    queryKey: [about, kind, id, "history"],
    queryFn: () => answerOf<History>(apis[kind][":id"].history.$get({ param: { id } })),
  });

export const useProjects = () =>
  useQuery({ queryKey: [about, "projects"], queryFn: () => answerOf(api.work.projects.$get()) });

/** Something that changes work; what is shown of it is asked anew. What was sent is forgotten with the answer. */
export function useWorkChange<V, T>(
  called: Called<V>,
  change: (asked: V) => Promise<T>,
  onDone?: (result: T, asked: V) => void,
) {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: [about] });
  return useDeed({
    called,
    mutationFn: change,
    gcTime: 0,
    // It may have failed because it is otherwise by now.
    onError: refresh,
    onSuccess: async (result, asked) => {
      onDone?.(result, asked);
      await refresh();
    },
  });
}

/** Adds one of a kind; fields that are not said have their defaults. */
export function useAdd(kind: Kind, onDone?: (added: One, said: Said) => void) {
  const { t } = useTranslation();
  return useWorkChange(
    (said: Said) => [t(`work.one.${kind}`), String(said["title"] ?? said["name"] ?? said["fact"])],
    (said: Said) => answerOf<One>(apis[kind].$post({ json: said as never })),
    onDone,
  );
}

/** Changes the fields that are said, unless somebody has changed it since `revision`: then the device refuses. */
export const useEdit = (called: readonly string[], kind: Kind, id: string, onDone: (edited: One) => void) =>
  useWorkChange(
    called,
    ({ revision, said }: { readonly revision: number; readonly said: Said }) =>
      answerOf<One>(
        apis[kind][":id"].$patch({
          param: { id },
          query: { revision: String(revision) },
          json: said as never,
        }),
      ),
    onDone,
  );

/** Takes one away; its history stays, so that it can be brought back. */
export const useRemove = (called: readonly string[], kind: Kind, onDone?: () => void) =>
  useWorkChange(
    called,
    (id: string) => answerOf<Removed>(apis[kind][":id"].$delete({ param: { id } })),
    ({ id, title, revision: change }) => {
      noteDone({ kind, id, change, title, what: "removed" });
      onDone?.();
    },
  );

/** Marks a task as done, or opens it again; either can be taken back. */
export const useSetDone = (called: readonly string[]) =>
  useWorkChange(
    called,
    ({ id, isDone }: { readonly id: string; readonly isDone: boolean }) =>
      answerOf(api.work.tasks[":id"].done.$put({ param: { id }, json: { isDone } })).then((task) => ({
        ...task,
        isDone,
      })),
    ({ id, title, revision: change, isDone }) =>
      noteDone({ kind: "task", id, change, title, what: isDone ? "done" : "reopened" }),
  );

/** Takes back the newest change of one, or the one that is named. */
export const useUndo = (called: readonly string[], onDone?: (undone: Undone) => void) =>
  useWorkChange(
    called,
    ({ kind, id, change }: { readonly kind: Kind; readonly id: string; readonly change?: number }) =>
      answerOf<Undone>(apis[kind][":id"].undo.$post({ param: { id }, json: change === undefined ? {} : { change } })),
    onDone,
  );
