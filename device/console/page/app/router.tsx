import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { loadPage, PageFailed } from "../states/page-failed.tsx";
import { Shell } from "./shell.tsx";

/** What a list is narrowed to: ids and codes, no words of anybody. */
export interface InboxSearch {
  /** Pending where it is absent. */
  readonly status?: string;
  readonly scout?: string;
  readonly why?: string;
  readonly category?: string;
  readonly priority?: string;
  readonly project?: string;
  /** `attention`; newest first where it is absent. */
  readonly by?: string;
}

/** What of a project's files is shown, and how: words of ours, no path and no name. */
export interface FilesSearch {
  readonly show?: string;
  readonly view?: string;
}

/** The conversation that is open, by its last answer. */
export interface AskSearch {
  readonly answer?: string;
}

const textIn = (search: Record<string, unknown>, name: string) => {
  const value = search[name];
  return typeof value === "string" && value !== "" ? { [name]: value } : {};
};

/** A day of the calendar, `2026-11-27`. */
const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;

const root = createRootRoute({ component: Shell });
const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => loadPage(() => import("../brief/home-page.tsx"), "brief"), "HomePage"),
});
const welcome = createRoute({
  getParentRoute: () => root,
  path: "/welcome",
  component: lazyRouteComponent(() => loadPage(() => import("../welcome/welcome-page.tsx")), "WelcomePage"),
});
const scouts = createRoute({
  getParentRoute: () => root,
  path: "/scouts",
  component: lazyRouteComponent(() => loadPage(() => import("../scouts/scouts-page.tsx")), "ScoutsPage"),
});
const add = createRoute({
  getParentRoute: () => root,
  path: "/scouts/add",
  component: lazyRouteComponent(() => loadPage(() => import("../add/add-page.tsx")), "AddPage"),
});
const scout = createRoute({
  getParentRoute: () => root,
  path: "/scouts/$id",
  component: lazyRouteComponent(() => loadPage(() => import("../scouts/scout-page.tsx")), "ScoutPage"),
});
/** Where a folder's page was: links to it are kept somewhere. */
const folder = createRoute({
  getParentRoute: () => root,
  path: "/scouts/folders/$id",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/projects/$id", params, replace: true });
  },
});
const projects = createRoute({
  getParentRoute: () => root,
  path: "/projects",
  component: lazyRouteComponent(
    () => loadPage(() => import("../projects/projects-page.tsx"), "projects"),
    "ProjectsPage",
  ),
});
const project = createRoute({
  getParentRoute: () => root,
  path: "/projects/$id",
  component: lazyRouteComponent(
    () => loadPage(() => import("../projects/project-page.tsx"), "projects"),
    "ProjectPage",
  ),
});
const projectOverview = createRoute({
  getParentRoute: () => project,
  path: "/",
  component: lazyRouteComponent(
    () => loadPage(() => import("../projects/overview/overview-tab.tsx"), "projects"),
    "OverviewTab",
  ),
});
const projectFiles = createRoute({
  getParentRoute: () => project,
  path: "/files",
  validateSearch: (search: Record<string, unknown>): FilesSearch => ({
    ...textIn(search, "show"),
    ...textIn(search, "view"),
  }),
  component: lazyRouteComponent(
    () => loadPage(() => import("../projects/files/files-tab.tsx"), "projects"),
    "FilesTab",
  ),
});
const projectFile = createRoute({
  getParentRoute: () => project,
  path: "/files/$file",
  validateSearch: (search: Record<string, unknown>): FilesSearch => textIn(search, "view"),
  component: lazyRouteComponent(() => loadPage(() => import("../projects/file/file-page.tsx"), "projects"), "FilePage"),
});
const projectAsk = createRoute({
  getParentRoute: () => project,
  path: "/ask",
  validateSearch: (search: Record<string, unknown>): AskSearch => textIn(search, "answer"),
  component: lazyRouteComponent(() => loadPage(() => import("../projects/ask-tab.tsx"), "ask"), "AskTab"),
});
const projectTasks = createRoute({
  getParentRoute: () => project,
  path: "/tasks",
  component: lazyRouteComponent(
    () => loadPage(() => import("../projects/tasks/tasks-tab.tsx"), "projects"),
    "TasksTab",
  ),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyRouteComponent(() => loadPage(() => import("../settings/settings-page.tsx")), "SettingsPage"),
});
const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  validateSearch: (search: Record<string, unknown>): InboxSearch => ({
    ...textIn(search, "status"),
    ...textIn(search, "scout"),
    ...textIn(search, "why"),
    ...textIn(search, "category"),
    ...textIn(search, "priority"),
    ...textIn(search, "project"),
    ...textIn(search, "by"),
  }),
  component: lazyRouteComponent(() => loadPage(() => import("../inbox/inbox-page.tsx")), "InboxPage"),
});
const item = createRoute({
  getParentRoute: () => root,
  path: "/items/$id",
  component: lazyRouteComponent(() => loadPage(() => import("../item/item-page.tsx")), "ItemPage"),
});
const dismissed = createRoute({
  getParentRoute: () => root,
  path: "/dismissed",
  component: lazyRouteComponent(() => loadPage(() => import("../dismissed/dismissed-page.tsx")), "DismissedPage"),
});

const search = createRoute({
  getParentRoute: () => root,
  path: "/search",
  component: lazyRouteComponent(() => loadPage(() => import("../search/search-page.tsx")), "SearchPage"),
});

const ask = createRoute({
  getParentRoute: () => root,
  path: "/ask",
  component: lazyRouteComponent(() => loadPage(() => import("../ask/ask-page.tsx"), "ask"), "AskPage"),
});
const conversation = createRoute({
  getParentRoute: () => root,
  path: "/ask/$id",
  component: lazyRouteComponent(() => loadPage(() => import("../ask/ask-page.tsx"), "ask"), "AskPage"),
});
const unsaved = createRoute({
  getParentRoute: () => root,
  path: "/unsaved",
  component: lazyRouteComponent(() => loadPage(() => import("../edit/unsaved-page.tsx"), "projects"), "UnsavedPage"),
});
const unsavedText = createRoute({
  getParentRoute: () => root,
  path: "/unsaved/$id",
  component: lazyRouteComponent(() => loadPage(() => import("../edit/unsaved-page.tsx"), "projects"), "UnsavedText"),
});
const projectTree = project.addChildren([projectOverview, projectFiles, projectFile, projectAsk, projectTasks]);
const work = createRoute({
  getParentRoute: () => root,
  path: "/work",
  beforeLoad: () => {
    throw redirect({ to: "/work/tasks", replace: true });
  },
});
/** What tasks are narrowed to, and in which order they are: ids and codes. */
const taskNarrowing = ["status", "due", "priority", "project", "order"] as const;
const tasks = createRoute({
  getParentRoute: () => root,
  path: "/work/tasks",
  validateSearch: (search: Record<string, unknown>): Partial<Record<(typeof taskNarrowing)[number], string>> =>
    Object.assign({}, ...taskNarrowing.map((name) => textIn(search, name))),
  component: lazyRouteComponent(() => loadPage(() => import("../work/tasks-page.tsx"), "work"), "TasksPage"),
});
const calendar = createRoute({
  getParentRoute: () => root,
  path: "/work/calendar",
  validateSearch: ({ view, day }: Record<string, unknown>): { view?: "week" | "month"; day?: string } => ({
    ...((view === "week" || view === "month") && { view }),
    ...(typeof day === "string" && isDay(day) && { day }),
  }),
  component: lazyRouteComponent(
    () => loadPage(() => import("../work/calendar/calendar-page.tsx"), "work"),
    "CalendarPage",
  ),
});
const notes = createRoute({
  getParentRoute: () => root,
  path: "/work/notes",
  component: lazyRouteComponent(() => loadPage(() => import("../work/texts-pages.tsx"), "work"), "NotesPage"),
});
const people = createRoute({
  getParentRoute: () => root,
  path: "/work/people",
  component: lazyRouteComponent(() => loadPage(() => import("../work/texts-pages.tsx"), "work"), "PeoplePage"),
});
const memory = createRoute({
  getParentRoute: () => root,
  path: "/work/memory",
  component: lazyRouteComponent(() => loadPage(() => import("../work/texts-pages.tsx"), "work"), "MemoryPage"),
});
const entity = createRoute({
  getParentRoute: () => root,
  path: "/work/$kind/$id",
  component: lazyRouteComponent(() => loadPage(() => import("../work/entity/entity-page.tsx"), "work"), "EntityPage"),
});
const workPages = [work, tasks, calendar, notes, people, memory, entity] as const;

/** Ids and names of tools, no words of anybody. */
export interface ActivitySearch {
  readonly view?: string;
  readonly trail?: string;
  readonly session?: string;
  readonly caller?: string;
  readonly tool?: string;
}

const activity = createRoute({
  getParentRoute: () => root,
  path: "/activity",
  validateSearch: (search: Record<string, unknown>): ActivitySearch => ({
    ...textIn(search, "view"),
    ...textIn(search, "trail"),
    ...textIn(search, "session"),
    ...textIn(search, "caller"),
    ...textIn(search, "tool"),
  }),
  component: lazyRouteComponent(
    () => loadPage(() => import("../activity/activity-page.tsx"), "activity"),
    "ActivityPage",
  ),
});

const usage = createRoute({
  getParentRoute: () => root,
  path: "/usage",
  component: lazyRouteComponent(() => loadPage(() => import("../usage/usage-page.tsx"), "usage"), "UsagePage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    inbox,
    item,
    dismissed,
    search,
    welcome,
    projects,
    scouts,
    add,
    scout,
    folder,
    settings,
    ask,
    conversation,
    projectTree,
    unsaved,
    unsavedText,
    ...workPages,
    activity,
    usage,
  ]),
  scrollRestoration: false,
  defaultErrorComponent: PageFailed,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
