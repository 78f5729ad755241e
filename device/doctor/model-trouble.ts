import { type ErrorCode, errorKinds } from "../../events/error-kinds.ts";
import type { HomeAbout } from "../../events/health.ts";
import { modelFailureClass } from "../../shared/llm/model-failure-class.ts";
import { type Finding, type FindingCode, found } from "./findings.ts";

type Model = HomeAbout["model"];

/** Models named in one line; a provider may list hundreds. */
const shownModels = 8;

/** Codes with a finding of their own; of others the sentence is said. */
const own = [
  "model_unknown",
  "model_forbidden",
  "model_request_refused",
  "model_quota_spent",
  "model_unreachable",
  "model_not_an_api",
  "model_rate_limited",
  "model_unavailable",
  "model_timeout",
] as const satisfies readonly (ErrorCode & FindingCode)[];

/** What else is known of a code than its name: nothing is listed there, or what fails was answered as if all were well. */
function moreExact(code: (typeof own)[number], { known, status }: Model["state"]): FindingCode {
  if (code === "model_unknown" && known.length === 0) return "model_unknown_none";
  if (code === "model_unavailable" && status !== null && status < 300) return "model_garbled";
  return code;
}

function listed(names: readonly string[]): string {
  const more = names.length > shownModels ? ", …" : "";
  return `${names.slice(0, shownModels).join(", ")}${more}`;
}

/**
 * What is wrong with a language model that cannot be used, and what to do; undefined for one that answers. It names an
 * address and what a server says of itself, so it is for the person whose machine this is and nobody else.
 */
export function modelTrouble({ name, address, state }: Model): Finding | undefined {
  const { ok, code, status, known } = state;
  if (ok || code === null) return undefined;
  const exact = own.find((each) => each === code);
  const finding = exact === undefined ? "model_failed" : moreExact(exact, state);
  const values = { where: address ?? "this machine", name, known: listed(known), ...(status !== null && { status }) };
  return found(finding, values, {
    answers: status === null ? "model_silent" : "model_answers",
    ...(exact === undefined && { why: { code, message: errorKinds[code].sentence } }),
  });
}

/** Whether waiting will not mend it. */
export function isMisconfigured({ state }: Model): boolean {
  return state.code !== null && modelFailureClass(state.code) === "configuration";
}
