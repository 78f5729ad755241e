import type * as z from "zod";
import type {
  Authorizer,
  Bucket,
  Grant,
  Inventory,
  Lambda,
  Queue,
  Route,
  Stage,
  Subscription,
  Table,
  Timer,
} from "./inventory.ts";
import { policyDocument, type Shapes, shapes } from "./pulumi-shapes.ts";
import type { DeclaredStack } from "./stack.ts";

/** The last part of an ARN or of a path behind it. */
const tail = (arn: string) => arn.slice(arn.lastIndexOf(":") + 1);

/** SST names what a component creates after the component and the kind: `LedgerTable` belongs to `Ledger`. */
const throttlingOf = (settings: {
  throttlingBurstLimit?: number | undefined;
  throttlingRateLimit?: number | undefined;
}) => ({
  burst: settings.throttlingBurstLimit,
  rate: settings.throttlingRateLimit,
});
const component = (name: string) => name.replace(/(Queue|Table|Bucket|Key|Api|Schedule|Stage)(?=\/|$)/, "");

/** `Sync` for the queue, but `Ledger/index/due` with what follows the name. */
/** A function is granted by the name it is given, which begins with app and stage. */
const resourceName = (arn: string) => (/:function:/.test(arn) ? tail(arn).replace(/^.*-/, "") : component(tail(arn)));

/** The mocked provider makes an id of the name. */
const apiName = (id: string) => component(id.replace(/-id$/, ""));

/** Reduces a declared stack to its inventory. */
export function inventoryOf(stack: DeclaredStack): Inventory {
  const all = <T extends keyof Shapes>(type: T): { name: string; inputs: z.output<Shapes[T]> }[] =>
    stack.resources
      .filter((resource) => resource.type === type)
      .map(({ name, inputs }) => ({ name, inputs: shapes[type].parse(inputs) as z.output<Shapes[T]> }));
  const named = <T extends keyof Shapes>(type: T, name: string) => {
    const found = all(type).find((resource) => resource.name === name);
    if (!found) throw new Error(`the stack declares no ${type} called ${name}`);
    return found.inputs;
  };

  const lambda = (arn: string) =>
    named("aws:lambda/function:Function", /:([^:/]+Function)(\/|$)/.exec(arn)?.[1] ?? arn);

  const queues = all("aws:sqs/queue:Queue").map(({ name, inputs }): Queue => {
    const redrive = inputs.redrivePolicy && JSON.parse(inputs.redrivePolicy);
    return {
      name: component(name),
      fifo: inputs.fifoQueue,
      contentBasedDeduplication: inputs.contentBasedDeduplication,
      highThroughput:
        inputs.deduplicationScope === "messageGroup" && inputs.fifoThroughputLimit === "perMessageGroupId",
      visibilitySeconds: inputs.visibilityTimeoutSeconds,
      retentionSeconds: inputs.messageRetentionSeconds,
      delaySeconds: inputs.delaySeconds,
      deadLetters: redrive && {
        queue: resourceName(redrive.deadLetterTargetArn),
        maxReceiveCount: redrive.maxReceiveCount,
      },
    };
  });

  const recurring = all("aws:lambda/functionRecursionConfig:FunctionRecursionConfig")
    .filter(({ inputs }) => inputs.recursiveLoop === "Allow")
    .map(({ inputs }) => inputs.functionName);

  const subscriptions = all("aws:lambda/eventSourceMapping:EventSourceMapping").map(
    ({ inputs }): Subscription => ({
      queue: resourceName(inputs.eventSourceArn),
      handler: lambda(inputs.functionName).handler,
      batchSize: inputs.batchSize,
      windowSeconds: inputs.maximumBatchingWindowInSeconds,
      partialResponses: inputs.functionResponseTypes.includes("ReportBatchItemFailures"),
      maximumConcurrency: inputs.scalingConfig?.maximumConcurrency,
      mayRecur: recurring.includes(lambda(inputs.functionName).name),
    }),
  );

  const tables = all("aws:dynamodb/table:Table").map(
    ({ name, inputs }): Table => ({
      name: component(name),
      hashKey: inputs.hashKey,
      rangeKey: inputs.rangeKey,
      attributes: Object.fromEntries(inputs.attributes.map((attribute) => [attribute.name, attribute.type])),
      indexes: Object.fromEntries(
        inputs.globalSecondaryIndexes.map(({ name, hashKey, rangeKey, projectionType, nonKeyAttributes }) => [
          name,
          { hashKey, rangeKey, projection: projectionType === "ALL" ? "all" : nonKeyAttributes },
        ]),
      ),
      ttl: inputs.ttl?.attributeName,
      pointInTimeRecovery: inputs.pointInTimeRecovery.enabled,
      stream: inputs.streamEnabled,
      deletionProtection: inputs.deletionProtectionEnabled,
    }),
  );

  const buckets = all("aws:s3/bucket:Bucket").map(({ name, inputs: { bucket } }): Bucket => {
    const of = <Inputs extends { bucket: string }>(resources: { inputs: Inputs }[]) =>
      resources.map(({ inputs }) => inputs).filter((inputs) => inputs.bucket === bucket);
    const policies = of(all("aws:s3/bucketPolicy:BucketPolicy")).flatMap(
      ({ policy }) => policyDocument.parse(JSON.parse(policy)).statements,
    );
    return {
      name: component(name),
      blocksPublicAccess: of(all("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock")).some(
        (block) =>
          block.blockPublicAcls && block.blockPublicPolicy && block.ignorePublicAcls && block.restrictPublicBuckets,
      ),
      deniesPlainHttp: policies.some(
        ({ effect, actions, conditions = [] }) =>
          effect === "Deny" &&
          actions.includes("s3:*") &&
          conditions.some(({ variable, values }) => variable === "aws:SecureTransport" && values.includes("false")),
      ),
      expiresAfterDays: of(all("aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration")).flatMap(
        ({ rules }) =>
          rules.flatMap(({ status, expiration }) => (status === "Enabled" && expiration ? [expiration.days] : [])),
      ),
      versioned: of(all("aws:s3/bucketVersioning:BucketVersioning")).length > 0,
    };
  });

  const functions = all("aws:lambda/function:Function").map(({ name, inputs }): Lambda => {
    const role = named("aws:iam/role:Role", tail(inputs.role));
    const built = stack.builds.find((candidate) => `${candidate.functionID}Function` === name);
    const group = all("aws:cloudwatch/logGroup:LogGroup").find(
      (log) => log.inputs.name === inputs.loggingConfig.logGroup,
    );
    return {
      name: inputs.name,
      handler: inputs.handler,
      timeoutSeconds: inputs.timeout,
      memoryMb: inputs.memorySize,
      links: Object.keys(built?.links ?? {}).sort(),
      environment: Object.fromEntries(
        Object.entries(inputs.environment.variables).filter(([variable]) => !variable.startsWith("SST_")),
      ),
      grants: role.inlinePolicies.flatMap(({ policy }) =>
        policyDocument
          .parse(JSON.parse(policy))
          .statements.map(
            ({ effect, actions, resources }): Grant => ({ effect, actions, resources: resources.map(resourceName) }),
          ),
      ),
      managedPolicies: role.managedPolicyArns.map((arn) => arn.slice(arn.lastIndexOf("/") + 1)),
      logRetentionDays: group?.inputs.retentionInDays,
    };
  });

  const routes = all("aws:apigatewayv2/route:Route").map(
    ({ inputs }): Route => ({
      api: apiName(inputs.apiId),
      key: inputs.routeKey,
      authorization: inputs.authorizationType,
      handler: lambda(
        named("aws:apigatewayv2/integration:Integration", inputs.target.replace(/^integrations\/|-id$/g, ""))
          .integrationUri,
      ).handler,
    }),
  );

  const authorizers = all("aws:apigatewayv2/authorizer:Authorizer").map(
    ({ inputs }): Authorizer => ({
      api: apiName(inputs.apiId),
      kind: inputs.authorizerType,
      issuer: inputs.jwtConfiguration?.issuer,
      audiences: inputs.jwtConfiguration?.audiences ?? [],
      // A JWT authorizer's is always the Authorization header.
      identitySources: inputs.authorizerType === "JWT" ? [] : inputs.identitySources,
    }),
  );

  const stages = all("aws:apigatewayv2/stage:Stage").map(
    ({ inputs }): Stage => ({
      api: apiName(inputs.apiId),
      accessLogFormat: inputs.accessLogSettings?.format ?? "",
      dataTrace: inputs.defaultRouteSettings.dataTraceEnabled,
      loggingLevel: inputs.defaultRouteSettings.loggingLevel,
      throttling: throttlingOf(inputs.defaultRouteSettings),
      throttledRoutes: Object.fromEntries(inputs.routeSettings.map((of) => [of.routeKey, throttlingOf(of)])),
    }),
  );

  const timers = all("aws:scheduler/schedule:Schedule").map(
    ({ name, inputs }): Timer => ({
      name: component(name),
      schedule: inputs.scheduleExpression,
      handler: lambda(inputs.target.arn).handler,
      retries: inputs.target.retryPolicy.maximumRetryAttempts,
      enabled: inputs.state === "ENABLED",
    }),
  );

  const queueNames = new Map(all("aws:sqs/queue:Queue").map(({ name, inputs }) => [inputs.name, component(name)]));
  const alarms = all("aws:cloudwatch/metricAlarm:MetricAlarm").map(({ name, inputs }) => {
    const queries = inputs.metricQueries ?? [{ id: "only", metric: inputs }];
    const named = queries.map(({ id, metric }) => [id, metric && `${metric.namespace} ${metric.metricName}`] as const);
    const expression = inputs.metricQueries?.find((query) => query.expression !== undefined)?.expression ?? "only";
    const dimensions: Record<string, string> = Object.assign({}, ...queries.map(({ metric }) => metric?.dimensions));
    return {
      name,
      lambda: dimensions["FunctionName"] ?? "",
      queue: queueNames.get(dimensions["QueueName"] ?? "") ?? "",
      metric: named.reduce((text, [id, of]) => (of === undefined ? text : text.replace(id, of)), expression),
      comparison: inputs.comparisonOperator,
      threshold: inputs.threshold,
      actions: inputs.alarmActions.length,
    };
  });

  const boards = all("aws:cloudwatch/dashboard:Dashboard").map(({ inputs }) => inputs.dashboardBody);
  const physicalNames = [
    ...queueNames,
    ...all("aws:dynamodb/table:Table").map((t) => [t.name, component(t.name)] as const),
  ];
  const onDashboard = physicalNames.flatMap(([physical, name]) =>
    boards.some((body) => body.includes(JSON.stringify(physical))) ? [name] : [],
  );

  const keys = all("aws:kms/key:Key").map(({ name, inputs }) => ({
    name: component(name),
    rotates: inputs.enableKeyRotation,
  }));
  const secrets = stack.resources.filter(({ type }) => type === "sst:sst:Secret").map(({ name }) => name);

  return {
    queues,
    subscriptions,
    tables,
    buckets,
    functions,
    routes,
    authorizers,
    stages,
    timers,
    alarms,
    onDashboard,
    keys,
    secrets,
  };
}
