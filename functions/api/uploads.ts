import { uploadRate } from "../../shared/devices/payloads.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { RateLimit } from "../../shared/requests/rate-limit.ts";
import { transit } from "../compose/objects.ts";
import { sessions } from "../compose/tables.ts";
import { newId } from "../ids.ts";
import { log } from "../log.ts";
import { once } from "../once.ts";
import { lambdaHandler } from "./lambda-handler.ts";
import { uploadRoutes } from "./routes/uploads.ts";
import { serveRoutes } from "./serve.ts";

const ports = once(() => ({
  rate: new RateLimit(sessions(), systemClock),
  uploads: new RateLimit(sessions(), systemClock, uploadRate),
  sessions: sessions(),
  objects: transit(),
  clock: systemClock,
  newId,
}));

/** Offers to upload: apart from the rest of the API, so that nothing else there may put objects, or carries S3's client. */
export const handler = lambdaHandler(serveRoutes(uploadRoutes, ports, log), log);
