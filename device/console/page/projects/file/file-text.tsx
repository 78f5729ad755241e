import { useTranslation } from "react-i18next";
import { lines } from "../../app/shown-text.ts";

/** Text of a file: text nodes only, in lines as it has them. It scrolls by itself, so the keyboard reaches it. */
export function FileText({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useTranslation();
  const shown = lines(text);
  if (shown === "") return <p className="hint">{t("projects.emptyText")}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard (WCAG 2.1.1)
    <section className="file-text" aria-label={label} tabIndex={0} dir="auto">
      {shown}
    </section>
  );
}
