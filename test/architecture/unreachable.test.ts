import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { withoutWayIn } from "./without-way-in.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const knip = fileURLToPath(new URL("../bin/knip.js", import.meta.resolve("knip")));

/** One kind of issue in knip's JSON: what it found in a file. */
type Found = Readonly<Record<string, unknown>> & { readonly file: string };

function nameOf(issue: unknown): string {
  return typeof issue === "object" && issue !== null && "name" in issue ? String(issue.name) : String(issue);
}

/**
 * Follows imports from the functions, the command line, the stack and what they start by a path (knip.json), tests left
 * out: https://knip.dev/features/production-mode
 */
function unreached(): string[] {
  const kinds = ["files", "exports", "types", "dependencies", "unlisted", "unresolved"];
  const flags = ["--production", "--no-exit-code", "--no-progress", "--reporter", "json"];
  const output = execFileSync(process.execPath, [knip, ...flags, "--include", kinds.join(",")], {
    cwd: root,
    encoding: "utf8",
  });
  const { issues }: { issues: readonly Found[] } = JSON.parse(output);
  return issues.flatMap((found) =>
    kinds.flatMap((kind) => {
      const list = found[kind];
      const names = Array.isArray(list) ? list.map(nameOf) : [];
      return kind === "files" ? names.map(() => found.file) : names.map((name) => `${found.file}: ${name}`);
    }),
  );
}

test("everything the product exports is reached from a way in, but for what is named; what has one now is named no more", () => {
  expect([...new Set(unreached())].sort()).toEqual([...withoutWayIn].sort());
}, 240_000);
