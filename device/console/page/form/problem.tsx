import { Said } from "../app/said.tsx";

/** What went wrong with what was just tried, and what helps. */
export function Problem({ error }: { readonly error: Error | null }) {
  if (error === null) return null;
  return (
    <p className="problem" role="alert">
      <Said what={error} />
    </p>
  );
}
