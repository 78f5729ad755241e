import { describe, expect, test } from "vitest";
import { FileAccess } from "../../../device/access/file-access.ts";
import { backends } from "../../../device/access/policy/profiles.ts";
import { policyFile } from "../../../device/access/policy/rules.ts";
import { presented } from "../../../device/access/present.ts";
import { InMemoryProjectFiles } from "../../../device/files/backends/in-memory-project-files.ts";
import type { ProjectFiles } from "../../../device/files/project-files.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { type FileToolName, fileToolNames } from "../../../events/tools.ts";
import { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import { memoryAccessStore } from "../../memory/access-store.ts";
import { quick } from "../../rounds.ts";
import { contentsOf } from "../five-file-patch.ts";
import { setting, temporaryFolder } from "../setting.ts";
import { type HiddenKind, hiddenKinds, projectFiles, rulesOf, visible } from "./hidden-kinds.ts";
import { canary, guessed, hashOf, type Known, other, otherCanary, probesOf, withDryRuns } from "./probes.ts";

interface World {
  readonly access: FileAccess;
  readonly files: ProjectFiles;
  readonly known: Known;
}

const unknown: Known["versions"] = [`ver_${"0".repeat(26)}`, `ver_${"1".repeat(26)}`];

/** The same project whatever is hidden in it: clock, ids and keys are counted, not drawn. */
async function world(kind: HiddenKind, content: string | null): Promise<World> {
  const files = projectFiles(kind, temporaryFolder(), content);
  let [at, id] = [1_793_000_000_000, 0];
  const common = {
    files,
    store: memoryAccessStore(),
    now: () => ++at,
    newId: () => String(++id).padStart(26, "0"),
    redactor: new Redactor(Buffer.alloc(32, 7)),
  };
  let versions = unknown;
  if (kind.hadHistory === true && content !== null) {
    const then = new FileAccess(common);
    await then.start();
    const session = then.openSession({ caller: "then" });
    await then.call(session, "read_file", { path: kind.asked });
    for (const text of [`${content}then\n`, content])
      await then.call(session, "write_file", { path: kind.asked, content: text });
    const [last, first] = common.store.versions.list(kind.stored, 2);
    versions = [first?.id ?? unknown[0], last?.id ?? unknown[1]];
  }
  const access = new FileAccess({ ...common, rules: rulesOf(kind) });
  await access.start();
  return { access, files, known: { versions } };
}

async function answerOf({ access }: World, backend: (typeof backends)[number], tool: FileToolName, args: unknown) {
  const outcome = await access.call(access.openSession({ caller: "prober", backend }), tool, args);
  return { outcome, shown: presented(outcome, () => "00") };
}

const traces = [
  canary,
  otherCanary,
  ...[guessed, other].map(hashOf),
  ...[guessed, other].map((text) => `${text.length} bytes`),
];

/** Every tool as each backend; in a short run one after the other, so that every kind meets every tool and every backend. */
const pairs = fileToolNames.flatMap((tool, at) =>
  backends.filter((_, index) => !quick || index === at % backends.length).map((backend) => [tool, backend] as const),
);

describe.each(hiddenKinds)("a file that may not be shown, because $name", (kind) => {
  test.each(pairs)("%s as %s tells nothing of it", async (tool, backend) => {
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
        const calls = withDryRuns(tool, probesOf[tool](policyFile, { versions: unknown }).aimed);
        const mine = calls.filter((args) => JSON.stringify(args).includes(policyFile));
        return Promise.all(mine.map((args) => access.call(access.openSession({ caller: "m" }), tool, args)));
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    for (const outcome of answers[0] ?? []) expect(outcome).toMatchObject({ ok: false, error: { code: "denied" } });
  });
});
