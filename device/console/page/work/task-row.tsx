import { Link } from "@tanstack/react-router";
import type { InferResponseType } from "hono/client";
import { Checkbox } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { api } from "../app/api.ts";
import { line } from "../app/shown-text.ts";
import { Problem } from "../form/problem.tsx";
import { FromProposal } from "./from-proposal.tsx";
import { useSetDone } from "./queries.ts";
import { dueText } from "./times.ts";

export type ListedTask = InferResponseType<typeof api.work.tasks.page.$post>["rows"][number];

interface TaskRowProps {
  readonly task: ListedTask;
  /** Whether it is the first of those that are due as soon. */
  readonly heading: boolean;
}

/** A task: whether it is done, what it is, and what tells how soon. */
export function TaskRow({ task, heading }: TaskRowProps) {
  const { t, i18n } = useTranslation();
  const { id, title, due, priority, status, group, project, from } = task;
  const setDone = useSetDone([t("work.complete"), title]);
  const name = line(title);
  return (
    <>
      {heading && <h2 className="work-group">{t(`work.due.${group}`)}</h2>}
      <div className="work-card task-card">
        <Checkbox
          className="check"
          isSelected={status === "done"}
          // What is disabled loses the focus.
          onChange={(isDone) => !setDone.isPending && setDone.mutate({ id, isDone })}
          aria-label={t("work.doneOne", { title: name })}
        >
          <span className="check-box" aria-hidden="true" />
        </Checkbox>
        <div>
          <p>
            <Link to="/work/$kind/$id" params={{ kind: "tasks", id }} className={status === "done" ? "is-done" : ""}>
              <bdi>{name}</bdi>
            </Link>
          </p>
          <p className="about">
            {due !== null && (
              <span className={group === "overdue" && status === "open" ? "is-late" : ""}>
                {dueText(due, task.zone, i18n.language)}
              </span>
            )}
            {priority !== "none" && <span>{t(`work.priority.${priority}`)}</span>}
            {project !== null && <bdi>{line(project.name)}</bdi>}
            <FromProposal id={from} />
          </p>
          {task.begins !== "" && (
            <p className="work-begins" dir="auto">
              {line(task.begins)}
            </p>
          )}
          <Problem error={setDone.error} />
        </div>
      </div>
    </>
  );
}
