import { defineConfig } from "vitest/config";

/** Runs against foreign servers: `npm run peers -- imap`. Not part of `npm test`, which needs none of them. */
export default defineConfig({
  test: {
    include: ["test/peers/**/*.peer.ts"],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: "forks",
    maxWorkers: 1,
  },
});
