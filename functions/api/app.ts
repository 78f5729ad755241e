import { Hono } from "hono";
import type { LambdaContext, LambdaEvent } from "hono/aws-lambda";
import * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import type { UserId } from "../../events/ids.ts";
import { asScoutsError } from "../../shared/outcome.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";
import { log } from "../log.ts";

export interface ApiEnvironment {
  Bindings: { event: LambdaEvent; lambdaContext: LambdaContext };
}

/** A router with the one error shape. What a handler throws is logged here and nowhere else. */
export function newApp(): Hono<ApiEnvironment> {
  const app = new Hono<ApiEnvironment>();
  app.onError((error, c) => {
    const { code, data, kind } = asScoutsError(error);
    const requestId = c.env.lambdaContext.awsRequestId;
    log.error("request_failed", error, { requestId });
    return c.json({ error: { code, message: kind.sentence, data, requestId } }, kind.status as 400);
  });
  app.notFound(() => {
    throw new ScoutsError("not_found");
  });
  return app;
}

const claims = z.object({ iss: z.string(), sub: z.string().min(1) });

/** The person API Gateway's JWT authorizer let in. */
export function personOf(event: LambdaEvent): UserId {
  const context: unknown = event.requestContext;
  const parsed = z.object({ authorizer: z.object({ jwt: z.object({ claims }) }) }).safeParse(context);
  if (!parsed.success) throw new ScoutsError("unauthenticated");
  const { iss, sub } = parsed.data.authorizer.jwt.claims;
  return userIdOf(iss, sub);
}

/** A request's JSON body by its schema; what was wrong is named by path, never quoted. */
export function bodyOf<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map((issue) => issue.path.join(".") || "body");
  throw new ScoutsError("invalid_request", { data: { where: [...new Set(where)].join(", ").slice(0, 200) } });
}
