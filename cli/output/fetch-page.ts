import type { FetchPage } from "../../device/attachments/handlers/attach-page.ts";
import { guardedGet } from "../../shared/scouts/connectors/guarded-get.ts";

const maxRedirects = 5;
/** What can be read; servers that choose by it give a page or its source. */
const accept = "text/html, text/plain;q=0.9, application/json;q=0.9, application/pdf;q=0.8, */*;q=0.1";

/** One GET through the address guard: of the public internet only, looked at again after every redirect. */
export const fetchPage =
  (now: () => number): FetchPage =>
  async (address, { bytes, timeMs }) => {
    const headers = { accept };
    const bounds = { reach: "public", maxBytes: bytes, timeoutMs: timeMs, maxRedirects } as const;
    const { status, headers: told, body } = await guardedGet(address, { ...bounds, headers, nowMs: now() });
    return { status, type: told["content-type"] ?? "", body };
  };
