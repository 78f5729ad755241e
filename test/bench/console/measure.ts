import type { Page } from "playwright-core";

/** Where a list is on its page, by CSS selectors, and how high each of its rows is. */
export interface MeasuredList {
  readonly view: string;
  readonly row: string;
  readonly rowPixels: number;
}

export const inboxList: MeasuredList = { view: ".rows", row: ".row h2", rowPixels: 136 };

/** Milliseconds from the address to the first thing that is painted, and to the first row. */
export async function paints(
  page: Page,
  { row }: MeasuredList = inboxList,
): Promise<{ firstPaintMs: number; firstRowMs: number }> {
  const firstRowMs = Number(
    await page.evaluate(`new Promise((resolve) => {
      const look = () => document.querySelector("${row}") ? resolve(performance.now()) : requestAnimationFrame(look);
      look();
    })`),
  );
  const painted = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime");
  return { firstPaintMs: Number(painted), firstRowMs };
}

/** Milliseconds between frames while the list is scrolled: steadily, then by leaps to anywhere. */
export async function framesWhileScrolling(
  page: Page,
  frames: number,
  { view, rowPixels }: MeasuredList = inboxList,
): Promise<number[]> {
  return page.evaluate(`new Promise((resolve) => {
    const view = document.querySelector("${view}");
    const gaps = [];
    let before = performance.now();
    const step = (now) => {
      gaps.push(now - before);
      before = now;
      if (gaps.length >= ${frames}) return resolve(gaps.slice(1));
      if (gaps.length % 60 === 0) view.scrollTop = (gaps.length * 7919 * ${rowPixels}) % view.scrollHeight;
      else view.scrollTop += 180;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
}

/**
 * Milliseconds from a key to the frame in which the focus is on another row. The key's time is the browser's own, so that what
 * the driver takes is not counted.
 */
export async function keyToEffect(page: Page, key: string, presses: number): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < presses; n += 1) {
    // Not its value: that is waited for when the key has been pressed.
    await page.evaluate(`void (window.effect = new Promise((resolve) => {
      const before = document.activeElement;
      addEventListener("keydown", ({ timeStamp }) => {
        const look = () => document.activeElement !== before && document.activeElement !== document.body
          ? resolve(performance.now() - timeStamp)
          : requestAnimationFrame(look);
        requestAnimationFrame(look);
      }, { capture: true, once: true });
    }))`);
    await page.keyboard.press(key);
    taken.push(Number(await page.evaluate("window.effect")));
  }
  return taken;
}

/** What a tab holds when all that can go has gone. */
export async function heldByTab(page: Page): Promise<{ heapMb: number; nodes: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes } = await session.send("Memory.getDOMCounters");
  await session.detach();
  return { heapMb: usedSize / 1_000_000, nodes };
}
