import type { ShownMessage } from '@agent/orchestrator';
import type { HistoryEntry, ShownRun } from '@agent/run-store';
import type { OpeningCost } from '@agent/runner';
import type { Json } from '../text/redact-json.ts';
import type { PreparedCall } from './list-prepared-calls.ts';

/** One entry of a journal, in the words of its files. */
export function toEntryJson(entry: HistoryEntry<ShownMessage>): Json {
  if (entry.type === 'summary') {
    const { startSeq, endSeq, text } = entry.summary;
    return { type: 'summary', start_seq: startSeq, end_seq: endSeq, text };
  }
  if (entry.type === 'tool') {
    const { seq, tool, toolCallId, args, status, output, durationMs, timestamp } = entry;
    const call = { seq, tool, tool_call_id: toolCallId, args: toJson(args), status, output };
    return { type: 'tool', ...call, duration_ms: durationMs, timestamp };
  }
  const { seq, timestamp, message, usage, spent, delivers } = entry;
  return {
    type: 'message',
    seq,
    timestamp,
    message: toJson(message),
    usage: usage === null ? null : { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
    ...(spent === undefined ? {} : { spent: toSpentJson(spent) }),
    delivers: toJson(delivers),
  };
}

/** A tool that was called to get the run ready. */
export function toPreparedJson({ infoId, tool, args, status, calls, error, timestamp }: PreparedCall): Json {
  return { info_id: infoId, tool, args: toJson(args), status, calls, error, timestamp };
}

function toSpentJson(spent: OpeningCost): Json {
  const { modelCalls, toolCalls, inputTokens, outputTokens } = spent;
  const calls = { model_calls: modelCalls, tool_calls: toolCalls };
  return { ...calls, input_tokens: inputTokens, output_tokens: outputTokens };
}

/** Everything about a run but its history. */
export function toRunHeadJson(run: ShownRun<ShownMessage>): { readonly [key: string]: Json } {
  const { uuid, place, location, metadata, outcome, pause } = run;
  return {
    uuid,
    place,
    directory: location,
    task_key: metadata.taskKey,
    host: metadata.host,
    user: metadata.user,
    created_at: metadata.createdAt,
    config: metadata.config,
    extra: metadata.extra,
    paused_at: pause?.pausedAt ?? null,
    resume_count: pause?.resumeCount ?? 0,
    outcome:
      outcome === null
        ? null
        : {
            status: outcome.status,
            reason: outcome.reason,
            final_text: outcome.finalText,
            finished_at: outcome.finishedAt,
            model_calls: outcome.statistics.modelCalls,
            tool_calls: outcome.statistics.toolCalls,
            input_tokens: outcome.statistics.inputTokens,
            output_tokens: outcome.statistics.outputTokens,
            duration_ms: outcome.statistics.durationMs,
            details: toJson(outcome.details),
          },
  };
}

/** Takes a value that was read from a JSON file for JSON; one that is not there becomes null. */
function toJson(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
}
