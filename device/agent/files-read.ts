import type { AnsweredCall } from "./answer-calls.ts";

type Calls = readonly Pick<AnsweredCall, "data" | "filesRead">[];

/** The files an agent was given, each once, in the order in which it first saw them. */
export const filesRead = (calls: Calls): string[] => [...new Set(calls.flatMap((call) => call.filesRead))];

/** The same as a person is told of them: with their project, where they are of several. @param projects of this device */
export function namedFilesRead(
  calls: Calls,
  projects: readonly { readonly id: string; readonly name: string }[],
): string[] {
  const read = calls.flatMap(({ data, filesRead: paths }) => paths.map((path) => ({ path, of: data["project_id"] })));
  const names = new Map<unknown, string>(projects.map(({ id, name }) => [id, name]));
  const isOfSeveral = new Set(read.map(({ of }) => of)).size > 1;
  return [...new Set(read.map(({ path, of }) => (isOfSeveral && names.has(of) ? `${names.get(of)}/${path}` : path)))];
}
