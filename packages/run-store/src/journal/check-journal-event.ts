import { z } from 'zod';
import { ContextStoreError } from '../context-store-error.ts';

const call = { toolCallId: z.string(), tool: z.string() };
const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    message: z.object({
      role: z.string(),
      content: z.union([z.string(), z.looseObject({}), z.array(z.unknown())]),
    }),
    usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
    delivers: z.array(z.object({ id: z.string(), revision: z.string(), kind: z.string() })),
  }),
  z.object({ type: z.literal('tool-started'), ...call }),
  z.object({
    type: z.literal('tool-finished'),
    ...call,
    status: z.enum(['success', 'error']),
    output: z.string(),
    failure: z.string().optional(),
    durationMs: z.number(),
  }),
]);
const endSchema = z.object({
  status: z.enum(['completed', 'failed', 'stopped', 'paused']),
  statistics: z.object({ modelCalls: z.number(), toolCalls: z.number() }),
});

/**
 * Tells a caller's mistake from a disk's: what is written down must be readable again.
 * @throws {ContextStoreError} `invalid`, naming the field
 */
export function checkJournalEvent(event: unknown): void {
  check(eventSchema, event, 'an event of a journal');
}

/** The same for how a run ended. @throws {ContextStoreError} `invalid`, naming the field */
export function checkRunEnd(end: unknown): void {
  check(endSchema, end, 'the end of a run');
}

function check(schema: z.ZodType, value: unknown, kind: string): void {
  const { error } = schema.safeParse(value);
  if (error === undefined) return;
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  throw new ContextStoreError(
    `This is not ${kind} and was not written: ${place}${issue?.message}. Mend the call.`,
    { code: 'invalid', cause: error },
  );
}
