import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { argumentWords } from "../../../errors/argument-words.ts";

/**
 * A request as a server of the SDK takes it, but one whose parameters are malformed is answered as the protocol says
 * (-32602), in plain words: the SDK's own schemas answer -32603 and a dump of what they found.
 *
 * @param params what the SDK's schema of the request has as its `params`
 */
export const request = <Method extends string, Params extends z.ZodType>(method: Method, params: Params) =>
  z.object({
    method: z.literal(method),
    // A request that needs none may leave them out.
    params: z
      .unknown()
      .optional()
      .transform((given): z.output<Params> => {
        const parsed = params.safeParse(given ?? {});
        if (!parsed.success) throw invalidParams(method, `${argumentWords(parsed.error)}.`);
        return parsed.data;
      }),
  });

/** @param why a sentence that ends with its full stop; no value that was given is quoted */
export const notAsProtocol = (method: string, why: string): string =>
  `The parameters of ${method} are not as the protocol has them. ${why}`;

/** @param why as in {@link notAsProtocol} */
export const invalidParams = (method: string, why: string): McpError =>
  new McpError(ErrorCode.InvalidParams, notAsProtocol(method, why), { code: "invalid_arguments" });
