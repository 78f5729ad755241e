import { describe, expect, test } from "vitest";
import { htmlText } from "../../../device/folders/extraction/text/html-text.ts";

describe("4.1: of a page travels what it shows", () => {
  test("title, description, headings, main text; no markup, navigation, script or style", () => {
    const page = `<!doctype html><html><head><title>Tides &amp; harbours</title>
      <meta name="description" content="When the water comes."><style>p { color: red }</style>
      <script>var secretCode = 1;</script></head><body>
      <nav><a href="/">Home</a></nav><header>Site header</header>
      <main><h1>The tide</h1><p>It comes <b>twi</b>ce a day.</p><ul><li>High</li><li><p>Low</p></li></ul>
      <table><tr><td>06:12</td><td>4 m</td></tr></table><pre>a\nb</pre></main>
      <footer>Imprint</footer></body></html>`;
    expect(htmlText(page)).toBe(
      [
        "# Tides & harbours",
        "When the water comes.",
        "",
        "# The tide",
        "It comes twice a day.",
        "- High",
        "- Low",
        "06:12 | 4 m",
        "a",
        "b",
      ].join("\n"),
    );
  });

  test("a title that is a heading of the page stands once", () => {
    expect(htmlText("<title>Boats</title><h1>Boats</h1><p>Ours.")).toBe("# Boats\nOurs.");
  });

  test("what is hidden does not travel", () => {
    const page = `<p>Seen.</p><p hidden>No.</p><div style="color:red; display: none">No <b>no</b></div><input hidden>
      <template>No</template><select><option>No</select><p>Seen too.</p>`;
    expect(htmlText(page)).toBe("Seen.\nSeen too.");
  });

  test("a teaser marked as an article is not the page's main text", () => {
    const page = `<p>${"A long text about the harbour. ".repeat(20)}</p><article>More news</article>`;
    expect(htmlText(page)).toContain("about the harbour");
  });

  test("a page of nothing but navigation shows it; a page of scripts shows nothing", () => {
    expect(htmlText("<nav><a>One</a></nav>")).toBe("One");
    expect(htmlText("<script>start()</script><div id=app></div>")).toBe("");
  });

  test.each([
    ["never closed", "<div hidden><p>No<title>x"],
    ["closed twice", "</div></p></main>Text</main>"],
    ["no markup", "Just a <line"],
    ["an empty heading", "<h2><img src=x></h2><p>Text"],
  ])("broken markup is read as far as it goes: %s", (_, page) => {
    expect(htmlText(page)).toMatch(/^(?:# x|Text|Just a.*|)$/);
  });
});
