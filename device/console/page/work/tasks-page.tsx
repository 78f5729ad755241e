import { getRouteApi } from "@tanstack/react-router";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { Choice } from "../app/choice.tsx";
import { useKeys } from "../app/keys.ts";
import { line } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { Problem, problemAt } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { useTypedText } from "../form/use-typed.ts";
import { SearchBox } from "../inbox/search-box.tsx";
import { searchWords } from "../inbox/search-words.ts";
import { taskDues, taskOrders, taskPriorities, taskStatuses } from "../routes/addresses.ts";
import { useGo } from "../routes/go.ts";
import { Missing } from "../states/missing.tsx";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { ExportButton, ImportButton } from "./files.tsx";
import { usePaged } from "./paged.ts";
import { useAdd, useProjects } from "./queries.ts";
import { Rows } from "./rows.tsx";
import { TaskRow } from "./task-row.tsx";
import { MoreTools, WorkFrame } from "./work-frame.tsx";

const route = getRouteApi("/work/tasks");
const words = searchWords();
/** No value of any filter. */
const all = "all";

/** What is to be done. */
export function TasksPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const narrowed = { ...search, words: words.use() };
  return (
    <WorkFrame title={t("work.nav.tasks")}>
      <QuickAdd />
      <div className="work-tools">
        <SearchBox words={words} hint={t("work.searchHint")} longest={200} />
        <MoreTools isUsed={Object.keys(search).length > 0}>
          <Filters />
          <ExportButton label={t("work.exportTodo")} request={{ what: "tasks", form: "todo.txt" }} />
          <ExportButton label={t("work.exportMarkdown")} request={{ what: "tasks", form: "markdown" }} />
          <ImportButton
            label={t("work.importTasks")}
            accept=".txt,.md"
            requestOf={(bytes, name) => ({
              what: "tasks",
              form: /\.(?:md|markdown)$/i.test(name) ? "markdown" : "todo.txt",
              bytes,
            })}
          />
        </MoreTools>
      </div>
      <Tasks key={JSON.stringify(narrowed)} narrowed={narrowed} />
    </WorkFrame>
  );
}

/** A task in two fields; the device understands the date, in words too. */
function QuickAdd() {
  const { t } = useTranslation();
  const title = useTypedText("new task");
  const due = useTypedText("new task, due");
  const add = useAdd("task", (_, said) => {
    title.sent(String(said["title"]));
    due.sent(String(said["due"]));
    document.querySelector<HTMLElement>(".quick-add input")?.focus();
  });
  useKeys({ n: () => document.querySelector<HTMLElement>(".quick-add input")?.focus() });
  return (
    <Form
      className="quick-add"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ title: title.value, ...(due.value.trim() !== "" && { due: due.value }) });
      }}
    >
      <TextBox
        label={t("work.newTask")}
        value={title.value}
        problem={problemAt(add.error, "title")}
        onChange={title.type}
      />
      <TextBox
        label={t("work.field.due")}
        value={due.value}
        problem={problemAt(add.error, "due")}
        onChange={due.type}
      />
      <Button type="submit" className="primary" isDisabled={title.value.trim() === "" || add.isPending}>
        {t("work.add")}
      </Button>
      <Problem error={add.error} fields={["title", "due"]} />
    </Form>
  );
}

/** What the list is narrowed to stands in the address, but for the words. */
function Filters() {
  const { t } = useTranslation();
  const go = useGo();
  const search = route.useSearch();
  const asked = useProjects();
  const { data } = asked;
  const set = (name: string, value: string, usual: string) => {
    const others = Object.fromEntries(Object.entries(search).filter(([each]) => each !== name));
    void go({ to: "/work/tasks", search: value === usual ? others : { ...others, [name]: value } });
  };
  return (
    <>
      <Choice
        label={t("filter.status")}
        value={search.status ?? "open"}
        options={taskStatuses.map((each) => [each, t(`work.status.${each}`)] as const)}
        onChange={(value) => set("status", value, "open")}
      />
      <Choice
        label={t("work.field.due")}
        value={search.due ?? all}
        options={[[all, t("filter.all")], ...taskDues.map((each) => [each, t(`work.due.${each}`)] as const)]}
        onChange={(value) => set("due", value, all)}
      />
      <Choice
        label={t("work.field.priority")}
        value={search.priority ?? all}
        options={[[all, t("filter.all")], ...taskPriorities.map((each) => [each, t(`work.priority.${each}`)] as const)]}
        onChange={(value) => set("priority", value, all)}
      />
      <Missing of={[asked]} />
      {data !== undefined && data.projects.length > 0 && (
        <Choice
          label={t("work.field.projectId")}
          value={search.project ?? all}
          options={[[all, t("filter.all")], ...data.projects.map(({ id, name }) => [id, line(name) || id] as const)]}
          onChange={(value) => set("project", value, all)}
        />
      )}
      <Choice
        label={t("work.order")}
        value={search.order ?? "due"}
        options={taskOrders.map((each) => [each, t(`work.orders.${each}`)] as const)}
        onChange={(value) => set("order", value, "due")}
      />
    </>
  );
}

function Tasks({ narrowed }: { readonly narrowed: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const list = usePaged(["tasks", narrowed], (from) =>
    answerOf(api.work.tasks.page.$post({ json: { ...narrowed, from } })),
  );
  if (list.error !== null) return <Failed error={list.error} onRetry={list.retry} />;
  if (list.total === undefined) return <Loading />;
  const isNarrowed = Object.values(narrowed).some((value) => value !== "");
  const isGrouped = (narrowed["order"] ?? "due") === "due";
  return (
    <>
      <p className="inbox-count" role="status">
        {t("work.tasks", { count: list.total })}
      </p>
      <Missing of={list.older} />
      {list.total === 0 && (
        <Empty
          title={t(isNarrowed ? "inbox.nothingFound" : "work.noTasks")}
          hint={t(isNarrowed ? "inbox.nothingFoundHint" : "work.noTasksHint")}
        />
      )}
      <Rows
        label={t("work.nav.tasks")}
        name={JSON.stringify(["tasks", narrowed])}
        isPrivate={(narrowed["words"] ?? "") !== ""}
        list={list}
        row={(task, before) => <TaskRow task={task} heading={isGrouped && before?.group !== task.group} />}
      />
    </>
  );
}
