import type { Browser } from "playwright-core";

export interface Picture {
  readonly title: string;
  /** In pixels. */
  readonly width: number;
  readonly png: Buffer;
}

/** As wide as a picture is drawn at most; a narrow one keeps its own width. */
const drawnWidth = 720;

const figure = ({ title, width, png }: Picture) => `<figure><figcaption>${title}</figcaption>
  <img width="${Math.min(width, drawnWidth)}" src="data:image/png;base64,${png.toString("base64")}"></figure>`;

/** Several pictures of one page on one, a row for each width, so that a person sees at a glance which of them is odd. */
export async function writeSheet(
  browser: Browser,
  name: string,
  pictures: readonly Picture[],
  file: string,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1_000, height: 600 } });
  const rows = [...new Set(pictures.map(({ width }) => width))].map((each) => {
    const row = pictures.filter(({ width }) => width === each);
    return `<div style="display: flex; gap: 12px; align-items: start">${row.map(figure).join("")}</div>`;
  });
  await page.setContent(`<style>
    body { font: 16px sans-serif; background: #888; margin: 12px; width: max-content }
    figure { margin: 0 0 12px } img { display: block }
  </style><h1>${name}</h1>${rows.join("")}`);
  await page.locator("body").screenshot({ path: file });
  await page.close();
}
