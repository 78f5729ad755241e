import { modelErrorKinds } from "./errors/model-errors.ts";
import { requestErrorKinds } from "./errors/request-errors.ts";
import { serviceErrorKinds } from "./errors/service-errors.ts";
import { sourceErrorKinds } from "./errors/source-errors.ts";
import { stateErrorKinds } from "./errors/state-errors.ts";

/** Every failure that crosses a boundary. A code is part of the protocol: it may be added, never renamed. */
export const errorKinds = {
  ...requestErrorKinds,
  ...stateErrorKinds,
  ...sourceErrorKinds,
  ...modelErrorKinds,
  ...serviceErrorKinds,
} as const;

export type ErrorCode = keyof typeof errorKinds;

/** The codes as a list, for schemas. */
export const errorCodes = Object.keys(errorKinds) as [ErrorCode, ...ErrorCode[]];
