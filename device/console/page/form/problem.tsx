import { ApiError } from "../app/api.ts";
import { Said } from "../app/said.tsx";

/** What is wrong with a field of a form, to be said at it; undefined where an error is about something else. */
export const problemAt = (error: Error | null, field: string): Error | undefined =>
  error instanceof ApiError && error.field === field ? error : undefined;

interface ProblemProps {
  readonly error: Error | null;
  /** Fields that say themselves what is wrong with them. */
  readonly fields?: readonly string[];
}

/** What went wrong with what was just tried, and what helps. */
export function Problem({ error, fields = [] }: ProblemProps) {
  if (error === null || fields.some((field) => problemAt(error, field))) return null;
  return (
    <p className="problem" role="alert">
      <Said what={error} />
    </p>
  );
}
