import { hc, type InferResponseType } from "hono/client";
import type { ShownProposal } from "../../contract.ts";
import type { ConsoleApi } from "../../routes.ts";
import { forgetToken, tokenOfTab } from "./tab.ts";

export const tabHeaders = (): Record<string, string> => ({ authorization: `Bearer ${tokenOfTab() ?? ""}` });

/** The device's API, typed by its routes. */
export const api = hc<ConsoleApi>(`${location.origin}/api`, { headers: tabHeaders });

export type Proposal = ShownProposal;
export type DismissedPage = InferResponseType<typeof api.dismissed.$get>;
export type Dismissed = DismissedPage["items"][number];

/** A failure as the device tells it, or `device_away` when it does not answer at all. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  /** The field of a form that it is about. */
  readonly field: string | undefined;

  constructor(code: string, message: string, status: number, field?: string) {
    super(message);
    this.code = code;
    this.status = status;
    this.field = field;
  }
}

interface Answer<T> {
  readonly ok: boolean;
  readonly status: number;
  json(): Promise<T>;
}

/** What was asked for. @throws ApiError */
export async function answerOf<T>(asked: Promise<Answer<T>>): Promise<T> {
  const answer = await asked.catch((): never => {
    throw new ApiError("device_away", "", 0);
  });
  if (answer.ok) return answer.json();
  // Its own door alone says 401: the tab is signed out, also while it still hears the device.
  if (answer.status === 401) forgetToken();
  const { code, message, field } = failureIn(await answer.json().catch(() => undefined));
  throw new ApiError(code, message, answer.status, field);
}

function failureIn(body: unknown): { code: string; message: string; field?: string } {
  const error = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  if (typeof error !== "object" || error === null || !("code" in error) || !("message" in error)) {
    return { code: "internal", message: "" };
  }
  const field = "field" in error ? { field: String(error.field) } : {};
  return { code: String(error.code), message: String(error.message), ...field };
}
