import { Hono } from "hono";
import { reconnectRequest } from "../../../events/http/scouts.ts";
import { checked } from "../checked.ts";
import type { ConsoleEnvironment } from "../entrance/doors.ts";
import {
  addRequest,
  checkRequest,
  connectionParam,
  editRequest,
  folderParam,
  folderRequest,
  linkRequest,
  pauseRequest,
  placeRequest,
  scanParam,
  scoutParam,
  senderRequest,
  tryRequest,
} from "./contract.ts";
import type { SourceUseCases } from "./use-cases.ts";

const scout = checked("param", scoutParam, "scout_unknown");
const folder = checked("param", folderParam, "project_unknown");
const connection = checked("param", connectionParam);

/** Scouts and linked folders. They parse, call, and hand on; what is done stands in the use cases. */
export const sourceRoutes = (use: SourceUseCases) =>
  new Hono<ConsoleEnvironment>()
    .get("/sources", async (c) => c.json(await use.kinds()))
    .post("/sources/check", checked("json", checkRequest), async (c) => {
      const { source, settings } = c.req.valid("json");
      return c.json(await use.check(source, settings));
    })
    .post("/scouts", checked("json", addRequest), async (c) => c.json(await use.add(c.req.valid("json"))))
    .get("/scouts/:id", scout, async (c) => c.json(await use.scout(c.req.valid("param").id)))
    .patch("/scouts/:id", scout, checked("json", editRequest), async (c) =>
      c.json(await use.edit(c.req.valid("param").id, c.req.valid("json"))),
    )
    .delete("/scouts/:id", scout, async (c) => c.json(await use.remove(c.req.valid("param").id)))
    .get("/scouts/:id/health", scout, async (c) => c.json(await use.health(c.req.valid("param").id)))
    .get("/scouts/:id/sees", scout, async (c) => c.json(await use.sight(c.req.valid("param").id)))
    .get("/scouts/:id/runs", scout, async (c) => c.json(await use.runs(c.req.valid("param").id)))
    .put("/scouts/:id/paused", scout, checked("json", pauseRequest), async (c) =>
      c.json(await use.pause(c.req.valid("param").id, c.req.valid("json").paused)),
    )
    .post("/scouts/:id/run", scout, async (c) => c.json(await use.run(c.req.valid("param").id)))
    .post("/scouts/:id/reconnect", scout, checked("json", reconnectRequest), async (c) =>
      c.json(await use.reconnect(c.req.valid("param").id, c.req.valid("json").settings)),
    )
    .post("/scouts/:id/try", scout, checked("json", tryRequest), async (c) =>
      c.json(await use.try(c.req.valid("param").id, c.req.valid("json").purpose, c.req.raw.signal)),
    )
    .post("/scouts/:id/mute", scout, checked("json", senderRequest), async (c) => {
      const { address, muted } = c.req.valid("json");
      return c.json(await use.mute(c.req.valid("param").id, address, muted));
    })
    .get("/connections/:id", connection, async (c) => c.json(await use.outcome(c.req.valid("param").id)))
    .delete("/connections/:id", connection, (c) => {
      use.cancel(c.req.valid("param").id);
      return c.json({ cancelled: true });
    })
    .post("/places", checked("json", placeRequest), (c) => c.json(use.places(c.req.valid("json").path)))
    .get("/folders", (c) => c.json(use.folders()))
    .post("/folders", checked("json", linkRequest), async (c) => {
      const { name, path } = c.req.valid("json");
      return c.json(await use.link(name, path));
    })
    .get("/folders/:id", folder, (c) => c.json(use.folder(c.req.valid("param").id)))
    .patch("/folders/:id", folder, checked("json", folderRequest), (c) =>
      c.json(use.setFolder(c.req.valid("param").id, c.req.valid("json"))),
    )
    .delete("/folders/:id", folder, (c) => c.json(use.unlink(c.req.valid("param").id)))
    .get("/folders/:id/scans", folder, (c) => c.json(use.scans(c.req.valid("param").id)))
    .post("/folders/:id/scan", folder, (c) => c.json(use.rescan(c.req.valid("param").id)))
    .get("/scans/:id/actions", checked("param", scanParam), (c) => c.json(use.scanActions(c.req.valid("param").id)));
