import * as z from "zod";

const optionalFlag = z.boolean().default(false);
/** What the mocked `getPolicyDocument` answers as JSON. */
export const policyDocument = z.object({
  statements: z
    .array(
      z.object({
        effect: z.string().default("Allow"),
        actions: z.array(z.string()),
        resources: z.array(z.string()),
        conditions: z.array(z.object({ variable: z.string(), values: z.array(z.string()) })).optional(),
        principals: z.array(z.object({ identifiers: z.array(z.string()) })).optional(),
      }),
    )
    .default([]),
});

const metric = z.object({
  namespace: z.string(),
  metricName: z.string(),
  dimensions: z.record(z.string(), z.string()),
});

/** The inputs the rules look at, by resource type; an input of another shape than expected fails loudly. */
export const shapes = {
  "aws:sqs/queue:Queue": z.object({
    name: z.string(),
    fifoQueue: optionalFlag,
    contentBasedDeduplication: optionalFlag,
    deduplicationScope: z.string().optional(),
    fifoThroughputLimit: z.string().optional(),
    visibilityTimeoutSeconds: z.number(),
    // SQS's default: four days.
    messageRetentionSeconds: z.number().default(345_600),
    delaySeconds: z.number(),
    redrivePolicy: z.string().optional(),
  }),
  "aws:lambda/eventSourceMapping:EventSourceMapping": z.object({
    eventSourceArn: z.string(),
    functionName: z.string(),
    batchSize: z.number(),
    maximumBatchingWindowInSeconds: z.number(),
    functionResponseTypes: z.array(z.string()),
    scalingConfig: z.object({ maximumConcurrency: z.number() }).optional(),
  }),
  "aws:dynamodb/table:Table": z.object({
    hashKey: z.string(),
    rangeKey: z.string().optional(),
    attributes: z.array(z.object({ name: z.string(), type: z.string() })),
    globalSecondaryIndexes: z.array(
      z.object({
        name: z.string(),
        hashKey: z.string(),
        rangeKey: z.string().optional(),
        projectionType: z.enum(["ALL", "KEYS_ONLY", "INCLUDE"]),
        nonKeyAttributes: z.array(z.string()).default([]),
      }),
    ),
    ttl: z.object({ attributeName: z.string() }).optional(),
    pointInTimeRecovery: z.object({ enabled: z.boolean() }),
    streamEnabled: optionalFlag,
    deletionProtectionEnabled: optionalFlag,
  }),
  "aws:s3/bucket:Bucket": z.object({ bucket: z.string() }),
  "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": z.object({
    bucket: z.string(),
    blockPublicAcls: optionalFlag,
    blockPublicPolicy: optionalFlag,
    ignorePublicAcls: optionalFlag,
    restrictPublicBuckets: optionalFlag,
  }),
  "aws:s3/bucketPolicy:BucketPolicy": z.object({ bucket: z.string(), policy: z.string() }),
  "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration": z.object({
    bucket: z.string(),
    rules: z.array(z.object({ status: z.string(), expiration: z.object({ days: z.number() }).optional() })),
  }),
  "aws:s3/bucketVersioning:BucketVersioning": z.object({ bucket: z.string() }),
  "aws:lambda/function:Function": z.object({
    name: z.string(),
    handler: z.string(),
    role: z.string(),
    timeout: z.number(),
    memorySize: z.number(),
    environment: z.object({ variables: z.record(z.string(), z.string()) }),
    loggingConfig: z.object({ logGroup: z.string() }),
  }),
  "aws:iam/role:Role": z.object({
    inlinePolicies: z.array(z.object({ policy: z.string() })).default([]),
    managedPolicyArns: z.array(z.string()).default([]),
  }),
  "aws:cloudwatch/logGroup:LogGroup": z.object({ name: z.string(), retentionInDays: z.number().optional() }),
  "aws:apigatewayv2/authorizer:Authorizer": z.object({
    apiId: z.string(),
    authorizerType: z.enum(["JWT", "REQUEST"]),
    identitySources: z.array(z.string()),
    jwtConfiguration: z.object({ issuer: z.string(), audiences: z.array(z.string()) }).optional(),
  }),
  "aws:apigatewayv2/route:Route": z.object({
    apiId: z.string(),
    routeKey: z.string(),
    authorizationType: z.string().default("NONE"),
    target: z.string(),
  }),
  "aws:apigatewayv2/integration:Integration": z.object({ integrationUri: z.string() }),
  "aws:apigatewayv2/stage:Stage": z.object({
    apiId: z.string(),
    accessLogSettings: z.object({ format: z.string() }).optional(),
    defaultRouteSettings: z
      .object({
        dataTraceEnabled: optionalFlag,
        loggingLevel: z.string().default("OFF"),
        throttlingBurstLimit: z.number().optional(),
        throttlingRateLimit: z.number().optional(),
      })
      .prefault({}),
    routeSettings: z
      .array(
        z.object({
          routeKey: z.string(),
          throttlingBurstLimit: z.number().optional(),
          throttlingRateLimit: z.number().optional(),
        }),
      )
      .default([]),
  }),
  "aws:scheduler/schedule:Schedule": z.object({
    scheduleExpression: z.string(),
    state: z.string(),
    target: z.object({ arn: z.string(), retryPolicy: z.object({ maximumRetryAttempts: z.number() }) }),
  }),
  "aws:lambda/functionRecursionConfig:FunctionRecursionConfig": z.object({
    functionName: z.string(),
    recursiveLoop: z.enum(["Allow", "Terminate"]),
  }),
  "aws:cloudwatch/metricAlarm:MetricAlarm": z.object({
    ...metric.partial().shape,
    metricQueries: z
      .array(z.object({ id: z.string(), expression: z.string().optional(), metric: metric.optional() }))
      .optional(),
    comparisonOperator: z.string(),
    threshold: z.number(),
    alarmActions: z.array(z.string()).default([]),
  }),
  "aws:cloudwatch/dashboard:Dashboard": z.object({ dashboardBody: z.string() }),
  "aws:kms/key:Key": z.object({ enableKeyRotation: optionalFlag }),
} as const;
export type Shapes = typeof shapes;
