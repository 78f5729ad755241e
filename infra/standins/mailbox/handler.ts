import { type HttpAnswer, type HttpRequest, json } from "../loopback-server.ts";
import { askForOwner } from "../owner-secret.ts";
import { answerBatch } from "./api/batch.ts";
import { type CallApi, findMethod } from "./api/dispatch.ts";
import type { FaultPlace, Faults } from "./faults.ts";
import { type AuthorizeDeps, authorize } from "./oauth/authorize.ts";
import { answerRevoke, answerToken, type TokenDeps } from "./oauth/token.ts";

export interface HandlerDeps {
  readonly callApi: CallApi;
  readonly oauth: AuthorizeDeps & TokenDeps;
  readonly faults: Faults;
  readonly count: (place: FaultPlace) => void;
}

/** Routes a request to the API, the batch endpoint or OAuth, and lets armed transport faults strike the answer. */
export function createMailboxHandler(deps: HandlerDeps): (request: HttpRequest) => Promise<HttpAnswer> {
  return async (request) => {
    const place = placeOf(request);
    const planted = deps.faults.take("answer", place);
    if (planted) {
      return { status: planted.status, headers: { "content-type": "application/json" }, body: planted.body };
    }
    const answer = await route(request, deps);
    const slow = deps.faults.take("slow", place);
    const isCut = deps.faults.take("truncated", place) !== undefined;
    return {
      ...answer,
      ...(slow === undefined ? {} : { delayMs: slow.delayMs }),
      truncated: answer.truncated === true || isCut,
    };
  };
}

async function route(request: HttpRequest, { callApi, oauth, faults, count }: HandlerDeps): Promise<HttpAnswer> {
  const { pathname, searchParams } = request.url;
  const endpoint = `${request.method} ${pathname}`;
  if (endpoint === "GET /o/oauth2/v2/auth" || endpoint === "POST /o/oauth2/v2/auth") {
    return askForOwner(request, oauth.client.ownerSecret) ?? authorize(searchParams, oauth);
  }
  if (endpoint === "POST /revoke") return answerRevoke(request, oauth);
  if (endpoint === "POST /token") {
    count("token");
    return answerToken(request, oauth);
  }
  if (endpoint === "POST /batch/gmail/v1" || endpoint === "POST /batch") return answerBatch(request, callApi, faults);
  const answer = await callApi({
    verb: request.method,
    path: pathname,
    query: searchParams,
    authorization: request.headers.authorization,
    body: request.body,
  });
  return answer.body === undefined
    ? { status: answer.status, headers: answer.headers }
    : json(answer.status, answer.body, answer.headers);
}

function placeOf(request: HttpRequest): FaultPlace {
  const path = request.url.pathname;
  if (path === "/token") return "token";
  if (path.startsWith("/batch")) return "batch";
  return findMethod(request.method, path)?.method.name ?? "other";
}
