import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import "../form/form.css";
import { awayPart, Said } from "../app/said.tsx";

export interface Asked {
  readonly error: Error | null;
  readonly isRefetchError: boolean;
  refetch(): unknown;
}

/**
 * Says of a part of a page that it could not be asked for, where it would stand or stands as it was: without it the page
 * would look whole. Nothing where all of it was answered.
 *
 * @param of what was asked for it
 */
export function Missing({ of }: { readonly of: readonly Asked[] }) {
  const { t } = useTranslation();
  const failed = of.filter(({ error }) => error !== null);
  const [first] = failed;
  if (first?.error == null) return null;
  return (
    <p className="trouble" role="alert">
      {t(first.isRefetchError ? "state.older" : "state.missing")}{" "}
      <span className={awayPart(first.error)}>
        <Said what={first.error} />{" "}
      </span>
      <Button
        onPress={() => {
          for (const each of failed) void each.refetch();
        }}
      >
        {t("state.retry")}
      </Button>
    </p>
  );
}
