import { Navigate, useRouterState } from "@tanstack/react-router";
import { Loading } from "../states/states.tsx";
import { useWelcome } from "../welcome/use-welcome.ts";
import { BriefPage } from "./brief-page.tsx";

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
