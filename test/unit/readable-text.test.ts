import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxReadableCharacters, readableText } from "../../shared/scouts/triage/readable-text.ts";
import { withoutBlankLines } from "../../shared/text/without-blank-lines.ts";
import { rounds } from "../rounds.ts";

const html = (markup: string): string => readableText({ html: markup });

describe("what a reader sees is kept", () => {
  test.each([
    ["link texts, not addresses", '<a href="https://example.org/x">Read more</a>', "Read more"],
    ["decoded entities", "Fish &amp; chips &#8364;5 &eacute;t&eacute;&nbsp;!", "Fish & chips €5 été !"],
    ["entities without an end", "a &lt b &nosuch; c", "a < b &nosuch; c"],
    ["blocks as lines", "<div>one</div><p>two<p>three<br>four", "one\n\ntwo\n\nthree\nfour"],
    ["cells apart", "<table><tr><td>a<td>b<tr><td>c</table>", "a b\nc"],
    ["inline tags without a gap", "un<b>believ</b>able", "unbelievable"],
    ["collapsed blanks", "a  \t b \n\n\n   c", "a b c"],
    [
      "a sentence that its program has broken into lines of source",
      "<p>Please send it\r\nby <b>Friday\n</b>, Ada&#10;Lind.</p>",
      "Please send it by Friday , Ada Lind.",
    ],
    [
      "lines that are shown as they are written",
      "<pre>a\nb</pre>c\nd<p><textarea>e\nf</textarea>",
      "a\nb\n\nc d\n\ne\nf",
    ],
    [
      "lines that a style keeps, and another keeps no more",
      '<div style="color:red; white-space: pre-wrap">a\nb<p style="white-space:normal">c\nd</p><i>e\nf</i></div>g\nh',
      "a\nb\n\nc d\n\ne\nf\ng h",
    ],
    ["alternative text of images", '<img src="cid:1" alt="Your invoice">', "Your invoice"],
    ["an emoji", "hi 👋", "hi 👋"],
    ["white text on a dark cell", '<td bgcolor="#003366" style="color:#ffffff">Pay</td>', "Pay"],
    [
      "text on nothing, as it is pasted from a web page",
      '<p style="background-color: rgba(0, 0, 0, 0)">Pay</p>',
      "Pay",
    ],
    [
      "the same in other notations",
      '<p style="background:#00000000">Pay</p><p style="background:rgb(0 0 0 / 0%)">now</p>',
      "Pay\n\nnow",
    ],
    ["text on a shade", '<p style="background:rgba(0,0,0,.06)">Pay</p>', "Pay"],
    ["white text on a colour by its name", '<td bgcolor="DarkBlue"><font color="white">Pay</font></td>', "Pay"],
    ["white text on a colour by its hue", '<p style="background:hsl(210, 50%, 20%); color:#fff">Pay</p>', "Pay"],
    ["white text on a colour named elsewhere", '<p style="background:var(--brand); color:#fff">Pay</p>', "Pay"],
    ["white text on a picture", '<td background="a.png"><font color="white">Pay</font></td>', "Pay"],
    ["text sized again inside a zero size", '<td style="font-size:0"><p style="font-size:14px">Pay</p></td>', "Pay"],
    ["text after an unclosed comment-like declaration", "<!doctype html><p>shown", "shown"],
    ["text after what is a section without end in XML alone", "<![CDATA[x>shown", "shown"],
    ["a letter in a head that is never closed", "<html><head><title>t</title><body><p>a", "a"],
    ["a letter whose head has no body behind it", "<head><meta name=x><style>p{}</style><div>a</div>", "a"],
    ["a letter with a head within", "<body><head><title>t</title><p>a</p>b", "a\n\nb"],
    ["a letter in a drawing that is never closed", "<svg><title>t</title><path d=x><div>a</div>", "a"],
    ["a letter in a formula", "<math><mi>x<p>a</p></math>b", "a\n\nb"],
    ["an unclosed tag's neighbours", "<b><i>a</b>b</i>c", "abc"],
  ])("%s", (_name, markup, seen) => {
    expect(html(markup)).toBe(seen);
  });

  test("plain text stands in when the HTML shows nothing", () => {
    expect(readableText({ html: "<img src=x>", text: "Hello" })).toBe("Hello");
    expect(readableText({ text: "a\r\n\r\nb" })).toBe("a\n\nb");
    expect(readableText({})).toBe("");
  });

  test("a whole HTML document sent as plain text is read as HTML", () => {
    expect(readableText({ text: "\n<!DOCTYPE html><html><title>x</title><p>Hello &amp; welcome" })).toBe(
      "Hello & welcome",
    );
    expect(readableText({ text: "a <b> c" })).toBe("a <b> c");
  });

  test("HTML wins over a plain part that says something else", () => {
    expect(readableText({ html: "<p>Pay now</p>", text: "Minutes of the meeting" })).toBe("Pay now");
  });
});

describe("paragraphs stand apart by one blank line, as the letter has them", () => {
  test.each([
    ["however many blank lines there are", "one\ntwo\n \t\n\n\nthree\r\n\r\nfour\n\n", "one\ntwo\n\nthree\n\nfour"],
    ["by the signs of Unicode", "one\u2028two\u2029three", "one\ntwo\n\nthree"],
  ])("of plain text, %s", (_name, text, seen) => {
    expect(readableText({ text })).toBe(seen);
  });

  test.each([
    ["broken twice", "one<br>two<br><br>three", "one\ntwo\n\nthree"],
    [
      "of web mail, which writes a line as a block",
      "<div>one</div><div>two<br></div><div><br></div><div>three</div>",
      "one\ntwo\n\nthree",
    ],
    [
      "of Outlook, which writes a line as a paragraph",
      '<p class="MsoNormal">one</p><p class=MsoNormal>two</p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><p class=MsoNormal>three',
      "one\ntwo\n\nthree",
    ],
    [
      "that a style puts together",
      '<p style="margin: 0 0 0 2em">one</p><p style="color:red;margin-top:0">two</p>',
      "one\ntwo",
    ],
    [
      "a list, and none within one",
      "<p>One:<ul><li>two<ul><li>three</ul><li>four</ul>five",
      "One:\n\ntwo\nthree\nfour\n\nfive",
    ],
    [
      "tables are no paragraphs",
      "<table><tr><td><table><tr><td>one</table><tr><td>two</table>three",
      "one\ntwo\nthree",
    ],
    ["what is hidden sets nothing apart", 'one<p style="display:none">x</p><div>two</div>', "one\ntwo"],
  ])("%s", (_name, markup, seen) => {
    expect(html(markup)).toBe(seen);
  });

  test("and are judged without", () => {
    expect(withoutBlankLines(html("<p>one<p>two<br><br>three"))).toBe("one\ntwo\nthree");
  });
});

describe("what a reader does not see is left out", () => {
  test.each([
    ["comments", "a<!-- hidden -->b", "ab"],
    ["conditional comments", "a<!--[if mso]><p>hidden</p><![endif]-->b", "ab"],
    ["a drawing's own text", "<svg><g><text>x</text></g></svg>b", "b"],
    ["scripts, styles, titles", "<title>t</title><style>p{}</style><script>s()</script>b", "b"],
    ["display:none", '<p style="DISPLAY : none">hidden<b>deep</b></p>b', "b"],
    ["display:none !important", '<div style="color:red;display:none!important">hidden</div>b', "b"],
    ["visibility:hidden", '<span style="visibility:hidden">hidden</span>b', "b"],
    ["zero opacity", '<span style="opacity:0;">hidden</span>b', "b"],
    ["zero height with clipping", '<div style="max-height:0px;overflow:hidden">hidden</div>b', "b"],
    ["zero font size", '<span style="font-size:0px">hidden</span>b', "b"],
    ["pushed off the page", '<p style="position:absolute;left:-9999px">hidden</p>b', "b"],
    ["the hidden attribute", "<p hidden>hidden</p>b", "b"],
    ["white on the white page", '<p style="color:#FFF">hidden</p>b', "b"],
    ["white on nothing upon the white page", '<p style="background:transparent;color:#fff">hidden</p>b', "b"],
    ["white on black of which nothing is there", '<p style="background:rgba(0,0,0,0);color:#fff">hidden</p>b', "b"],
    [
      "letters of which nothing is there",
      '<p style="color:rgba(0,0,0,0)">hidden</p><p style="color:#0000">hidden</p>b',
      "b",
    ],
    ["near-white on white", '<font color="#fdfdfd">hidden</font>b', "b"],
    ["its own background", '<p style="background:#336699;color:rgb(51, 102, 153)">hidden</p>b', "b"],
    ["zero-width characters", "pass\u200bw\u2060ord\ufeff", "password"],
    ["bidi controls", "invoice\u202efdp.exe", "invoicefdp.exe"],
    ["soft hyphens as entities", "ac&shy;count", "account"],
    ["tag characters", "a\u{e0041}\u{e0042}b", "ab"],
  ])("%s", (_name, markup, seen) => {
    expect(html(markup)).toBe(seen);
  });

  test("an element hidden and never closed ends with its paragraph", () => {
    expect(html('<p style="display:none">hidden<p>shown')).toBe("shown");
  });
});

describe("hostile input ends, bounded", () => {
  test("10,000 nested tags keep their text", () => {
    expect(html(`${"<div>".repeat(10_000)}deep${"</div>".repeat(10_000)}after`)).toBe("deep\nafter");
  });

  test("millions of unclosed tags and of end tags without a start", () => {
    expect(html(`${"<b>".repeat(1_000_000)}x${"</i>".repeat(1_000_000)}`)).toBe("x");
    expect(html(`${"<a><b>".repeat(300_000)}${"</a>".repeat(300_000)}y`)).toContain("y");
  });

  test("megabytes of text, of one comment, of one attribute, of attributes and of entities", () => {
    const size = rounds(30_000_000);
    expect(html("word ".repeat(size / 5)).length).toBeLessThanOrEqual(maxReadableCharacters);
    expect(html(`<!--${"x".repeat(size)}-->b`)).toBe("b");
    expect(html(`<p style="${";".repeat(size)}">b</p>`)).toBe("b");
    expect(html(`<p ${"a=1 ".repeat(size / 4)}>b</p>`)).toBe("b");
    expect(html("&amp;".repeat(size / 5)).length).toBeLessThanOrEqual(maxReadableCharacters);
    expect(readableText({ text: " ".repeat(size) })).toBe("");
  }, 240_000);

  test("whatever it is given, it answers with well-formed text", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<",
        ">",
        "</",
        "<!--",
        "-->",
        "<p style='",
        "&#x",
        ";",
        "&",
        "<![CDATA[",
        "]]>",
        "\u0000",
        "\ud800",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const seen = readableText({ html: pieces.join(""), text: pieces.join("") });
        return seen.isWellFormed() && seen.length <= maxReadableCharacters;
      }),
    );
  });
});
