import { Hono } from "hono";
import * as z from "zod";
import { projectId } from "../../../events/ids.ts";
import { checked } from "../checked.ts";
import type { ConsoleEnvironment } from "../entrance/doors.ts";
import { askRequest, conversationsRequest, placeRequest } from "./contract.ts";
import { streamLines } from "./stream-lines.ts";
import type { AskUseCases } from "./use-cases.ts";

const idParam = checked("param", z.object({ id: z.string().max(64) }));

/** Questions to agents. They parse, call, and hand on; what is done stands in the use cases. */
export const askRoutes = (use: AskUseCases) =>
  new Hono<ConsoleEnvironment>()
    .get("/ask", async (c) => c.json(await use.setting()))
    .post("/ask", checked("json", askRequest), async (c) => {
      const { text, projectId: of, follows, attachments } = c.req.valid("json");
      return streamLines(c, await use.ask({ text, projectId: projectIfAny(of), goesOnFrom: follows, attachments }));
    })
    .post("/ask/conversations", checked("json", conversationsRequest), (c) =>
      c.json(use.conversations(projectIfAny(c.req.valid("json").projectId))),
    )
    .get("/ask/conversations/:id", idParam, (c) => c.json(use.conversation(c.req.valid("param").id)))
    .delete("/ask/conversations/:id", idParam, (c) => c.json(use.forget(c.req.valid("param").id)))
    .post("/ask/place", checked("json", placeRequest), async (c) => {
      const { projectId: of, path, line } = c.req.valid("json");
      return c.json(await use.place({ projectId: projectId.parse(of), path, line }));
    });

const projectIfAny = (id: string | undefined) => (id === undefined ? undefined : projectId.parse(id));
