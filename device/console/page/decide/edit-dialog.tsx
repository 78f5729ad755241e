import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Failed, Loading } from "../states/states.tsx";
import { DecideDialog, type DialogProps } from "./decide-dialog.tsx";
import { DraftEditor, draftOf } from "./draft-editor.tsx";

/** A proposal's draft, to be changed before it is approved, or what became of it to be made into something else. */
export function EditDialog({ of, onClose, onDone }: DialogProps) {
  const { t } = useTranslation();
  const [id = ""] = of.ids;
  // Its own, and asked anew each time: what somebody types over is what stands there now.
  const draft = useQuery({
    queryKey: ["proposal", id, "draft"],
    queryFn: () => draftOf(id),
    gcTime: 0,
  });
  return (
    <DecideDialog title={t("deed.edit")} of={of} onClose={onClose}>
      {draft.isPending && <Loading />}
      {draft.isError && <Failed error={draft.error} onRetry={() => void draft.refetch()} />}
      {draft.data !== undefined && <DraftEditor of={of} now={draft.data} onClose={onClose} onDone={onDone} />}
    </DecideDialog>
  );
}
