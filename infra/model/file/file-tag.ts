import type { FileTag } from "../../../events/frames/folders.ts";
import { extensionOf, nameOf } from "./file-view.ts";
import { languages } from "./languages.ts";

const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)(?:test_[^/]*|[^/]*_test)\.\w+$/i;
const configName =
  /^(?:package(?:-lock)?\.json|tsconfig.*\.json|composer\.json|dockerfile|makefile|\..+|.*\.(?:ya?ml|toml|ini|cfg|conf|properties|config\.[cm]?[jt]s|tf|gradle))$/i;
const dataExtensions = new Set([".csv", ".tsv", ".jsonl", ".ndjson", ".xml", ".json", ".geojson"]);

/** What a file is to its project, by its path. */
export function tagOf(path: string): FileTag {
  const extension = extensionOf(path);
  if (configName.test(nameOf(path))) return "config";
  if (languages.has(extension)) return testPath.test(path) ? "test" : "code";
  return dataExtensions.has(extension) ? "data" : "doc";
}
