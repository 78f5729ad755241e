import { Hono } from "hono";
import { checked } from "../checked.ts";
import type { ConsoleEnvironment } from "../entrance/doors.ts";
import { projectParam } from "../projects/contract.ts";
import { draftParam, draftRequest, editRequest, mergeRequest, saveRequest } from "./contract.ts";
import type { EditUseCases } from "./use-cases.ts";

const project = checked("param", projectParam);
const draft = checked("param", draftParam);

/** Addresses for editing files, and for what is typed and not saved. */
export function editRoutes(use: EditUseCases) {
  return new Hono<ConsoleEnvironment>()
    .post("/:id/text", project, checked("json", editRequest), async (c) =>
      c.json(await use.text({ project: c.req.valid("param").id, ...c.req.valid("json") })),
    )
    .post("/:id/save", project, checked("json", saveRequest), async (c) => {
      const { text, baseHash, ...file } = c.req.valid("json");
      return c.json(await use.save({ project: c.req.valid("param").id, ...file }, text, baseHash));
    })
    .post("/:id/merge", project, checked("json", mergeRequest), async (c) => {
      const { base, mine, ...file } = c.req.valid("json");
      return c.json(await use.merge({ project: c.req.valid("param").id, ...file }, { base, mine }));
    })
    .get("/drafts", (c) => c.json(use.drafts()))
    .put("/drafts/:id", draft, checked("json", draftRequest), (c) =>
      c.json(use.keep({ id: c.req.valid("param").id, ...c.req.valid("json") })),
    )
    .delete("/drafts/:id", draft, (c) => c.json(use.forget(c.req.valid("param").id)));
}
