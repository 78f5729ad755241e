import { useTranslation } from "react-i18next";

interface Read {
  readonly totalFiles: number;
  readonly lastScannedAt: number | null;
}

/** How many files a folder has. While it is read for the first time nobody knows, and none is not how many there are. */
export function FileCount({ of: { totalFiles, lastScannedAt } }: { readonly of: Read }) {
  const { t } = useTranslation();
  return totalFiles === 0 && lastScannedAt === null ? null : <span>{t("folder.files", { count: totalFiles })}</span>;
}
