import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../app/api.ts";
import { Failed } from "../../states/states.tsx";

/** Whether the folder's rules would have a person say yes first. */
export const isAsked = (error: Error): boolean =>
  error instanceof ApiError && error.told.code === "file_approval_refused";

interface RefusedProps {
  readonly error: Error;
  readonly onRetry: () => void;
  /** What shows it all the same. */
  readonly onApprove: () => void;
}

/** Why a file is not shown. Where the rules ask, it is the person's to say. */
export function Refused({ error, onRetry, onApprove }: RefusedProps) {
  const { t } = useTranslation();
  if (!isAsked(error)) return <Failed error={error} onRetry={onRetry} />;
  return (
    <div className="refused">
      <Failed error={error} />
      <Button onPress={onApprove}>{t("projects.showAnyway")}</Button>
    </div>
  );
}
