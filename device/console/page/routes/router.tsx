import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { Shell } from "../app/shell.tsx";
import { HomePage } from "../brief/home-page.tsx";
import { NotFound } from "../states/not-found.tsx";
import { loadPage, PageFailed } from "../states/page-failed.tsx";
import { Loading } from "../states/states.tsx";
import {
  activityAddress,
  addAddress,
  askAddress,
  calendarAddress,
  fileAddress,
  filesAddress,
  inboxAddress,
  tasksAddress,
} from "./addresses.ts";

const root = createRootRoute({ component: Shell });
const home = createRoute({ getParentRoute: () => root, path: "/", component: HomePage });
const welcome = createRoute({
  getParentRoute: () => root,
  path: "/welcome",
  validateSearch: addAddress,
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
  validateSearch: addAddress,
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
  validateSearch: filesAddress,
  component: lazyRouteComponent(
    () => loadPage(() => import("../projects/files/files-tab.tsx"), "projects"),
    "FilesTab",
  ),
});
const projectFile = createRoute({
  getParentRoute: () => project,
  path: "/files/$file",
  validateSearch: fileAddress,
  component: lazyRouteComponent(
    () => loadPage(() => import("../projects/file/file-page.tsx"), "projects", "calls"),
    "FilePage",
  ),
});
const projectAsk = createRoute({
  getParentRoute: () => project,
  path: "/ask",
  validateSearch: askAddress,
  component: lazyRouteComponent(() => loadPage(() => import("../projects/ask-tab.tsx"), "ask", "calls"), "AskTab"),
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
  component: lazyRouteComponent(
    () => loadPage(() => import("../settings/settings-page.tsx"), "settings"),
    "SettingsPage",
  ),
});
const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  validateSearch: inboxAddress,
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
  component: lazyRouteComponent(() => loadPage(() => import("../search/search-page.tsx"), "search"), "SearchPage"),
});

const ask = createRoute({
  getParentRoute: () => root,
  path: "/ask",
  component: lazyRouteComponent(() => loadPage(() => import("../ask/ask-page.tsx"), "ask", "calls"), "AskPage"),
});
/** The same page, which goes on as it is when its answer is there: whoever types the next question by then types on. */
const conversation = createRoute({ getParentRoute: () => ask, path: "$id" });
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
const tasks = createRoute({
  getParentRoute: () => root,
  path: "/work/tasks",
  validateSearch: tasksAddress,
  component: lazyRouteComponent(() => loadPage(() => import("../work/tasks-page.tsx"), "work"), "TasksPage"),
});
const calendar = createRoute({
  getParentRoute: () => root,
  path: "/work/calendar",
  validateSearch: calendarAddress,
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

const activity = createRoute({
  getParentRoute: () => root,
  path: "/activity",
  validateSearch: activityAddress,
  component: lazyRouteComponent(
    () => loadPage(() => import("../activity/activity-page.tsx"), "activity", "calls"),
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
    ask.addChildren([conversation]),
    projectTree,
    unsaved,
    unsavedText,
    ...workPages,
    activity,
    usage,
  ]),
  scrollRestoration: false,
  // What an address says and nobody means is taken out of it: it says no more than is shown.
  search: { strict: true },
  // Another page would stand under this address until the file of this one has come.
  defaultPendingComponent: Loading,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
  defaultErrorComponent: PageFailed,
  defaultNotFoundComponent: NotFound,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
