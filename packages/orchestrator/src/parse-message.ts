import type { ModelMessage } from 'ai';
import { z } from 'zod';

/** What a message needs to be one; the AI SDK checks the parts again before each call. */
const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
  providerOptions: z.record(z.string(), z.unknown()).optional(),
});

/** A message as it comes back from a journal. It does not load the AI SDK. @throws for what is none */
export function parseMessage(json: unknown): ModelMessage {
  return messageSchema.parse(json) as ModelMessage;
}
