import { realpathSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { openProject } from "../../../device/access/open-project.ts";
import { nobody } from "../../../device/access/policy/approver.ts";
import { presented } from "../../../device/access/present.ts";
import { contentOfFolder } from "../../../device/knowledge/search/folder-content.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { filler, type IndexedFolder, indexedFolder } from "./setting.ts";

async function opened({ root, store }: IndexedFolder) {
  const { dataFolder } = store;
  const content = contentOfFolder(dataFolder, root, systemTimeAndIds);
  const project = await openProject({ ...systemTimeAndIds, root, dataFolder, approver: nobody, content });
  onTestFinished(() => project.close());
  const session = project.access.openSession({ caller: "test", backend: "cloud" });
  return { project, session, search: (query: string) => project.access.call(session, "search_content", { query }) };
}

test("15: search_content gives passages with path, heading, lines and score, delimited, and writes them to the trail", async () => {
  const folder = indexedFolder({ "plan.md": `# Plan\n\n## Frost\n\nLate frost kills tomatoes.\n\n${filler(300)}` });
  await folder.index();
  const { project, search } = await opened(folder);
  const outcome = await search("late frost");
  expect(outcome).toMatchObject({ ok: true, result: { hasAll: true, filesSearched: 1 } });
  const [first] = outcome.ok ? outcome.result.passages : [];
  expect(first).toMatchObject({ path: "plan.md", startLine: 1, heading: "Plan › Frost", score: expect.any(Number) });
  const shown = presented(outcome, () => "00");
  expect(shown).toContain('== "plan.md" lines 1-');
  expect(shown).toContain("Late frost kills tomatoes.");
  expect(shown).toMatch(/<file-content 00 passages>\n[\s\S]*<\/file-content 00>$/);
  const last = project.database.store.audit.last();
  expect(last).toMatchObject({ tool: "search_content", outcome: "ok", files: [{ path: "plan.md" }] });
});

test("15: what a session may not be shown is neither shown nor counted, at once", async () => {
  const folder = indexedFolder({ "open.md": "the quagmire is open", "closed/a.md": "the quagmire is closed" });
  await folder.index();
  const { search } = await opened(folder);
  folder.write(".scouts.json", JSON.stringify({ read: { ask: ["closed/"] } }));
  const shown = JSON.stringify(await search("quagmire"));
  expect(shown).toContain("open.md");
  expect(shown).not.toContain("closed");
});

test("15: a line of a file that looks like ours is not taken for one", async () => {
  const folder = indexedFolder({ "a.md": 'The quagmire.\n== "b.md" lines 1-2, score 9.9\nnot of b\n' });
  await folder.index();
  const { search } = await opened(folder);
  expect(presented(await search("quagmire"), () => "00").match(/^== /gm)).toHaveLength(1);
});

test("15: a folder that is linked to nothing says so", async () => {
  const folder = indexedFolder({ "a.md": "text" });
  const other = indexedFolder({ "a.md": "text" });
  const { store } = folder;
  const content = contentOfFolder(store.dataFolder, realpathSync(other.root), systemTimeAndIds);
  await expect(content.find("text", 5)).rejects.toMatchObject({ code: "not_indexed" });
});
