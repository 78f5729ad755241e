import { DeviceError } from "../../errors.ts";
import type { ReadsDocuments } from "../../folders/extraction/read-document.ts";
import type { AttachmentHandler } from "../attachment-handler.ts";
import { readableText } from "./readable-text.ts";

export interface FetchedPage {
  readonly status: number;
  /** As the server says it; "" when it does not. */
  readonly type: string;
  readonly body: Uint8Array;
}

/**
 * One GET of an address the person has named. An implementation MUST connect to addresses of the public internet only, as
 * they are resolved and after every redirect again, MUST follow no redirect to an unencrypted one, and MUST read no more than
 * `bytes` after decompression.
 */
export type FetchPage = (
  address: string,
  bounds: { readonly bytes: number; readonly timeMs: number },
) => Promise<FetchedPage>;

/** `https:` only. @param timeMs from the first look-up to the last byte */
export function pageHandler(fetch: FetchPage, extract: ReadsDocuments, timeMs: number): AttachmentHandler {
  return {
    async read(of, { bytes, characters }) {
      const url = URL.parse(of);
      if (url?.protocol !== "https:") throw new DeviceError("attachment_address");
      const { status, type, body } = await fetch(url.href, { bytes, timeMs });
      if (status !== 200) {
        throw new DeviceError("attachment_unavailable", {
          sentence: `${url.host} answers ${status}, and no content; check the address, or save the page and attach the file.`,
        });
      }
      return readableText(body, type, { extract, characters });
    },
  };
}
