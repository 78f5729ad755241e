import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { mergedParts } from "../../device/access/edits/three-way-merge.ts";
import { contentHash } from "../../device/files/content-hash.ts";
import { pdfWith } from "../device/scanner/documents.ts";
import { quick } from "../rounds.ts";
import { type ProjectHome, startProject } from "./project-home.ts";

const hashOf = (text: string) => contentHash(Buffer.from(text));
const textIn = z.object({ text: z.string(), hash: z.string(), redactions: z.number() });

/** Requests of an editor about one file. */
function editing({ home, id, token }: ProjectHome, path: string) {
  const ask = async (what: string, body: object) => {
    const answer = await home.ask("POST", `/api/edits/${id}/${what}`, { token, body: { path, ...body } });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  return {
    text: async (more = {}) => ask("text", more),
    save: (text: string, baseHash: string | null, more = {}) => ask("save", { text, baseHash, ...more }),
    merge: (base: string, mine: string, more = {}) => ask("merge", { base, mine, ...more }),
  };
}

describe("a file, edited in the console", () => {
  it("is saved over what it was made from, in its own line ends and encoding, as a version of the person's", async () => {
    const project = await startProject({ "a.md": Buffer.from("caf\u00e9\r\ntwo\r\n", "latin1") });
    const file = editing(project, "a.md");
    const { text, hash } = textIn.parse((await file.text()).body);
    expect(text).toBe("café\ntwo\n");
    expect(await file.save("café\nmore\ntwo\n", hash)).toMatchObject({
      status: 200,
      body: { versionId: expect.stringMatching(/^ver_/) },
    });
    const onDisk = readFileSync(join(project.folder.root, "a.md"));
    expect(onDisk.equals(Buffer.from("caf\u00e9\r\nmore\r\ntwo\r\n", "latin1"))).toBe(true);
    const versions = await project.about(`/files/${project.numberOf("a.md")}/versions`, {});
    expect(versions.body).toMatchObject({ versions: [{ caller: "person", tool: "write_file" }, {}] });
    // Its answer was lost, and it is sent again.
    expect(await file.save("café\nmore\ntwo\n", hash)).toMatchObject({ status: 200, body: { versionId: null } });
  });

  it.each([
    ["line feeds among CRLF", "one\r\ntwo\nthree\r\n", ["two", "2"], "one\r\n2\nthree\r\n"],
    ["CRLF among line feeds", "one\ntwo\r\nthree\n", ["two", "2"], "one\n2\r\nthree\n"],
    ["a return within a line", "10 %\r20 %\ndone\nend\n", ["end", "END"], "10 %\r20 %\ndone\nEND\n"],
    ["two returns at each line's end", "one\r\r\ntwo\r\r\n", ["two", "2"], "one\r\r\n2\r\n\r\n"],
    ["a line of such a text", "10 %\r20 %\ndone\n", ["10", "11"], "11 %\n20 %\ndone\n"],
  ])("keeps the line ends of every line that was not changed: %s", async (_, before, [from = "", to = ""], after) => {
    const project = await startProject({ "a.log": before });
    const file = editing(project, "a.log");
    const { text, hash } = textIn.parse((await file.text()).body);
    expect((await file.save(text.replace(from, to), hash)).status).toBe(200);
    expect(readFileSync(join(project.folder.root, "a.log"), "utf8")).toBe(after);
  });

  it("keeps the credentials of lines that are given back as they were shown, also after a restart of what shows them", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const project = await startProject({ "a.md": `first\ntoken: ${secret}\nlast\n` });
    const file = editing(project, "a.md");
    const { text, hash, redactions } = textIn.parse((await file.text()).body);
    expect(redactions).toBe(1);
    expect(text).not.toContain(secret);
    expect((await file.save(text.replace("first", "1st"), hash)).status).toBe(200);
    expect(readFileSync(join(project.folder.root, "a.md"), "utf8")).toBe(`1st\ntoken: ${secret}\nlast\n`);
    const moved = await file.save(`${text}${text}`, textIn.parse((await file.text()).body).hash);
    expect(moved).toMatchObject({ status: 409, body: { error: { code: "file_redaction_sentinel" } } });
  });

  it("is refused with the words for it, and nothing is written, when it is another, gone, denied or no text", async () => {
    const project = await startProject({ "a.md": "one\n", "b.md": "b\n", "c.pdf": pdfWith("Words") });
    const { folder } = project;
    const file = editing(project, "a.md");
    const hash = hashOf("one\n");
    writeFileSync(join(folder.root, "a.md"), "outside\n");
    expect(await file.save("mine\n", hash)).toMatchObject({ status: 409, body: { error: { code: "file_conflict" } } });
    expect(await file.save("mine\n", null)).toMatchObject({
      status: 409,
      body: { error: { code: "file_already_exists" } },
    });
    expect(readFileSync(join(folder.root, "a.md"), "utf8")).toBe("outside\n");
    expect(await editing(project, "c.pdf").text()).toMatchObject({
      status: 409,
      body: { error: { code: "file_binary_file" } },
    });
    folder.write(".scouts.json", JSON.stringify({ read: { deny: ["a.md"] }, write: { ask: ["b.md"] } }));
    expect(await file.save("mine\n", hashOf("outside\n"))).toMatchObject({
      status: 403,
      body: { error: { code: "file_denied" } },
    });
    const grown = editing(project, "b.md");
    const big = hashOf("b\n");
    expect(await grown.save("mine\n", big)).toMatchObject({
      status: 403,
      body: { error: { code: "file_approval_refused" } },
    });
    expect((await grown.save("mine\n", big, { approves: true })).status).toBe(200);
    rmSync(join(folder.root, "b.md"));
    expect(await grown.save("again\n", hashOf("mine\n"))).toMatchObject({
      status: 409,
      body: { error: { code: "file_conflict" } },
    });
    expect(await grown.merge("mine\n", "again\n")).toMatchObject({
      status: 200,
      body: { hash: null, parts: [{ mine: "again\n" }] },
    });
    expect((await grown.save("again\n", null, { approves: true })).status).toBe(200);
    project.home.store.projects.unlink(project.id);
    expect(await grown.save("more\n", hashOf("again\n"))).toMatchObject({
      status: 404,
      body: { error: { code: "folder_not_linked" } },
    });
  });

  it.skipIf(quick)(
    "is not opened when it has grown too long, and what was typed is still saved over what was shown",
    async () => {
      const long = "x\n".repeat(600_000);
      const project = await startProject({ "a.md": long });
      const file = editing(project, "a.md");
      expect(await file.text()).toMatchObject({ status: 409, body: { error: { code: "file_too_large" } } });
      expect((await file.save("mine\n", hashOf(long))).status).toBe(200);
    },
  );

  it("is put together place by place with what it has become", async () => {
    const base = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
    const project = await startProject({ "a.md": base });
    const theirs = base.replace("two", "2 theirs").replace("seven", "7 theirs");
    writeFileSync(join(project.folder.root, "a.md"), theirs);
    const mine = base.replace("two", "2 mine").replace("five", "5 mine");
    const { body } = await editing(project, "a.md").merge(base, mine);
    const { parts, hash } = z
      .object({ hash: z.string(), parts: z.array(z.looseObject({ from: z.string() })) })
      .parse(body);
    expect(hash).toBe(hashOf(theirs));
    expect(parts.map(({ from }) => from)).toEqual(["nobody", "conflict", "nobody", "mine", "nobody", "theirs"]);
    expect(parts[1]).toMatchObject({ base: "two\n", mine: "2 mine\n", theirs: "2 theirs\n" });
  });

  it("loses no line of any of the three texts in its parts, whatever they are", () => {
    let state = 7;
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    const changed = (lines: readonly string[]) =>
      lines.flatMap(
        (line) => [[line], [line], [line], [], [`${line}${random(9)}`], [line, `new ${random(9)}`]][random(6)] ?? [],
      );
    for (let round = 0; round < 300; round++) {
      const lines = Array.from({ length: random(12) }, () => `line ${random(5)}`);
      const [base, mine, theirs] = [lines, changed(lines), changed(lines)].map((each) =>
        each.map((line) => `${line}\n`).join(""),
      );
      const parts = mergedParts(base ?? "", mine ?? "", theirs ?? "");
      for (const [side, text] of [
        ["base", base],
        ["mine", mine],
        ["theirs", theirs],
      ] as const)
        expect(parts.map((part) => part[side]).join("")).toBe(text);
    }
  });
});

describe("what was typed and not saved", () => {
  const id = "A".repeat(22);
  const sealed = Buffer.from("no one here can read this").toString("base64");

  it("is kept by the device as the tab has encrypted it, the later of two, until it is let go of", async () => {
    const { home, token } = await startProject({});
    const ask = (method: string, body?: object, path = `/${id}`) =>
      home.ask(method, `/api/edits/drafts${path}`, { token, ...(body && { body }) });
    const list = async () =>
      (await (await ask("GET", undefined, "")).json()) as { key: string; drafts: unknown[]; damaged: unknown[] };
    const { key } = await list();
    expect(Buffer.from(key, "base64")).toHaveLength(32);
    expect((await ask("PUT", { sealed, at: 2 })).status).toBe(200);
    expect((await ask("PUT", { sealed: "AAAA", at: 1 })).status).toBe(200);
    expect(await list()).toEqual({ key, drafts: [{ id, sealed, at: 2 }], damaged: [] });
    const folder = join(home.store.dataFolder, "device", "console", "drafts");
    expect(readdirSync(folder)).toEqual([`${id}.json`]);
    expect(statSync(join(folder, `${id}.json`)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "..", "drafts.key")).mode & 0o777).toBe(0o600);
    // One that is damaged is told of until a person lets go of it.
    const other = "B".repeat(22);
    writeFileSync(join(folder, `${other}.json`), "{");
    expect(await list()).toMatchObject({ drafts: [{ id }], damaged: [{ id: other, at: expect.any(Number) }] });
    expect((await ask("DELETE")).status).toBe(200);
    expect(await list()).toMatchObject({ drafts: [], damaged: [{ id: other }] });
    expect((await ask("DELETE", undefined, `/${other}`)).status).toBe(200);
    expect(await list()).toMatchObject({ drafts: [], damaged: [] });
    // Why it cannot be kept: not every failure of a disk is a full one.
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "a file where the folder should be");
    expect(await (await ask("PUT", { sealed, at: 3 })).json()).toMatchObject({ error: { code: "folder_unusable" } });
    rmSync(folder);
    mkdirSync(folder);
    for (let draft = 0; draft < 500; draft++)
      writeFileSync(join(folder, `${String(draft).padStart(22, "0")}.json`), "{");
    expect(await (await ask("PUT", { sealed, at: 3 })).json()).toMatchObject({ error: { code: "drafts_many" } });
    for (const path of ["/..%2f..%2fx", "/short"]) expect((await ask("PUT", { sealed, at: 1 }, path)).status).toBe(400);
    expect((await home.ask("GET", "/api/edits/drafts")).status).toBe(401);
  });
});
