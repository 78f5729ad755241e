import fc from "fast-check";
import { expect, test } from "vitest";
import { applyHunks, replaceContent } from "../../device/access/edits/edit-file.ts";
import { decodeText, detectEncoding, encodeText } from "../../device/access/edits/encoding.ts";
import { parsePatch } from "../../device/access/edits/patches/parse-patch.ts";
import { mergeThreeWay } from "../../device/access/edits/three-way-merge.ts";
import { rounds } from "../rounds.ts";
import { bytesOf, complaint, editCases, encoded, patchOf } from "./edit-cases.ts";

test("bytes outside an edit never change, in any encoding, line ending and patch format", () => {
  fc.assert(
    fc.property(editCases, (edit) => {
      const before = bytesOf(edit);
      const [file] = parsePatch(patchOf(edit, "f")).files;
      if (file?.kind !== "update") throw new TypeError("an update was written");
      expect(complaint(edit, before, Buffer.from(applyHunks(before, file.hunks).bytes))).toBeUndefined();
    }),
    { numRuns: rounds(400) },
  );
});

test("replacing a file's text by itself changes no byte", () => {
  fc.assert(
    fc.property(editCases, (edit) => {
      const before = bytesOf(edit);
      const content = edit.lines.map(({ text, ending }) => text + ending).join("");
      expect(Buffer.from(replaceContent(before, content)).equals(before)).toBe(true);
    }),
    { numRuns: rounds(200) },
  );
});

test("an editor that begins a new line at each return gets its text, and without a change not a byte is another", () => {
  const shown = (text: string) => text.replace(/\r\n?/g, "\n");
  const texts = fc.array(fc.constantFrom("a", "b", "c", "\r", "\n", "\r\n"), { maxLength: 9 });
  const typed = fc.constantFrom("x", "\n", "x\n", "", "y\nz");
  fc.assert(
    fc.property(texts, fc.nat(9), fc.nat(2), typed, (parts, place, gone, more) => {
      const before = parts.join("");
      const saved = (text: string) =>
        Buffer.from(replaceContent(Buffer.from(before), text, { isOfEditor: true })).toString();
      const text = shown(before);
      expect(saved(text)).toBe(before);
      const wanted = text.slice(0, place) + more + text.slice(place + gone);
      expect(shown(saved(wanted))).toBe(wanted);
    }),
    { numRuns: rounds(2_000) },
  );
});

test("whatever the bytes, text read from them is written back as them", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      fc.pre(!bytes.includes(0));
      const { encoding, bomBytes } = detectEncoding(bytes);
      const body = bytes.subarray(bomBytes);
      const text = decodeText(body, encoding);
      const back =
        /[\u0080-\u{10ffff}]/u.test(text) && encoding === "mixed"
          ? Buffer.from(text, "latin1")
          : encodeText(text, encoding);
      expect(Buffer.from(back).equals(body)).toBe(true);
    }),
    { numRuns: rounds(1_000) },
  );
});

test("a merge takes one side's edit when the other did nothing, and the same edit once", () => {
  fc.assert(
    fc.property(editCases, (edit) => {
      const base = bytesOf(edit);
      const [file] = parsePatch(patchOf(edit, "f")).files;
      if (file?.kind !== "update") throw new TypeError("an update was written");
      const ours = applyHunks(base, file.hunks).bytes;
      const merges = [
        mergeThreeWay(base, ours, base),
        mergeThreeWay(base, base, ours),
        mergeThreeWay(base, ours, ours),
      ];
      expect(merges.map((merge) => merge.clean && Buffer.compare(merge.bytes, ours))).toEqual([0, 0, 0]);
    }),
    { numRuns: rounds(200) },
  );
});

test("a character the file's encoding has no place for is refused", () => {
  const latin1 = encoded("caf\u00e9\nbar\n", "latin1");
  const patch = parsePatch("*** Begin Patch\n*** Update File: f\n@@\n-bar\n+\u4e2d\n*** End Patch").files[0];
  if (patch?.kind !== "update") throw new TypeError("an update was written");
  expect(() => applyHunks(latin1, patch.hunks)).toThrow(expect.objectContaining({ code: "unencodable" }));
});
