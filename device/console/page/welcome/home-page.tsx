import { Navigate, useRouterState } from "@tanstack/react-router";
import { Loading } from "../states/states.tsx";
import { useWelcome } from "./use-welcome.ts";

/** The first page: where there is nothing yet, the ways to begin; else the inbox. */
export function HomePage() {
  const welcome = useWelcome();
  // Whoever has chosen another page meanwhile, which is being loaded, is not called back.
  const isLeft = useRouterState({ select: ({ location }) => location.pathname !== "/" });
  if (welcome.isPending || isLeft) return <Loading />;
  // What cannot be asked now is no reason to greet somebody as new.
  if (welcome.isError || !welcome.data.isEmpty) return <Navigate to="/inbox" replace />;
  return <Navigate to="/welcome" replace />;
}
