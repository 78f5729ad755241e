import { Hono } from "hono";
import { checked } from "../checked.ts";
import type { ConsoleEnvironment } from "../entrance/doors.ts";
import { priceRequest } from "./contract.ts";
import type { UsageUseCases } from "./use-cases.ts";

/** Tokens and what storing results has saved. They parse, call, and hand on; what is done stands in the use cases. */
export const usageRoutes = (use: UsageUseCases) =>
  new Hono<ConsoleEnvironment>()
    .get("/", async (c) => c.json(await use.usage()))
    .get("/artifacts", async (c) => c.json(await use.artifacts()))
    .put("/price", checked("json", priceRequest), (c) => c.json(use.setPrice(c.req.valid("json").price)));
