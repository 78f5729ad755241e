import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
// In this order: where two say something of one element, the later counts.
import "./app/app.css";
import "./app/parts.css";
import "./app/little-room.css";
import "./app/forced-colors.css";
import "./app/print.css";
import { loadPreferences } from "./app/preferences.ts";
import { queryClient } from "./app/query-client.ts";
import { signIn } from "./app/tab.ts";
import { startTexts } from "./app/texts.ts";
import { router } from "./routes/router.tsx";

const root = document.getElementById("page");
if (root === null) throw new Error("index.html has no place for the page");
await Promise.all([signIn(), startTexts()]);
// A device that does not answer is said on the page, which is there for that.
await Promise.race([loadPreferences(), new Promise((resolve) => setTimeout(resolve, 2_000))]);
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
