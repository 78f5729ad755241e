import type { FilePlace } from "../../../actions/action-result.ts";
import { line as shown } from "../app/shown-text.ts";
import { useSetting } from "./queries.ts";

/** How each of some places is called: its path and line, with its project where they are of several. */
export function usePlaceNames(places: readonly FilePlace[]): (place: FilePlace) => string {
  const { data } = useSetting();
  const names = new Map(data?.projects.map(({ id, name }) => [id, name]));
  const isOfSeveral = new Set(places.map(({ projectId }) => projectId)).size > 1;
  return ({ projectId, path, line }) => {
    const name = isOfSeveral ? names.get(projectId) : undefined;
    return `${name === undefined ? "" : `${shown(name)}/`}${shown(path)}:${line}`;
  };
}
