import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { loadPage, PageFailed } from "../states/page-failed.tsx";
import { Shell } from "./shell.tsx";

/** What a list is narrowed to: ids and codes, no words of anybody. */
export interface InboxSearch {
  /** Pending where it is absent. */
  readonly status?: string;
  readonly scout?: string;
  readonly why?: string;
}

const textIn = (search: Record<string, unknown>, name: string) => {
  const value = search[name];
  return typeof value === "string" && value !== "" ? { [name]: value } : {};
};

const root = createRootRoute({ component: Shell });
const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => loadPage(() => import("../welcome/home-page.tsx")), "HomePage"),
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
const folder = createRoute({
  getParentRoute: () => root,
  path: "/scouts/folders/$id",
  component: lazyRouteComponent(() => loadPage(() => import("../folders/folder-page.tsx")), "FolderPage"),
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

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    inbox,
    item,
    dismissed,
    search,
    welcome,
    scouts,
    add,
    scout,
    folder,
    settings,
    ask,
    conversation,
  ]),
  scrollRestoration: false,
  defaultErrorComponent: PageFailed,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
