import type { EngineApp } from "../fauxqs.ts";
import type { RequestAuthorizer } from "../request-authorizer.ts";
import { messagingRoute } from "./messaging-routes.ts";

/**
 * A failure as S3 writes it. Neither text is escaped.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export const errorBody = (code: string, message: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;

/** Checks and counts the signed S3 requests. Forms (presigned POST) carry their signature inside: see s3-post.ts. */
export function guardS3(
  app: EngineApp,
  door: RequestAuthorizer,
  exists: (bucket: string, key: string) => boolean,
): void {
  app.addHook("preHandler", (request, reply, done) => {
    const route = messagingRoute(request);
    if (route?.kind !== "object") return done();
    const { operation, action, bucket, key } = route;
    const object = operation === "DeleteObjects" ? "/*" : key === "" ? "" : `/${key}`;
    const refusal = door.admit(door.identify(request.headers, request.url), {
      service: "s3",
      operation,
      needs: [{ action, resource: `arn:aws:s3:::${bucket}${object}` }],
    });
    if (!refusal) {
      // The engine writes over what is there; S3 answers 412 to a conditional write ("Conditional writes").
      if (operation !== "PutObject" || request.headers["if-none-match"] !== "*" || !exists(bucket, key)) return done();
      reply.code(412).header("content-type", "application/xml");
      reply.send(errorBody("PreconditionFailed", "At least one of the pre-conditions you specified did not hold"));
      return;
    }
    const throttled = refusal.code === "ThrottlingException";
    reply
      .code(throttled ? 503 : 403)
      .header("content-type", "application/xml")
      .send(
        errorBody(throttled ? "SlowDown" : "AccessDenied", throttled ? "Reduce your request rate." : "Access Denied"),
      );
  });
}
