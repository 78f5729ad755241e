import type { LambdaEvent } from "hono/aws-lambda";
import * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import type { UserId } from "../../events/ids.ts";
import { userIdOf } from "../../shared/privacy/opaque.ts";

const claims = z.object({ iss: z.string(), sub: z.string().min(1) });
const authorized = z.object({ authorizer: z.object({ jwt: z.object({ claims }) }) });

/** The person API Gateway's JWT authorizer let in. */
export function personOf(event: LambdaEvent): UserId {
  const context: unknown = event.requestContext;
  const found = authorized.safeParse(context);
  if (!found.success) throw new ScoutsError("unauthenticated");
  const { iss, sub } = found.data.authorizer.jwt.claims;
  return userIdOf(iss, sub);
}
