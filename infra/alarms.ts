import { settings } from "./settings.ts";

const topic = new sst.aws.SnsTopic("Alarms");
if (settings.alarmEmail) {
  new aws.sns.TopicSubscription("AlarmsEmail", {
    topic: topic.arn,
    protocol: "email",
    endpoint: settings.alarmEmail,
  });
}

/** Anything in a dead-letter queue is work that needs a person: `docs/operate.md` says what to do. */
export function alarmOnDepth(name: string, queue: sst.aws.Queue) {
  return new aws.cloudwatch.MetricAlarm(`${name}Depth`, {
    alarmDescription: `${name} holds messages`,
    namespace: "AWS/SQS",
    metricName: "ApproximateNumberOfMessagesVisible",
    dimensions: { QueueName: queue.nodes.queue.name },
    statistic: "Maximum",
    period: 60,
    evaluationPeriods: 1,
    threshold: 0,
    comparisonOperator: "GreaterThanThreshold",
    treatMissingData: "notBreaching",
    alarmActions: [topic.arn],
  });
}
