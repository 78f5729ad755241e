import { Hono } from "hono";
import { checked } from "../checked.ts";
import type { ConsoleEnvironment } from "../entrance/doors.ts";
import { preferencesRequest } from "./contract.ts";
import type { SettingsUseCases } from "./use-cases.ts";

/** The device itself. They parse, call, and hand on; what is done stands in the use cases. */
export const settingsRoutes = (use: SettingsUseCases) =>
  new Hono<ConsoleEnvironment>()
    .get("/preferences", (c) => c.json(use.preferences()))
    .patch("/preferences", checked("json", preferencesRequest), (c) => c.json(use.choose(c.req.valid("json"))))
    .get("/device", (c) => c.json(use.device()))
    .get("/devices", async (c) => c.json(await use.devices()))
    .post("/model/test", async (c) => c.json(await use.model()))
    .get("/data", async (c) => c.json(await use.data()))
    .post("/doctor", async (c) => c.json(await use.doctor()))
    .get("/welcome", async (c) => c.json(await use.welcome()))
    .post("/sample", async (c) => c.json(await use.loadSample()));
