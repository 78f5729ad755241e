import { LangfusePrompts } from "../../../shared/llm/langfuse-prompts.ts";
import { systemClock } from "../../../shared/ports/clock.ts";
import { builtInPrompts, type Prompts } from "../../../shared/ports/prompts.ts";
import { linked, setting } from "../../environment.ts";
import { once } from "../../once.ts";

export const prompts = once((): Prompts => {
  const url = setting("LANGFUSE_URL");
  if (url === "off") return builtInPrompts;
  const keys = { publicKey: setting("LANGFUSE_PUBLIC_KEY"), secretKey: linked("LangfuseSecretKey").value };
  return new LangfusePrompts({ url, ...keys }, systemClock);
});
