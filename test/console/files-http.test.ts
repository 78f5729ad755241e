import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AuditTrail } from "../../device/access/audit/trail.ts";
import { openProjectDatabase } from "../../device/access/open-access.ts";
import { makeFileToken, revokeFileToken } from "../../device/access/tokens/file-tokens.ts";
import { contentHash } from "../../device/files/content-hash.ts";
import { type HttpProgram, httpProgram } from "./http-program.ts";
import { changedByAgent, type ProjectHome, startProject } from "./project-home.ts";

const hashOf = (text: string) => contentHash(Buffer.from(text));
const tag = (text: string) => `"${hashOf(text)}"`;
const onDisk = ({ folder }: ProjectHome, path: string) => readFileSync(join(folder.root, path), "utf8");

async function withProgram(files: Record<string, string>, options = {}): Promise<ProjectHome & { http: HttpProgram }> {
  const project = await startProject(files);
  return { ...project, http: httpProgram(project, options) };
}

/** Every record of a folder's trail. */
function trailOf({ home, folder }: ProjectHome) {
  const database = openProjectDatabase(home.store.dataFolder, folder.root);
  try {
    const trail = new AuditTrail(database.store, Date.now);
    expect(trail.verify().ok).toBe(true);
    return [...trail.records()];
  } finally {
    database.close();
  }
}

describe("files over HTTP", () => {
  it("lists, reads, writes, patches, deletes, brings back and tells history, by the ETag each time", async () => {
    const project = await withProgram({ "notes/a.md": "one\ntwo\n", "b.md": "b\n" });
    const { http } = project;
    expect(await http.get("/v1/files", "")).toMatchObject({
      status: 200,
      body: { projects: [{ id: project.id, right: "write" }] },
    });
    expect((await http.get("?path=notes")).body).toMatchObject({ files: [{ path: "notes/a.md" }] });
    const read = await http.get("/content/notes/a.md");
    expect(read).toMatchObject({ status: 200, etag: tag("one\ntwo\n"), body: { text: "one\ntwo\n", form: "whole" } });
    expect(await http.send("GET", "/content/notes/a.md", { headers: { "if-none-match": read.etag } })).toMatchObject({
      status: 304,
    });
    const written = await http.put("/content/notes/a.md", "one\n2\n", { "if-match": read.etag });
    expect(written).toMatchObject({ status: 200, etag: tag("one\n2\n"), body: { hash: hashOf("one\n2\n") } });
    const patched = await http.send("PATCH", "/content/notes/a.md", {
      headers: { "if-match": written.etag, "content-type": "text/x-diff" },
      body: "@@ -1,2 +1,2 @@\n-one\n+1\n 2\n",
    });
    expect(patched).toMatchObject({ status: 200, etag: tag("1\n2\n") });
    expect(onDisk(project, "notes/a.md")).toBe("1\n2\n");
    const made = await http.put("/content/new/c%20d.md", "new\n", { "if-none-match": "*" });
    expect(made).toMatchObject({ status: 200, body: { path: "new/c d.md" } });
    const { body } = await http.get("/history/notes/a.md");
    const { versions } = body as { versions: { id: string; hash: string; caller: string }[] };
    expect(versions.map(({ hash }) => hash)).toEqual(["1\n2\n", "one\n2\n", "one\ntwo\n"].map(hashOf));
    expect(versions[0]?.caller).toBe("http:editor");
    expect((await http.get(`/diff/notes/a.md?v1=${versions[1]?.id}`)).body).toMatchObject({
      diff: expect.stringContaining("-one"),
    });
    expect(await http.send("DELETE", "/content/b.md", { headers: { "if-match": tag("b\n") } })).toMatchObject({
      status: 200,
      body: { hash: null },
    });
    const past = ((await http.get("/history/b.md")).body as typeof body & { versions: { id: string }[] }).versions;
    expect(
      await http.send("POST", "/rollback/b.md", {
        headers: { "if-none-match": "*", "content-type": "application/json" },
        body: JSON.stringify({ versionId: past[1]?.id }),
      }),
    ).toMatchObject({ status: 200, etag: tag("b\n") });
    expect((await http.get("/excerpt/b.md")).body).toMatchObject({ text: "b\n" });
    expect((await http.get("/summary/b.md")).status).toBe(200);
    expect((await http.post("/grep", { pattern: "new" })).body).toMatchObject({
      matches: [{ path: "new/c d.md", line: 1 }],
    });
    expect((await http.get("/content/b.md?startLine=1&endLine=1")).body).toMatchObject({ text: "b\n" });
    const text = await http.send("GET", "/content/b.md", { headers: { accept: "text/plain" } });
    expect(text.body).toBe("b\n");
  });

  it.for([
    ["text/plain", true],
    ["text/plain;charset=utf-8, application/json;q=0.5", true],
    ["application/json;q=0.1, text/*", true],
    ["text/plain;q=0, application/json", false],
    ["text/plain;q=0.5, application/json", false],
    ["application/json, text/plain, */*", false],
    ["*/*", false],
    ["image/png", false],
  ] as const)("weighs the forms of a text that a program takes: %s", async ([accept, isPlain]) => {
    const { http } = await withProgram({ "a.md": "one\n" });
    const { body } = await http.send("GET", "/content/a.md", { headers: { accept } });
    expect(body).toEqual(isPlain ? "one\n" : expect.objectContaining({ text: "one\n" }));
  });

  it("changes nothing without a condition (428), nor when the file is another by now (412), and says what it is called then", async () => {
    const project = await withProgram({ "a.md": "one\n" });
    const { http } = project;
    const conditions: [Record<string, string>, number][] = [
      [{}, 428],
      [{ "if-match": "*" }, 428],
      [{ "if-match": tag("one\n"), "if-none-match": "*" }, 428],
      [{ "if-none-match": tag("one\n") }, 428],
      [{ "if-none-match": "*" }, 412],
      [{ "if-match": tag("other\n") }, 412],
      [{ "if-match": `W/${tag("one\n")}` }, 412],
      [{ "if-match": '"abc"' }, 412],
    ];
    for (const [headers, status] of conditions) {
      const answer = await http.put("/content/a.md", "mine\n", headers);
      expect(answer.status, JSON.stringify(headers)).toBe(status);
      if (status === 412)
        expect(answer).toMatchObject({ etag: tag("one\n"), body: { error: { currentHash: hashOf("one\n") } } });
    }
    const patch = {
      headers: { "if-match": tag("x\n"), "content-type": "text/x-diff" },
      body: "@@ -1 +1 @@\n-one\n+mine\n",
    };
    expect((await http.send("PATCH", "/content/a.md", patch)).status).toBe(412);
    expect((await http.send("DELETE", "/content/a.md", { headers: { "if-match": tag("x\n") } })).status).toBe(412);
    expect((await http.send("DELETE", "/content/a.md", {})).status).toBe(428);
    expect(
      (
        await http.send("POST", "/rollback/a.md", {
          headers: { "if-none-match": "*", "content-type": "application/json" },
          body: '{"versionId":"x"}',
        })
      ).status,
    ).toBe(400);
    expect(await http.put("/content/gone.md", "mine\n", { "if-match": tag("one\n") })).toMatchObject({
      status: 412,
      body: { error: { currentHash: null } },
    });
    expect(onDisk(project, "a.md")).toBe("one\n");
  });

  it("says yes once more when a write is sent again because its answer was lost, and writes it once", async () => {
    const { http, ...project } = await withProgram({ "a.md": "one\n" });
    const write = () => http.put("/content/a.md", "two\n", { "if-match": tag("one\n") });
    expect((await write()).status).toBe(200);
    expect(await write()).toMatchObject({ status: 200, etag: tag("two\n"), body: { versionId: null } });
    const changes = trailOf({ ...project }).filter(({ outcome, tool }) => tool === "write_file" && outcome === "ok");
    expect(changes).toHaveLength(1);

    const make = () => http.put("/content/new.md", "new\n", { "if-none-match": "*" });
    expect((await make()).status).toBe(200);
    expect(await make()).toMatchObject({ status: 200, etag: tag("new\n"), body: { path: "new.md", versionId: null } });
    expect((await http.put("/content/new.md", "other\n", { "if-none-match": "*" })).status).toBe(412);
    expect(
      trailOf({ ...project }).filter(({ outcome, tool }) => tool === "write_file" && outcome === "ok"),
    ).toHaveLength(2);
  });

  it("lets a file with a credential be given back as it was shown: the credential stays, and its place cannot be moved", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { http, ...project } = await withProgram({ "a.ini": `first\r\ntoken: ${secret}\r\nlast\r\n` });
    const { body, etag } = await http.get("/content/a.ini");
    const { text } = body as { text: string };
    expect(text).not.toContain(secret);
    expect(etag).not.toBe(tag(`first\r\ntoken: ${secret}\r\nlast\r\n`));
    const edited = text.replaceAll("\r\n", "\n").replace("last", "more\nlast");
    expect(await http.put("/content/a.ini", edited, { "if-match": etag })).toMatchObject({ status: 200 });
    expect(onDisk({ ...project }, "a.ini")).toBe(`first\r\ntoken: ${secret}\r\nmore\r\nlast\r\n`);
    const again = await http.get("/content/a.ini");
    const copied = `${text}${/⟦.*⟧/.exec(text)?.[0]}\n`;
    expect(await http.put("/content/a.ini", copied, { "if-match": again.etag })).toMatchObject({
      status: 422,
      body: { error: { code: "redaction_sentinel" } },
    });
  });

  it("refuses a patch that is about more than the file its condition speaks of", async () => {
    const { http, ...project } = await withProgram({ "a.md": "one\n", "b.md": "b\n" });
    const v4a = (...body: string[]) => ["*** Begin Patch", ...body, "*** End Patch", ""].join("\n");
    for (const body of [
      v4a("*** Update File: a.md", "@@", "-one", "+1", "*** Update File: b.md", "@@", "-b", "+x"),
      v4a("*** Add File: a.md", "+x"),
    ])
      expect([400, 422]).toContain(
        (
          await http.send("PATCH", "/content/a.md", {
            headers: { "if-match": tag("one\n"), "content-type": "text/plain" },
            body,
          })
        ).status,
      );
    expect(onDisk({ ...project }, "b.md")).toBe("b\n");
  });

  it("takes no body it cannot know the meaning of, and no path that leads out", async () => {
    const { http } = await withProgram({ "a.md": "one\n" });
    const match = { "if-match": tag("one\n") };
    expect(
      (
        await http.send("PUT", "/content/a.md", {
          headers: { ...match, "content-type": "application/json" },
          body: "{}",
        })
      ).status,
    ).toBe(415);
    const latin = { headers: { ...match, "content-type": "text/plain" }, body: Buffer.from([0x63, 0xe9]) };
    expect((await http.send("PUT", "/content/a.md", latin)).status).toBe(400);
    for (const path of [
      "/content/%2e%2e%2fb.md",
      "/content/..%5cb.md",
      "/content/%00",
      "/content/%ff",
      "/content/",
      "/content/a.md/x",
      "/nothing/a.md",
    ])
      expect((await http.get(path)).status, path).toBeGreaterThanOrEqual(400);
    expect((await http.get("/content/%ff")).body).toEqual({
      error: {
        code: "invalid_path",
        message: "That is not a usable path. Escapes in an address are those of UTF-8.",
      },
    });
    expect((await http.get("/content/a.md?fuller=true")).body).toMatchObject({ error: { code: "invalid_arguments" } });
    expect((await http.post("/grep", [])).status).toBe(400);
  });
});

describe("a token", () => {
  it("is a hash on the disk, in a file of its owner's; nobody else's opens anything, a revoked or ended one neither", async () => {
    const { http, home, id } = await withProgram({ "a.md": "one\n" });
    const { dataFolder } = home.store;
    const folder = join(dataFolder, "device", "file-tokens");
    const [file = ""] = readdirSync(folder).filter((name) => name.endsWith(".json"));
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(`${file}${readFileSync(join(folder, file), "utf8")}`).not.toContain(http.token.slice(4, 20));
    expect((await http.get("/content/a.md")).status).toBe(200);
    for (const token of ["", "sft_x", `${http.token}x`, http.token.slice(0, -1), `sft_${"A".repeat(43)}`])
      expect((await http.as(token).get("/content/a.md")).status).toBe(401);
    const ended = makeFileToken(dataFolder, {
      name: "old",
      project: id,
      right: "read",
      backend: "review",
      createdAt: 1,
      endsAt: 2,
    });
    expect((await http.as(ended.token).get("/content/a.md")).status).toBe(401);
    revokeFileToken(dataFolder, "editor");
    expect((await http.get("/content/a.md")).status).toBe(401);
    expect(() => revokeFileToken(dataFolder, "editor")).toThrow(expect.objectContaining({ code: "token_unknown" }));
  });

  it("for reading changes nothing, one for another project opens nothing; a name is given once; a damaged one can be revoked", async () => {
    const project = await withProgram({ "a.md": "one\n" }, { right: "read" });
    const { http, home, id } = project;
    expect((await http.get("/content/a.md")).status).toBe(200);
    const match = { "if-match": tag("one\n") };
    for (const answer of [
      await http.put("/content/a.md", "mine\n", match),
      await http.send("DELETE", "/content/a.md", { headers: match }),
      await http.send("PATCH", "/content/a.md", {
        headers: { ...match, "content-type": "text/plain" },
        body: "@@ -1 +1 @@\n-one\n+1\n",
      }),
    ])
      expect(answer).toMatchObject({ status: 403, body: { error: { code: "denied" } } });
    expect(onDisk(project, "a.md")).toBe("one\n");
    const { dataFolder } = home.store;
    const other = home.store.projects.add("other").id;
    const wanted = {
      name: "elsewhere",
      project: other,
      right: "write" as const,
      backend: "review" as const,
      createdAt: 1,
      endsAt: 9e15,
    };
    const { token } = makeFileToken(dataFolder, { ...wanted, endsAt: Number.MAX_SAFE_INTEGER });
    expect((await http.as(token).get("/content/a.md")).status).toBe(403);
    expect(() => makeFileToken(dataFolder, { ...wanted, name: "Elsewhere", project: id })).toThrow(
      expect.objectContaining({ code: "token_exists" }),
    );
    const folder = join(dataFolder, "device", "file-tokens");
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".json")))
      writeFileSync(join(folder, name), "{");
    expect((await http.as(token).get("/v1/files", "")).status).toBe(401);
    expect(
      revokeFileToken(
        dataFolder,
        readdirSync(folder)
          .find((each) => each.endsWith(".json"))
          ?.slice(0, 12) ?? "",
      ),
    ).toMatchObject({ name: null });
  });

  it("has its calls counted together, whatever request they come in, and everything it does is in the trail by its name", async () => {
    const { http, ...project } = await withProgram({ "a.md": "one\n", "b.md": "b\n" });
    await http.get("/content/a.md");
    await http.put("/content/a.md", "mine\n", { "if-match": tag("other\n") });
    await http.put("/content/a.md", "mine\n", { "if-match": tag("one\n") });
    const mine = trailOf({ ...project }).filter(({ caller }) => caller === "http:editor");
    expect(mine.map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual([
      "read_file ok",
      "write_file conflict",
      "write_file ok",
    ]);
    expect(new Set(mine.map(({ session }) => session)).size).toBe(1);
  });

  it("of a tab works for its person; without one, from another page or by another name of this machine, there is no way in", async () => {
    const { http, home, token } = await withProgram({ "a.md": "one\n" });
    expect(await http.as(token).put("/content/a.md", "mine\n", { "if-match": tag("one\n") })).toMatchObject({
      status: 200,
    });
    for (const headers of [
      { origin: "http://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ])
      expect((await http.send("GET", "/content/a.md", { headers })).status).toBe(403);
    const navigation = { "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect((await http.send("GET", "/content/a.md", { headers: navigation })).status).toBe(403);
    expect(home.problems).toEqual([]);
  });
});

describe("events of files", () => {
  it("tell each change that went through Scouts, whoever made it, from the place a reader names, once", async () => {
    const { http, ...project } = await withProgram({ "a.md": "one\n", ".env": "SECRET=x\n" });
    const first = await http.events();
    const open = await first.next();
    expect(open.event).toBe("open");
    await http.put("/content/a.md", "two\n", { "if-match": tag("one\n") });
    const one = await first.next();
    expect(one).toMatchObject({
      event: "change",
      data: { path: "a.md", hash: hashOf("two\n"), beforeHash: hashOf("one\n"), caller: "http:editor" },
    });
    first.close();
    // Nobody listens, and another process writes.
    await changedByAgent({ ...project }, "a.md", "three\n");
    await http.put("/content/a.md", "four\n", { "if-match": tag("three\n") });
    const second = await http.events({ "last-event-id": one.id });
    expect([await second.next(), await second.next()].map(({ data }) => data["hash"])).toEqual(
      ["three\n", "four\n"].map(hashOf),
    );
    second.close();
    const lost = await http.events({ "last-event-id": "999999" });
    expect((await lost.next()).event).toBe("reset");
    lost.close();
  });

  it("end when the token is revoked", async () => {
    const { http, home } = await withProgram({ "a.md": "one\n" });
    const stream = await http.events();
    await stream.next();
    revokeFileToken(home.store.dataFolder, "editor");
    await expect(stream.next()).rejects.toThrow("ended");
  });
});
