import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { browseFolders } from "../../device/folders/browse-folders.ts";
import { temporaryFolder } from "./setting.ts";

const names = (folder: string) => browseFolders(folder).folders.map(({ name }) => name);

test("names folders by name, hidden ones last and marked, links to folders among them, and no file", () => {
  const here = temporaryFolder();
  for (const name of ["b 10", "b 2", ".git", "Älpen"]) mkdirSync(join(here, name));
  writeFileSync(join(here, "secret.txt"), "nobody reads this");
  symlinkSync(join(here, "b 2"), join(here, "a link"));
  symlinkSync(join(here, "nowhere"), join(here, "a dead link"));
  symlinkSync(join(here, "secret.txt"), join(here, "a link to a file"));
  expect(names(here)).toEqual(["a link", "Älpen", "b 2", "b 10", ".git"]);
  const { path, parent, isChoosable, hasMore, folders } = browseFolders(`${here}/`);
  expect({ path, parent, isChoosable, hasMore }).toEqual({
    ...{ path: here, isChoosable: true, hasMore: false },
    parent: join(here, ".."),
  });
  expect(folders.filter(({ isHidden }) => isHidden).map(({ name }) => name)).toEqual([".git"]);
});

test("of a folder with very many it names some, and says that there are more", () => {
  const here = temporaryFolder();
  for (let n = 0; n < 520; n += 1) mkdirSync(join(here, `folder ${n}`));
  const { folders, hasMore } = browseFolders(here);
  expect([folders.length, hasMore]).toEqual([500, true]);
});

test("begins where a person is at home, and leads to no part of the system", () => {
  expect(browseFolders().path).toBe(process.env["HOME"]);
  const top = browseFolders("/");
  expect(top).toMatchObject({ parent: null, isChoosable: false });
  expect(top.folders.map(({ name }) => name)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(etc|proc|usr)$/)]),
  );
  for (const folder of ["/etc", "/proc/self", "/tmp/../etc/ssl", "no/whole/path", ""])
    expect(() => browseFolders(folder), folder).toThrow(expect.objectContaining({ code: "usage" }));
});

test("says what is not there, is a file, or may not be looked into", () => {
  const here = temporaryFolder();
  writeFileSync(join(here, "file"), "");
  for (const name of ["gone", "file"])
    expect(() => browseFolders(join(here, name))).toThrow(expect.objectContaining({ code: "folder_not_found" }));
  if (process.getuid?.() === 0) return;
  mkdirSync(join(here, "closed"));
  chmodSync(join(here, "closed"), 0);
  expect(() => browseFolders(join(here, "closed"))).toThrow(expect.objectContaining({ code: "folder_unreadable" }));
});
