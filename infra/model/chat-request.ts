import * as z from "zod";

const textPart = z.looseObject({ type: z.literal("text"), text: z.string() });
const imagePart = z.looseObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }) });
const otherPart = z.looseObject({ type: z.string() });
const messageSchema = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z.union([z.string(), z.array(z.union([textPart, imagePart, otherPart])), z.null()]).optional(),
});

/** The part of OpenAI's chat completion request this server acts on; what else it holds is let be. */
export const chatRequestSchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z
    .array(
      z.looseObject({
        type: z.literal("function"),
        function: z.looseObject({ name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/) }),
      }),
    )
    .max(128)
    .nullish(),
  tool_choice: z.enum(["auto", "none"], "This model takes tool_choice auto and none only.").nullish(),
  n: z.literal(1, "This model answers once: n must be 1.").nullish(),
  response_format: z
    .union([
      z.looseObject({ type: z.literal("text") }),
      z.looseObject({ type: z.literal("json_object") }),
      z.looseObject({
        type: z.literal("json_schema"),
        json_schema: z.looseObject({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          schema: z.record(z.string(), z.unknown()).optional(),
          strict: z.boolean().nullish(),
        }),
      }),
    ])
    .nullish(),
});
export type ChatRequestBody = z.infer<typeof chatRequestSchema>;

/** The text of a message; images and other parts have none. */
export function textOf(message: ChatRequestBody["messages"][number]): string {
  const { content } = message;
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => ("text" in part && typeof part.text === "string" ? part.text : "")).join("\n");
}

/** The addresses of a message's images, in their order. */
export function imagesOf(message: ChatRequestBody["messages"][number]): string[] {
  const { content } = message;
  if (typeof content === "string") return [];
  return (content ?? []).flatMap((part) => imagePart.safeParse(part).data?.image_url.url ?? []);
}
