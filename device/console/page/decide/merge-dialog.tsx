import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { Problem } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { mergeAll } from "../inbox/bulk.ts";
import { undoSeveral, useDecisions } from "../inbox/decisions.ts";
import { DecideDialog, type DialogProps } from "./decide-dialog.tsx";
import { whenText } from "./when-text.ts";

/** Into which task proposals are approved. */
export function MergeDialog({ of, onClose, onDone }: DialogProps) {
  const { t, i18n } = useTranslation();
  const { performMany } = useDecisions();
  const [typed, setTyped] = useState("");
  const words = useDeferredValue(typed.trim().slice(0, 200));
  const tasks = useQuery({
    queryKey: ["merge-targets", words],
    queryFn: () => answerOf(api["merge-targets"].$post({ json: { words } })),
    placeholderData: (before) => before,
    gcTime: 0,
  });
  const merge = (task: string) => {
    performMany(of, { what: "merged", undo: undoSeveral }, (steps) => mergeAll(of.ids, task, steps));
    onDone(of.ids);
  };
  return (
    <DecideDialog title={t("deed.merge")} of={of} onClose={onClose}>
      <TextBox label={t("draft.findTask")} value={typed} onChange={setTyped} />
      <Problem error={tasks.error} />
      <div role="status">{tasks.data?.tasks.length === 0 && <p>{t("draft.noTasks")}</p>}</div>
      <div className="choices">
        {tasks.data?.tasks.map((task) => (
          <Button key={task.id} onPress={() => merge(task.id)}>
            <bdi>{line(task.title)}</bdi> <span className="hint">{whenText(task, i18n.language)}</span>
          </Button>
        ))}
      </div>
      <div className="buttons">
        <Button onPress={onClose}>{t("form.cancel")}</Button>
      </div>
    </DecideDialog>
  );
}
