import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { ApiError } from "../app/api.ts";
import { madeByHand } from "./by-hand.ts";
import { forgetDraft, giveBackDraft, holdDraft, type Kept, keepDraft } from "./drafts.ts";
import { textOf } from "./merge-result.ts";
import { type EditedFile, type Merging, mergeText, saveText } from "./queries.ts";
import { type Draft, newDraftId } from "./seal.ts";

/** So long after the last key a text is kept. */
const keepAfterMs = 400;
/** How often it is tried again to save, while the device does not answer. */
const tryEveryMs = 2_000;

/** What a conflict came to: a text made from the file as it was shown, for the place it is to have. */
export type Resolved = Pick<Draft, "text" | "base" | "baseHash" | "path">;

export type EditState = "same" | "typed" | "kept" | "saving" | "waiting" | "saved" | "refused";

const isAway = (error: Error) => error instanceof ApiError && error.told.code === "device_away";
const isStale = (error: Error) =>
  error instanceof ApiError && ["file_conflict", "file_already_exists"].includes(error.told.code);

/** What was to be saved while the device was away still is, also in a tab that was opened since. */
function stateOf({ isToSave, text, base }: Draft): EditState {
  if (isToSave) return "waiting";
  return text === base ? "same" : "kept";
}

/**
 * A text that is edited: kept as it is typed, saved over exactly what it was made from, and put together with what somebody
 * else has written meanwhile. Nothing that was typed leaves memory before it is somewhere else.
 */
export function useEditor(start: Draft, clock: () => number) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(start);
  const [state, setState] = useState<EditState>(stateOf(start));
  const [kept, setKept] = useState<Kept>({ where: "device" });
  const [error, setError] = useState<Error | null>(null);
  const [approves, setApproves] = useState(false);
  const [merging, setMerging] = useState<Merging>();
  const saving = useRef(false);
  /** As it is at this moment, for what began earlier. */
  const latest = useRef(start);
  const isDirty = draft.text !== draft.base || draft.isToSave;

  /** The later of two drafts is the one that is kept, also when the clock was set back between them. */
  const later = () => Math.max(clock(), latest.current.at + 1);
  const put = (next: Draft) => {
    latest.current = next;
    setDraft(next);
  };
  const keep = async (now: Draft) => {
    const where = await keepDraft(now);
    // What was typed since is kept nowhere yet.
    if (latest.current.text !== now.text) return;
    setKept(where);
    setState((before) => (before === "typed" ? "kept" : before));
  };
  const type = (text: string) => {
    put({ ...latest.current, text, at: later(), isToSave: false });
    setState(text === draft.base ? "same" : "typed");
    setError(null);
  };

  /** What stands on the page at this moment of what was sent: the draft, or what is made of a conflict. */
  const standing = ({ id, text }: Draft, ofConflict: Merging | undefined): string => {
    if (ofConflict === undefined) return latest.current.text;
    const made = madeByHand.of(id);
    return made?.hash === ofConflict.hash ? (made.text ?? textOf(ofConflict.parts, made.chosen)) : text;
  };
  /** The conflict is none any more: what was made of it is the draft. */
  const close = (id: string) => {
    setMerging(undefined);
    madeByHand.keep(id, undefined);
  };

  /** @param text as it stands on the page by now: with what was typed while it was asked */
  const failed = async (file: EditedFile, now: Draft, problem: Error, text: string) => {
    if (isAway(problem)) {
      const isToSave = text === now.text;
      const waiting = { ...now, text, at: later(), isToSave };
      close(now.id);
      put(waiting);
      if (!isToSave) setState("typed");
      setKept(await keepDraft(waiting));
      // Said once it is so: a tab that is closed then is saved by a later one.
      return setState((before) => (before === "saving" ? "waiting" : before));
    }
    setState("refused");
    setError(problem);
    await keep({ ...now, text, at: later(), isToSave: now.isToSave && text === now.text });
    if (!isStale(problem)) return;
    try {
      setMerging(await mergeText(file, { base: now.base, mine: text }));
      setError(null);
    } catch (other) {
      if (!(other instanceof Error)) throw other;
      setError(other);
    }
  };

  /** @param as another text, place and base than the draft's: what a conflict came to */
  const save = async (as: Partial<Resolved> = {}, mayAsk = approves) => {
    if (saving.current) return;
    saving.current = true;
    const now = { ...draft, ...as, at: later() };
    const ofConflict = as.text === undefined ? undefined : merging;
    const file = { project: now.project, path: now.path, approves: mayAsk };
    setState("saving");
    setError(null);
    try {
      await keepDraft(now);
      const { hash } = await saveText(file, now.text, now.baseHash);
      const typed = standing(now, ofConflict);
      const done = { ...now, base: now.text, baseHash: hash, isToSave: false };
      close(now.id);
      if (typed === now.text) {
        put(done);
        setState("saved");
        await forgetDraft(now.id);
      } else {
        // What was typed while it was saved is made from what is saved now.
        put({ ...done, text: typed, at: later() });
        setState("typed");
        await keep(latest.current);
      }
      void client.invalidateQueries({ queryKey: ["files", now.project] });
      void client.invalidateQueries({ queryKey: ["drafts"] });
    } catch (problem) {
      if (!(problem instanceof Error)) throw problem;
      await failed(file, now, problem, standing(now, ofConflict));
    } finally {
      saving.current = false;
    }
  };

  const discard = async () => {
    put({ ...draft, text: draft.base, isToSave: false });
    setState("same");
    setError(null);
    close(draft.id);
    await forgetDraft(draft.id);
    await client.invalidateQueries({ queryKey: ["drafts"] });
  };

  const onKeep = useEffectEvent(() => {
    if (state === "typed") void keep(latest.current);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each text that was typed it waits anew
  useEffect(() => {
    const timer = setTimeout(onKeep, keepAfterMs);
    return () => clearTimeout(timer);
  }, [draft.text]);
  useEffect(() => {
    const now = () => onKeep();
    document.addEventListener("visibilitychange", now);
    return () => {
      document.removeEventListener("visibilitychange", now);
      now();
    };
  }, []);
  const onTry = useEffectEvent(() => void save());
  useEffect(() => {
    if (state !== "waiting") return;
    const timer = setInterval(onTry, tryEveryMs);
    return () => clearInterval(timer);
  }, [state]);
  const { id } = draft;
  useEffect(() => {
    void holdDraft(id);
    return () => giveBackDraft(id);
  }, [id]);

  return {
    ...{ draft, state, kept, error, merging, isDirty, type, save, discard },
    /** The rules ask: the person says yes, for as long as this is edited. */
    saveAnyway: () => {
      setApproves(true);
      return save({}, true);
    },
    backToText: () => setMerging(undefined),
  };
}

/** What an editor begins with, of a file as it is. */
export const draftOf = (
  file: Pick<Draft, "project" | "projectName" | "path">,
  { text, hash }: { readonly text: string; readonly hash: string },
  nowMs: number,
): Draft => ({
  ...{ v: 1, id: newDraftId(), ...file, base: text, baseHash: hash, text, at: nowMs, isToSave: false },
});
