import { describe, expect, test } from "vitest";
import { backends } from "../../../device/access/policy/profiles.ts";
import { policyFile } from "../../../device/access/policy/rules.ts";
import { presented } from "../../../device/access/present.ts";
import { InMemoryProjectFiles } from "../../../device/files/backends/in-memory-project-files.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { type FileToolName, fileToolNames } from "../../../events/agent-tools/file-tools.ts";
import { quick, whole } from "../../rounds.ts";
import { contentsOf } from "../five-file-patch.ts";
import { setting } from "../setting.ts";
import { hiddenKinds, visible } from "./hidden-kinds.ts";
import { guessed, other, probesOf, traces, withDryRuns } from "./probes.ts";
import { unknownVersions, type World, world } from "./world.ts";

async function answerOf({ access }: World, backend: (typeof backends)[number], tool: FileToolName, args: unknown) {
  const outcome = await access.call(access.openSession({ caller: "prober", backend }), tool, args);
  return { outcome, shown: presented(outcome, () => "00") };
}

/**
 * Every tool as each backend in a whole run; of a change as one backend after the other, and in a short run every second tool of
 * those: so every kind meets every backend, and every tool every second kind.
 */
const pairsOf = (kindAt: number) =>
  fileToolNames.flatMap((tool, at) =>
    backends
      .filter((_, index) => whole || ((!quick || (at + kindAt) % 2 === 0) && index === (at + kindAt) % backends.length))
      .map((backend) => [tool, backend] as const),
  );

describe.each(hiddenKinds)("a file that may not be shown, because $name", (kind) => {
  test.each(pairsOf(hiddenKinds.indexOf(kind)))("%s as %s tells nothing of it", async (tool, backend) => {
    const [as, otherwise, absent] = [await world(kind, guessed), await world(kind, other), await world(kind, null)];
    const { aimed, broad = [] } = probesOf[tool](kind.asked, as.known);
    const before = await contentsOf(as.files);
    for (const [args, worlds] of [
      ...withDryRuns(tool, aimed).map((args) => [args, [otherwise, absent]] as const),
      ...withDryRuns(tool, broad).map(
        (args) => [args, kind.isIgnored === true ? [otherwise, absent] : [otherwise]] as const,
      ),
    ]) {
      const answer = await answerOf(as, backend, tool, args);
      const told = JSON.stringify(answer);
      const about = `${tool} ${JSON.stringify(args)} said ${told.slice(0, 2_000)}`;
      expect(
        traces.filter((trace) => told.includes(trace) && !JSON.stringify(args).includes(trace)),
        about,
      ).toEqual([]);
      for (const each of worlds) expect(await answerOf(each, backend, tool, args), about).toEqual(answer);
    }
    if (tool !== "list_files") expect(await contentsOf(as.files)).toEqual(before);
    expect(await as.files.exists("zz.md")).toBe(false);
  });
});

test("every tool of the registry has its probes", () => {
  expect(Object.keys(probesOf)).toEqual(fileToolNames);
});

describe("files of rules, which may be read and not written", () => {
  test.each(fileToolNames)("%s never answers by what they say, when it would write", async (tool) => {
    const answers = await Promise.all(
      [{ read: { deny: ["a"] } }, { read: { deny: ["b"] }, write: { deny: ["c"] } }, undefined].map(async (rules) => {
        const text = rules === undefined ? {} : { [policyFile]: `${JSON.stringify(rules)}\n` };
        const { access } = await setting(
          {},
          { files: new InMemoryProjectFiles({ ...visible, ...text }, systemTimeAndIds) },
        );
        if (!["write_file", "apply_patch", "rollback"].includes(tool)) return undefined;
        const calls = withDryRuns(tool, probesOf[tool](policyFile, { versions: unknownVersions }).aimed);
        const mine = calls.filter((args) => JSON.stringify(args).includes(policyFile));
        return Promise.all(mine.map((args) => access.call(access.openSession({ caller: "m" }), tool, args)));
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    for (const outcome of answers[0] ?? []) expect(outcome).toMatchObject({ ok: false, error: { code: "denied" } });
  });
});
