import type { ToolFinishedEvent, ToolStartedEvent } from './journal-model.ts';

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
    duration_ms: event.durationMs,
    timestamp: place.timestamp,
  };
}
