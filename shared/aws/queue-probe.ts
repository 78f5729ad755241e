import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { answeredInTime } from "./answered-in-time.ts";
import { awsFailure } from "./failures.ts";

/** Asks SQS whether a queue is there and may be looked at. @throws queue_unavailable */
export async function probeQueue(url: string, client: SQSClient = new SQSClient(answeredInTime())): Promise<void> {
  try {
    await client.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["QueueArn"] }));
  } catch (error) {
    throw awsFailure(error, "queue_unavailable");
  }
}
