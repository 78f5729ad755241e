import type { Page } from "playwright-core";
import * as z from "zod";
import { whole } from "../rounds.ts";
import { drawn, violationsOn } from "./browser-page.ts";
import { type Language, languages, speak } from "./languages.ts";

/**
 * What reaches beyond the window, and titles of which too little is left to know them by. What scrolls inside the page does not
 * make the document wider, so each element is looked at.
 */
const cutOff = `[...document.querySelectorAll("body *")].flatMap((each) => {
  const { left, right, width, height } = each.getBoundingClientRect();
  // The selects that browsers fill in for people lie unseen beside the window.
  const isDrawn = each.closest("[aria-hidden=true]") === null && width > 1 && height > 1 && getComputedStyle(each).visibility === "visible";
  const name = each.tagName + "." + each.className + " " + each.textContent.slice(0, 30);
  if (isDrawn && (right > innerWidth + 0.5 || left < -0.5)) return [name + ": from " + left + " to " + right];
  const isTitle = each.matches(".card :is(h2, h3)");
  return isTitle && each.clientWidth < 200 && each.scrollWidth > each.clientWidth ? [name + ": cut at " + width] : [];
})`;

/** The narrowest page of WCAG 2.2 (1.4.10), and a wide one. */
const [narrow, wide] = [320, 1_440];
const inTheDark: readonly string[] = ["es", "fr"];
/** Rules of WCAG look at what a page is made of, which it shows as well in one language in the light and one in the dark. */
const ruled: readonly string[] = ["de", "es"];
/**
 * In which languages and at what widths a view is looked at; of a change once in the dark, and once in the light with the longest words.
 * The last is German: tests go on in it.
 */
const looks: readonly (readonly [Language, readonly number[]])[] = whole
  ? languages.map((language) => [language, [narrow, wide]])
  : [
      ["es", [wide]],
      ["de", [narrow]],
    ];

/** A tab that is looked at, and the console it is of. */
export interface Looked {
  readonly page: Page;
  readonly origin: string;
  readonly token: string;
}

/** What is wrong with what a tab shows now, by language and width. One tab shows them all: loading it anew takes most of the time. */
export async function faultsOfView({ page, origin, token }: Looked, view: string): Promise<string[]> {
  const faults: string[] = [];
  for (const [language, widths] of looks) {
    await speak(origin, token, page, language);
    await page.emulateMedia({ colorScheme: inTheDark.includes(language) ? "dark" : "light" });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await drawn(page);
      const here = `${view} ${language} ${width}`;
      for (const tooWide of z.array(z.string()).parse(await page.evaluate(cutOff))) faults.push(`${here}: ${tooWide}`);
      if (!ruled.includes(language)) continue;
      for (const violation of await violationsOn(page)) faults.push(`${here}: ${violation}`);
    }
  }
  return faults;
}

/** What on a page is said in English although the page speaks another language. */
export async function untranslatedOn({ page, origin, token }: Looked, view: string): Promise<string[]> {
  await speak(origin, token, page, "de");
  await drawn(page);
  const texts = await page.evaluate(
    "[...document.querySelectorAll('[lang=en]')].map(({ textContent }) => textContent)",
  );
  return z
    .array(z.string())
    .parse(texts)
    .map((text) => `${view}: ${text}`);
}
