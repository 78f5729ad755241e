import type { Faults } from "../faults.ts";
import { GoogleApiError, googleErrors } from "../google-error.ts";
import type { AccessTokens } from "../oauth/access-tokens.ts";
import type { Quota } from "../quota.ts";
import { listHistory } from "./history.ts";
import {
  batchModify,
  getAttachment,
  getMessage,
  listMessages,
  modifyMessage,
  trashMessage,
  untrashMessage,
} from "./messages.ts";
import type { ApiMethod, MailboxState } from "./method.ts";
import type { MethodName } from "./method-name.ts";
import { partOf } from "./partial-response.ts";
import { getLabel, getProfile, listLabels } from "./profile.ts";
import { stop, watch } from "./watch.ts";

const methods: readonly ApiMethod[] = [
  getProfile,
  listLabels,
  getLabel,
  watch,
  stop,
  listHistory,
  listMessages,
  getMessage,
  getAttachment,
  modifyMessage,
  trashMessage,
  untrashMessage,
  batchModify,
];

export interface ApiRequest {
  readonly verb: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly body: Buffer;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for 204. */
  readonly body: unknown;
}

export type CallApi = (request: ApiRequest) => Promise<ApiAnswer>;

export interface DispatchOptions {
  readonly state: MailboxState;
  readonly tokens: AccessTokens;
  readonly quota: Quota;
  readonly onCall: (method: MethodName) => void;
}

const userPath = /^\/gmail\/v1\/users\/([^/]+)(\/.*)$/;

/** The method a request calls and the path below its user; undefined when there is none. */
export function findMethod(verb: string, path: string) {
  const [, user, rest] = userPath.exec(path) ?? [];
  if (user === undefined || rest === undefined) return undefined;
  const method = methods.find((one) => one.verb === verb && one.path.test(rest));
  return method === undefined ? undefined : { method, user, rest };
}

/** Runs one API call, whether it came by itself or in a batch: route, token, scope, quota, faults, method. */
export function createDispatch({ state, tokens, quota, onCall }: DispatchOptions): CallApi {
  return async (request) => {
    const target = findMethod(request.verb, request.path);
    if (target === undefined) return failure(googleErrors.notFound());
    const { method, user, rest } = target;
    onCall(method.name);
    try {
      const scopes = tokens.scopesOf(request.authorization);
      if (scopes === undefined || state.faults.take("unauthorized", method.name) !== undefined) {
        throw googleErrors.invalidCredentials();
      }
      const owner = decodeURIComponent(user).toLowerCase();
      if (owner !== "me" && owner !== state.address.toLowerCase()) throw googleErrors.delegationDenied(owner);
      if (!method.scopes.some((scope) => scopes.includes(scope))) throw googleErrors.insufficientPermissions();
      throwArmed(state.faults, method.name, state.clock);
      quota.charge(method.name);
      const params = method.path.exec(rest)?.slice(1).map(decodeURIComponent) ?? [];
      const body = await method.run(state, { params, query: request.query, body: parseBody(request.body) });
      const shown = partOf(body, request.query.get("fields"));
      return { status: shown === undefined ? 204 : 200, headers: {}, body: shown };
    } catch (error) {
      if (error instanceof GoogleApiError) return failure(error);
      if (error instanceof URIError) return failure(googleErrors.invalidArgument("Invalid path"));
      throw error;
    }
  };
}

function throwArmed(faults: Faults, method: MethodName, clock: () => number): void {
  if (method === "stop") faults.take("onePushClient", "watch");
  if (method === "watch" && faults.take("onePushClient", "watch") !== undefined) {
    faults.arm({ kind: "onePushClient" }, { method: "watch" });
    throw googleErrors.onePushClient();
  }
  const tooMany = faults.take("tooManyRequests", method);
  if (tooMany !== undefined) {
    throw googleErrors.retryAfter(new Date(clock() + tooMany.retryAfterMs), tooMany.header === true, clock());
  }
  if (faults.take("resourceExhausted", method)) throw googleErrors.resourceExhausted();
  if (faults.take("rateLimitExceeded", method)) throw googleErrors.rateLimitExceeded("user");
  if (faults.take("userRateLimitExceeded", method)) throw googleErrors.userRateLimitExceeded();
  if (faults.take("domainPolicy", method)) throw googleErrors.domainPolicy();
  if (faults.take("insufficientPermissions", method)) throw googleErrors.insufficientPermissions();
  const broken = faults.take("serverError", method);
  if (broken !== undefined) throw googleErrors.backendError(broken.status ?? 500);
}

function failure(error: GoogleApiError): ApiAnswer {
  return { status: error.status, headers: error.headers, body: error.body };
}

function parseBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    // No JSON.
    throw googleErrors.invalidArgument("Invalid JSON payload received.");
  }
}
