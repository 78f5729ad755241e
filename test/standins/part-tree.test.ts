import { describe, expect, test } from "vitest";
import { messageResource } from "../../infra/standins/mailbox/api/message-resource.ts";
import { fieldsOfHead } from "../../infra/standins/mailbox/mime/header-fields.ts";
import { type MimePart, parsePartTree } from "../../infra/standins/mailbox/mime/part-tree.ts";
import { snippetOf } from "../../infra/standins/mailbox/mime/snippet.ts";

const raw = (...lines: string[]): Buffer => Buffer.from(lines.join("\r\n"), "latin1");
/** `type[children]`, leaves with their text. */
const shape = ({ mimeType, parts, content }: MimePart): string =>
  parts.length > 0 ? `${mimeType}[${parts.map(shape).join(" ")}]` : `${mimeType}(${content.toString("latin1")})`;
const tree = (...lines: string[]) => shape(parsePartTree(raw(...lines)));

describe("the part tree the mailbox stand-in serves", () => {
  test("a boundary of any open container ends what is within it, where an end was forgotten", () => {
    expect(
      tree(
        'Content-Type: multipart/mixed; boundary="a"',
        "",
        "preamble",
        "--a",
        'Content-Type: multipart/alternative; boundary="b"',
        "",
        "--b",
        "",
        "one",
        "--a",
        "Content-Type: text/html",
        "",
        "two",
        "--a--",
        "epilogue",
      ),
    ).toBe("multipart/mixed[multipart/alternative[text/plain(one)] text/html(two)]");
  });

  test("boundaries with blanks behind them, folded ones, and empty parameters before them", () => {
    expect(tree("Content-Type: multipart/mixed;; boundary=a", "", "--a \t ", "", "x", "--a--  ")).toBe(
      "multipart/mixed[text/plain(x)]",
    );
    expect(tree('Content-Type: multipart/mixed; boundary="a', ' b"', "", "--a b", "", "x", "--a b--")).toBe(
      "multipart/mixed[text/plain(x)]",
    );
  });

  test("an attached message has its content below it, with its own header, whatever it was wrapped in", () => {
    const inner = ["Subject: Inner", "Content-Type: text/html", "", "<p>Hi</p>"];
    const wrapped = (...fields: string[]) => [
      'Content-Type: multipart/mixed; boundary="a"',
      "",
      "--a",
      "",
      "See below",
      "--a",
      "Content-Type: message/rfc822",
      ...fields,
      "",
    ];
    const base64 = raw(...inner).toString("base64");
    for (const lines of [
      [...wrapped(), ...inner, "--a--"],
      [...wrapped("Content-Disposition: attachment; filename=m.eml"), ...inner, "--a--"],
      [...wrapped("Content-Transfer-Encoding: base64"), base64, "--a--"],
    ]) {
      const part = parsePartTree(raw(...lines)).parts[1];
      expect(part?.mimeType).toBe("message/rfc822");
      expect(part?.parts[0]?.headers[0]).toEqual({ name: "Subject", value: "Inner" });
      expect(part?.parts.map(shape)).toEqual(["text/html(<p>Hi</p>)"]);
      expect(part?.content.length).toBeGreaterThan(0);
    }
  });

  test("Gmail gives an attached message an id and its parts", () => {
    const bytes = raw("Content-Type: message/rfc822", "", "Subject: Inner", "", "Hi");
    const row = { id: "1", thread_id: "1", labels: [], history_id: "1", internal_date_ms: 0 };
    expect(messageResource(row, bytes, "full", []).payload).toMatchObject({
      mimeType: "message/rfc822",
      body: { attachmentId: expect.any(String), size: expect.any(Number) },
      parts: [{ partId: "0", mimeType: "text/plain", headers: [{ name: "Subject", value: "Inner" }] }],
    });
  });

  test("a digest's parts are messages, a container without parts is text, a mark before the header is nothing", () => {
    expect(tree("Content-Type: multipart/digest; boundary=a", "", "--a", "", "Subject: x", "", "y", "--a--")).toBe(
      "multipart/digest[message/rfc822[text/plain(y)]]",
    );
    expect(tree("Content-Type: multipart/mixed; boundary=a", "", "no boundary")).toBe("text/plain(no boundary)");
    expect(tree("\xef\xbb\xbfContent-Type: text/html", "", "x")).toBe("text/html(x)");
    expect(tree("Content-Type: multipart/mixed; boundary=a", "", "--a", "Content-Type: text/html", "--a--")).toBe(
      "multipart/mixed[text/html()]",
    );
  });

  test("quoted-printable is undone as RFC 2045 says: blanks at line ends are none, soft breaks join", () => {
    const body = parsePartTree(raw("Content-Transfer-Encoding: quoted-printable", "", "G=FC=", "n  ", "=3D  =", "x"));
    expect(body.content.toString()).toBe("Gün\r\n=  x");
  });

  test("sixty levels and two thousand parts are all there; far more are cut off", () => {
    const levels = (count: number) => {
      const heads = Array.from({ length: count }, (_, n) => [
        `Content-Type: multipart/mixed; boundary=b${n}x`,
        "",
        `--b${n}x`,
      ]);
      return parsePartTree(raw(...heads.flat(), "", "the bottom"));
    };
    const depthOf = (part: MimePart): number => 1 + Math.max(0, ...part.parts.map(depthOf));
    expect(depthOf(levels(60))).toBe(61);
    expect(depthOf(levels(5_000))).toBeLessThan(300);
    const many = (count: number) =>
      parsePartTree(
        raw(
          "Content-Type: multipart/mixed; boundary=b",
          "",
          ...Array.from({ length: count }, (_, n) => `--b\r\n\r\n${n}`),
        ),
      );
    expect(many(2_000).parts).toHaveLength(2_000);
    expect(many(20_000).parts.length).toBeLessThanOrEqual(10_000);
  });

  test.each<[string, () => Buffer]>([
    [
      "ten megabytes of blanks, quoted-printable",
      () => raw("Content-Transfer-Encoding: quoted-printable", "", `${" ".repeat(1e7)}x`),
    ],
    [
      "messages within messages",
      () => raw(...Array.from({ length: 5_000 }, () => "Content-Type: message/rfc822\r\n"), "x"),
    ],
    [
      "lines that all look like boundaries",
      () => raw("Content-Type: multipart/mixed; boundary=b", "", "--bx\r\n".repeat(200_000)),
    ],
    [
      "a boundary of a megabyte",
      () => raw(`Content-Type: multipart/mixed; boundary=${"b".repeat(1e6)}`, "", `--${"b".repeat(1e6)}`, "", "x"),
    ],
    ["a field of 400,000 lines", () => raw(`X-Long: a${"\r\n ".repeat(400_000)}b`, "", "x")],
    ["a million carriage returns in a field", () => raw(`X-Long: a${"\r".repeat(1e6)}b`, "", "x")],
    ["line ends of a header that are no empty lines", () => raw(`X-Long: a${"\r\r\n".repeat(300_000)}b`, "", "x")],
    ["an encoding of a million brackets", () => raw(`Content-Transfer-Encoding: ${"(".repeat(1e6)}`, "", "x")],
    ["nothing", () => Buffer.alloc(0)],
  ])("%s end somewhere", (_name, make) => {
    expect(parsePartTree(make()).mimeType).toMatch(/\//);
    expect(fieldsOfHead(make()).every(({ name }) => name !== "")).toBe(true);
  });

  test("a field over many lines is read whole, each break as one blank", () => {
    const lines = ["a", "b", "c"].map((line) => line.repeat(3)).join("\r\n \t ");
    const message = raw(`X-Long: ${lines}`, "Subject: behind it\r", "", "x");
    const fields = [
      { name: "X-Long", value: "aaa bbb ccc" },
      { name: "Subject", value: "behind it" },
    ];
    expect(parsePartTree(message).headers).toEqual(fields);
    expect(fieldsOfHead(message)).toEqual(fields);
  });
});

describe("the snippet", () => {
  test("is of the message itself: not of one attached to it, and not of a file", () => {
    const part = (mimeType: string, text: string, more: Partial<MimePart> = {}): MimePart => ({
      mimeType,
      filename: "",
      headers: [],
      content: Buffer.from(text),
      parts: [],
      ...more,
    });
    const inner = part("message/rfc822", "", { parts: [part("text/plain", "the attached one")] });
    const mixed = (...parts: MimePart[]) => part("multipart/mixed", "", { parts });
    expect(snippetOf(mixed(inner, part("text/html", "<p>The letter</p>")))).toBe("The letter");
    expect(snippetOf(mixed(part("text/plain", "notes", { filename: "a.txt" }), part("text/plain", "The letter")))).toBe(
      "The letter",
    );
    const versions = part("multipart/alternative", "", {
      parts: [part("text/html", "<b>rich</b>"), part("text/plain", "plain")],
    });
    expect(snippetOf(mixed(versions, part("text/plain", "and more")))).toBe("plain and more");
  });
});
