import { Parser } from "htmlparser2";
import { asideElements, mainElements, unseenElements } from "../../../artifacts/stats/markup/html-elements.ts";

/** Where a line stands on its page. */
type Place = "main" | "beside" | "aside";

/** With less of its text than this in `main` and `article`, a page uses them for something else than its main text. */
const minMainShare = 0.25;
const maxTitleChars = 300;
const maxDescriptionChars = 1_000;
const lineElements = new Set(
  "p div section article main header footer nav aside h1 h2 h3 h4 h5 h6 li ul ol dl dt dd tr table caption thead tbody blockquote pre figure figcaption form fieldset address details summary br hr body".split(
    " ",
  ),
);
const controls = new Set(["button", "select", "option", "datalist"]);
const hiddenStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/**
 * What a page shows: its title, its description and the text its visitors come for, headings and lists marked as in
 * Markdown. Navigation, page header and footer are left out when there is other text; scripts, styles, form controls and
 * hidden elements always are.
 *
 * @returns "" for a page that shows nothing
 */
export function htmlText(html: string): string {
  const page = new PageText();
  const parser = new Parser({
    onopentag: (name, attributes) => page.open(name, attributes),
    onclosetag: (name) => page.close(name),
    ontext: (text) => page.text(text),
  });
  parser.end(html);
  return page.result();
}

class PageText {
  readonly #lines: { readonly place: Place; readonly text: string }[] = [];
  readonly #open = new Map<string, number>();
  /** Whether each open element is hidden by what its attributes say. */
  readonly #hidden: boolean[] = [];
  #unseen = 0;
  #line = "";
  /** Begins the next line that has text. */
  #mark = "";
  #title = "";
  #description = "";

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (lineElements.has(name)) this.#endLine();
    if (name === "meta") this.#readMeta(attributes);
    const isHidden = attributes["hidden"] !== undefined || hiddenStyle.test(attributes["style"] ?? "");
    this.#hidden.push(isHidden);
    if (isHidden || isUnseen(name)) this.#unseen++;
    this.#open.set(name, this.#count(name) + 1);
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level !== undefined) this.#mark = `${"#".repeat(Number(level))} `;
    else if (name === "li") this.#mark = "- ";
    else if ((name === "td" || name === "th") && this.#line !== "") this.#line += " | ";
  }

  close(name: string): void {
    if (lineElements.has(name)) {
      this.#endLine();
      this.#mark = "";
    }
    if (this.#hidden.pop() || isUnseen(name)) this.#unseen--;
    this.#open.set(name, Math.max(0, this.#count(name) - 1));
  }

  text(text: string): void {
    if (this.#count("title") > 0 && this.#count("svg") === 0) this.#title += text.slice(0, maxTitleChars);
    if (this.#unseen > 0) return;
    if (this.#count("pre") === 0) {
      this.#line += text;
      return;
    }
    const [first = "", ...rest] = text.split("\n");
    this.#line += first;
    for (const line of rest) {
      this.#endLine();
      this.#line = line;
    }
  }

  result(): string {
    this.#endLine();
    const charsOf = (place: Place) =>
      this.#lines.reduce((sum, line) => (line.place === place ? sum + line.text.length : sum), 0);
    const [main, beside] = [charsOf("main"), charsOf("beside")];
    const isTheMain = main > 0 && main >= minMainShare * (main + beside);
    const wanted = (place: Place) => (isTheMain ? place === "main" : main + beside === 0 || place !== "aside");
    const shown = this.#lines.filter(({ place }) => wanted(place)).map(({ text }) => text);
    const title = oneLine(this.#title).slice(0, maxTitleChars);
    const isRepeated = shown.some((line) => line.replace(/^#+ /, "") === title);
    const about = [title === "" || isRepeated ? "" : `# ${title}`, this.#description].filter((part) => part !== "");
    return [...about, ...(about.length > 0 && shown.length > 0 ? [""] : []), ...shown].join("\n");
  }

  #endLine(): void {
    const text = oneLine(this.#line);
    this.#line = "";
    if (text === "") return;
    this.#lines.push({ place: this.#place(), text: this.#mark + text });
    this.#mark = "";
  }

  #place(): Place {
    if (["nav", "aside", "footer"].some((name) => this.#count(name) > 0)) return "aside";
    if ([...mainElements].some((name) => this.#count(name) > 0)) return "main";
    return [...asideElements].some((name) => this.#count(name) > 0) ? "aside" : "beside";
  }

  #count(name: string): number {
    return this.#open.get(name) ?? 0;
  }

  #readMeta({ name = "", property = "", content = "" }: Readonly<Record<string, string>>): void {
    const said = oneLine(content).slice(0, maxDescriptionChars);
    if (name.toLowerCase() === "description") this.#description = said || this.#description;
    else if (property.toLowerCase() === "og:description") this.#description ||= said;
  }
}

const isUnseen = (name: string) => unseenElements.has(name) || controls.has(name);
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
