import { z } from 'zod';

const partSchema = z.object({
  type: z.string().nullish(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
});

/**
 * An answer of a Responses API, as far as the bot reads it. Servers leave out what OpenAI's always has.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/object
 */
export const responsesResponseSchema = z.object({
  id: z.string().nullish(),
  status: z.string().nullish(),
  output: z
    .array(
      z.object({
        type: z.string().nullish(),
        content: z.union([z.string(), z.array(partSchema)]).nullish(),
      }),
    )
    .nullish(),
  output_text: z.string().nullish(),
  error: z.unknown().optional(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
});

export type ResponsesResponse = z.infer<typeof responsesResponseSchema>;

export type ContentPart = z.infer<typeof partSchema>;
