import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { Choice } from "../app/choice.tsx";
import { OnOff } from "../form/on-off.tsx";
import { Problem } from "../form/problem.tsx";
import { useChange } from "../scouts/queries.ts";

const hourMs = 3_600_000;
/** How often a folder may be read, in hours. */
const hours = [1, 6, 24, 168] as const;

interface PanelProps {
  /** Of the project. */
  readonly id: string;
  readonly isEnabled: boolean;
  readonly rescanEveryMs: number;
}

/** What may be changed about the scout that reads a folder: whether it looks by itself, and how often. */
export function LocalScoutConfigPanel({ id, isEnabled, rescanEveryMs }: PanelProps) {
  const { t } = useTranslation();
  const change = useChange(
    [t("panel.title"), t("folder.every")],
    (asked: { isEnabled: boolean } | { rescanEveryMs: number }) =>
      answerOf(api.folders[":id"].$patch({ param: { id }, json: asked })),
  );
  const now = rescanEveryMs / hourMs;
  const known = hours.some((each) => each === now) ? hours : [...hours, now];
  return (
    <section className="panel" aria-labelledby="config">
      <h2 id="config">{t("panel.title")}</h2>
      <OnOff label={t("folder.enabled")} isOn={isEnabled} onChange={(isOn) => change.mutate({ isEnabled: isOn })} />
      <Choice
        label={t("folder.every")}
        value={String(now)}
        options={known.map((each) => [String(each), t("folder.hours", { count: each })] as const)}
        onChange={(value) => change.mutate({ rescanEveryMs: Number(value) * hourMs })}
      />
      <Problem error={change.error} />
    </section>
  );
}
