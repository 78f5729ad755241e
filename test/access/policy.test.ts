import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import type { ApprovalQuestion } from "../../device/access/policy/approver.ts";
import { decide, type Operation, sensitivityIn } from "../../device/access/policy/decide.ts";
import { isProtectedFromWriting } from "../../device/access/policy/protected.ts";
import { accessRules, policyFile } from "../../device/access/policy/rules.ts";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { replacing } from "./in-memory-setting.ts";
import { setting, temporaryFolder } from "./setting.ts";

const verdict = (operation: Operation, path: string, rules: z.input<typeof accessRules> = {}, foldsCase = false) =>
  decide(operation, path, { rules: { personal: [accessRules.parse(rules)] }, foldsCase }).verdict;

describe("one function decides", () => {
  test.each<[Operation, string, "allow" | "ask" | "deny"]>([
    ["read", "src/main.ts", "allow"],
    ["write", "src/main.ts", "allow"],
    ["read", ".env", "ask"],
    ["read", "deploy/.env.production", "ask"],
    ["read", ".env.example", "allow"],
    ["write", "keys/server.pem", "ask"],
    ["read", "data/people.sqlite", "ask"],
    ["write", ".github/workflows/ci.yml", "ask"],
    ["read", ".github/workflows/ci.yml", "allow"],
    ["write", policyFile, "deny"],
    ["write", "packages/a/.git/hooks/pre-commit", "deny"],
    ["write", ".claude/settings.json", "deny"],
    ["read", ".scouts/device/device.sqlite", "deny"],
  ])("%s %s: %s", (operation, path, expected) => expect(verdict(operation, path)).toBe(expected));

  test("deny before ask before allow, reading and writing apart", () => {
    const rules = { read: { deny: ["a/**"], ask: ["**/b"], allow: ["*"] }, write: { allow: [".env"] } };
    expect(verdict("read", "a/b", rules)).toBe("deny");
    expect(verdict("read", "c/b", rules)).toBe("ask");
    expect(verdict("read", ".env", rules)).toBe("allow");
    expect(verdict("write", ".env", rules)).toBe("allow");
    expect(verdict("write", "a/b", rules)).toBe("allow");
  });

  test("patterns fold case where the disk does (CVE-2025-59944)", () => {
    const rules = { read: { deny: ["secret/**"] } };
    expect([verdict("read", "SECRET/x", rules, true), verdict("read", "SECRET/x", rules)]).toEqual(["deny", "allow"]);
  });

  test("what comes with a project makes access stricter, never looser", () => {
    const personal = accessRules.parse({ read: { deny: ["private/**"] } });
    const project = accessRules.parse({
      read: { allow: ["private/**", ".env"], deny: ["more/**"] },
      otherWrites: "ask",
    });
    const context = { rules: { personal: [personal], project }, foldsCase: false };
    const verdicts = ["private/x", ".env", "more/x"].map((path) => decide("read", path, context).verdict);
    expect([...verdicts, decide("write", "x", context).verdict]).toEqual(["deny", "ask", "deny", "ask"]);
  });

  test("an exception in a project's rules takes nothing out of what the person denies", () => {
    const personal = accessRules.parse({ read: { deny: ["private/**"], ask: ["letters/**"] } });
    const project = accessRules.parse({
      read: { deny: ["!private/**", "!letters/**"], ask: ["!letters/**"] },
      ignore: ["!**"],
      sensitivity: { secret: ["!.env"], normal: [".env"] },
    });
    const context = { rules: { personal: [personal], project }, foldsCase: false };
    const verdicts = ["private/x", "letters/x", ".env"].map((path) => decide("read", path, context).verdict);
    expect(verdicts).toEqual(["deny", "ask", "deny"]);
  });

  test("what the person says for one project counts more than what they say for all", () => {
    const everywhere = accessRules.parse({ read: { deny: ["customers/**"] }, otherWrites: "deny" });
    const here = accessRules.parse({ read: { allow: ["customers/ada.md"] }, otherWrites: "allow" });
    const context = { rules: { personal: [here, everywhere] }, foldsCase: false };
    const verdicts = ["customers/ada.md", "customers/bob.md"].map((path) => decide("read", path, context).verdict);
    expect([...verdicts, decide("write", "a.txt", context).verdict]).toEqual(["allow", "deny", "allow"]);
    const project = accessRules.parse({ read: { deny: ["customers/**"] }, otherWrites: "ask" });
    const within = { ...context, rules: { ...context.rules, project } };
    const narrowed = [decide("read", "customers/ada.md", within).verdict, decide("write", "a.txt", within).verdict];
    expect(narrowed).toEqual(["deny", "ask"]);
  });

  test.each([
    ["the person's tag", { secret: ["plans/**"] }, undefined, "plans/a.md", "secret"],
    ["no tag", {}, undefined, "plans/a.md", "normal"],
    ["a tag that says a file is harmless", { normal: ["shared.pem"] }, undefined, "shared.pem", "normal"],
    ["that tag, of a project", {}, { normal: ["shared.pem"] }, "shared.pem", "secret"],
    ["a project's own tag", { normal: ["a.md"] }, { sensitive: ["a.md"] }, "a.md", "sensitive"],
  ] as const)("how careful to be with a file: %s", (_, own, projects, path, expected) => {
    const project = projects && accessRules.parse({ sensitivity: projects });
    const rules = { personal: [accessRules.parse({ sensitivity: own })], project };
    expect(sensitivityIn(path, { rules, foldsCase: false })).toBe(expected);
    const verdict = decide("read", path, { rules, foldsCase: false }).verdict;
    expect(verdict).toBe(expected === "normal" ? "allow" : "ask");
  });

  test.each([
    ".GIT/config",
    ".git /config",
    ".git./config",
    "GIT~1/config",
    ".g\u200cit/config",
    ".gi\u0074::$INDEX_ALLOCATION/x",
    ".SCOUTS.json",
    "x/.Mcp.json",
  ])("protected in any spelling a disk may take for it: %j", (path) => expect(isProtectedFromWriting(path)).toBe(true));

  test.each([".gitignore", ".github/x", "git/config", "a.git/x", ".gitmodules", "docs/.gitkeep"])(
    "not protected for looking alike: %s",
    (path) => expect(isProtectedFromWriting(path)).toBe(false),
  );
});

describe("the policy holds for every tool", () => {
  test("a link to a secret file is judged by the file (CVE-2026-25724)", async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, ".env"), "NAME=value\n");
    symlinkSync(".env", join(root, "notes.txt"));
    const { access, session } = await setting({}, { files: new FsProjectFiles(root) });
    const outcome = await access.call(session, "read_file", { path: "notes.txt" });
    expect(outcome).toMatchObject({ ok: false, error: { code: "approval_refused" } });
  });

  test("a link out of the project is refused by reading, writing, deleting", async () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(outside, "f"), "x\n");
    symlinkSync(outside, join(root, "out"));
    const { access, session, patch } = await setting({}, { files: new FsProjectFiles(root) });
    expect(await access.call(session, "read_file", { path: "out/f" })).toMatchObject({
      error: { code: "outside_root" },
    });
    expect(await access.call(session, "write_file", { path: "out/new", content: "y" })).toMatchObject({
      error: { code: "outside_root" },
    });
    expect(await patch("*** Begin Patch\n*** Delete File: out/f\n*** End Patch")).toMatchObject({
      code: "outside_root",
    });
  });

  test("a link is not deleted or moved in place of its file", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "d"));
    writeFileSync(join(root, "d/f"), "x\n");
    symlinkSync("d/f", join(root, "link"));
    const { patch, text } = await setting({}, { files: new FsProjectFiles(root) });
    expect(await patch("*** Begin Patch\n*** Delete File: link\n*** End Patch")).toMatchObject({ code: "not_a_file" });
    expect(await text("d/f")).toBe("x\n");
  });

  test("files of rules cannot be made, also where there are none yet (CVE-2026-25725)", async () => {
    const { access, session, text } = await setting({ "a.txt": "a\n" });
    for (const path of [policyFile, ".git/hooks/post-checkout", ".mcp.json"]) {
      const outcome = await access.call(session, "write_file", { path, content: "{}" });
      expect(outcome).toMatchObject({ ok: false, error: { code: "denied" } });
      expect(await text(path)).toBeUndefined();
    }
  });

  test("results about many files leave out what may not be shown, and say so", async () => {
    const { access, session } = await setting({
      "a.txt": "needle\n",
      ".env": "needle=1\n",
      "b/secret.txt": "needle\n",
      [policyFile]: '{"read":{"deny":["b/**"]}}',
    });
    const found = await access.call(session, "grep_files", { pattern: "needle" });
    expect(found).toMatchObject({ ok: true, result: { matches: [{ path: "a.txt" }] } });
    expect(JSON.stringify(found)).toContain("2 files of the project are not searched");
    const listed = await access.call(session, "list_files", {});
    expect(JSON.stringify(listed)).not.toContain("b/secret.txt");
    expect(JSON.stringify(listed)).toContain("1 file is left out because a rule denies reading");
  });

  test("the refusal of an edit does not show what reading would not have", async () => {
    const { patch } = await setting({ ".env": "PASSWORD_OF_ADA=lovelace\n" });
    const result = await patch("*** Begin Patch\n*** Update File: .env\n@@\n-absent\n+x\n*** End Patch");
    expect(result.success).toBe(false);
    expect(JSON.stringify(result)).not.toContain("lovelace");
  });

  test("rules that cannot be understood allow nothing", async () => {
    const { access, session } = await setting({ "a.txt": "a\n", [policyFile]: "{ nonsense" });
    expect(await access.call(session, "read_file", { path: "a.txt" })).toMatchObject({ error: { code: "denied" } });
  });

  test("rules are read again when they change", async () => {
    const { access, session, files } = await setting({ "a.txt": "a\n" });
    await files.write(policyFile, Buffer.from('{"read":{"deny":["a.txt"]}}'));
    expect(await access.call(session, "read_file", { path: "a.txt" })).toMatchObject({ error: { code: "denied" } });
  });

  test("a change that a person approved is the one that is made, or none is", async () => {
    const { access, session, files, text } = await setting(
      { ".github/workflows/ci.yml": "a\nb\nc\nd\ne\nf\ng\n" },
      {
        approver: {
          approve: async () => {
            await files.write(".github/workflows/ci.yml", Buffer.from("a\nb\nc\nd\ne\nf\nG\n"));
            return true;
          },
        },
      },
    );
    await access.call(session, "read_file", { path: ".github/workflows/ci.yml" });
    const args = { patch: replacing(".github/workflows/ci.yml", "a", "A") };
    expect(await access.call(session, "apply_patch", args)).toMatchObject({ error: { code: "conflict" } });
    expect(await text(".github/workflows/ci.yml")).toBe("a\nb\nc\nd\ne\nf\nG\n");
  });

  test("a change is asked about each time, with the difference, and a no is a no", async () => {
    const questions: ApprovalQuestion[] = [];
    let answer = false;
    const approver = {
      approve: async (question: ApprovalQuestion) => {
        questions.push(question);
        return answer;
      },
    };
    const { access, session, text } = await setting({ ".github/workflows/ci.yml": "a\n" }, { approver });
    await access.call(session, "read_file", { path: ".github/workflows/ci.yml" });
    const write = () => access.call(session, "write_file", { path: ".github/workflows/ci.yml", content: "b\n" });
    expect(await write()).toMatchObject({ error: { code: "approval_refused" } });
    expect(await text(".github/workflows/ci.yml")).toBe("a\n");
    answer = true;
    expect(await write()).toMatchObject({ ok: true });
    expect(questions).toHaveLength(2);
    expect(questions[1]).toMatchObject({
      tool: "write_file",
      caller: "test-model",
      paths: [".github/workflows/ci.yml"],
    });
    expect(questions[1]?.diff).toContain("+b");
    const decisions = [...access.audit.records()].map(({ decision }) => decision);
    expect(decisions).toEqual(["allow", "refused", "approved"]);
  });

  test("on a disk that folds case a rule cannot be walked around by spelling", async () => {
    const files = new InMemoryProjectFiles(
      { "Secret/x.txt": "x\n" },
      { ...systemTimeAndIds, folding: { foldsCase: true, foldsUnicode: false } },
    );
    const rules = [accessRules.parse({ read: { deny: ["secret/**"] } })];
    const { access, session } = await setting({}, { files, rules });
    expect(await access.call(session, "read_file", { path: "SECRET/X.TXT" })).toMatchObject({
      error: { code: "denied" },
    });
  });
});
