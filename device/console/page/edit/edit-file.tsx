import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Refused } from "../projects/file/refused.tsx";
import { useProject } from "../projects/queries.ts";
import { Failed, Loading } from "../states/states.tsx";
import { Editor } from "./editor.tsx";
import { useDrafts, useText } from "./queries.ts";
import { draftOf } from "./use-editor.ts";
import { useFreeDraft } from "./use-free-draft.ts";

interface EditFileProps {
  readonly project: string;
  readonly path: string;
}

/** A file of a project, to be edited: with what was typed into it before and not saved, if there is any. */
export function EditFile({ project, path }: EditFileProps) {
  const { t } = useTranslation();
  const [approves, setApproves] = useState(false);
  const name = useProject(project).data?.project.name ?? "";
  const drafts = useDrafts();
  const mine = drafts.data?.drafts.filter((each) => each.project === project && each.path === path);
  const free = useFreeDraft(mine);
  const text = useText({ project, path, approves }, true);
  if (drafts.isError) return <Failed error={drafts.error} onRetry={() => void drafts.refetch()} />;
  if (free === undefined || text.isPending) return <Loading />;
  // Also of a file that is not shown any more, or is gone: what was typed is here.
  if (free !== null) return <Editor key={free.id} start={free} redactions={text.data?.redactions ?? 0} />;
  if (text.isError)
    return <Refused error={text.error} onRetry={() => void text.refetch()} onApprove={() => setApproves(true)} />;
  return (
    <>
      {mine !== undefined && mine.length > 0 && <p className="hint">{t("projects.edit.elsewhere")}</p>}
      <FreshEditor file={{ project, projectName: name, path }} text={text.data} />
    </>
  );
}

interface FreshProps {
  readonly file: Parameters<typeof draftOf>[0];
  readonly text: { readonly text: string; readonly hash: string; readonly redactions: number };
}

/** An editor of a file as it is; what it begins with stays, whatever is asked for again. */
function FreshEditor({ file, text }: FreshProps) {
  const [start] = useState(() => draftOf(file, text, Date.now()));
  return <Editor start={start} redactions={text.redactions} />;
}
