import type { Principal } from "../engines/access.ts";
import { LocalHomeError } from "../errors.ts";
import type { FunctionNode, Graph } from "../graph.ts";

/** Where the AWS SDK of a function finds the local services. */
export interface ServiceEndpoints {
  sqs: string;
  s3: string;
  dynamodb: string;
  kms: string;
  lambda: string;
}

/**
 * The whole environment of a function: what its `environment` and `link` say, what Lambda itself sets, and the
 * addresses of the local services (read by AWS SDK v3: "Service-specific endpoints" in its reference guide).
 */
export function functionEnvironment(
  node: FunctionNode,
  graph: Graph,
  secrets: Record<string, string>,
  endpoints: ServiceEndpoints,
  principal: Principal,
): Record<string, string> {
  const links = node.links.map((name): [string, string] => {
    const link = graph.links[name];
    const properties = link?.secret ? { value: secretValue(name, secrets) } : link?.properties;
    return [`SST_RESOURCE_${name}`, JSON.stringify(properties)];
  });
  return {
    ...node.environment,
    ...Object.fromEntries(links),
    SST_RESOURCE_App: JSON.stringify({ name: graph.app.name, stage: graph.app.stage }),
    AWS_REGION: graph.app.region,
    AWS_DEFAULT_REGION: graph.app.region,
    AWS_ACCESS_KEY_ID: principal.accessKeyId,
    AWS_SECRET_ACCESS_KEY: principal.secretAccessKey,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_KMS: endpoints.kms,
    AWS_ENDPOINT_URL_LAMBDA: endpoints.lambda,
    // A Lambda has no home folder with AWS settings, and this person's must not leak in.
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_LAMBDA_FUNCTION_NAME: node.functionName,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(node.memoryMb),
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    LAMBDA_TASK_ROOT: "/var/task",
    TZ: ":UTC",
  };
}

function secretValue(name: string, secrets: Record<string, string>): string {
  const value = secrets[name];
  if (value === undefined) throw new LocalHomeError("config_invalid", `The secret "${name}" has no value.`);
  return value;
}
