import { settings } from "./settings.ts";

const topic = new sst.aws.SnsTopic("Alarms");
if (settings.alarmEmail) {
  new aws.sns.TopicSubscription("AlarmsEmail", {
    topic: topic.arn,
    protocol: "email",
    endpoint: settings.alarmEmail,
  });
}

const defaults = { period: 60, treatMissingData: "notBreaching", alarmActions: [topic.arn] };

/** Anything in a dead-letter queue is work that needs a person: `docs/operate.md` says what to do. */
export function alarmOnDepth(name: string, queue: sst.aws.Queue) {
  return new aws.cloudwatch.MetricAlarm(`${name}Depth`, {
    alarmDescription: `${name} holds messages`,
    namespace: "AWS/SQS",
    metricName: "ApproximateNumberOfMessagesVisible",
    dimensions: { QueueName: queue.nodes.queue.name },
    statistic: "Maximum",
    evaluationPeriods: 1,
    threshold: 0,
    comparisonOperator: "GreaterThanThreshold",
    ...defaults,
  });
}

/**
 * Work that nobody gets to: a worker that cannot start, a model that does not answer, too little concurrency. What waits
 * on purpose is a new message each time, at most a quarter of an hour old.
 */
export function alarmOnAge(name: string, queue: sst.aws.Queue, seconds: number) {
  return new aws.cloudwatch.MetricAlarm(`${name}Age`, {
    alarmDescription: `${name} is not worked off`,
    namespace: "AWS/SQS",
    metricName: "ApproximateAgeOfOldestMessage",
    dimensions: { QueueName: queue.nodes.queue.name },
    statistic: "Maximum",
    evaluationPeriods: 5,
    threshold: seconds,
    comparisonOperator: "GreaterThanThreshold",
    ...defaults,
  });
}

/** Requests that failed on our side: people see errors, Pub/Sub slows down. */
export function alarmOnErrors(name: string, api: sst.aws.ApiGatewayV2) {
  return new aws.cloudwatch.MetricAlarm(name, {
    alarmDescription: "The HTTP API answers 5xx",
    namespace: "AWS/ApiGateway",
    metricName: "5xx",
    dimensions: { ApiId: api.nodes.api.id },
    statistic: "Sum",
    evaluationPeriods: 5,
    threshold: 5,
    comparisonOperator: "GreaterThanThreshold",
    ...defaults,
  });
}
