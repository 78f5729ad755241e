import { expect, test } from "vitest";
import { readEnvironment } from "../../../cli/environment.ts";
import { runCommand } from "../../../cli/program.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { Screen } from "../screen.ts";
import { temporaryFolder } from "../setting.ts";

async function scouts(data: string, ...words: string[]) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: readEnvironment({}), workingFolder: data, ...systemTimeAndIds };
  const code = await runCommand([...words, "--data", data], context, "1.2.3");
  return { code, stdout: stdout.written, stderr: stderr.written };
}

function dataWithProject(name: string): string {
  const dataFolder = temporaryFolder();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  store.projects.add(name);
  store.close();
  return dataFolder;
}

test("tasks are made, listed and done, by a part of their title", async () => {
  const data = dataWithProject("Garden");
  expect((await scouts(data, "task", "add", "Order", "the seeds", "--project", "garden")).code).toBe(0);
  await scouts(data, "task", "add", "Mow", "--project", "Garden");
  const listed = JSON.parse((await scouts(data, "task", "list", "--json")).stdout);
  expect(listed).toMatchObject([{ title: "Order the seeds", project: "Garden" }, { title: "Mow" }]);

  expect(await scouts(data, "task", "done", "seeds")).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^done {2}Order the seeds {2}tsk_\w+\n$/),
    stderr: "",
  });
  expect(JSON.parse((await scouts(data, "task", "list", "--json")).stdout)).toHaveLength(1);
  expect(JSON.parse((await scouts(data, "task", "list", "--all", "--json")).stdout)).toHaveLength(2);
  expect((await scouts(data, "task", "done", "paint")).code).toBe(3);
});

test("a question about a project that is not there ends with 3, one without a home with 4", async () => {
  const data = dataWithProject("Garden");
  expect(await scouts(data, "ask", "what?", "--project", "Attic")).toMatchObject({
    code: 3,
    stderr:
      "scouts: There is no project Attic on this device; `scouts project list` shows those there are. (project_unknown)\n",
  });
  expect((await scouts(data, "ask", "what?", "--project", "Garden")).code).toBe(4);
  expect((await scouts(data, "task-brief", "nothing")).code).toBe(3);
  expect((await scouts(data, "ask", " ")).code).toBe(2);
});

test("4.4: project manifest prints what agents are told, and how much that is", async () => {
  const data = dataWithProject("Garden");
  for (const words of [["manifest"], ["files"], ["files", "--json"]]) {
    expect(await scouts(data, "project", ...words, "Garden")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("link one: scouts project link Garden <folder> (folder_not_linked)"),
    });
  }
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: data });
  const id = store.projects.findByName("Garden")?.id;
  if (id !== undefined) store.projects.link(id, temporaryFolder());
  store.close();
  const { stdout } = await scouts(data, "project", "manifest", "Garden");
  expect(stdout).toMatch(/^<linked_folder>\n[\s\S]*, 0 files\nNo scan has ended yet\.\n<\/linked_folder>\n$/);
  const { tokens, listed, text } = JSON.parse((await scouts(data, "project", "manifest", "Garden", "--json")).stdout);
  expect({ tokens: tokens > 0, listed, same: stdout.trim() === text }).toEqual({
    tokens: true,
    listed: [],
    same: true,
  });
});
