import { useEffect, useEffectEvent, useState } from "react";
import { kept } from "./kept.ts";

const setting = kept(() => localStorage, "scouts.keys");

/** Whether single keys act. People who speak to their machine, or whose hands slip, can turn them off (WCAG 2.1.4). */
export function useKeysSetting(): [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(setting.read() !== "off");
  return [
    isOn,
    (value) => {
      setting.write(value ? null : "off");
      setOn(value);
    },
  ];
}

/** Where keys are for what has the focus. A box that is ticked takes but Space. */
const typing =
  "input:not([type=checkbox]), textarea, select, [role=listbox], [role=menu], [role=dialog], [role=alertdialog]";

/** What keys of another script than Latin have on a keyboard of the United States, by their place (UI Events, `code`). */
const placed = /^Key([A-Z])$/;

/**
 * What a key stands for: the letter it types, or on a keyboard of another script (Cyrillic, Greek, Hebrew …), which has no Latin
 * one, the letter that others have in its place.
 */
export function letterOf({ key, code }: Pick<KeyboardEvent, "key" | "code">): string {
  const isForeign = /^\p{L}$/u.test(key) && !/\p{Script=Latin}/u.test(key);
  return (isForeign ? placed.exec(code)?.[1]?.toLowerCase() : undefined) ?? key;
}

/** Whether a key is for a text, a list or a dialog, which has the focus. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(typing) !== null;

/** Whether keys ask to take something back: Ctrl+Z, or Command+Z, as in every other program. */
export const asksToUndo = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) &&
  !event.altKey &&
  !event.shiftKey &&
  !event.repeat &&
  letterOf(event).toLowerCase() === "z";

/** What goes on while a key is held down. Of all else a key that is held does one: a list of mail would be decided by it. */
const goesOn: readonly string[] = ["j", "k"];

/** Single keys of a page, but where something is typed or chosen. What `u` does, Ctrl+Z does as well, also where single keys are off. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isUndo = asksToUndo(event);
    if (event.defaultPrevented || isTyping(event.target)) return;
    if (!isUndo && (event.ctrlKey || event.metaKey || event.altKey)) return;
    if (!isUndo && event.key !== "?" && setting.read() === "off") return;
    const letter = isUndo ? "u" : letterOf(event);
    const action = Object.hasOwn(actions, letter) ? actions[letter] : undefined;
    if (action === undefined) return;
    event.preventDefault();
    if (event.repeat && !goesOn.includes(letter)) return;
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}
