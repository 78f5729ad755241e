import { lazy, Suspense } from "react";
import type { HelpProps } from "./key-help-dialog.tsx";

// Seldom opened: who does not ask for it does not wait for it.
const Dialog = lazy(async () => ({ default: (await import("./key-help-dialog.tsx")).KeyHelpDialog }));

/** Which keys do what, where that is asked for. */
export function KeyHelp({ isOpen, ...help }: HelpProps & { readonly isOpen: boolean }) {
  return (
    isOpen && (
      <Suspense>
        <Dialog {...help} />
      </Suspense>
    )
  );
}
