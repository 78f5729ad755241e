import { type FunctionArgs, functionFrom } from "./function.ts";
import { type Input, resolveDeep } from "./output.ts";
import { registry } from "./registry.ts";

export interface CronArgs {
  schedule: string;
  function: Input<string> | FunctionArgs;
  timezone?: string;
  retries?: number;
  enabled?: boolean;
  event?: unknown;
}

/** `sst.aws.CronV2`: an EventBridge Scheduler schedule that invokes a function. */
export class CronV2 {
  constructor(name: string, args: CronArgs) {
    if (!args.function) throw new Error(`The cron "${name}" has no function.`);
    registry.add(registry.graph().crons, {
      name,
      function: functionFrom(`${name}Handler`, args.function),
      schedule: args.schedule,
      timezone: args.timezone ?? "UTC",
      retries: args.retries ?? 0,
      enabled: args.enabled ?? true,
      event: resolveDeep(args.event ?? {}),
    });
  }
}
