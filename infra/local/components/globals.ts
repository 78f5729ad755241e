import { Bucket } from "./bucket.ts";
import { CronV2 } from "./cron.ts";
import { Dynamo } from "./dynamo.ts";
import { FunctionComponent } from "./function.ts";
import { ApiGatewayV2 } from "./http-api.ts";
import { LinkableComponent, permission, Secret } from "./links.ts";
import { account, arn, region } from "./names.ts";
import { interpolate, Output, output, resolveDeep } from "./output.ts";
import { Queue } from "./queue.ts";
import { rawAws } from "./raw.ts";
import { registry } from "./registry.ts";
import { ApiGatewayWebSocket } from "./socket-api.ts";

/** `sst.aws.SnsTopic`: who subscribes to alarms is told nothing by one machine; the name is recorded. */
class SnsTopic {
  readonly name: Output<string>;
  readonly arn: Output<string>;

  constructor(name: string) {
    registry.graph().topics.push(name);
    this.name = new Output(name);
    this.arn = new Output(arn("sns", name));
  }
}

/** A namespace in which an unknown name is an error that says what is missing, instead of `undefined`. */
const closed = (path: string, members: Record<string, unknown>) =>
  new Proxy(members, {
    get(target, name) {
      if (typeof name !== "string" || name in target) return Reflect.get(target, name);
      throw new Error(`${path}.${name} has no local counterpart yet: add it to infra/local/components.`);
    },
  });

interface ConfigDefinition {
  app(input: { stage: string }): { name: string };
  run(): Promise<unknown>;
}

/** Puts SST's global names in place. The configuration finds the same names that `sst deploy` gives it. */
export function installGlobals(stage: string): void {
  const components = {
    ApiGatewayV2,
    ApiGatewayWebSocket,
    Bucket,
    CronV2,
    Dynamo,
    Function: FunctionComponent,
    Queue,
    SnsTopic,
    permission,
  };
  const app: Record<string, unknown> = { stage };
  Object.assign(globalThis, {
    sst: closed("sst", { aws: closed("sst.aws", components), Linkable: LinkableComponent, Secret }),
    aws: rawAws,
    $app: app,
    $dev: false,
    $interpolate: interpolate,
    $output: output,
    $jsonStringify: (value: unknown) => new Output(JSON.stringify(resolveDeep(value))),
    $config: (definition: ConfigDefinition) => {
      Object.assign(app, definition.app({ stage }));
      Object.assign(registry.graph().app, { name: definition.app({ stage }).name, stage, region, account });
      return definition;
    },
  });
}
