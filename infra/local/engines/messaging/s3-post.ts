import type { Principals } from "../access.ts";
import type { EngineApp } from "../fauxqs.ts";
import type { RequestAuthorizer } from "../request-authorizer.ts";
import { messagingRoute } from "./messaging-routes.ts";
import { checkPostPolicy, type PostedForm } from "./post-policy.ts";
import { errorBody } from "./s3-front.ts";

interface Reply {
  code(status: number): Reply;
  header(name: string, value: string): Reply;
  send(body: string): Reply;
}

/** A field that is there twice has no one meaning: such a form is none. */
async function readForm(bucket: string, contentType: string, body: unknown): Promise<PostedForm | undefined> {
  if (!Buffer.isBuffer(body)) return undefined;
  try {
    const form = await new Response(body, { headers: { "content-type": contentType } }).formData();
    const fields: Record<string, string> = {};
    let fileBytes: number | undefined;
    for (const [name, value] of form) {
      const field = name.toLowerCase();
      if (Object.hasOwn(fields, field) || fileBytes !== undefined) return undefined;
      if (typeof value === "string") fields[field] = value;
      else fileBytes = value.size;
    }
    return fileBytes === undefined ? undefined : { bucket, fields, fileBytes };
  } catch {
    return undefined; // not a form, whatever its content type says
  }
}

/** Enforces the policy of presigned posts, which the engine takes without looking. */
export function guardPosts(app: EngineApp, door: RequestAuthorizer, principals: Principals): void {
  const refuse = (reply: Reply, status: number, code: string, message: string) =>
    reply.code(status).header("content-type", "application/xml").send(errorBody(code, message));
  app.addHook("preHandler", async (request, reply) => {
    const route = messagingRoute(request);
    if (route?.kind !== "form") return undefined;
    const form = await readForm(route.bucket, request.headers["content-type"] ?? "", request.body);
    if (!form) return refuse(reply, 400, "MalformedPOSTRequest", "The body is not a form with a file.");
    const principal = principals.find(form.fields["x-amz-credential"]?.split("/")[0]);
    if (!principal) return refuse(reply, 403, "InvalidAccessKeyId", "The access key is unknown.");
    const refusal = checkPostPolicy(form, principal.secretAccessKey, Date.now());
    if (refusal) return refuse(reply, refusal.status, refusal.code, refusal.message);
    const resource = `arn:aws:s3:::${form.bucket}/${form.fields["key"] ?? ""}`;
    const denied = door.admit(principal, {
      service: "s3",
      operation: "PostObject",
      needs: [{ action: "s3:PutObject", resource }],
    });
    if (denied?.code === "ThrottlingException") return refuse(reply, 503, "SlowDown", "Reduce your request rate.");
    if (denied) return refuse(reply, 403, "AccessDenied", "Access Denied");
    return undefined;
  });
}
