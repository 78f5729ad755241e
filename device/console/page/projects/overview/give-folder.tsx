import { useTranslation } from "react-i18next";
import { LinkFolderForm } from "../../folders/link-folder-form.tsx";

/**
 * Where a project's folder is asked for.
 *
 * @param isMoved it had one that is not where it was: linked where it is now, what is known of it comes along, and what was said of
 * it holds. Else this stands in the place of what is known of a folder
 */
export function GiveFolder({ id, isMoved = false }: { readonly id: string; readonly isMoved?: boolean }) {
  const { t } = useTranslation();
  return (
    <section className="panel" aria-labelledby="give-folder">
      <h2 id="give-folder">{t(isMoved ? "projects.isMoved" : "projects.noFolder")}</h2>
      <p className="hint">{t(isMoved ? "projects.isMovedHint" : "projects.noFolderHint")}</p>
      <LinkFolderForm project={id} />
    </section>
  );
}
