import { lazyRouteComponent, Navigate, useRouterState } from "@tanstack/react-router";
import { loadPage } from "../states/page-failed.tsx";
import { Loading } from "../states/states.tsx";
import { useWelcome } from "../welcome/use-welcome.ts";

/** A file of its own: who has nothing yet is led on, and sees no brief. */
const BriefPage = lazyRouteComponent(() => loadPage(() => import("./brief-page.tsx"), "brief"), "BriefPage");

/** The first page: where there is nothing yet, the ways to begin; else what the day brings. */
export function HomePage() {
  const welcome = useWelcome();
  // Whoever has chosen another page meanwhile, which is being loaded, is not called back.
  const isLeft = useRouterState({ select: ({ location }) => location.pathname !== "/" });
  if (welcome.isPending || isLeft) return <Loading />;
  // What cannot be asked now is no reason to greet somebody as new.
  if (welcome.data?.isEmpty === true) return <Navigate to="/welcome" replace />;
  return <BriefPage />;
}
