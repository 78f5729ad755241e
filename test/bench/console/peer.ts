import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Proposal } from "../../../events/proposals/proposal.ts";

export const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A list as plain HTML: one row after the other, without any script. */
export async function servePlain(rows: readonly string[], rowPixels: number) {
  const size = `height:${rowPixels}px;contain-intrinsic-size:${rowPixels}px`;
  const style = `.rows{height:100vh;overflow:auto}.row{${size};padding:9px;content-visibility:auto}`;
  const list = rows.map((row) => `<li class="row">${row}</li>`).join("");
  const page = `<!doctype html><meta charset="utf-8"><title>plain</title><style>${style}</style><ul class="rows">${list}</ul>`;
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(page);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/**
 * The same cards as one page of plain HTML: what a browser needs for the list itself. Rows that are not seen may be left out
 * by it (`content-visibility`).
 */
export const servePlainList = (proposals: readonly Proposal[]) =>
  servePlain(
    proposals.map(
      ({ rawSubject, rawSnippet, reason }) =>
        `<h2><a href="#">${escaped(rawSubject ?? "")}</a></h2><p>${escaped(reason ?? "")}</p><p>${escaped(rawSnippet ?? "")}</p><button>Approve</button><button>Reject</button>`,
    ),
    132,
  );
