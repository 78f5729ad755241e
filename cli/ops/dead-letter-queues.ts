import { existsSync } from "node:fs";
import { ListDeadLetterSourceQueuesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { cloudFolderOf } from "../../infra/local/cloud-folder.ts";
import { region } from "../../infra/local/components/names.ts";
import { Principals } from "../../infra/local/engines/access.ts";
import { startFauxqsEngine } from "../../infra/local/engines/fauxqs.ts";
import { guardMessaging } from "../../infra/local/engines/messaging/messaging-front.ts";
import { Meter } from "../../infra/local/engines/meter.ts";
import { provisionQueues } from "../../infra/local/engines/queues.ts";
import { RequestAuthorizer } from "../../infra/local/engines/request-authorizer.ts";
import { LocalHomeError, noHomeYet } from "../../infra/local/errors.ts";
import { evaluate } from "../../infra/local/graph.ts";
import { lockData } from "../../infra/local/lock.ts";
import { Teardown } from "../../infra/local/teardown.ts";
import { answeredInTime } from "../../shared/aws/answered-in-time.ts";
import type { DeadLetterQueue } from "./dead-letters.ts";

type Use<T> = (client: SQSClient, queues: readonly DeadLetterQueue[]) => Promise<T>;

/**
 * The dead-letter queues of a home on this machine, which must not run meanwhile.
 *
 * @throws LocalHomeError `data_in_use`, `data_unusable`
 */
export async function onStoppedHome<T>(dataFolder: string, use: Use<T>): Promise<T> {
  const teardown = new Teardown();
  try {
    const cloud = cloudFolderOf(dataFolder);
    if (!existsSync(cloud)) {
      throw noHomeYet(dataFolder);
    }
    teardown.add(lockData(cloud, "scouts ops dlq"));
    const principals = new Principals();
    const { accessKeyId, secretAccessKey } = principals.create("operator", "everything");
    const door = new RequestAuthorizer(principals, new Meter(), undefined);
    const engine = await startFauxqsEngine(cloud, (app, objects, together) =>
      guardMessaging(app, objects, together, { door, principals }),
    );
    teardown.add(() => engine.close());
    const endpoint = `http://127.0.0.1:${engine.port}`;
    const graph = await evaluate({
      addresses: { sqs: endpoint, http: endpoint, socket: endpoint, management: endpoint },
    });
    await provisionQueues(engine, graph);
    const client = new SQSClient({ region, endpoint, credentials: { accessKeyId, secretAccessKey } });
    teardown.add(() => client.destroy());
    const byArn = new Map(Object.values(graph.queues).map((node) => [node.arn, node]));
    const queues = Object.values(graph.queues).flatMap((source): DeadLetterQueue[] => {
      const dead = source.redrive && byArn.get(source.redrive.deadLetterArn);
      return dead ? [{ name: dead.name, url: dead.url, sourceUrl: source.url }] : [];
    });
    return await use(client, queues);
  } finally {
    await teardown.run();
  }
}

/** One dead-letter queue of a deployment, reached as AWS's SDK does by default. */
export async function onDeployedQueue<T>(url: string, use: Use<T>): Promise<T> {
  const client = new SQSClient(answeredInTime());
  try {
    const sourceUrl = await sourceOf(client, url);
    if (sourceUrl === undefined) {
      throw new LocalHomeError(
        "config_invalid",
        "No queue sends its dead letters to this one; give a dead-letter queue's URL.",
      );
    }
    return await use(client, [{ name: url.slice(url.lastIndexOf("/") + 1), url, sourceUrl }]);
  } finally {
    client.destroy();
  }
}

async function sourceOf(client: SQSClient, url: string): Promise<string | undefined> {
  try {
    const { queueUrls = [] } = await client.send(new ListDeadLetterSourceQueuesCommand({ QueueUrl: url }));
    return queueUrls[0];
  } catch (error) {
    const name = error instanceof Error ? error.name : "unknown";
    const sentence = `AWS could not be asked for ${url} (${name}): look at AWS_REGION and the credentials.`;
    throw new LocalHomeError("config_invalid", sentence);
  }
}
