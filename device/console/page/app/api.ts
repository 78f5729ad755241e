import { hc, type InferResponseType } from "hono/client";
import i18next from "i18next";
import type { ShownProposal } from "../../inbox/shown.ts";
import type { ConsoleApi } from "../../routes.ts";
import type { Told } from "../../told.ts";
import { forgetToken, tokenOfTab } from "./tab.ts";

/**
 * What says whose request it is (without a token the device answers with 401), and what the tab speaks: what is made of a
 * proposal has a name in that language.
 */
export const tabHeaders = (): Record<string, string> => ({
  authorization: `Bearer ${tokenOfTab() ?? ""}`,
  "accept-language": i18next.language,
});

/** The device's API, typed by its routes. */
export const api = hc<ConsoleApi>(`${location.origin}/api`, { headers: tabHeaders });

export type Proposal = ShownProposal;
export type DismissedPage = InferResponseType<typeof api.dismissed.$get>;
export type Dismissed = DismissedPage["items"][number];

/**
 * A failure as the device tells it, or one of an answer that is none: `device_away` where nothing has answered to the end,
 * `answer_foreign` where something has that is not this device.
 */
export class ApiError extends Error {
  readonly told: Told;
  readonly status: number;
  /** The field of a form that it is about. */
  readonly field: string | undefined;

  constructor(told: Told, status: number, field?: string) {
    super(told.message);
    this.told = told;
    this.status = status;
    this.field = field;
  }
}

/** Said of the whole page already: the device is away, or the tab is signed out. */
export const isOfWholePage = (error: Error): boolean =>
  error instanceof ApiError && (error.status === 401 || error.told.code === "device_away");

interface Answer<T> {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  json(): Promise<T>;
}

/** Nothing has answered, or not to the end. */
export const deviceAway = (): ApiError => new ApiError({ code: "device_away", message: "" }, 0);

/** Something has answered that is not this device, or another version of it. */
export const answerForeign = (): ApiError => new ApiError({ code: "answer_foreign", message: "" }, 0);

/**
 * What was asked for. An answer that is cut, as of a device that was killed while it gave it, is none, whatever its status said.
 * @throws ApiError
 */
export async function answerOf<T>(asked: Promise<Answer<T>>): Promise<T> {
  const answer = await asked.catch(() => {
    throw deviceAway();
  });
  const body = answer.json().catch(() => {
    // The device says what it answers with; of what begins so and is none, the end is missing.
    throw answer.headers.get("content-type")?.startsWith("application/json") ? deviceAway() : answerForeign();
  });
  if (answer.ok) return body;
  // Its own door alone says 401: the tab is signed out, also while it still hears the device.
  if (answer.status === 401) forgetToken();
  throw failureIn(await body, answer.status);
}

type Failure = Told & { readonly field?: string };

function failureIn(body: unknown, status: number): ApiError {
  const error = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  if (!isFailure(error)) return answerForeign();
  const { field, ...told } = error;
  return new ApiError(told, status, field);
}

/** What the device's one place for failures makes (failure.ts); anything else is not its answer. */
const isFailure = (error: unknown): error is Failure =>
  typeof error === "object" &&
  error !== null &&
  "code" in error &&
  typeof error.code === "string" &&
  "message" in error &&
  typeof error.message === "string";
