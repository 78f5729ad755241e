import "./form.css";
import { ApiError } from "../app/api.ts";
import { Said } from "../app/said.tsx";

/** What is wrong with a field of a form, to be said at it; undefined where an error is about something else. */
export const problemAt = (error: Error | null, field: string): Error | undefined =>
  error instanceof ApiError && error.field === field ? error : undefined;

/** The same of a form with one field: what the device refuses is what was typed there. */
export const problemAtOnly = (error: Error | null): Error | undefined =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 ? error : undefined;

interface ProblemProps {
  readonly error: Error | null;
  /** Fields that say themselves what is wrong with them. */
  readonly fields?: readonly string[];
  /** The form has one field, which says itself what is wrong with it (see {@link problemAtOnly}). */
  readonly isOfOneField?: boolean;
}

/** What went wrong with what was just tried, and what helps. */
export function Problem({ error, fields = [], isOfOneField = false }: ProblemProps) {
  if (error === null || fields.some((field) => problemAt(error, field))) return null;
  if (isOfOneField && problemAtOnly(error) !== undefined) return null;
  return (
    <p className="problem" role="alert">
      <Said what={error} />
    </p>
  );
}
