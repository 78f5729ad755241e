import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../../app/api.ts";
import { line } from "../../app/shown-text.ts";
import { Button } from "../../form/button.tsx";
import { Problem } from "../../form/problem.tsx";
import { changedItems } from "./trial-items.ts";

/** What another purpose would change, before it is kept: of the fifty newest verdicts. */
export function PurposeTrial({ id, purpose }: { readonly id: string; readonly purpose: string }) {
  const { t } = useTranslation();
  const trial = useMutation({
    mutationFn: (tried: string) => answerOf(api.scouts[":id"].try.$post({ param: { id }, json: { purpose: tried } })),
    gcTime: 0,
  });
  // What is typed since is another purpose, of which nothing is known.
  const isOfThis = trial.variables === purpose;
  const found = isOfThis ? trial.data?.trial : undefined;
  return (
    <div className="form">
      <div className="buttons">
        <Button isDisabled={trial.isPending || purpose.trim() === ""} onPress={() => trial.mutate(purpose)}>
          {trial.isPending ? t("trial.trying") : t("trial.try")}
        </Button>
      </div>
      <Problem error={isOfThis ? trial.error : null} />
      <div role="status">
        {found && (
          <p>
            {t("trial.proposed", { count: found.newlyProposed })}{" "}
            {t("trial.dismissed", { count: found.newlyDismissed })} {t("trial.unchanged", { count: found.unchanged })}{" "}
            {t("trial.failed", { count: found.failed })} {t("trial.tokens", { count: found.tokensUsed })}
          </p>
        )}
      </div>
      {found && (
        <ul className="runs">
          {changedItems(found.items).map(({ ref, isProposed, subject }) => (
            <li key={ref}>
              <span>{isProposed ? t("trial.wouldPropose") : t("trial.wouldDismiss")}</span>
              <bdi>{line(subject) || t("card.noSubject")}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
