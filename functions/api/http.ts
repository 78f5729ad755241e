import { handle } from "hono/aws-lambda";
import { newApp } from "./app.ts";
import { gmailCallback, gmailConnection } from "./gmail.ts";
import { scouts } from "./scouts.ts";
import { tickets } from "./tickets.ts";

const app = newApp()
  .get("/health", (c) => c.json({ status: "ok" }))
  .route("/api/v1/device/tickets", tickets)
  .route("/api/v1/scouts", gmailCallback)
  .route("/api/v1/scouts", gmailConnection)
  .route("/api/v1/scouts", scouts);

/** The HTTP API. Who may reach which path is decided by the routes in infra/api.ts. */
export const handler = handle(app);
