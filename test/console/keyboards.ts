import type { Page } from "playwright-core";

/** Presses a key. @returns whether the page took it from the browser */
export async function keyIsTaken(page: Page, key: string): Promise<boolean> {
  await page.evaluate("addEventListener('keydown', (event) => { window.isTaken = event.defaultPrevented; })");
  await page.keyboard.press(key);
  return (await page.evaluate("window.isTaken")) === true;
}

/** A key of a keyboard whose layout has another letter there. */
export interface ForeignKey {
  /** What the layout has there. */
  readonly key: string;
  /** Its place, as a keyboard of the United States calls it: `KeyJ`. */
  readonly code: string;
  /** Whether Ctrl is held down with it. */
  readonly isCtrl?: boolean;
}

/** Presses a key of another layout. @returns whether the page took it from the browser */
export async function pressForeign(page: Page, { key, code, isCtrl = false }: ForeignKey): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  await page.evaluate("addEventListener('keydown', (event) => { window.isTaken = event.defaultPrevented; })");
  const pressed = { key, code, windowsVirtualKeyCode: code.charCodeAt(code.length - 1), modifiers: isCtrl ? 2 : 0 };
  await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...pressed });
  await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...pressed });
  await session.detach();
  return (await page.evaluate("window.isTaken")) === true;
}
