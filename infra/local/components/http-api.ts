import type { HttpApiNode } from "../graph.ts";
import { type FunctionArgs, functionFrom } from "./function.ts";
import { logicalName } from "./names.ts";
import { type Input, known, Output } from "./output.ts";
import { registry } from "./registry.ts";

export interface RouteArgs {
  name?: string;
  auth?: { jwt?: { authorizer: Input<string>; scopes?: string[] } };
}

export interface JwtAuthorizerArgs {
  name: string;
  jwt: { issuer: Input<string>; audiences: Input<string>[]; identitySource?: string };
}

export interface RouteComponent {
  readonly nodes: { readonly route: { readonly routeKey: Output<string> } };
}

const methods = ["ANY", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/** `sst.aws.ApiGatewayV2`: an HTTP API with Lambda routes and JWT authorizers. */
export class ApiGatewayV2 {
  readonly #node: HttpApiNode;

  constructor(name: string, _args: object = {}) {
    this.#node = registry.add(registry.graph().httpApis, {
      name,
      url: registry.addresses.http,
      authorizers: {},
      routes: [],
    });
  }

  get url(): Output<string> {
    return new Output(this.#node.url);
  }

  get nodes() {
    return { api: { id: new Output(this.#node.name.toLowerCase()) } };
  }

  addAuthorizer(args: JwtAuthorizerArgs): { id: Output<string> } {
    if (!("jwt" in args) || args.jwt.identitySource !== undefined) {
      throw new Error(`The authorizer "${args.name}" is not a JWT authorizer of the Authorization header.`);
    }
    this.#node.authorizers[args.name] = { issuer: known(args.jwt.issuer), audiences: args.jwt.audiences.map(known) };
    return { id: new Output(args.name) };
  }

  route(route: string, handler: Input<string> | FunctionArgs, args: RouteArgs = {}): RouteComponent {
    const [method, path] = route === "$default" ? ["ANY", "/"] : route.split(" ");
    if (!method || !methods.includes(method) || !path?.startsWith("/")) throw new Error(`Invalid route "${route}".`);
    if (this.#node.routes.some((existing) => existing.route === route)) throw new Error(`Route "${route}" exists.`);
    if (args.auth && !args.auth.jwt) throw new Error(`Route "${route}" asks for something else than a JWT.`);
    this.#node.routes.push({
      route,
      function: functionFrom(`${this.#node.name}Route${logicalName(args.name ?? route)}`, handler),
      ...(args.auth?.jwt
        ? { jwt: { authorizer: known(args.auth.jwt.authorizer), scopes: args.auth.jwt.scopes ?? [] } }
        : {}),
    });
    return { nodes: { route: { routeKey: new Output(route) } } };
  }
}
