import en from "../texts/en.json";

/** What stands in addresses behind `?`: ids, codes and words of ours, and nothing that anybody has written. */

/** Whether a value means something where it stands. */
type Means = (value: string) => boolean;

const oneOf =
  (values: readonly string[]): Means =>
  (value) =>
    values.includes(value);
/** A code that the page has words for. */
const codeOf =
  (words: object): Means =>
  (value) =>
    Object.hasOwn(words, value);
/** As events/ids.ts has them. */
const idOf =
  (prefix: string): Means =>
  (value) =>
    new RegExp(`^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`).test(value);
/** An id whose form its page does not know, or the name of a program or a tool. */
const named: Means = (value) => value !== "";
/** A day of the calendar, `2026-11-27`. */
const day: Means = (value) =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value;

/** Reads what an address may hold, and leaves out what means nothing. */
const address =
  <N extends string>(means: Readonly<Record<N, Means>>) =>
  (search: Readonly<Record<string, unknown>>): Readonly<Partial<Record<N, string>>> => {
    const found: Partial<Record<N, string>> = {};
    for (const name in means) {
      const value = search[name];
      if (typeof value === "string" && means[name](value)) found[name] = value;
    }
    return found;
  };

export const inboxStatuses = ["pending", "snoozed", "approved", "rejected", "expired", "conflict"] as const;
export const inboxOrders = ["arrival", "attention"] as const;

/** What the inbox is narrowed to. Pending, and newest first, where nothing else is said. */
export const inboxAddress = address({
  status: oneOf(inboxStatuses),
  scout: idOf("sct"),
  why: codeOf(en.why),
  category: codeOf(en.category),
  priority: codeOf(en.priority),
  project: idOf("prj"),
  by: oneOf(inboxOrders),
});
export type InboxSearch = ReturnType<typeof inboxAddress>;

export const fileFilters = ["all", "text", "image", "pdf", "office", "skipped", "failed"] as const;
export const fileViews = ["content", "edit", "model", "history"] as const;

/** What of a project's files is shown, and how. */
export const filesAddress = address({ show: oneOf(fileFilters), view: oneOf(["tree", "list"]) });
export const fileAddress = address({ view: oneOf(fileViews) });

/** The conversation that is open, by its last answer. */
export const askAddress = address({ answer: named });

export const taskStatuses = ["open", "done", "all"] as const;
export const taskDues = ["overdue", "today", "week", "later", "none"] as const;
export const taskPriorities = ["now", "soon", "later", "none"] as const;
export const taskOrders = ["due", "priority", "made"] as const;

/** What tasks are narrowed to, and in which order they are. */
export const tasksAddress = address({
  status: oneOf(taskStatuses),
  due: oneOf(taskDues),
  priority: oneOf(taskPriorities),
  project: idOf("prj"),
  order: oneOf(taskOrders),
});

export const calendarAddress = address({ view: oneOf(["week", "month"]), day });

/** The source that is added, and whether one has told its settings: what they are is in no address. */
export const addAddress = address({ source: named, step: oneOf(["purpose"]) });

export const activityViews = ["waiting", "runs", "trail"] as const;

export const activityAddress = address({
  view: oneOf(activityViews),
  trail: named,
  session: named,
  caller: named,
  tool: named,
});
