import { useState } from "react";
import { ApiError } from "../app/api.ts";

/** Gives a text to be pasted elsewhere. @throws ApiError `copy_refused` where the browser does not let the page */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new ApiError({ code: "copy_refused", message: "" }, 0);
  }
}

/** Copies at a button's press, and knows what became of it. */
export function useCopy() {
  const [copied, setCopied] = useState<string>();
  const [error, setError] = useState<Error | null>(null);
  return {
    /** What was copied last. */
    copied,
    error,
    copy(text: string): void {
      setError(null);
      copyText(text).then(
        () => setCopied(text),
        (thrown: unknown) => setError(thrown instanceof Error ? thrown : new Error(String(thrown))),
      );
    },
  };
}
