import type { Principals } from "../access.ts";
import { type EngineApp, hasObject, type ObjectStore } from "../fauxqs.ts";
import type { RequestAuthorizer } from "../request-authorizer.ts";
import { messagingRoute } from "./messaging-routes.ts";
import { errorBody, guardS3 } from "./s3-front.ts";
import { guardPosts } from "./s3-post.ts";
import { guardSqs, storeBatchesInOneTransaction } from "./sqs-front.ts";
import type { Together } from "./together.ts";

/**
 * Everything that stands before the engine of queues and objects. It has more doors than the product uses: topics, bucket
 * settings, uploads in parts, a view of the queues for developers. What is not known here is refused before it is read.
 */
export function guardMessaging(
  app: EngineApp,
  objects: ObjectStore,
  together: Together,
  { door, principals }: { door: RequestAuthorizer; principals: Principals },
): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (messagingRoute(request)) return done();
    reply.code(403).header("content-type", "application/xml").header("connection", "close");
    reply.send(errorBody("AccessDenied", "Access Denied"));
  });
  guardSqs(app, door);
  guardS3(app, door, (bucket, key) => hasObject(objects, bucket, key));
  guardPosts(app, door, principals);
  storeBatchesInOneTransaction(app, together);
}
