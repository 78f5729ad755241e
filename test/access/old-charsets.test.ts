import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { setting } from "./setting.ts";

/** A text of each old charset, a word of it in the given spelling, and what replaces its second line. */
const texts = [
  ["gb18030", "你好，会议通知\n会议在星期三下午举行，请大家准时参加。\nend\n", "星期三", "会议改到星期四。"],
  ["shift_jis", "こんにちは\n会議は水曜日の午後に行います。\nend\n", "水曜日", "会議は木曜日です。"],
  ["euc-kr", "안녕하세요\n회의는 수요일 오후에 열립니다.\nend\n", "회의", "회의는 목요일입니다."],
  ["windows-1251", "Здравствуйте\nСовещание состоится в среду, после обеда.\nend\n", "Совещание", "Встреча в четверг."],
  ["windows-1252", "Grüße\nDer Preis beträgt 40 € – „netto“.\nend\n", "40 €", "Der Preis beträgt 50 €."],
] as const;

describe("nothing silent: a file is searched as it is shown", () => {
  test.each(texts)("in %s", async (charset, text, word) => {
    const { access, session } = await setting({ "old.txt": iconv.encode(text, charset), "other.txt": "else\n" });
    const line = text.split("\n")[1];
    expect(await access.call(session, "read_file", { path: "old.txt" })).toMatchObject({ result: { text } });
    for (const how of [{}, { regex: true }, { ignoreCase: true }]) {
      const found = await access.call(session, "grep_files", { pattern: word, contextLines: 0, ...how });
      const matches = [{ path: "old.txt", line: 2, text: line }];
      expect(found).toMatchObject({ result: { matches, notes: [] } });
    }
    const plain = await access.call(session, "grep_files", { pattern: "end", contextLines: 0 });
    expect(plain).toMatchObject({ result: { matches: [{ line: 3, text: "end" }] } });
  });

  test.each(["utf-16le", "utf-16be"])("in %s", async (charset) => {
    const bytes = iconv.encode("eins\nGrüße, 会议\n", charset, { addBOM: true });
    const { access, session } = await setting({ "wide.txt": bytes });
    for (const pattern of ["Grüße", "会议"]) {
      const found = await access.call(session, "grep_files", { pattern, contextLines: 0 });
      expect(found).toMatchObject({ result: { matches: [{ line: 2, text: "Grüße, 会议" }] } });
    }
  });
});

test("nothing silent: documents, which a search of lines does not open, are counted", async () => {
  const { access, session } = await setting({ "a.pdf": "%PDF-1.4\0", "b/c.docx": "PK\0", "d.txt": "pump\n" });
  const found = await access.call(session, "grep_files", { pattern: "pump", contextLines: 0 });
  expect(found).toMatchObject({ result: { matches: [{ path: "d.txt" }] } });
  expect(JSON.stringify(found)).toContain("2 files of the project are not searched: PDF and Word documents");
});

describe("an edit of an old text changes what it names and no other byte", () => {
  test.each(texts)("in %s", async (charset, text, _word, replaced) => {
    const { access, session, files, patch } = await setting({ "old.txt": iconv.encode(text, charset) });
    await access.call(session, "read_file", { path: "old.txt" });
    const [first, second] = text.split("\n");
    const edit = `*** Begin Patch\n*** Update File: old.txt\n@@\n-${second}\n+${replaced}\n*** End Patch`;
    expect(await patch(edit)).toMatchObject({ success: true });
    const expected = iconv.encode(`${first}\n${replaced}\nend\n`, charset);
    expect(Buffer.from(await files.read("old.txt")).equals(expected)).toBe(true);
  });

  test("what its charset does not have is refused, and named", async () => {
    const before = iconv.encode(texts[3][1], "windows-1251");
    const { access, session, files, patch } = await setting({ "old.txt": before });
    await access.call(session, "read_file", { path: "old.txt" });
    const edit = "*** Begin Patch\n*** Update File: old.txt\n@@\n-end\n+完\n*** End Patch";
    const refused = await patch(edit);
    expect(refused).toMatchObject({ success: false });
    expect(JSON.stringify(refused)).toContain("windows-1251");
    expect(Buffer.from(await files.read("old.txt")).equals(before)).toBe(true);
  });

  test("what would make the file look like one in another charset is refused, and said", async () => {
    const before = iconv.encode("会议改到星期四\n第二行：三万元\n", "gb18030");
    const { access, session, files } = await setting({ "old.txt": before });
    await access.call(session, "read_file", { path: "old.txt" });
    const refused = await access.call(session, "write_file", { path: "old.txt", content: "neu: 新内容 für\n" });
    expect(JSON.stringify(refused)).toContain("would be read as");
    expect(Buffer.from(await files.read("old.txt")).equals(before)).toBe(true);
  });

  test("bytes that no charset gives back are still shown and kept byte by byte", async () => {
    const broken = Buffer.concat([iconv.encode(texts[0][1].repeat(20), "gb18030"), Buffer.of(0xff, 0x0a)]);
    const { access, session, files, patch } = await setting({ "old.txt": broken });
    const read = await access.call(session, "read_file", { path: "old.txt" });
    expect(JSON.stringify(read)).toContain("byte by byte");
    expect(await patch("*** Begin Patch\n*** Update File: old.txt\n@@\n-\u00ff\n+fin\n*** End Patch")).toMatchObject({
      success: true,
    });
    const after = Buffer.from(await files.read("old.txt"));
    expect(after.equals(Buffer.from(broken.toString("latin1").replace("\u00ff", "fin"), "latin1"))).toBe(true);
  });
});
