import { httpApi } from "./api.ts";
import { imapDeadLetters, imapQueue } from "./imap/queue.ts";
import { watched } from "./lambda.ts";
import {
  agentDeadLetters,
  agentQueue,
  summarizeDeadLetters,
  summarizeQueue,
  syncDeadLetters,
  syncQueue,
  triageDeadLetters,
  triageQueue,
} from "./queues.ts";
import { socket } from "./socket.ts";
import { ledger, sessions } from "./storage.ts";

const region = aws.getRegionOutput().name;
const width = 12;
const height = 6;

type Metric = readonly [namespace: string, metric: string, dimension: string, of: $util.Input<string>];
interface Widget {
  readonly title: string;
  readonly statistic: "Maximum" | "Sum" | "p95";
  readonly metrics: readonly Metric[];
}

const ofQueue = (metric: string, queue: sst.aws.Queue): Metric => [
  "AWS/SQS",
  metric,
  "QueueName",
  queue.nodes.queue.name,
];
const ofTable = (metric: string, table: sst.aws.Dynamo): Metric => ["AWS/DynamoDB", metric, "TableName", table.name];
const ofHttp = (metric: string): Metric => ["AWS/ApiGateway", metric, "ApiId", httpApi.nodes.api.id];
const ofSocket = (metric: string): Metric => ["AWS/ApiGateway", metric, "ApiId", socket.nodes.api.id];

const ofFunctions = (metric: string) => watched.map((name): Metric => ["AWS/Lambda", metric, "FunctionName", name]);
const counted = (metric: string): Metric => ["Scouts", metric, "Stage", $app.stage];

const working = [syncQueue, triageQueue, summarizeQueue, agentQueue, imapQueue];
const dead = [syncDeadLetters, triageDeadLetters, summarizeDeadLetters, agentDeadLetters, imapDeadLetters];

/** What an operator looks at first, top left to bottom right; docs/operate.md says what to make of it. */
const widgets: readonly Widget[] = [
  {
    title: "Oldest message, seconds",
    statistic: "Maximum",
    metrics: working.map((queue) => ofQueue("ApproximateAgeOfOldestMessage", queue)),
  },
  {
    title: "What needs a person",
    statistic: "Sum",
    metrics: ["ModelBreakerOpen", "DeadItems", "UnjudgedItems", "ConfigurationInvalid", "RefusedPushes"].map(counted),
  },
  {
    title: "Dead letters",
    statistic: "Maximum",
    metrics: dead.map((queue) => ofQueue("ApproximateNumberOfMessagesVisible", queue)),
  },
  {
    title: "Messages waiting",
    statistic: "Maximum",
    metrics: working.map((queue) => ofQueue("ApproximateNumberOfMessagesVisible", queue)),
  },
  {
    title: "Messages worked on and deleted",
    statistic: "Sum",
    metrics: working.map((queue) => ofQueue("NumberOfMessagesDeleted", queue)),
  },
  { title: "Functions that fail", statistic: "Sum", metrics: ofFunctions("Errors") },
  { title: "Functions not let run", statistic: "Sum", metrics: ofFunctions("Throttles") },
  { title: "HTTP errors", statistic: "Sum", metrics: [ofHttp("4xx"), ofHttp("5xx")] },
  { title: "HTTP latency, ms", statistic: "p95", metrics: [ofHttp("Latency"), ofHttp("IntegrationLatency")] },
  {
    title: "Devices",
    statistic: "Sum",
    metrics: [ofSocket("ConnectCount"), ofSocket("MessageCount"), ofSocket("IntegrationError")],
  },
  {
    title: "Stores that rate limit",
    statistic: "Sum",
    metrics: [ledger, sessions].flatMap((table) => [
      ofTable("ReadThrottleEvents", table),
      ofTable("WriteThrottleEvents", table),
    ]),
  },
];

new aws.cloudwatch.Dashboard("Operations", {
  dashboardName: `${$app.name}-${$app.stage}`,
  dashboardBody: $jsonStringify({
    widgets: widgets.map(({ title, statistic, metrics }, index) => ({
      type: "metric",
      x: (index % 2) * width,
      y: Math.floor(index / 2) * height,
      width,
      height,
      properties: { title, region, view: "timeSeries", stat: statistic, period: 60, metrics },
    })),
  }),
});
