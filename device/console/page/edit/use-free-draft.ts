import { useEffect, useState } from "react";
import { holdDraft } from "./drafts.ts";
import type { Draft } from "./seal.ts";

/**
 * The first of some drafts that no other tab is at work on; null: there is none. Once it is known it stays, whatever is kept or
 * forgotten since.
 *
 * @param drafts undefined until they are known
 */
export function useFreeDraft(drafts: readonly Draft[] | undefined): Draft | null | undefined {
  const [free, setFree] = useState<Draft | null>();
  useEffect(() => {
    if (drafts === undefined || free !== undefined) return;
    let isOver = false;
    const look = async () => {
      for (const draft of drafts) {
        if (await holdDraft(draft.id)) return draft;
      }
      return null;
    };
    void look().then((found) => {
      if (!isOver) setFree(found);
    });
    return () => {
      isOver = true;
    };
  }, [drafts, free]);
  return free;
}
