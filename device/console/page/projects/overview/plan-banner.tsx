import { useTranslation } from "react-i18next";
import { dateText } from "../../app/shown-text.ts";
import { Missing } from "../../states/missing.tsx";
import { type Project, usePlan } from "../queries.ts";

/** What says that the plan has kept a folder from being read whole. */
const ofPlan: readonly string[] = ["quota_exceeded", "folder_monthly_tokens", "folder_max_files"];

/** What the plan does not cover, how much it does, and when that begins anew; nothing where all was covered. */
export function PlanBanner({ project, waiting }: { readonly project: Project; readonly waiting: number }) {
  const isRefused = project.trouble !== null && ofPlan.includes(project.trouble.code);
  return isRefused || waiting > 0 ? <PlanNotice id={project.id} /> : null;
}

function PlanNotice({ id }: { readonly id: string }) {
  const { t, i18n } = useTranslation();
  const asked = usePlan(id);
  const { data } = asked;
  if (data === undefined) return <Missing of={[asked]} />;
  const { tier, maxFiles, monthlyTokens, used, resetsAt, waiting } = data.plan;
  const figure = (value: number) => new Intl.NumberFormat(i18n.language).format(value);
  return (
    <section className="notice plan-banner" aria-label={t("projects.plan")}>
      {waiting > 0 && <p>{t("projects.waiting", { count: waiting })}</p>}
      {monthlyTokens !== null && (
        <p>{t("projects.planTokens", { tier, limit: figure(monthlyTokens), used: figure(used) })}</p>
      )}
      {maxFiles !== null && <p>{t("projects.planFiles", { tier, limit: figure(maxFiles) })}</p>}
      <p>{t("projects.planAnew", { at: dateText(resetsAt, i18n.language) })}</p>
    </section>
  );
}
