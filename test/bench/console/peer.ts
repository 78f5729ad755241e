import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Proposal } from "../../../events/frames.ts";

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/**
 * The same cards as one page of plain HTML, without any script: what a browser needs for the list itself. Rows that are not
 * seen may be left out by it (`content-visibility`).
 */
export async function servePlainList(proposals: readonly Proposal[]) {
  const style =
    ".rows{height:100vh;overflow:auto}.row{height:132px;padding:9px;content-visibility:auto;contain-intrinsic-size:132px}";
  const rows = proposals
    .map(
      ({ rawSubject, rawSnippet, reason }) =>
        `<li class="row"><h2><a href="#">${escaped(rawSubject ?? "")}</a></h2><p>${escaped(reason ?? "")}</p><p>${escaped(rawSnippet ?? "")}</p><button>Approve</button><button>Reject</button></li>`,
    )
    .join("");
  const page = `<!doctype html><meta charset="utf-8"><title>plain</title><style>${style}</style><ul class="rows">${rows}</ul>`;
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
