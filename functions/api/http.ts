import { connectors } from "../compose/connectors.ts";
import { setting } from "../environment.ts";
import { log } from "../log.ts";
import { createApi } from "./app.ts";
import { apiPorts } from "./compose.ts";
import { lambdaHandler } from "./lambda-handler.ts";

/** The HTTP API. Who may reach which path is decided by the routes in infra/api.ts. */
export const handler = lambdaHandler(
  createApi({ ports: apiPorts, publicUrl: () => setting("PUBLIC_URL"), connectors, log }),
  log,
);
