import { allows } from "../engines/access.ts";

export type Authorization = { allowed: true; context: Record<string, unknown> } | { allowed: false; reason: string };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const texts = (value: unknown): string[] =>
  [value].flat().filter((entry): entry is string => typeof entry === "string");

/**
 * Reads what a Lambda authorizer of a WebSocket API answered: an IAM policy for `execute-api:Invoke` and a context of
 * plain values. The simple `isAuthorized` form exists for HTTP APIs only (API reference, `EnableSimpleResponses`).
 */
export function readAuthorization(answer: unknown, methodArn: string): Authorization {
  if (!isObject(answer) || !isObject(answer["policyDocument"])) {
    return { allowed: false, reason: "the authorizer answered without a policy document" };
  }
  const statements = [answer["policyDocument"]["Statement"]].flat().filter(isObject);
  const about = (effect: string) =>
    statements
      .filter((statement) => statement["Effect"] === effect)
      .map((statement) => ({ actions: texts(statement["Action"]), resources: texts(statement["Resource"]) }));
  const invoke = "execute-api:Invoke";
  if (allows(about("Deny"), invoke, methodArn) || !allows(about("Allow"), invoke, methodArn)) {
    return { allowed: false, reason: "denied" };
  }
  const context = isObject(answer["context"]) ? answer["context"] : {};
  for (const [key, value] of Object.entries(context)) {
    if (typeof value === "object")
      return { allowed: false, reason: `the authorizer's context has a structure in "${key}"` };
  }
  return {
    allowed: true,
    context: {
      ...Object.fromEntries(Object.entries(context).map(([key, value]) => [key, String(value)])),
      principalId: String(answer["principalId"] ?? ""),
      integrationLatency: 0,
    },
  };
}
