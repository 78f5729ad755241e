import { settings } from "./settings.ts";

const topic = new sst.aws.SnsTopic("Alarms");
if (settings.alarmEmail) {
  new aws.sns.TopicSubscription("AlarmsEmail", {
    topic: topic.arn,
    protocol: "email",
    endpoint: settings.alarmEmail,
  });
}

interface Watched {
  /** What an operator reads first. */
  readonly says: string;
  readonly metric: readonly [namespace: string, name: string];
  readonly of: Readonly<Record<string, $util.Input<string>>>;
  readonly statistic: "Sum" | "Maximum";
  /** The alarm rises above this. */
  readonly above?: number;
  /** Seconds of one period, and how many in a row have to be bad. */
  readonly period?: number;
  readonly periods?: number;
}

/** Every alarm reaches the topic; `docs/operate.md` has a row for each that says what to do. */
function alarm(name: string, watched: Watched) {
  const { says, metric, of, statistic, above = 0, period = 60, periods = 1 } = watched;
  return new aws.cloudwatch.MetricAlarm(name, {
    alarmDescription: says,
    namespace: metric[0],
    metricName: metric[1],
    dimensions: of,
    statistic,
    period,
    evaluationPeriods: periods,
    threshold: above,
    comparisonOperator: "GreaterThanThreshold",
    treatMissingData: "notBreaching",
    alarmActions: [topic.arn],
  });
}

/** Metrics of one thing and what is worked out of them. */
interface Computed {
  readonly says: string;
  readonly namespace: string;
  readonly of: Readonly<Record<string, $util.Input<string>>>;
  /** By their names in the expression. */
  readonly metrics: Readonly<Record<string, string>>;
  readonly expression: string;
  readonly label: string;
  /** Seconds. */
  readonly period: number;
  readonly rises: { readonly when: "GreaterThanThreshold" | "LessThanThreshold"; readonly threshold: number };
  /** What no data is taken for. */
  readonly missing: "breaching" | "notBreaching";
}

/** As {@link alarm}, on a sum that no metric of AWS says. */
function alarmOnSum(name: string, computed: Computed): void {
  const { says, namespace, of, metrics, expression, label, period, rises, missing } = computed;
  const queries = Object.entries(metrics).map(([id, metricName]) => ({
    id,
    metric: { namespace, metricName, dimensions: of, stat: "Sum", period },
  }));
  new aws.cloudwatch.MetricAlarm(name, {
    alarmDescription: says,
    metricQueries: [{ id: "sum", expression, label, returnData: true }, ...queries],
    evaluationPeriods: 1,
    threshold: rises.threshold,
    comparisonOperator: rises.when,
    treatMissingData: missing,
    alarmActions: [topic.arn],
  });
}

/** Anything in a dead-letter queue is work that needs a person. */
export const alarmOnDepth = (name: string, queue: sst.aws.Queue) =>
  alarm(`${name}Depth`, {
    says: `${name} holds messages`,
    metric: ["AWS/SQS", "ApproximateNumberOfMessagesVisible"],
    of: { QueueName: queue.nodes.queue.name },
    statistic: "Maximum",
  });

/**
 * Work that nobody gets to: a worker that cannot start, a model that does not answer, too little concurrency. What waits
 * on purpose is a new message each time, at most a quarter of an hour old.
 */
export const alarmOnAge = (name: string, queue: sst.aws.Queue, seconds: number) =>
  alarm(`${name}Age`, {
    says: `${name} is not worked off`,
    metric: ["AWS/SQS", "ApproximateAgeOfOldestMessage"],
    of: { QueueName: queue.nodes.queue.name },
    statistic: "Maximum",
    above: seconds,
    periods: 5,
  });

/**
 * Requests that failed on our side: people see errors, Pub/Sub slows down. Many in a minute; or, where there are never many, more
 * than half of what was asked in half an hour, and three at least: failed > asked / 2 + 1.
 */
export function alarmOnHttp(api: sst.aws.ApiGatewayV2): void {
  const of = { ApiId: api.nodes.api.id };
  alarm("ApiErrors", {
    says: "The HTTP API answers 5xx",
    metric: ["AWS/ApiGateway", "5xx"],
    of,
    statistic: "Sum",
    above: 5,
    periods: 5,
  });
  alarmOnSum("ApiMostlyFails", {
    says: "The HTTP API answers most requests by 5xx",
    namespace: "AWS/ApiGateway",
    of,
    metrics: { failed: "5xx", asked: "Count" },
    expression: "failed - asked / 2",
    label: "Requests that failed beyond half of all",
    period: 1_800,
    rises: { when: "GreaterThanThreshold", threshold: 1 },
    missing: "notBreaching",
  });
}

/** Sockets whose functions fail: devices are told nothing, or cannot connect. */
export function alarmOnSocket(socket: sst.aws.ApiGatewayWebSocket): void {
  for (const metric of ["IntegrationError", "ExecutionError"]) {
    alarm(`Socket${metric}s`, {
      says: `The WebSocket API has ${metric === "ExecutionError" ? "calls that failed in the gateway" : "functions that fail"}`,
      metric: ["AWS/ApiGateway", metric],
      of: { ApiId: socket.nodes.api.id },
      statistic: "Sum",
      above: 5,
      periods: 5,
    });
  }
}

/** A function that fails or is not let run. Single faults repeat by themselves; ten in five minutes do not pass. */
export function alarmOnFunction(name: string, functionName: string): void {
  const of = { FunctionName: functionName };
  alarm(`${name}Errors`, {
    says: `${name} fails`,
    metric: ["AWS/Lambda", "Errors"],
    of,
    statistic: "Sum",
    above: 10,
    period: 300,
  });
  alarm(`${name}Throttles`, {
    says: `${name} is not let run: the account's concurrency is used up`,
    metric: ["AWS/Lambda", "Throttles"],
    of,
    statistic: "Sum",
    above: 10,
    period: 300,
  });
}

/**
 * A timer that has stopped, or whose every run fails, is silent by nature: no data counts as none. Lambda counts a run that fails
 * as an invocation too, and the few runs of a slow timer never fail often enough for {@link alarmOnFunction}.
 *
 * @param seconds within which a run must have come to its end
 */
export function alarmOnSilence(name: string, functionName: string, seconds: number): void {
  alarmOnSum(`${name}Silent`, {
    says: `${name} has not run to its end`,
    namespace: "AWS/Lambda",
    of: { FunctionName: functionName },
    metrics: { started: "Invocations", failed: "Errors" },
    expression: "started - failed",
    label: "Runs that came to their end",
    period: seconds,
    rises: { when: "LessThanThreshold", threshold: 1 },
    missing: "breaching",
  });
}

/** What the functions count in their logs, by stage: functions/metrics.ts. */
const counted: readonly [metric: string, says: string, above: number][] = [
  ["ModelBreakerOpen", "The language model cannot be used; nothing is judged until it answers a probe", 0],
  ["DeadItems", "Items were set aside that cannot be read: `scouts ops items list`", 0],
  ["UnjudgedItems", "Items are shown to people without a verdict", 20],
  [
    "ConfigurationInvalid",
    "A setting, secret or permission is missing or refused, or a row damaged; the log names it",
    0,
  ],
  ["RefusedPushes", "The webhook refuses pushes: they do not prove that they come from our subscription", 50],
];
for (const [metric, says, above] of counted) {
  alarm(metric, { says, metric: ["Scouts", metric], of: { Stage: $app.stage }, statistic: "Sum", above, period: 300 });
}
