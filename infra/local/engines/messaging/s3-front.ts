import type { FrontDoor } from "../door.ts";
import type { EngineApp } from "../fauxqs.ts";

interface ObjectRequest {
  operation: string;
  action: string;
  resource: string;
}

/** Which operation a path-style S3 request is, and the right it needs (S3 service authorization reference). */
function operationOf(method: string, url: string): ObjectRequest {
  const { pathname, searchParams } = new URL(url, "http://s3");
  const [, bucket = "", ...rest] = pathname.split("/").map(decodeURIComponent);
  const key = rest.join("/");
  const onBucket = `arn:aws:s3:::${bucket}`;
  const onObject = `${onBucket}/${key}`;
  if (key === "") {
    if (method === "GET" || method === "HEAD") {
      return { operation: "ListObjectsV2", action: "s3:ListBucket", resource: onBucket };
    }
    if (method === "POST" && searchParams.has("delete")) {
      return { operation: "DeleteObjects", action: "s3:DeleteObject", resource: `${onBucket}/*` };
    }
    return { operation: `${method}Bucket`, action: `s3:${method}Bucket`, resource: onBucket };
  }
  if (method === "GET") return { operation: "GetObject", action: "s3:GetObject", resource: onObject };
  if (method === "HEAD") return { operation: "HeadObject", action: "s3:GetObject", resource: onObject };
  if (method === "DELETE") return { operation: "DeleteObject", action: "s3:DeleteObject", resource: onObject };
  return { operation: "PutObject", action: "s3:PutObject", resource: onObject };
}

export const errorBody = (code: string, message: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;

export const isForm = (contentType: string | undefined) => contentType?.includes("multipart/form-data") === true;

/** Checks and counts the signed S3 requests. Forms (presigned POST) carry their signature inside: see s3-post.ts. */
export function guardS3(app: EngineApp, door: FrontDoor, exists: (bucket: string, key: string) => boolean): void {
  app.addHook("preHandler", (request, reply, done) => {
    if (request.headers["x-amz-target"] !== undefined || isForm(request.headers["content-type"])) return done();
    if (request.url === "/" || request.url === "/health") return done();
    const { operation, action, resource } = operationOf(request.method, request.url);
    const refusal = door.admit(door.identify(request.headers, request.url), {
      service: "s3",
      operation,
      needs: [{ action, resource }],
    });
    if (!refusal) {
      // The engine writes over what is there; S3 answers 412 to a conditional write ("Conditional writes").
      const [, bucket = "", key = ""] = /^arn:aws:s3:::([^/]+)\/(.*)$/s.exec(resource) ?? [];
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
