import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readEnvironment } from "../../cli/environment.ts";
import { runCommand } from "../../cli/program.ts";
import { personalPlaces, readPersonalConfig } from "../../device/config/personal-config.ts";
import type { SaidSetting } from "../../device/config/settings-list.ts";
import { exitCodes } from "../../device/exit-codes.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { Screen } from "./screen.ts";
import { temporaryFolder } from "./setting.ts";

/** A data folder with a project, and the command line on it. */
function setting(environment: Readonly<Record<string, string>> = {}) {
  const data = temporaryFolder();
  const root = temporaryFolder();
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder: data });
  store.projects.link(store.projects.add("Garden").id, root);
  store.close();
  const scouts = async (...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
    const context = { io, environment: readEnvironment(environment), workingFolder: root, ...systemTimeAndIds };
    const code = await runCommand([...words, "--data", data], context, "1.2.3");
    return { code, stdout: stdout.written, stderr: stderr.written };
  };
  const json = async (...words: string[]) => JSON.parse((await scouts(...words, "--json")).stdout);
  return { data, root, scouts, json, file: path.join(data, "device", "config.json") };
}

/** What counts, by name. */
const counting = (settings: readonly SaidSetting[]) =>
  Object.fromEntries(settings.filter(({ counts }) => counts).map(({ name, value, from }) => [name, [value, from]]));

test("each setting is shown with where it is from; a project's own file may only narrow, and is told once what it may not", async () => {
  const { root, scouts, json } = setting();
  await scouts("config", "set", "limits.calls", "500");
  await scouts("config", "set", "read.deny", "customers/**", "plans/**");
  await scouts("config", "set", "limits.calls", "900", "--project", "Garden");
  await scouts("config", "set", "git.commit", "true", "--root", root);
  const own = {
    limits: { calls: 700, writes: 9_999 },
    read: { deny: ["!customers/**"], allow: [".env"] },
    tools: [{ name: "evil" }],
    git: { commit: true },
    otherWrites: "ask",
  };
  writeFileSync(path.join(root, ".scouts.json"), JSON.stringify(own));
  const { settings, notObeyed } = await json("config", "show", "--project", "garden");
  expect(counting(settings)).toMatchObject({
    "limits.calls": [700, "project"],
    "limits.writes": [500, "default"],
    otherWrites: ["ask", "project"],
    "git.commit": [true, "person_for_project"],
    "artifacts.preset": ["default", "default"],
  });
  expect(notObeyed.toSorted()).toEqual(["git", "read.allow", "tools"]);
  expect(counting((await json("config")).settings)).toMatchObject({ "limits.calls": [500, "person"] });
  expect(await scouts("config", "check")).toMatchObject({
    code: exitCodes.attention,
    stdout: expect.stringContaining("asks for tools; that is for you to say"),
  });
  expect((await scouts("config", "show", "--project", "Garden")).stdout).toContain("The project asks for read.allow");
  expect((await scouts("files", "list")).stderr).toMatch(/asks for .*tools/);
  expect((await scouts("files", "list")).stderr).not.toContain("asks for");
  // The person's denial holds, whatever exception the project makes.
  expect(await json("config", "explain", "customers/a.md", "--project", "Garden")).toMatchObject({
    read: { verdict: "deny", by: { pattern: "customers/**", from: "person" } },
    write: { verdict: "ask" },
  });
});

test("a session's limits are settings: the lower of the person's and the project's holds, and a spent one is said", async () => {
  const { root, scouts, file } = setting();
  writeFileSync(path.join(root, "a.txt"), "a\n");
  await scouts("config", "set", "limits.calls", "1");
  writeFileSync(file, '{"limits":{"calls":0}}');
  expect(await scouts("files", "read", "a.txt")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("(budget_exceeded)"),
  });
  await scouts("config", "set", "limits.whenSpent", "ask");
  expect(await scouts("files", "read", "a.txt")).toMatchObject({ stderr: expect.stringContaining("has not said yes") });
  await scouts("config", "set", "limits.calls", "1");
  expect(await scouts("files", "read", "a.txt")).toMatchObject({ code: 0, stdout: "a\n" });
  writeFileSync(path.join(root, ".scouts.json"), '{"limits":{"calls":0}}');
  expect(await scouts("files", "read", "a.txt", "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(".scouts.json of the project lets a session use 0"),
  });
});

test("a rule that decides is said to be whose it is, and SCOUTS_SETTINGS that is no JSON says how it is written", async () => {
  const { root, scouts } = setting();
  await scouts("config", "set", "read.deny", "plans/**");
  writeFileSync(path.join(root, ".scouts.json"), '{"write":{"ask":["plans/**"]}}');
  const { stdout } = await scouts("config", "explain", "plans/a.md");
  expect(stdout).toContain("read: deny (your rule for plans/**, in all projects)\n");
  expect(stdout).toContain("write: ask (the project's rule for plans/**, in its .scouts.json)\n");
  const broken = setting({ SCOUTS_SETTINGS: "limits.calls=5" });
  expect((await broken.scouts("config")).stderr).toContain("SCOUTS_SETTINGS is no JSON. Write it as ");
});

test("what is said for one call counts more than the files, but for what the project itself denies", async () => {
  const { root, scouts, json } = setting({ SCOUTS_SETTINGS: '{"limits":{"calls":0},"otherWrites":"deny"}' });
  writeFileSync(path.join(root, "a.txt"), "a\n");
  await scouts("config", "set", "limits.calls", "7");
  expect(counting((await json("config")).settings)).toMatchObject({ "limits.calls": [0, "environment"] });
  expect(await scouts("files", "read", "a.txt")).toMatchObject({
    stderr: expect.stringContaining("(budget_exceeded)"),
  });
  expect(await scouts("files", "read", "a.txt", "--set", "limits.calls=5")).toMatchObject({ code: 0 });
  expect(await scouts("files", "read", "a.txt", "--set", "limits.cals=5")).toMatchObject({ code: 2 });
  writeFileSync(path.join(root, ".scouts.json"), '{"read":{"deny":["a.txt"]}}');
  const allowed = await scouts("files", "read", "a.txt", "--set", "limits.calls=5", "--set", "read.allow=a.txt");
  expect(allowed).toMatchObject({ code: 1, stderr: expect.stringContaining("(denied)") });
});

test("of what is said for one call, each pattern of a list counts; two values of one setting are refused", async () => {
  const { root, scouts } = setting();
  for (const name of ["a.txt", "b.txt"]) writeFileSync(path.join(root, name), "a\n");
  const denied = ["--set", "read.deny=a.txt", "--set", "read.deny=b.txt"];
  for (const name of ["a.txt", "b.txt"]) {
    expect(await scouts("files", "read", name, ...denied)).toMatchObject({
      stderr: expect.stringContaining("(denied)"),
    });
  }
  const twice = await scouts("files", "read", "a.txt", "--set", "limits.calls=1", "--set", "limits.calls=2");
  expect(twice).toMatchObject({ code: exitCodes.usage });
  expect(twice.stderr).toBe("scouts: --set limits.calls is given twice; give it once. (setting_invalid)\n");
});

test.each([
  [["limits.calls", "-5"], "it is 0 at least"],
  [["limits.calls", "1.5"], "it is a whole number"],
  [["limits.calls", "many"], "it is a number"],
  [["limits.calls", "0"], "0 stops every read"],
  [["git.commit", "perhaps"], "it is true or false"],
  [["otherWrites", "maybe"], "it is one of allow, ask, deny"],
  [["read.deny", "["], "'[' names no file"],
  [["read.deny", "secret/**", "../**"], "'../**' names no file"],
  [["ignore", "./drafts/**"], "'./drafts/**' names no file"],
  [["read.deny", ""], "a pattern or a name in it is empty"],
])("a setting that cannot be, or does what nobody means, is refused in words: %j", async (said, why) => {
  const { scouts, file } = setting();
  const { code, stderr } = await scouts("config", "set", ...said);
  expect(code).toBe(exitCodes.usage);
  expect(stderr).toContain(`${said[0]} cannot have this value: ${why}`);
  expect(stderr).not.toMatch(/expected|received|Invalid/);
  expect(existsSync(file)).toBe(false);
});

test.each(["read.deny", "limits.writes", "!keep/**"])("what has an effect is taken: %s", async (name) => {
  const { scouts } = setting();
  const values = { "read.deny": ["a[bc]/**", "/x/", "*.{md,txt}", "\\[x\\]"], "limits.writes": ["0"], "!keep/**": [] }[
    name
  ];
  const words = values?.length === 0 ? ["read.deny", name] : [name, ...(values ?? [])];
  expect(await scouts("config", "set", ...words)).toMatchObject({ code: 0, stderr: "" });
  expect(await scouts("config", "check")).toMatchObject({ code: 0 });
});

test("nothing silent: a check names what protects nothing, wherever it is said", async () => {
  const { root, scouts, json, file } = setting();
  await scouts("config", "set", "git.commit", "false");
  const said = { read: { deny: ["[", "../**"] }, projects: { [root]: { limits: { calls: 0 } } } };
  writeFileSync(file, JSON.stringify(said));
  writeFileSync(path.join(root, ".scouts.json"), '{"ignore":["./a"]}');
  expect((await scouts("config", "check")).code).toBe(exitCodes.attention);
  const problems: { what: string; closes: boolean }[] = await json("config", "check");
  expect(problems.every(({ closes }) => !closes)).toBe(true);
  expect(problems.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^read\.deny: '\[' names no file/),
    expect.stringMatching(/^read\.deny: '\.\.\/\*\*' names no file/),
    expect.stringMatching(/limits\.calls: 0 stops every read/),
    expect.stringMatching(/^\.scouts\.json: ignore: '\.\/a' names no file/),
  ]);
});

test.each(["nope", "limits.nope", "read.deny.x", ""])("what is no setting cannot be said no more: %j", async (name) => {
  const { scouts } = setting();
  expect(await scouts("config", "unset", name)).toMatchObject({
    code: exitCodes.usage,
    stdout: "",
    stderr: expect.stringContaining("(setting_unknown)"),
  });
});

test.each(["limits.calls", "read", "read.deny", "artifacts.perTool.fetch", "artifacts.templates.list", "otherWrites"])(
  "what is a setting can be said no more, whether or not it was said: %s",
  async (name) => {
    const { scouts } = setting();
    expect(await scouts("config", "unset", name)).toMatchObject({ code: 0, stderr: "" });
  },
);

test("a person can ask for more of what is spent, and a yes gives it", async () => {
  const { root, scouts } = setting();
  writeFileSync(path.join(root, "a.txt"), "a\n");
  await scouts("config", "set", "limits.bytesRead", "1");
  await scouts("config", "set", "limits.whenSpent", "ask");
  expect(await scouts("files", "read", "a.txt", "--yes")).toMatchObject({ code: 0 });
});

test("tags and ignored files are settings", async () => {
  const { root, scouts, json } = setting();
  mkdirSync(path.join(root, "plans"));
  for (const name of ["plans/a.md", "b.log", "c.pem"]) writeFileSync(path.join(root, name), "needle\n");
  await scouts("config", "set", "sensitivity.secret", "plans/**");
  await scouts("config", "set", "sensitivity.normal", "c.pem");
  await scouts("config", "set", "ignore", "*.log");
  const { files, notes } = await json("files", "list");
  expect(
    files.map(({ path: name, sensitivity }: { path: string; sensitivity: string }) => [name, sensitivity]),
  ).toEqual([
    ["c.pem", "normal"],
    ["plans/a.md", "secret"],
  ]);
  expect(notes.join(" ")).toContain("1 file is left out because the configuration says so");
  const found = await json("files", "grep", "needle");
  expect(found.matches.map(({ path: name }: { path: string }) => name)).toEqual(["c.pem"]);
  expect(await scouts("files", "read", "b.log")).toMatchObject({ code: 0 });
  expect(await scouts("files", "read", "plans/a.md")).toMatchObject({
    stderr: expect.stringContaining("(approval_refused)"),
  });
});

test("a setting is changed or refused as a whole, and two commands at once both count", async () => {
  const { data, file, scouts, json } = setting();
  expect(await scouts("config", "set", "limits.cals", "5")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("(setting_unknown)"),
  });
  expect(await scouts("config", "set", "limits.calls", "many")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("(setting_invalid)"),
  });
  expect(await scouts("config", "set", "artifacts.templates.context", "{{#a}}")).toMatchObject({ code: 2 });
  expect(await scouts("config", "set", "limits.calls", "5", "--project", "none")).toMatchObject({ code: 3 });
  expect(() => readFileSync(file)).toThrow();
  await Promise.all([scouts("config", "set", "limits.calls", "5"), scouts("config", "set", "limits.writes", "6")]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ limits: { calls: 5, writes: 6 } });
  await scouts("config", "unset", "limits.calls");
  await scouts("config", "unset", "limits.writes");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({});
  writeFileSync(file, '{"read":{"denny":[]},"limits":{"calls":-1}}');
  const problems = await json("config", "check");
  expect(problems.map(({ what }: { what: string }) => what).join("; ")).toMatch(/read: .*denny.*limits\.calls/);
  expect(await scouts("files", "list")).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("(config_unreadable)"),
  });
  expect(await scouts("config", "set", "limits.calls", "5")).toMatchObject({ code: 4 });
  writeFileSync(file, "{ no json with a secret");
  expect(JSON.stringify(await json("config", "check"))).not.toContain("secret");
  expect(data).not.toBe("");
});

test("what is said of a folder holds under every name of it", () => {
  const { data, root, file } = setting();
  const link = path.join(temporaryFolder(), "link");
  symlinkSync(root, link);
  writeFileSync(file, JSON.stringify({ otherWrites: "deny", projects: { [link]: { otherWrites: "allow" } } }));
  const said = (place: string) => personalPlaces(readPersonalConfig(data), place).map(({ otherWrites }) => otherWrites);
  expect([said(root), said(link), said("/elsewhere")]).toEqual([["allow", "deny"], ["allow", "deny"], ["deny"]]);
});

test("settings that an editor saved behind a byte order mark are read", async () => {
  const { root, file, scouts, json } = setting();
  await scouts("config", "set", "limits.calls", "500");
  writeFileSync(file, `\ufeff${readFileSync(file, "utf8")}`);
  writeFileSync(path.join(root, ".scouts.json"), `\ufeff${JSON.stringify({ read: { deny: ["plans/**"] } })}`);
  const { settings } = await json("config", "show", "--project", "Garden");
  expect(counting(settings)).toMatchObject({ "limits.calls": [500, "person"] });
  expect((await scouts("config", "check")).code).toBe(exitCodes.done);
});

test("a path out of the project, and a folder that is gone, are told in words and not by codes of the program", async () => {
  const { root, scouts } = setting();
  expect(await scouts("config", "explain", "../x", "--project", "Garden")).toMatchObject({
    stderr: 'scouts: "../x": The path leads out of the project. (outside_root)\n',
  });
  rmSync(root, { recursive: true });
  expect((await scouts("config", "check")).stdout).toBe(`${root}: no such file or directory\n`);
});
