import { expect, test } from "vitest";
import { notAllRead } from "../../../device/agent/not-all-read.ts";
import { indexedFolder } from "../knowledge/setting.ts";

const question = { agent: "home", message: "Where is the giraffe?" } as const;

test("nothing silent: a question knows of which folders not all is read, while they are and after an interruption", async () => {
  const folder = indexedFolder({ "a.md": "the hippopotamus" });
  const { store, project } = folder;
  const told = () => notAllRead(question, store).map(({ name, isScanning }) => [name, isScanning]);
  expect(told(), "never read").toEqual([["garden", false]]);
  await folder.index();
  expect(told()).toEqual([]);
  folder.write("b.md", "the giraffe");
  const scan = await folder.start();
  expect(told(), "the manifest has it, the index not yet").toEqual([["garden", true]]);
  expect(notAllRead({ ...question, projectId: project.id }, store)).toHaveLength(1);
  scan.finish({ status: "cancelled" });
  expect(told()).toEqual([["garden", false]]);
  await folder.index();
  expect(told()).toEqual([]);
});
