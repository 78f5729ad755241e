import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { AskRoom } from "../ask/ask-room.tsx";

const route = getRouteApi("/projects/$id/ask");

/** Questions about one project. */
export function AskTab() {
  const { id } = route.useParams();
  const { answer } = route.useSearch();
  const navigate = useNavigate();
  return (
    <AskRoom
      projectId={id}
      id={answer}
      onOpen={(next) =>
        void navigate({ to: "/projects/$id/ask", params: { id }, search: next === undefined ? {} : { answer: next } })
      }
    />
  );
}
