import { access } from 'node:fs/promises';
import { z } from 'zod';
import { ContextStoreError, toSystemCode } from '../context-store-error.ts';
import { readLines } from '../disk/lines.ts';
import type { ToolFinishedEvent, ToolStartedEvent } from '../journal-model.ts';

/** A line of `tools.jsonl`: one before a call, one after it. @see seed 002 §2.2, decision X14 */
export function toToolLine(
  event: ToolStartedEvent | ToolFinishedEvent,
  place: { readonly seq: number; readonly timestamp: string },
) {
  const call = { seq: place.seq, tool: event.tool, args: event.args, tool_call_id: event.toolCallId };
  if (event.type === 'tool-started') return { ...call, status: 'started', timestamp: place.timestamp };
  return {
    ...call,
    ...(event.status === 'success' ? { result: event.output } : { error: event.output }),
    status: event.status,
    ...(event.failure === undefined ? {} : { failure: event.failure }),
    duration_ms: event.durationMs,
    timestamp: place.timestamp,
  };
}

const lineSchema = z.object({
  seq: z.number().int().positive(),
  tool: z.string(),
  tool_call_id: z.string().nullish(),
  args: z.unknown(),
  status: z.enum(['started', 'success', 'error']),
  result: z.string().nullish(),
  error: z.string().nullish(),
  failure: z.string().nullish(),
  duration_ms: z.number().nullish(),
  timestamp: z.string(),
});

/** A line of `tools.jsonl`, read back. */
export interface ToolEntry {
  readonly type: 'tool';
  readonly seq: number;
  readonly tool: string;
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

/**
 * Reads a line of `tools.jsonl` back.
 * @throws {ContextStoreError} `damaged`, naming the line
 */
function parseToolLine(json: unknown, place: { readonly path: string; readonly line: number }): ToolEntry {
  const parsed = lineSchema.safeParse(json);
  if (!parsed.success) {
    const message = `Line ${place.line} of "${place.path}" is not a tool's line. Put the file back from a copy, or move the run's directory away.`;
    throw new ContextStoreError(message, { code: 'damaged', cause: parsed.error });
  }
  const { seq, tool, tool_call_id, args, status, result, error, failure, duration_ms, timestamp } =
    parsed.data;
  return {
    type: 'tool',
    seq,
    tool,
    toolCallId: tool_call_id ?? null,
    args,
    status,
    output: result ?? error ?? null,
    failure: failure ?? null,
    durationMs: duration_ms ?? null,
    timestamp,
  };
}

export async function* readTools(path: string): AsyncGenerator<ToolEntry> {
  const isThere = await access(path).then(
    () => true,
    (error: unknown) => {
      if (toSystemCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
  if (!isThere) return;
  for await (const { value, line } of readLines(path)) yield parseToolLine(value, { path, line });
}
