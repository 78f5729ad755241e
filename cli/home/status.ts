import type { Command } from "commander";
import { socketLimits } from "../../events/frames.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions, withStore } from "../context.ts";
import { age, type Output } from "../output/output.ts";

/** A process that was killed cannot say that it is gone: after two pings without a sign it counts as gone. */
const connectedForMs = 2 * socketLimits.pingEveryMs + 60_000;

function statusOf(store: DeviceStore, dataFolder: string, nowMs: number) {
  const { deviceId, createdAt, sessionId, readyAt, seenAt, clockOffsetMs, troubleCode, troubleAt } =
    store.identity.get();
  const connected = readyAt !== null && seenAt !== null && nowMs - seenAt < connectedForMs;
  return {
    dataFolder,
    device: { id: deviceId, createdAt },
    connection: { connected, sessionId, readyAt, seenAt, clockOffsetMs, troubleCode, troubleAt },
    proposals: store.proposals.counts(),
    outbox: store.outbox.counts(),
  };
}
type Status = ReturnType<typeof statusOf>;

function connectionText({ connection }: Status, nowMs: number): string {
  const { connected, seenAt, troubleCode, troubleAt } = connection;
  const heard = seenAt === null ? "never heard of the cloud" : `last heard of the cloud ${age(seenAt, nowMs)}`;
  const trouble = troubleCode === null ? "" : `, ${troubleCode} ${age(troubleAt ?? nowMs, nowMs)}`;
  return `${connected ? "connected" : "not connected"}, ${heard}${trouble}`;
}

function show(output: Output, status: Status, nowMs: number): void {
  const { proposals, outbox } = status;
  const lines: readonly (readonly [string, string])[] = [
    ["device", status.device.id],
    ["data", status.dataFolder],
    ["connection", connectionText(status, nowMs)],
    [
      "proposals",
      `${proposals.pending} pending, ${proposals.approved} approved, ${proposals.rejected} rejected, ${proposals.expired} closed`,
    ],
    ["outbox", `${outbox.waiting} waiting for the cloud, ${outbox.refused} refused by it`],
  ];
  for (const [name, value] of lines) output.line(`${output.style("dim", name.padEnd(12))}${value}`);
}

/** `scouts status`: how this device fares, read from its database, whether or not it runs. */
export function addStatus(program: Command, context: CliContext): void {
  const command = program.command("status").description("how this device fares: connection, proposals, outbox");
  withCommonOptions(command).action((flags: CommonOptions) =>
    withStore(context, flags, (store, output) => {
      const status = statusOf(store, dataFolderOf(context, flags), context.now());
      if (flags.json) output.json(status);
      else show(output, status, context.now());
    }),
  );
}
