import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Checkbox } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../../app/api.ts";
import { dateText, line } from "../../app/shown-text.ts";
import { isDay } from "../../decide/day.ts";
import { Problem } from "../../form/problem.tsx";
import { useChange } from "../../scouts/queries.ts";
import { Empty, Failed, Loading } from "../../states/states.tsx";
import { type ProjectTask, useTasks } from "../queries.ts";

const route = getRouteApi("/projects/$id");

/** What is to be done for a project. */
export function TasksTab() {
  const { t } = useTranslation();
  const { id } = route.useParams();
  const tasks = useTasks(id);
  if (tasks.isPending) return <Loading />;
  if (tasks.isError) return <Failed error={tasks.error} onRetry={() => void tasks.refetch()} />;
  const { tasks: shown, total } = tasks.data;
  if (total === 0) return <Empty title={t("projects.noTasks")} hint={t("projects.noTasksHint")} />;
  return (
    <>
      {total > shown.length && <p className="hint">{t("projects.firstTasks", { count: shown.length, total })}</p>}
      <ul className="plain tasks" aria-label={t("projects.tab.tasks")}>
        {shown.map((task) => (
          <li key={task.id}>
            <Task task={task} project={id} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface TaskProps {
  readonly task: ProjectTask;
  /** The id of its project. */
  readonly project: string;
}

function Task({ task: { id: task, title, due, priority, status }, project: id }: TaskProps) {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const change = useChange(
    [t("projects.tab.tasks"), title],
    (next: ProjectTask["status"]) =>
      answerOf(api.projects[":id"].tasks[":task"].status.$put({ param: { id, task }, json: { status: next } })),
    () => void client.invalidateQueries({ queryKey: ["work"] }),
  );
  const isDone = status === "done";
  return (
    <>
      <Checkbox
        className={isDone ? "task done" : "task"}
        isSelected={isDone}
        // What is disabled loses the focus.
        onChange={(isOn) => !change.isPending && change.mutate(isOn ? "done" : "open")}
      >
        <span className="task-box" aria-hidden="true" />
        <span dir="auto">{line(title)}</span>
      </Checkbox>
      <p className="about">
        {due !== null && <span>{t("projects.due", { at: dueText(due, i18n.language) })}</span>}
        {priority !== "none" && <span>{t(`projects.priority.${priority}`)}</span>}
      </p>
      <Problem error={change.error} />
    </>
  );
}

/** A day is one wherever somebody is; a moment is shown as the clock here has it. */
function dueText(due: string, language: string): string {
  if (!isDay(due)) return dateText(Date.parse(due), language);
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(due));
}
