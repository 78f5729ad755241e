import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../../../cli/program.ts";
import type { DeviceStore } from "../../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../../device/time-and-ids.ts";
import { addEntity, editEntity, removeEntity } from "../../../../device/work/change-entities.ts";
import { syncWorkFolder } from "../../../../device/work/folder/sync-folder.ts";
import { chooseWorkFolder, leaveWorkFolder, workFolder } from "../../../../device/work/folder/work-folder.ts";
import { readCalendar } from "../../../../device/work/interchange/read-calendar.ts";
import { undoChange } from "../../../../device/work/undo-change.ts";
import { Screen } from "../../screen.ts";
import { temporaryFolder, temporaryStore } from "../../setting.ts";

const nowMs = Date.UTC(2026, 10, 22, 12);
const day = { start: "2026-12-04", end: "2026-12-05", isAllDay: true, zone: null };

function here() {
  const store = temporaryStore();
  const root = temporaryFolder();
  chooseWorkFolder(store, root);
  const read = (name: string) => readFileSync(join(root, name), "utf8");
  const write = (name: string, text: string) => {
    mkdirSync(join(root, "notes"), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  const sync = async () => (await syncWorkFolder(store, nowMs)) ?? nothing;
  return { store, root, read, write, sync };
}

const nothing = { written: [], taken: [], conflicts: [], leftOut: [] };

describe("13: a folder of the person's own", () => {
  test("has each note as Markdown and all events as one calendar, and is left alone when nothing changes", async () => {
    const { store, root, read, sync } = here();
    addEntity(store, "note", { title: "Paint: the walls", markdown: "They need primer." }, nowMs);
    addEntity(store, "event", { title: "Roofers", ...day }, nowMs);
    expect((await sync()).written).toEqual(["notes/Paint the walls.md", "calendar.ics"]);
    expect(read("notes/Paint the walls.md")).toBe("# Paint: the walls\n\nThey need primer.\n");
    expect((await readCalendar(read("calendar.ics"))).events).toMatchObject([
      { title: "Roofers", start: "2026-12-04" },
    ]);
    expect(await sync()).toEqual(nothing);
    expect(readdirSync(root, { recursive: true }).filter((name) => String(name).includes("tmp"))).toEqual([]);
  });

  test("follows what changes on the device, and what is taken away there", async () => {
    const { store, root, read, sync } = here();
    const note = addEntity(store, "note", { title: "Paint" }, nowMs);
    await sync();
    editEntity(store, "note", note.id, { markdown: "Two coats." }, nowMs);
    expect((await sync()).written).toEqual(["notes/Paint.md"]);
    expect(read("notes/Paint.md")).toBe("# Paint\n\nTwo coats.\n");
    removeEntity(store, "note", note.id);
    await sync();
    expect(existsSync(join(root, "notes/Paint.md"))).toBe(false);
    undoChange(store, "note", note.id);
    await sync();
    expect(read("notes/Paint.md")).toBe("# Paint\n\nTwo coats.\n");
  });

  test("what the person writes there is taken, can be undone, and their way of writing it stays", async () => {
    const { store, read, write, sync } = here();
    const { id } = addEntity(store, "note", { title: "Paint", markdown: "One coat." }, nowMs);
    await sync();
    write("notes/Paint.md", "# Paint it\r\n\r\n\r\nThree coats.\n\n\n");
    expect(await sync()).toEqual({ ...nothing, taken: ["notes/Paint.md"] });
    expect(store.work.note.find(id)).toMatchObject({ title: "Paint it", markdown: "Three coats." });
    expect(await sync()).toEqual(nothing);
    expect(read("notes/Paint.md")).toContain("\r\n\r\n\r\nThree coats.\n\n\n");
    undoChange(store, "note", id);
    await sync();
    expect(read("notes/Paint.md")).toBe("# Paint\n\nOne coat.\n");
  });

  test("a new file is a new note, one under another name the same", async () => {
    const { store, root, write, sync } = here();
    write("notes/Ideas.md", "no heading\n");
    expect((await sync()).taken).toEqual(["notes/Ideas.md"]);
    expect(store.work.note.list()).toMatchObject([{ title: "Ideas", markdown: "no heading" }]);
    renameSync(join(root, "notes/Ideas.md"), join(root, "notes/Plans.md"));
    expect(await sync()).toEqual(nothing);
    expect([store.work.note.list().length, readdirSync(join(root, "notes"))]).toEqual([1, ["Plans.md"]]);
  });

  test("P2: what was taken from a file and is changed on the device before the next sync is written", async () => {
    const { store, read, write, sync } = here();
    const { id } = addEntity(store, "note", { title: "Paint" }, nowMs);
    await sync();
    write("notes/Paint.md", "# Paint\n\nin the folder\n");
    expect((await sync()).taken).toEqual(["notes/Paint.md"]);
    editEntity(store, "note", id, { markdown: "on the device" }, nowMs);
    expect((await sync()).written).toEqual(["notes/Paint.md"]);
    expect(read("notes/Paint.md")).toBe("# Paint\n\non the device\n");
  });

  test.each([
    ["a changed note", "notes/Paint.md", "# Paint\n\nOne coat.\n"],
    ["a new note of that name", "notes/New.md", undefined],
  ])("P2: what is saved while %s is written stays, and is taken", async (_, name, before) => {
    const { store, root, read, write, sync } = here();
    const { id } = addEntity(store, "note", { title: "Paint", markdown: "One coat." }, nowMs);
    await sync();
    if (before === undefined) addEntity(store, "note", { title: "New" }, nowMs);
    else editEntity(store, "note", id, { markdown: "Two coats." }, nowMs);
    const newId = () => {
      // Asked for when what is to be written is known.
      write(name, "# By hand\n\njust now\n");
      return store.newId();
    };
    expect(await syncWorkFolder({ ...store, newId }, nowMs)).toEqual(nothing);
    expect(read(name)).toBe("# By hand\n\njust now\n");
    await sync();
    const files = readdirSync(join(root, "notes")).map((each) => read(`notes/${each}`));
    expect(files.filter((text) => text.includes("just now"))).toHaveLength(1);
    expect(files.some((text) => text.includes(before === undefined ? "# New" : "Two coats."))).toBe(true);
  });

  test.each<[string, (here: { store: DeviceStore; root: string }) => void]>([
    ["chosen again", ({ store, root }) => chooseWorkFolder(store, root)],
    [
      "chosen again after it was given up",
      ({ store, root }) => {
        leaveWorkFolder(store);
        chooseWorkFolder(store, root);
      },
    ],
    [
      "moved, and chosen at its new place",
      ({ store, root }) => {
        const moved = join(temporaryFolder(), "moved");
        cpSync(root, moved, { recursive: true });
        chooseWorkFolder(store, moved);
      },
    ],
  ])("P2: nothing is doubled by a folder that is %s", async (_, choose) => {
    const { store, root, write, sync } = here();
    addEntity(store, "note", { title: "Paint" }, nowMs);
    addEntity(store, "note", { title: "Paint" }, nowMs);
    addEntity(store, "event", { title: "Roofers", ...day }, nowMs);
    write("notes/Ideas.md", "no heading\n");
    await sync();
    choose({ store, root });
    await sync();
    expect(await sync()).toEqual(nothing);
    expect(store.work.note.list().map(({ title }) => title)).toEqual(["Paint", "Paint", "Ideas"]);
    expect(store.work.event.list()).toHaveLength(1);
    expect(readdirSync(join(workFolder(store) ?? "", "notes"))).toEqual(["Ideas.md", "Paint 2.md", "Paint.md"]);
  });

  test("P2: a folder that is away is not made anew: what is changed meanwhile is written when it is back", async () => {
    const { store, root, read, sync } = here();
    const { id } = addEntity(store, "note", { title: "Paint", markdown: "red" }, nowMs);
    const gone = addEntity(store, "note", { title: "Gone" }, nowMs);
    await sync();
    renameSync(root, `${root}-away`);
    onTestFinished(() => rmSync(`${root}-away`, { recursive: true, force: true }));
    editEntity(store, "note", id, { markdown: "blue" }, nowMs);
    removeEntity(store, "note", gone.id);
    await expect(sync()).rejects.toMatchObject({ code: "export_failed", message: expect.stringContaining(root) });
    expect(existsSync(root)).toBe(false);
    renameSync(`${root}-away`, root);
    await sync();
    expect([read("notes/Paint.md"), existsSync(join(root, "notes/Gone.md"))]).toEqual(["# Paint\n\nblue\n", false]);
    expect(store.work.note.list()).toMatchObject([{ title: "Paint", markdown: "blue" }]);
  });

  test("P2: two notes that say the same and are both renamed stay the two that they are", async () => {
    const { store, root, sync } = here();
    for (let n = 0; n < 2; n += 1) addEntity(store, "note", { title: "Paint" }, nowMs);
    await sync();
    const before = store.work.note.list();
    renameSync(join(root, "notes/Paint.md"), join(root, "notes/West.md"));
    renameSync(join(root, "notes/Paint 2.md"), join(root, "notes/East.md"));
    expect(await sync()).toEqual(nothing);
    expect(store.work.note.list()).toEqual(before);
    expect(readdirSync(join(root, "notes"))).toEqual(["East.md", "West.md"]);
  });

  test("of a folder that is chosen again it is known what both sides said last", async () => {
    const { store, root, read, write, sync } = here();
    const { id } = addEntity(store, "note", { title: "Paint" }, nowMs);
    addEntity(store, "note", { title: "Wood" }, nowMs);
    await sync();
    leaveWorkFolder(store);
    editEntity(store, "note", id, { markdown: "on the device" }, nowMs);
    write("notes/Wood.md", "# Wood\n\nin the folder\n");
    chooseWorkFolder(store, root);
    expect(await sync()).toEqual({ ...nothing, written: ["notes/Paint.md"], taken: ["notes/Wood.md"] });
    expect(read("notes/Paint.md")).toContain("on the device");
    expect(store.work.note.list()).toMatchObject([{ title: "Paint" }, { markdown: "in the folder" }]);
  });

  test("many notes: each costs a row, and others have their turn in between", async () => {
    const { store, root, write } = here();
    const many = 120;
    for (let number = 1; number <= many; number += 1) {
      addEntity(store, "note", { title: `Note ${number}` }, nowMs);
      write(`notes/File ${number}.md`, `# File ${number}\n`);
    }
    let rows = 0;
    const put: DeviceStore["workFiles"]["put"] = (...row) => {
      rows += 1;
      store.workFiles.put(...row);
    };
    let isDone = false;
    const synced = syncWorkFolder({ ...store, workFiles: { ...store.workFiles, put } }, nowMs).finally(() => {
      isDone = true;
    });
    const steps: number[] = [];
    while (!isDone) {
      await new Promise(setImmediate);
      steps.push(readdirSync(join(root, "notes")).length + store.work.note.list().length);
    }
    expect(await synced).toMatchObject({ written: { length: many }, taken: { length: many } });
    expect(rows).toBe(2 * many);
    expect(Math.max(...steps.map((step, at) => step - (steps[at - 1] ?? step)))).toBeLessThan(10);
  });

  test("P2: changed on both sides: the person's file stays, the other version is beside it, until they have chosen", async () => {
    const { store, root, read, write, sync } = here();
    const { id } = addEntity(store, "note", { title: "Paint" }, nowMs);
    await sync();
    editEntity(store, "note", id, { markdown: "on the device" }, nowMs);
    write("notes/Paint.md", "# Paint\n\nin the folder\n");
    for (let times = 0; times < 2; times += 1) {
      const { written, taken, conflicts } = await sync();
      expect([written, taken, conflicts]).toEqual([[], [], [expect.stringContaining("changed both in the folder")]]);
      expect(read("notes/Paint.md")).toContain("in the folder");
      expect(read("notes/Paint (of this device).md")).toContain("on the device");
      expect(store.work.note.list()).toMatchObject([{ markdown: "on the device" }]);
    }
    rmSync(join(root, "notes/Paint (of this device).md"));
    expect((await sync()).taken).toEqual(["notes/Paint.md"]);
    expect(store.work.note.list()).toMatchObject([{ markdown: "in the folder" }]);
    expect(await sync()).toEqual(nothing);
  });

  test("P2: taken away here and changed there, it is a note of its own", async () => {
    const { store, read, write, sync } = here();
    const { id } = addEntity(store, "note", { title: "Paint" }, nowMs);
    await sync();
    removeEntity(store, "note", id);
    write("notes/Paint.md", "# Paint\n\nstill wanted\n");
    await sync();
    expect(store.work.note.list()).toMatchObject([{ title: "Paint", markdown: "still wanted" }]);
    expect(read("notes/Paint.md")).toContain("still wanted");
  });

  test("events of the person's calendar file are taken, and what is not kept here stays in a copy beside it", async () => {
    const { store, read, write, sync } = here();
    addEntity(store, "event", { title: "Roofers", ...day }, nowMs);
    await sync();
    const fair =
      "BEGIN:VEVENT\r\nUID:fair\r\nDTSTAMP:20261101T000000Z\r\nDTSTART;VALUE=DATE:20261210\r\nSUMMARY:Fair\r\nBEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\nDESCRIPTION:x\r\nEND:VALARM\r\nEND:VEVENT\r\n";
    write("calendar.ics", read("calendar.ics").replace("END:VCALENDAR", `${fair}END:VCALENDAR`));
    expect(await sync()).toEqual({ ...nothing, taken: ["calendar.ics"] });
    expect(store.work.event.list().map(({ title }) => title)).toEqual(["Roofers", "Fair"]);
    expect(await sync()).toEqual(nothing);
    expect(read("calendar.ics")).toContain("VALARM");
    addEntity(store, "event", { title: "Later", ...day }, nowMs);
    expect((await sync()).written).toEqual(["calendar.ics"]);
    expect(read("calendar (as you left it).ics")).toContain("VALARM");
    expect((await readCalendar(read("calendar.ics"))).events).toHaveLength(3);
  });

  test("P2: each calendar that is left in other words than the device's is kept, the same one once", async () => {
    const { store, root, read, write, sync } = here();
    addEntity(store, "event", { title: "Roofers", ...day }, nowMs);
    await sync();
    const leave = async (category: string) => {
      write("calendar.ics", read("calendar.ics").replace("END:VEVENT", `CATEGORIES:${category}\r\nEND:VEVENT`));
      await sync();
      const later = addEntity(store, "event", { title: "Later", ...day }, nowMs);
      await sync();
      removeEntity(store, "event", later.id);
      await sync();
    };
    for (const category of ["WORK", "HOME", "HOME"]) await leave(category);
    const kept = readdirSync(root).filter((name) => name.includes("as you left it"));
    expect(kept.map((name) => /CATEGORIES:(.*)\r/u.exec(read(name))?.[1]).toSorted()).toEqual(["HOME", "WORK"]);
  });

  test("P2: the device's version is put beside a note over no file of the person's, however long its name is", async () => {
    const { store, root, read, write, sync } = here();
    const title = "\u6f22".repeat(80);
    const { id } = addEntity(store, "note", { title }, nowMs);
    const short = addEntity(store, "note", { title: "Paint" }, nowMs);
    addEntity(store, "note", { title: "Paint (of this device)", markdown: "mine" }, nowMs);
    await sync();
    for (const [noteId, name] of [
      [id, title],
      [short.id, "Paint"],
    ] as const) {
      editEntity(store, "note", noteId, { markdown: "on the device" }, nowMs);
      write(`notes/${name}.md`, `# ${name}\n\nin the folder\n`);
    }
    expect((await sync()).conflicts).toHaveLength(2);
    expect(read("notes/Paint (of this device).md")).toContain("mine");
    expect(read("notes/Paint (of this device 2).md")).toContain("on the device");
    const beside = readdirSync(join(root, "notes")).filter((name) => name.includes("of this device"));
    expect(beside.map((name) => read(`notes/${name}`)).filter((text) => text.includes("on the device"))).toHaveLength(
      2,
    );
    expect((await sync()).taken).toEqual([]);
    expect(store.work.note.list()).toHaveLength(3);
  });

  test("P2: a calendar that is saved while one is taken is taken the next time", async () => {
    const { store, read, write, sync } = here();
    addEntity(store, "event", { title: "Roofers", ...day }, nowMs);
    await sync();
    const added = (title: string) =>
      read("calendar.ics").replace(
        "END:VCALENDAR",
        `BEGIN:VEVENT\r\nUID:${title}\r\nDTSTAMP:20261101T000000Z\r\nDTSTART;VALUE=DATE:20261210\r\nSUMMARY:${title}\r\nEND:VEVENT\r\nEND:VCALENDAR`,
      );
    write("calendar.ics", added("Fair"));
    let saves = 0;
    // Asked for when the file was read.
    const list = () => {
      saves += 1;
      if (saves === 1) write("calendar.ics", added("Market"));
      return store.work.event.list();
    };
    await syncWorkFolder({ ...store, work: { ...store.work, event: { ...store.work.event, list } } }, nowMs);
    await sync();
    expect(store.work.event.list().map(({ title }) => title)).toEqual(["Roofers", "Fair", "Market"]);
    expect((await readCalendar(read("calendar.ics"))).events).toHaveLength(3);
  });

  test.each([
    ["a calendar that is none", "calendar.ics", "no calendar"],
    ["a file that is no text", "notes/x.md", "\u0000"],
  ])("%s is left as it is, and said", async (_, name, text) => {
    const { store, root, write, sync } = here();
    addEntity(store, "event", { title: "Roofers", ...day }, nowMs);
    write(name, text);
    const bytes = name.endsWith(".md") ? Buffer.from([0xff, 0xfe, 0x00]) : Buffer.from(text);
    writeFileSync(join(root, name), bytes);
    expect((await sync()).conflicts).toEqual([expect.stringContaining(name)]);
    expect(readFileSync(join(root, name))).toEqual(bytes);
  });

  test.each(["../../etc/x", "CON", "a/b", "..", "\u202e\u0000", "x".repeat(300)])(
    "a title such as %j stays in the folder",
    async (title) => {
      const { store, root, sync } = here();
      addEntity(store, "note", { title }, nowMs);
      await sync();
      expect(readdirSync(join(root, "notes"))).toHaveLength(1);
      expect(readdirSync(root)).toEqual(["notes"]);
      expect(await sync()).toEqual(nothing);
    },
  );

  test("P2: stopped at any of its writes to the store, everything is there once, and drafts of files are taken away", async () => {
    let isWhole = false;
    for (let stop = 1; !isWhole; stop += 1) {
      const { store, root, read, write, sync } = here();
      const first = addEntity(store, "note", { title: "First" }, nowMs);
      await sync();
      addEntity(store, "note", { title: "Second", markdown: "new" }, nowMs);
      editEntity(store, "note", first.id, { markdown: "changed" }, nowMs);
      addEntity(store, "event", { title: "Roofers", ...day }, nowMs);
      write("notes/Third.md", "# Third\n\nby hand\n");
      write("notes/.x.scouts-tmp", "half");
      let calls = 0;
      const put: DeviceStore["workFiles"]["put"] = (...row) => {
        calls += 1;
        if (calls === stop) throw new Error("stopped");
        store.workFiles.put(...row);
      };
      try {
        await syncWorkFolder({ ...store, workFiles: { ...store.workFiles, put } }, nowMs);
        isWhole = true;
      } catch (error) {
        expect(error).toMatchObject({ message: "stopped" });
      }
      expect((await sync()).conflicts).toEqual([]);
      expect(await sync()).toEqual(nothing);
      expect(readdirSync(join(root, "notes")).toSorted()).toEqual(["First.md", "Second.md", "Third.md"]);
      expect(
        store.work.note
          .list()
          .map(({ title }) => title)
          .toSorted(),
      ).toEqual(["First", "Second", "Third"]);
      expect(read("notes/First.md")).toContain("changed");
      expect((await readCalendar(read("calendar.ics"))).events).toHaveLength(1);
    }
  });
});

test("nothing silent: what lies among the notes and is none is said, how many and why, to programs too", async () => {
  const { store, root, write } = here();
  write("notes/Paint.md", "# Paint\n");
  write("notes/todo.txt", "milk");
  for (const n of [1, 2, 3, 4, 5, 6]) mkdirSync(join(root, `notes/Trip ${n}`));
  mkdirSync(join(root, "notes/.editor"));
  symlinkSync(join(root, "notes/todo.txt"), join(root, "notes/Link.md"));
  const scouts = async (...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
    const context = { io, environment: {}, workingFolder: root, ...systemTimeAndIds };
    await runCommand([...words, "--data", store.dataFolder], context, "1");
    return stdout.written;
  };
  const said = await scouts("work-folder");
  expect(said).toContain("0 files written, 1 taken from there");
  for (const each of [
    "6 folders (Trip 1, Trip 2, Trip 3, Trip 4, Trip 5 and 1 more), as notes lie right in notes/",
    "1 link (Link.md), as links are not followed",
    "1 file that does not end in .md (todo.txt), as notes are Markdown",
  ]) {
    expect(said).toContain(`  Not taken from notes/: ${each}`);
  }
  expect(said).not.toContain(".editor");
  expect(JSON.parse(await scouts("work-folder", "--json")).leftOut).toMatchObject([
    { why: "folder", count: 6, names: { length: 5 } },
    { why: "link", count: 1, names: ["Link.md"] },
    { why: "ending", count: 1, names: ["todo.txt"] },
  ]);
});

test("13: a command that changes something writes it, one that cannot says so and is done all the same", async () => {
  const { store, root, read } = here();
  const scouts = async (...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
    const context = { io, environment: {}, workingFolder: root, ...systemTimeAndIds };
    const code = await runCommand([...words, "--data", store.dataFolder], context, "1");
    return { code, out: stdout.written, err: stderr.written };
  };
  expect((await scouts("work-folder")).out).toContain("0 files written, 0 taken from there");
  expect((await scouts("note", "add", "Paint", "--text", "Red")).code).toBe(0);
  expect(read("notes/Paint.md")).toBe("# Paint\n\nRed\n");
  rmSync(join(root, "notes"), { recursive: true });
  writeFileSync(join(root, "notes"), "in the way");
  expect(await scouts("note", "add", "More")).toMatchObject({
    code: 0,
    err: expect.stringContaining("(export_failed)"),
  });
  expect(store.work.note.list()).toHaveLength(2);
  expect((await scouts("work-folder", store.dataFolder)).code).toBe(2);
  expect((await scouts("work-folder", "new")).out).toContain(`Made the folder ${join(root, "new")}.`);
  expect(read("new/notes/Paint.md")).toBe("# Paint\n\nRed\n");
  expect(await scouts("work-folder", "other", "--off")).toMatchObject({
    code: 2,
    err: expect.stringContaining("not both"),
  });
  expect([workFolder(store), existsSync(join(root, "other"))]).toEqual([join(root, "new"), false]);
  expect((await scouts("work-folder", "--off")).out).toContain("No folder is chosen");
});
