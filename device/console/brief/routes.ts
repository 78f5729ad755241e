import { Hono } from "hono";
import type { ConsoleEnvironment } from "../entrance/doors.ts";
import type { BriefUseCases } from "./use-cases.ts";

/** The first page: what waits, the week, what has changed, and what is broken. */
export const briefRoutes = (use: BriefUseCases) =>
  new Hono<ConsoleEnvironment>()
    .get("/brief", (c) => c.json(use.brief()))
    .get("/brief/broken", async (c) => c.json(await use.broken()));
