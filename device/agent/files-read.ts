import type { AnsweredCall } from "./answer-calls.ts";

type Calls = readonly Pick<AnsweredCall, "filesRead">[];

/** Paths of the files an agent was given, each once, in the order in which it first saw them. */
export const filesRead = (calls: Calls): string[] => [
  ...new Set(calls.flatMap((call) => call.filesRead.map(({ path }) => path))),
];

/** The same as a person is told of them: with their project, where they are of several. @param projects of this device */
export function namedFilesRead(
  calls: Calls,
  projects: readonly { readonly id: string; readonly name: string }[],
): string[] {
  const read = calls.flatMap((call) => call.filesRead);
  const names = new Map<string, string>(projects.map(({ id, name }) => [id, name]));
  const isOfSeveral = new Set(read.map(({ projectId }) => projectId)).size > 1;
  const named = read.map(({ projectId, path }) =>
    isOfSeveral && names.has(projectId) ? `${names.get(projectId)}/${path}` : path,
  );
  return [...new Set(named)];
}
