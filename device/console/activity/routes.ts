import { Hono } from "hono";
import { stream } from "hono/streaming";
import { checked } from "../checked.ts";
import type { ConsoleEnvironment } from "../entrance/doors.ts";
import { answerRequest, approvalParam, trailParam, trailRequest, undoRequest } from "./contract.ts";
import type { ActivityUseCases } from "./use-cases.ts";

/** What was done on this device, and what waits for a yes. They parse, call, and hand on. */
export const activityRoutes = (use: ActivityUseCases) =>
  new Hono<ConsoleEnvironment>()
    .get("/approvals", (c) => c.json(use.approvals()))
    .put("/approvals/:id", checked("param", approvalParam), checked("json", answerRequest), (c) =>
      c.json(use.answer(c.req.valid("param").id, c.req.valid("json").isApproved)),
    )
    .get("/runs", (c) => c.json(use.runs()))
    .post("/runs/undo", checked("json", undoRequest), async (c) => {
      const { trail, session } = c.req.valid("json");
      return c.json(await use.undo(trail, session));
    })
    .get("/trails", (c) => c.json(use.trails()))
    .post("/trails/page", checked("json", trailRequest), (c) => {
      const { places, ...filter } = c.req.valid("json");
      return c.json(use.page(filter, places));
    })
    .post("/trails/:trail/verify", checked("param", trailParam), async (c) =>
      c.json(await use.verify(c.req.valid("param").trail)),
    )
    .get("/trails/:trail/export", checked("param", trailParam), (c) => {
      const lines = use.export(c.req.valid("param").trail);
      c.header("content-type", "application/x-ndjson");
      return stream(c, async (out) => {
        for (const line of lines) if (!out.aborted) await out.write(line);
      });
    });
