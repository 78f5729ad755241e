import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { line } from "../app/shown-text.ts";
import { Problem } from "../form/problem.tsx";
import { assignAll } from "../inbox/bulk.ts";
import { useDecisions } from "../inbox/decisions.ts";
import { useChoices } from "../inbox/proposals.ts";
import { DecideDialog, type DialogProps } from "./decide-dialog.tsx";

/** Which project proposals are put into. */
export function AssignDialog({ of, onClose, onDone }: DialogProps) {
  const { t } = useTranslation();
  const { data: choices, error } = useChoices();
  const { performMany } = useDecisions();
  const assign = (project: string | null) => {
    performMany(of, { what: "assigned", undo: undefined }, (steps) => assignAll(of.ids, project, steps));
    onDone(of.ids);
  };
  return (
    <DecideDialog title={t("deed.assign")} of={of} onClose={onClose}>
      <Problem error={error} />
      {choices?.projects.length === 0 && <p>{t("draft.noProjects")}</p>}
      <div className="choices">
        {choices?.projects.map(({ id, name }) => (
          <Button key={id} onPress={() => assign(id)}>
            <bdi>{line(name)}</bdi>
          </Button>
        ))}
        <Button onPress={() => assign(null)}>{t("draft.noProject")}</Button>
      </div>
      <div className="buttons">
        <Button onPress={onClose}>{t("form.cancel")}</Button>
      </div>
    </DecideDialog>
  );
}
