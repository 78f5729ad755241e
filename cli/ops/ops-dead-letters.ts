import type { Command } from "commander";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions } from "../context.ts";
import { counted } from "../output/counted.ts";
import { outputOn } from "../output/output.ts";

interface Flags extends CommonOptions {
  readonly queue?: string;
}

const queueOption = [
  "--queue <url>",
  "a dead-letter queue of a deployment, instead of those of the home here, which must not run",
] as const;

/** `scouts ops dlq …`: what workers died of, seen and sent again. */
export function addDeadLetters(ops: Command, context: CliContext): void {
  const deadLetters = ops.command("dlq").description("dead-letter queues");
  const output = outputOn(context.io);

  const list = deadLetters.command("list").description("messages that were set aside: ids, counts and times");
  withCommonOptions(list.option(...queueOption)).action(async (flags: Flags) => {
    const { listDeadLetters } = await import("./dead-letters.ts");
    const found = await onQueues(context, flags, async (client, queues) => {
      const lists = queues.map((queue) => listDeadLetters(client, queue));
      return (await Promise.all(lists)).flat();
    });
    if (flags.json) output.json(found);
    else if (found.length === 0) output.line("no dead letters");
    else for (const each of found) output.line(lineOf(each, context.now()));
  });

  const redrive = deadLetters
    .command("redrive")
    .summary("send them to their queues again")
    .description(
      "Sends dead letters to the queues they came from, once the cause is mended. Handling one twice changes nothing. " +
        "Sealed ones (files, steps of a run) stay: they end with their session.",
    );
  withCommonOptions(redrive.option(...queueOption)).action(async (flags: Flags) => {
    const { redrive: send } = await import("./dead-letters.ts");
    const done = await onQueues(context, flags, async (client, queues) => {
      const all = queues.map(async (queue) => ({
        queue: queue.name,
        ...(await send(client, queue, context.io.signal)),
      }));
      return Promise.all(all);
    });
    if (flags.json) output.json(done);
    for (const { queue, moved, sealed } of flags.json ? [] : done) {
      output.line(`${queue}: ${moved} sent again${sealed > 0 ? `, ${sealed} sealed ones left` : ""}`);
    }
  });
}

type DeadLetter = Awaited<ReturnType<typeof import("./dead-letters.ts").listDeadLetters>>[number];
type Use<T> = Parameters<typeof import("./dead-letter-queues.ts").onStoppedHome<T>>[1];

async function onQueues<T>(context: CliContext, flags: Flags, use: Use<T>): Promise<T> {
  const { onDeployedQueue, onStoppedHome } = await import("./dead-letter-queues.ts");
  return flags.queue === undefined
    ? onStoppedHome(dataFolderOf(context, flags), use)
    : onDeployedQueue(flags.queue, use);
}

function lineOf({ queue, messageId, sentAt, receives, sealed, ids }: DeadLetter, nowMs: number): string {
  const about = Object.entries(ids).map(([name, value]) => `${name}=${value}`);
  const minutes = Math.max(0, Math.round((nowMs - sentAt) / 60_000));
  return [
    queue,
    messageId,
    `${minutes} min`,
    counted(receives, "receive"),
    ...(sealed ? ["sealed"] : []),
    ...about,
  ].join("  ");
}
