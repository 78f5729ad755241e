import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { Said } from "../app/said.tsx";
import { dateText, line } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { Pairs } from "../form/pairs.tsx";
import { Problem } from "../form/problem.tsx";

/** The language model: where it is, and whether it answers, asked when somebody wants to know. */
export function Model() {
  const { t, i18n } = useTranslation();
  const test = useMutation({ mutationFn: () => answerOf(api.model.test.$post()) });
  const model = test.data?.model;
  return (
    <section className="panel" aria-labelledby="model">
      <h2 id="model">{t("settings.model")}</h2>
      <p className="hint">{t("settings.modelHint")}</p>
      <div className="buttons">
        <Button isDisabled={test.isPending} onPress={() => test.mutate()}>
          {test.isPending ? t("settings.asking") : t("settings.test")}
        </Button>
      </div>
      <div role="status" className="page">
        {test.isSuccess && model === null && <p>{t("settings.modelElsewhere")}</p>}
        {model && (
          <>
            <Pairs
              pairs={[
                [t("settings.modelName"), <bdi key="name">{line(model.name)}</bdi>],
                [t("settings.modelAddress"), model.address === null ? t("settings.builtIn") : line(model.address)],
                ...(model.isCascade ? [[t("settings.modelFirst"), t("settings.builtInFirst")] as const] : []),
                [t("settings.asked"), dateText(model.askedAt, i18n.language)],
                ...(model.status === null ? [] : [[t("settings.answered"), String(model.status)] as const]),
                ...(model.trouble === null || model.known.length === 0
                  ? []
                  : [[t("settings.knownModels"), <bdi key="known">{line(model.known.join(", "))}</bdi>] as const]),
              ]}
            />
            {model.trouble === null ? (
              <p className="state-word state-watching">{t("settings.modelAnswers")}</p>
            ) : (
              <p className="trouble">
                <Said what={model.trouble} />
              </p>
            )}
          </>
        )}
      </div>
      <Problem error={test.error} />
    </section>
  );
}
