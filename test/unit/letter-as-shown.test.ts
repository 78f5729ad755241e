import { describe, expect, test } from "vitest";
import { contentOf } from "../../shared/scouts/connectors/gmail/message.ts";
import { maxReadableCharacters, type Reading, readableText } from "../../shared/scouts/triage/readable-text.ts";
import { html, message } from "./scouts/mail/parts.ts";

const shown = (html: string): string => readableText({ html }, "shown");

describe("a letter that a person looks at says where its links lead", () => {
  test.each([
    [
      "another place than its words",
      '<a href="https://evil.example/x">bank.example</a>',
      "bank.example <https://evil.example/x>",
    ],
    ["its words are the address", '<a href="https://www.example.org/">example.org</a>', "example.org"],
    [
      "words in several parts",
      '<a href="https://example.org/x">Read <b>more</b></a>.',
      "Read more <https://example.org/x>.",
    ],
    [
      "a name before the host that is none",
      '<a href="https://bank.example@evil.example/">Pay</a>',
      "Pay <https://evil.example/>",
    ],
    [
      "its words say the name before the host too",
      '<a href="https://bank.example@evil.example/">https://bank.example@evil.example/</a>',
      "https://bank.example@evil.example/ <https://evil.example/>",
    ],
    ["letters that look like others", '<a href="https://bаnk.example/">Pay</a>', "Pay <https://xn--bnk-6cd.example/>"],
    ["a long address", `<a href="https://example.org/${"x".repeat(300)}">Pay</a>`, "Pay <https://example.org/…>"],
    [
      "one that counts who reads",
      '<a href="https://click.example/open.aspx?qs=8d7f9e">Read more</a>',
      "Read more <https://click.example/…>",
    ],
    [
      "its words are an address with a query",
      '<a href="https://example.org/a?b=c">https://example.org/a?b=c</a>',
      "https://example.org/a?b=c",
    ],
    ["a picture with words", '<a href="https://example.org/x"><img alt="Offer"></a>', "Offer <https://example.org/x>"],
    ["somebody to write to", '<a href="mailto:ada@example.org?subject=x">Ada</a>', "Ada <ada@example.org>"],
    ["one that is never closed", '<p><a href="https://example.org/x">Read<p>on', "Read\n\non <https://example.org/x>"],
    ["no words", '<a href="https://example.org/x"><img></a>on', "on"],
    ["nobody sees it", '<a href="https://example.org/x" style="display:none">Read</a>on', "on"],
    ["nowhere", '<a href="#top">Up</a> <a href="javascript:alert(1)">Run</a> <a href="/x">Here</a>', "Up Run Here"],
  ])("%s", (_, html, text) => {
    expect(shown(html)).toBe(text);
  });

  test("of a million links within each other it is done in a moment", () => {
    const text = shown('<a href="https://example.org/x">on '.repeat(200_000));
    expect(text.length).toBeLessThanOrEqual(maxReadableCharacters);
  });
});

describe("a letter that a person looks at keeps the form of its tables", () => {
  test("of plain text: several blanks, tabs and what lines begin with", () => {
    const text = "Item      Price\n  Pump    12.00\n\tTap\t3.50   \n\n\n\nAda";
    expect(readableText({ text }, "shown")).toBe("Item      Price\n  Pump    12.00\n        Tap     3.50\n\nAda");
    expect(readableText({ text })).toBe("Item Price\nPump 12.00\nTap 3.50\n\nAda");
  });

  test("of HTML, where it is shown as it is written, and nowhere else", () => {
    expect(shown("<p>a   b</p><pre>Item   <b>Price</b>\nPump      12</pre>")).toBe("a b\n\nItem   Price\nPump      12");
  });

  test("what stands for a blank on the way is in no text", () => {
    expect(readableText({ text: "a\ue000b\n\ue000\ue000c" }, "shown")).not.toContain("\ue000");
  });
});

test("by the same mail, who looks at it is given it as it is shown, and who judges it its words", () => {
  const mail = message(html('<a href="https://example.org/x">Read</a>'));
  const textOf = (reading?: Reading) => contentOf(mail, undefined, undefined, reading).text.reveal();
  expect(textOf("shown")).toBe("Read <https://example.org/x>");
  expect(textOf()).toBe("Read");
});
