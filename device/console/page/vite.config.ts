import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Builds the console's page into `dist`, from where the device serves it. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // What a page needs is asked for as it is met: the device is near, and a list of all files weighs more than that takes.
    modulePreload: false,
    // A data: address is none of the page's own.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What many pages share is one file: each on its own, a page asked for fifty, and was there a fifth later (0557).
          // Long lists and their search are not among it: the page that greets who has nothing has neither.
          groups: [
            {
              name: "shared",
              test: /(?<!\/list\/[\w-]{1,60}|\/search-box|\/search-words)\.tsx?$|node_modules/,
              minShareCount: 4,
            },
          ],
        },
      },
    },
  },
  logLevel: "warn",
});
