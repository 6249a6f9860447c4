import { z } from 'zod';

const part = z.object({ text: z.string().nullish() });
const item = z.object({
  role: z.string().nullish(),
  content: z.union([z.string(), z.array(part)]).nullish(),
});

const schema = z.object({
  model: z.string().nullish(),
  input: z.union([z.string(), z.array(item)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
});

/** The question of a `POST /v1/responses`, as far as a model without tools cares. */
export interface ResponsesRequest {
  /** Null: whatever is loaded. */
  readonly model: string | null;
  /** All that was said, as one text. */
  readonly input: string;
  readonly previousResponseId: string | null;
  readonly isStored: boolean;
  readonly isStreamed: boolean;
}

/** Null: no such request. @see https://platform.openai.com/docs/api-reference/responses/create */
export function readResponsesRequest(body: unknown): ResponsesRequest | null {
  const parsed = schema.safeParse(body);
  if (!parsed.success) return null;
  const { model, input, instructions, previous_response_id, store, stream } = parsed.data;
  const said = typeof input === 'string' ? input : input.map(textOf).join('\n');
  return {
    model: model ?? null,
    input: instructions ? `${instructions}\n${said}` : said,
    previousResponseId: previous_response_id ?? null,
    isStored: store ?? true,
    isStreamed: stream ?? false,
  };
}

function textOf({ content }: z.infer<typeof item>): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('');
}
