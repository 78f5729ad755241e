import * as z from "zod";

/** A page of the trail; the places are those that the page before gave. */
export const trailRequest = z.strictObject({
  trail: z.string().max(64).optional(),
  caller: z.string().max(200).optional(),
  tool: z.string().max(200).optional(),
  session: z.string().max(200).optional(),
  places: z.record(z.string().max(64), z.number().int().nonnegative()).default({}),
});

export const answerRequest = z.strictObject({ isApproved: z.boolean() });

export const trailParam = z.object({ trail: z.string().max(64) });
export const approvalParam = z.object({ id: z.string().max(64) });
export const undoRequest = z.strictObject({ trail: z.string().max(64), session: z.string().min(1).max(200) });
