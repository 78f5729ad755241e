import { useTranslation } from "react-i18next";

/** What a kind of source is called; one that nobody has named here by its own name. */
export function SourceName({ source }: { readonly source: string }) {
  const { t, i18n } = useTranslation();
  return <span>{i18n.exists(`kind.${source}`) ? t(`kind.${source}`) : source}</span>;
}
