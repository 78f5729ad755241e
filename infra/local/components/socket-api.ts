import type { SocketApiNode } from "../graph.ts";
import { type FunctionArgs, functionFrom } from "./function.ts";
import { arn, logicalName } from "./names.ts";
import { type Input, known, Output } from "./output.ts";
import { registry, type Transform, transformed } from "./registry.ts";

export interface SocketApiArgs {
  transform?: { stage?: Transform<Record<string, unknown>> };
}

export interface LambdaAuthorizerArgs {
  lambda: { function: Input<string> | FunctionArgs; identitySources?: string[] };
}

/** `sst.aws.ApiGatewayWebSocket`: routes by `$request.body.action`, a Lambda authorizer on `$connect`. */
export class ApiGatewayWebSocket {
  readonly #node: SocketApiNode;

  constructor(name: string, args: SocketApiArgs = {}) {
    this.#node = registry.add(registry.graph().socketApis, {
      name,
      url: registry.addresses.socket,
      managementEndpoint: registry.addresses.management,
      executionArn: arn("execute-api", name.toLowerCase()),
      stage: transformed<Record<string, unknown>>({}, args.transform?.stage),
      authorizers: {},
      routes: {},
    });
  }

  get url(): Output<string> {
    return new Output(this.#node.url);
  }
  get managementEndpoint(): Output<string> {
    return new Output(this.#node.managementEndpoint);
  }
  get nodes() {
    return {
      api: { executionArn: new Output(this.#node.executionArn), id: new Output(this.#node.name.toLowerCase()) },
    };
  }

  addAuthorizer(name: string, args: LambdaAuthorizerArgs): { id: Output<string> } {
    if (!("lambda" in args)) throw new Error(`The authorizer "${name}" is not a Lambda authorizer.`);
    this.#node.authorizers[name] = {
      function: functionFrom(`${this.#node.name}Authorizer${logicalName(name)}`, args.lambda.function),
      identitySources: args.lambda.identitySources ?? [],
    };
    return { id: new Output(name) };
  }

  route(route: string, handler: Input<string> | FunctionArgs, args: { auth?: { lambda?: Input<string> } } = {}): void {
    if (this.#node.routes[route]) throw new Error(`Route "${route}" exists.`);
    if (args.auth && !args.auth.lambda) throw new Error(`Route "${route}" asks for something else than a Lambda.`);
    this.#node.routes[route] = {
      function: functionFrom(`${this.#node.name}Route${logicalName(route)}`, handler),
      ...(args.auth?.lambda ? { authorizer: known(args.auth.lambda) } : {}),
    };
  }
}
