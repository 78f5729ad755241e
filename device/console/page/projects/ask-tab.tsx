import { getRouteApi } from "@tanstack/react-router";
import { AskRoom } from "../ask/ask-room.tsx";
import { useGo } from "../routes/go.ts";

const route = getRouteApi("/projects/$id/ask");

/** Questions about one project. */
export function AskTab() {
  const { id } = route.useParams();
  const { answer } = route.useSearch();
  const go = useGo();
  return (
    <AskRoom
      projectId={id}
      id={answer}
      onOpen={(next) =>
        void go({ to: "/projects/$id/ask", params: { id }, search: next === undefined ? {} : { answer: next } })
      }
    />
  );
}
