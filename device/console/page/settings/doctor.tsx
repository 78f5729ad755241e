import { useMutation } from "@tanstack/react-query";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import "./doctor.css";
import { answerOf, api } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { Problem } from "../form/problem.tsx";

/** The checks of `scouts doctor`, with what to do. */
export function Doctor() {
  const { t } = useTranslation();
  const doctor = useMutation({ mutationFn: () => answerOf(api.doctor.$post()) });
  const checks = doctor.data?.checks ?? [];
  const failed = checks.filter(({ state }) => state === "fail").length;
  return (
    <section className="panel" aria-labelledby="doctor">
      <h2 id="doctor">{t("settings.doctor")}</h2>
      <p className="hint">{t("settings.doctorHint")}</p>
      <div className="buttons">
        <Button isDisabled={doctor.isPending} onPress={() => doctor.mutate()}>
          {doctor.isPending ? t("settings.looking") : t("settings.check")}
        </Button>
        <span role="status">
          {doctor.isSuccess && (failed === 0 ? t("settings.allWell") : t("settings.notWell", { count: failed }))}
        </span>
      </div>
      <ul className="checks">
        {checks.map(({ name, state, detail, advice }) => (
          <li key={`${name} ${detail}`}>
            <strong className={`check-${state}`}>{t(`check.${state}`)}</strong>
            <span>
              <b>{t(`checkName.${name.replace(" ", "_")}`)}</b>{" "}
              <span lang="en">
                {line(detail)}
                {advice !== undefined && <span className="advice">{line(advice)}</span>}
              </span>
            </span>
          </li>
        ))}
      </ul>
      <Problem error={doctor.error} />
    </section>
  );
}
