import type { CDPSession, Page } from "playwright-core";

/** Where one is: role and accessible name, as the browser tells them to a screen reader; undefined at no place of the page. */
export async function stopNow(page: Page): Promise<string | undefined> {
  const session = await page.context().newCDPSession(page);
  try {
    return await stopIn(session);
  } finally {
    await session.detach();
  }
}

async function stopIn(session: CDPSession): Promise<string | undefined> {
  const { result } = await session.send("Runtime.evaluate", {
    expression: "document.activeElement === document.body ? null : document.activeElement",
  });
  if (result.objectId === undefined) return undefined;
  const { nodes } = await session.send("Accessibility.getPartialAXTree", {
    objectId: result.objectId,
    fetchRelatives: false,
  });
  const [node] = nodes;
  return `${node?.role?.value} ${node?.name?.value}`;
}

/** Whether one sees where one is: a line around it, or around what is drawn in its place, within the window. */
const isSeen = `(() => {
  const at = document.activeElement;
  const shown = [at, ...(at.closest("label")?.querySelectorAll("*") ?? [])];
  const line = shown.find((each) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
  if (line === undefined) return false;
  const { top, bottom, left, right } = line.getBoundingClientRect();
  return bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
})()`;

/** Headings of the page that are more than one level below the one before, and that it has no first one: who goes by them misses a step. */
export const headingsMissed = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const all = [...document.querySelectorAll("main :is(h1, h2, h3, h4)")];
    const level = (each) => (each === undefined ? 0 : Number(each.tagName[1]));
    return all.filter((each, at) => level(each) > level(all[at - 1]) + 1).map(({ textContent }) => textContent);
  })()`);

/** More than any page here has. */
const mostStops = 100;

/**
 * The stops of one round of Tab from the top of the page, in their order. One that is not seen says so behind its name.
 *
 * @throws when the round does not end where it began
 */
export async function tabStops(page: Page, key: "Tab" | "Shift+Tab" = "Tab"): Promise<string[]> {
  await page.evaluate("document.activeElement?.blur()");
  const stops: string[] = [];
  for (let presses = 0; presses < mostStops; presses += 1) {
    await page.keyboard.press(key);
    const stop = await stopNow(page);
    if (stop === undefined) {
      if (stops.length > 0) return stops;
      continue;
    }
    stops.push((await page.evaluate(isSeen)) ? stop : `${stop} (not seen)`);
  }
  throw new Error(`the round does not end: ${stops.join(", ")}`);
}
