import { useTranslation } from "react-i18next";
import { Failed, Loading } from "../../states/states.tsx";
import { FileText } from "./file-text.tsx";
import { type NamedFile, useModelView } from "./queries.ts";

/** Word for word what a model is given that asks for the file. */
export function ModelView({ named }: { readonly named: NamedFile }) {
  const { t } = useTranslation();
  const found = useModelView(named);
  if (found.isPending) return <Loading />;
  if (found.isError) return <Failed error={found.error} onRetry={() => void found.refetch()} />;
  return (
    <>
      <p className="hint">{t("projects.modelHint")}</p>
      <FileText text={found.data.text} label={t("projects.view.model")} />
    </>
  );
}
