import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Button } from "../form/button.tsx";
import "./doctor.css";
import { answerOf, api } from "../app/api.ts";
import { Problem } from "../form/problem.tsx";
import { WithCode } from "../states/with-code.tsx";
import { useFindings } from "./use-findings.ts";

/** The checks of `scouts doctor`, with what to do. */
export function Doctor() {
  const { t } = useTranslation();
  const doctor = useMutation({ mutationFn: () => answerOf(api.doctor.$post()) });
  const said = useFindings(doctor.submittedAt);
  const checks = doctor.data?.checks ?? [];
  const failed = checks.filter(({ state }) => state === "fail").length;
  return (
    <section className="panel" aria-labelledby="doctor">
      <h2 id="doctor">{t("settings.doctor")}</h2>
      <p className="hint">
        <WithCode text={t("settings.doctorHint")} />
      </p>
      <div className="buttons">
        <Button isDisabled={doctor.isPending} onPress={() => doctor.mutate()}>
          {doctor.isPending ? t("settings.looking") : t("settings.check")}
        </Button>
        <span role="status">
          {doctor.isSuccess && (failed === 0 ? t("settings.allWell") : t("settings.notWell", { count: failed }))}
        </span>
      </div>
      <ul className="checks">
        {checks.map((check) => {
          const { detail, advice, lang } = said(check);
          return (
            <li key={`${check.name} ${check.detail}`}>
              <strong className={`check-${check.state}`}>{t(`check.${check.state}`)}</strong>
              <span>
                <b>{t(`checkName.${check.name.replace(" ", "_")}`)}</b>{" "}
                <span lang={lang}>
                  {detail}
                  {advice !== undefined && <span className="advice">{advice}</span>}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
      <Problem error={doctor.error} />
    </section>
  );
}
