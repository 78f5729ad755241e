import { describe, expect, test } from "vitest";
import { readableText } from "../../shared/scouts/triage/readable-text.ts";

const styled = (css: string, body: string): string =>
  readableText({ html: `<html><head><style>${css}</style></head><body>${body}</body></html>` });

describe("what a letter's style sheet hides is left out", () => {
  test.each([
    ["a class", ".x{display:none}", '<p class="a x">hidden</p>b'],
    ["an id", "#x{display:none}", "<p id=x>hidden</p>b"],
    ["an element", "q{display:none}", "<q>hidden</q>b"],
    ["an element of a class", "p.x { display : none !important }", "<p class=x>hidden</p>b"],
    ["every one of a list", ".y,\n.x {display:none}", "<p class=x>hidden</p>b"],
    ["the last of several rules", ".x{display:block} .x{display:none}", "<p class=x>hidden</p>b"],
    ["the rule that weighs more", "#i{display:none} .x{display:block}", "<p id=i class=x>hidden</p>b"],
    ["a value nobody knows behind one", ".x{display:none;display:nothing}", "<p class=x>hidden</p>b"],
    ["visibility", ".x{visibility:hidden}", "<p class=x>hidden</p>b"],
    ["opacity", ".x{opacity:0}", "<p class=x>hidden</p>b"],
    ["no size", ".x{font-size:0px}", "<p class=x>hidden</p>b"],
    ["the colour of the page", ".x{color:#fefefe}", "<p class=x>hidden</p>b"],
    [
      "the colour of its own background",
      ".t{background:#369} .x{color:#369}",
      "<div class=t><p class=x>hidden</p></div>b",
    ],
    ["a box without height", ".x{max-height:0;overflow:hidden}", "<p class=x>hidden</p>b"],
    ["a sheet behind a comment", "/* } */ @import url(a.css); .x{display:none}", "<p class=x>hidden</p>b"],
    ["for every screen", "@media only screen {.x{display:none}}", "<p class=x>hidden</p>b"],
    ["what paper shows", ".x{display:none} @media print{.x{display:block}}", "<p class=x>hidden</p>b"],
    ["a sheet that was not closed", ".x{display:none", "<p class=x>hidden</p>b"],
  ])("%s", (_name, css, body) => {
    expect(styled(css, body)).toBe("b");
  });

  test("also where the style stands behind it", () => {
    expect(readableText({ html: "<p class=x>hidden</p>b<style>.x{display:none}</style>" })).toBe("b");
  });
});

describe("what some of its readers see is kept", () => {
  test.each([
    ["hidden on telephones", "@media (max-width:600px){.x{display:none!important}}", "<p class=x>a</p>"],
    ["shown on telephones", ".x{display:none} @media (max-width:600px){.x{display:block}}", "<p class=x>a</p>"],
    [
      "shown there against its own style",
      "@media screen and (min-width:1px){.x{display:block!important}}",
      '<p class=x style="display:none">a</p>',
    ],
    ["hidden in one program", ".x{mso-hide:all}", '<p class=x style="mso-hide:all">a</p>'],
    ["on a colour that is none", ".x{background:#00000}", "<p class=x>a</p>"],
    ["hidden on paper", "@media print{.x{display:none}}", "<p class=x>a</p>"],
    ["hidden by where it stands", ".y .x{display:none}", "<p class=x>a</p>"],
    ["shown by where it stands", ".x{display:none} .y .x{display:block}", "<p class=x>a</p>"],
    ["shown by its own style", ".x{display:none}", '<p class=x style="display:block">a</p>'],
    ["shown by a rule that weighs more", ".x{display:none} p.x{display:block}", "<p class=x>a</p>"],
    ["coloured by where it stands", ".y{background:#000} .y .x{color:#fff}", "<p class=x>a</p>"],
    ["white on a dark cell", ".t{background-color:#036} .x{color:#fff}", "<div class=t><p class=x>a</p></div>"],
    ["dark programs' colours", "@media (prefers-color-scheme:dark){.x{color:#fff}}", "<p class=x>a</p>"],
    [
      "visible within what is not",
      ".t{visibility:hidden} .x{visibility:visible}",
      "<div class=t><p class=x>a</p></div>",
    ],
    ["sized again", "td{font-size:0} .x{font:14px/1.5 Arial}", "<table><td><p class=x>a</p></table>"],
    [
      "sized as around it, if at all",
      "a[href]{font-size:inherit!important}",
      '<div style="font-size:1px"><a style="font-size:14px">a</a></div>',
    ],
    ["behind columns that are hidden", "colgroup{display:none}", "<table><colgroup><col><tr><td>a</table>"],
    ["of another class", ".x{display:none}", "<p class=xy>a</p>"],
    ["faded in", "@keyframes f{from{opacity:0}} .x{opacity:1}", "<p class=x>a</p>"],
    ["hidden as a whole", "body{display:none}", "<p class=x>a</p>"],
    ["of a name every object has", "constructor{display:none} .x{constructor:none}", "<p class=x>a</p>"],
  ])("%s", (_name, css, body) => {
    expect(styled(css, body)).toBe("a");
  });

  test.each([
    ["in a comment for one program", "<!--[if mso]><style>.x{display:none}</style><![endif]-->"],
    ["of a template", "<template><style>.x{display:none}</style></template>"],
    ["of another language", '<style type="text/less">.x{display:none}</style>'],
    ["for paper", '<style media="print">.x{display:none}</style>'],
  ])("a style sheet %s hides nothing", (_name, sheet) => {
    expect(readableText({ html: `${sheet}<p class=x>a</p>` })).toBe("a");
  });
});

test("sheets that are made to cost work cost no more than their length", () => {
  const many = (piece: string) => piece.repeat(Math.ceil(60_000 / piece.length));
  for (const css of [
    many("{"),
    many("a{}"),
    many(".x,"),
    many("["),
    many("/*"),
    many("'"),
    many(".x{display:none}"),
    many("@media("),
  ]) {
    expect(styled(css, "<p class=y>a</p>b")).toBe("a\n\nb");
  }
  const classes = Array.from({ length: 400 }, (_, at) => `c${at}`);
  const rules = classes.map((name) => `.${name}{top:0;left:0}`).join("");
  expect(styled(rules, `<i class="${classes.join(" ")}">a</i>`.repeat(99))).toBe("a".repeat(99));
});
