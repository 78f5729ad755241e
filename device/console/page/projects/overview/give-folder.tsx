import { useTranslation } from "react-i18next";
import { LinkFolderForm } from "../../folders/link-folder-form.tsx";

/** In the place of what is known of a folder, where a project has none. */
export function GiveFolder({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  return (
    <section className="panel" aria-labelledby="give-folder">
      <h2 id="give-folder">{t("projects.noFolder")}</h2>
      <p className="hint">{t("projects.noFolderHint")}</p>
      <LinkFolderForm project={id} />
    </section>
  );
}

/** Where a folder is not where it was: linked where it is now, what is known of it comes along, and what was said of it holds. */
export function MovedFolder({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  return (
    <section className="panel" aria-labelledby="moved-folder">
      <h2 id="moved-folder">{t("projects.isMoved")}</h2>
      <p className="hint">{t("projects.isMovedHint")}</p>
      <LinkFolderForm project={id} />
    </section>
  );
}
