import { existsSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import * as z from "zod";

/** Languages of the console. */
export const languages = ["en", "it", "es", "fr", "de"] as const;
export type Language = (typeof languages)[number];

const catalogue = z.looseObject({ nav: z.looseObject({ label: z.string() }) });
const texts = new URL("../../device/console/page/texts/", import.meta.url);
const pagesIn = (language: Language): string =>
  catalogue.parse(JSON.parse(readFileSync(new URL(`${language}.json`, texts), "utf8"))).nav.label;

/**
 * What the page says in a language, by the keys it asks for: `nav.inbox`, and `brief.waiting` of the catalogue of a room.
 *
 * @param values what stands for the places of the text, `{{files}}`
 */
export function wordsIn(language: Language): (key: string, values?: Readonly<Record<string, string>>) => string {
  return (key, values = {}) => {
    const [room = "", ...rest] = key.split(".");
    const ofRoom = new URL(`${room}/${language}.json`, texts);
    const isRoom = existsSync(ofRoom);
    const all: unknown = JSON.parse(readFileSync(isRoom ? ofRoom : new URL(`${language}.json`, texts), "utf8"));
    const path = isRoom ? rest : [room, ...rest];
    const text = path.reduce<unknown>((found, each) => z.looseObject({}).parse(found)[each], all);
    return z
      .string()
      .parse(text)
      .replaceAll(/\{\{(\w+)\}\}/g, (_, place) => values[place] ?? "");
  };
}

/** Has a console speak a language, and waits until a page of it does: it stays where it is. */
export async function speak(origin: string, token: string, page: Page, language: Language): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ language });
  const answer = await fetch(`${origin}/api/preferences`, { method: "PATCH", headers, body });
  if (!answer.ok) throw new Error(`the console does not speak ${language}: ${answer.status}`);
  await page.getByRole("navigation", { name: pagesIn(language), exact: true }).waitFor();
}
