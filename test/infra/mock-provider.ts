import { createHash } from "node:crypto";

/** One resource as the program declared it, before any provider saw it. */
export interface DeclaredResource {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

interface NewResource extends DeclaredResource {
  readonly id?: string;
}

interface ProviderCall {
  readonly token: string;
  readonly inputs: Record<string, unknown>;
}

export const account = "111122223333";
export const region = "us-east-1";

/** The ARN a mocked resource answers with: it ends in the logical name, so that a grant can be read back to a resource. */
function arnOf(type: string, name: string): string {
  const service = type.split(/[:/]/)[1] ?? "mock";
  return `arn:aws:${service}:${region}:${account}:${name}`;
}

/** What AWS would have added to a resource once it exists, as far as the program reads it. */
function assignedBy(type: string, name: string): Record<string, unknown> {
  const arn = arnOf(type, name);
  switch (type) {
    case "aws:dynamodb/table:Table":
      return { arn, name };
    case "aws:sqs/queue:Queue":
      return { arn, url: `https://sqs.${region}.amazonaws.com/${account}/${name}` };
    case "aws:apigatewayv2/api:Api":
      return {
        arn,
        apiEndpoint: `https://${name}.execute-api.${region}.amazonaws.com`,
        executionArn: `arn:aws:execute-api:${region}:${account}:${name}`,
      };
    case "aws:apigatewayv2/stage:Stage":
      return { arn, invokeUrl: `https://${name}.execute-api.${region}.amazonaws.com` };
    case "aws:lambda/function:Function":
      return { arn, invokeArn: `${arn}/invoke`, qualifiedArn: `${arn}:1` };
    case "aws:acm/certificate:Certificate":
      return {
        arn,
        domainValidationOptions: [
          {
            domainName: name,
            resourceRecordName: "_check",
            resourceRecordType: "CNAME",
            resourceRecordValue: "_value",
          },
        ],
      };
    case "random:index/randomBytes:RandomBytes":
      return { base64: createHash("sha256").update(name).digest("base64") };
    default:
      return { arn };
  }
}

/** Answers of the data sources that SST's components ask for. */
function answer({ token, inputs }: ProviderCall): Record<string, unknown> {
  switch (token) {
    case "aws:index/getRegion:getRegion":
      return { id: region, name: region, region };
    case "aws:index/getPartition:getPartition":
      return { id: "aws", partition: "aws", dnsSuffix: "amazonaws.com" };
    case "aws:index/getCallerIdentity:getCallerIdentity":
      return { id: account, accountId: account, arn: `arn:aws:iam::${account}:root` };
    case "aws:iam/getPolicyDocument:getPolicyDocument":
      return { ...inputs, json: JSON.stringify(inputs) };
    case "aws:servicequotas/getServiceQuota:getServiceQuota":
      return { ...inputs, value: 1000 };
    default:
      throw new Error(`the mocked provider has no answer to ${token}`);
  }
}

/** The marker Pulumi wraps secret values with (`specialSigKey` in its `runtime/rpc.ts`). */
const secretMark = "4dabf18193072939515e22adb298388d";

/** A value as it would reach the provider: secrets without their wrapping. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if (secretMark in value && "value" in value) return plain(value.value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** Pulumi's `Mocks`, which writes every resource down. */
export function recordingProvider(declared: DeclaredResource[]) {
  return {
    newResource({ type, name, inputs, id }: NewResource) {
      declared.push({ type, name, inputs: Object.fromEntries(Object.entries(inputs).map(([k, v]) => [k, plain(v)])) });
      return { id: id || `${name}-id`, state: { name, ...inputs, ...assignedBy(type, name) } };
    },
    call: answer,
  };
}
