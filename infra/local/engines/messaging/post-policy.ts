import { createHmac, timingSafeEqual } from "node:crypto";

export interface PostedForm {
  bucket: string;
  /** Fields by lower-case name, without the file. */
  fields: Record<string, string>;
  fileBytes: number;
}

export interface PostRefusal {
  status: 400 | 403;
  code: "AccessDenied" | "EntityTooLarge" | "EntityTooSmall" | "SignatureDoesNotMatch" | "MalformedPOSTRequest";
  message: string;
}

const refuse = (code: PostRefusal["code"], message: string): PostRefusal => ({
  status: code === "AccessDenied" || code === "SignatureDoesNotMatch" ? 403 : 400,
  code,
  message,
});

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** Signature Version 4 of a policy ("Authenticating Requests in Browser-Based Uploads Using POST", S3 API reference). */
function signature(policy: string, credential: string, secretAccessKey: string): Buffer {
  const [, date = "", region = "", service = ""] = credential.split("/");
  const key = [region, service, "aws4_request"].reduce<Buffer>(hmac, hmac(`AWS4${secretAccessKey}`, date));
  return hmac(key, policy);
}

/** Fields that need no condition. */
const unconditional = /^(policy|x-amz-signature|file|x-ignore-.*)$/;

/**
 * Checks a form against the policy it carries: signed, not expired, every condition met, no field beyond the conditions.
 * This is the one way in S3 to bound the size of an upload somebody else makes.
 */
export function checkPostPolicy(form: PostedForm, secretAccessKey: string, nowMs: number): PostRefusal | undefined {
  const { policy = "", "x-amz-credential": credential = "", "x-amz-signature": given = "" } = form.fields;
  const expected = signature(policy, credential, secretAccessKey);
  const received = Buffer.from(given, "hex");
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) {
    return refuse("SignatureDoesNotMatch", "The request signature does not match.");
  }
  const { expiration, conditions } = read(policy);
  if (!(Date.parse(expiration) > nowMs)) return refuse("AccessDenied", "Invalid according to Policy: Policy expired.");
  const values: Record<string, string> = { ...form.fields, bucket: form.bucket };
  const covered = new Set<string>(["bucket"]);
  for (const condition of conditions) {
    const [operator, subject, value] = condition;
    if (operator === "content-length-range") {
      if (form.fileBytes < Number(subject)) return refuse("EntityTooSmall", "The upload is smaller than allowed.");
      if (form.fileBytes > Number(value)) return refuse("EntityTooLarge", "The upload exceeds the allowed size.");
      continue;
    }
    const name = String(subject).replace(/^\$/, "").toLowerCase();
    covered.add(name);
    const actual = values[name] ?? "";
    const met = operator === "starts-with" ? actual.startsWith(String(value)) : actual === String(value);
    if (!met) return refuse("AccessDenied", `Invalid according to Policy: Policy Condition failed: ${name}.`);
  }
  const extra = Object.keys(form.fields).find((name) => !covered.has(name) && !unconditional.test(name));
  return extra === undefined
    ? undefined
    : refuse("AccessDenied", `Invalid according to Policy: Extra input fields: ${extra}.`);
}

/** Policy documents are the home's own work, so what is not in the expected form simply matches nothing. */
function read(policy: string): { expiration: string; conditions: [string, unknown, unknown][] } {
  const document: unknown = JSON.parse(Buffer.from(policy, "base64").toString());
  if (typeof document !== "object" || document === null) return { expiration: "", conditions: [] };
  const listed = "conditions" in document && Array.isArray(document.conditions) ? document.conditions : [];
  return {
    expiration: "expiration" in document ? String(document.expiration) : "",
    conditions: listed.flatMap((condition: unknown): [string, unknown, unknown][] => {
      if (Array.isArray(condition)) return [[String(condition[0]), condition[1], condition[2]]];
      return Object.entries(condition ?? {}).map(([name, value]) => ["eq", `$${name}`, value]);
    }),
  };
}
