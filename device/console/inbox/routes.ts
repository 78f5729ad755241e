import { type Context, Hono } from "hono";
import * as z from "zod";
import { proposalId } from "../../../events/ids.ts";
import { checked } from "../checked.ts";
import type { ConsoleEnvironment } from "../entrance/doors.ts";
import {
  alikeRequest,
  assignRequest,
  convertRequest,
  decisionRequest,
  decisionsRequest,
  formRequest,
  idsRequest,
  languageIn,
  mergeRequest,
  muteRequest,
  snoozeRequest,
  tasksRequest,
} from "./contract.ts";
import type { InboxUseCases } from "./use-cases.ts";

const proposal = checked("param", z.object({ id: proposalId }), "proposal_unknown");

/** What the tab speaks that asks. */
const languageOf = ({ req }: Context) => languageIn(req.header("accept-language"));

/** What is done with proposals. They parse, call, and hand on; what is done stands in the use cases. */
export const inboxRoutes = (use: InboxUseCases) =>
  new Hono<ConsoleEnvironment>()
    .put("/proposals/:id/decision", proposal, checked("json", decisionRequest), (c) => {
      const { outcome, seen } = c.req.valid("json");
      const { id } = c.req.valid("param");
      return c.json(outcome === "approved" ? use.approve({ id, seen, language: languageOf(c) }) : use.reject(id));
    })
    .get("/proposals/:id/draft", proposal, (c) => c.json(use.draft(c.req.valid("param").id, languageOf(c))))
    .put("/proposals/:id/draft", proposal, checked("json", formRequest), async (c) =>
      c.json(await use.save(c.req.valid("param").id, c.req.valid("json"))),
    )
    .post("/proposals/:id/approve", proposal, checked("json", formRequest), async (c) =>
      c.json(await use.approveForm(c.req.valid("param").id, c.req.valid("json"))),
    )
    .post("/proposals/:id/convert", proposal, checked("json", convertRequest), async (c) =>
      c.json(await use.convert(c.req.valid("param").id, c.req.valid("json").form)),
    )
    .post("/proposals/:id/alike", proposal, checked("json", alikeRequest), (c) =>
      c.json(use.alike(c.req.valid("param").id, c.req.valid("json").by)),
    )
    .put("/proposals/:id/muted", proposal, checked("json", muteRequest), async (c) =>
      c.json(await use.mute(c.req.valid("param").id, c.req.valid("json").muted)),
    )
    .post("/pending", checked("json", idsRequest), (c) => c.json(use.pending(c.req.valid("json").ids)))
    .get("/choices", (c) => c.json(use.choices()))
    .post("/decisions", checked("json", decisionsRequest), (c) => {
      const { ids, outcome } = c.req.valid("json");
      return c.json(use.decideAll(ids, outcome, languageOf(c)));
    })
    .post("/undoings", checked("json", idsRequest), (c) => c.json(use.undoAll(c.req.valid("json").ids)))
    .post("/snoozes", checked("json", snoozeRequest), async (c) => {
      const { ids, until } = c.req.valid("json");
      return c.json(await use.snooze(ids, until));
    })
    .post("/assignments", checked("json", assignRequest), (c) => {
      const { ids, project } = c.req.valid("json");
      return c.json(use.assign(ids, project));
    })
    .post("/merges", checked("json", mergeRequest), (c) => {
      const { ids, task } = c.req.valid("json");
      return c.json(use.merge(ids, task));
    })
    .post("/merge-targets", checked("json", tasksRequest), (c) => c.json(use.tasks(c.req.valid("json").words)));
