import { describe, expect, it } from "vitest";
import { pathFilter } from "../../device/files/paths/path-filter.ts";
import { nameOf } from "../../device/files/paths/project-path.ts";

describe("a path filter says of a path the same whatever it was asked before", () => {
  const paths = ["a", "x.md", "a/b", "a/b/c.md", "docs/x", "a/docs/x", "a/docs/y", "x", "a/b/x", "docs", "a/c/d/e"];

  it.each([["docs/**"], ["docs"], ["*"], ["**"], ["a/b"], ["*.md", "!a"], ["**/x"], ["/a"]])("%s %s", (...globs) => {
    const alone = paths.map((path) => pathFilter({ globs }, false)?.(path, nameOf(path)));
    const one = pathFilter({ globs }, false);
    for (const order of [paths, paths.toReversed(), ["a/b/c.md", ...paths]]) {
      for (const path of order) expect(one?.(path, nameOf(path)), path).toBe(alone[paths.indexOf(path)]);
    }
  });
});
