import { z } from 'zod';
import { orNull, toCamelCase } from '../disk/stored-values.ts';
import type { ToolFinishedEvent, ToolStartedEvent } from '../journal-model.ts';

/** A line of `tools.jsonl` without its time: one before a call, one after it. @see seed 002 §2.2, decision X14 */
export function toToolLine(event: ToolStartedEvent | ToolFinishedEvent, seq: number) {
  const title = event.title === undefined ? {} : { title: event.title };
  const call = { seq, tool: event.tool, ...title, args: event.args, tool_call_id: event.toolCallId };
  if (event.type === 'tool-started') return { ...call, status: 'started' };
  return {
    ...call,
    ...(event.status === 'success' ? { result: event.output } : { error: event.output }),
    status: event.status,
    ...(event.failure === undefined ? {} : { failure: event.failure }),
    duration_ms: event.durationMs,
  };
}

const lineSchema = z.object({
  seq: z.number().int().positive(),
  tool: z.string(),
  title: orNull(z.string()),
  tool_call_id: orNull(z.string()),
  args: z.unknown(),
  status: z.enum(['started', 'success', 'error']),
  result: orNull(z.string()),
  error: orNull(z.string()),
  failure: orNull(z.string()),
  duration_ms: orNull(z.number()),
  timestamp: z.string(),
});

/** A line of `tools.jsonl`, read back. */
export interface ToolEntry {
  readonly type: 'tool';
  readonly seq: number;
  readonly tool: string;
  /** Words about this call, on one line; else null. */
  readonly title: string | null;
  readonly toolCallId: string | null;
  readonly args: unknown;
  readonly status: 'started' | 'success' | 'error';
  /** Result of the tool, or why it failed; null on the line before the call. */
  readonly output: string | null;
  /** Reason of a call that was carried out and whose work failed, such as `exit code 1`; else null. */
  readonly failure: string | null;
  readonly durationMs: number | null;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
}

/** Reads a line of `tools.jsonl` back. @throws when it is none */
export function parseToolLine(json: unknown): ToolEntry {
  const { result, error, ...line } = lineSchema.parse(json);
  return { type: 'tool', ...toCamelCase(line), output: result ?? error };
}
