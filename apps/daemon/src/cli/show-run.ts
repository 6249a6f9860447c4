import {
  describeFact,
  formatRecordedDecision,
  inheritedDecisionsName,
  parseInheritedDecisions,
  readKeptPrePlanning,
  type ShownMessage,
} from '@agent/orchestrator';
import { isFailedCall } from '@agent/orchestrator/watch';
import {
  type HistoryEntry,
  type Json,
  type RunState,
  type ShownRun,
  type ToolEntry,
  toUsageJson,
} from '@agent/run-store';
import type { OpeningCost } from '@agent/runner';
import { unwrapToolOutput } from '@agent/text';
import { z } from 'zod';
import type { DaemonLogger } from '../log/logger.ts';
import { cleanLine, cleanText } from '../text/terminal-text.ts';
import type { CliTexts } from './texts.en.ts';

/** One entry of a journal, in the words of its files. */
export function toEntryJson(entry: HistoryEntry<ShownMessage>): Json {
  if (entry.type === 'summary') {
    const { startSeq, endSeq, text } = entry.summary;
    return { type: 'summary', start_seq: startSeq, end_seq: endSeq, text };
  }
  if (entry.type === 'fact') return { ...entry };
  if (entry.type === 'tool') {
    const { seq, tool, title, toolCallId, args, status, output, failure, durationMs, timestamp } = entry;
    const call = { seq, tool, title, tool_call_id: toolCallId, args: toJson(args), status, output, failure };
    return { type: 'tool', ...call, duration_ms: durationMs, timestamp };
  }
  const { seq, timestamp, message, usage, spent, delivers } = entry;
  return {
    type: 'message',
    seq,
    timestamp,
    message: toJson(message),
    usage: usage === null ? null : toUsageJson(usage),
    ...(spent === undefined ? {} : { spent: toSpentJson(spent) }),
    delivers: toJson(delivers),
  };
}

/** A tool that was called to get the run ready. */
export function toPreparedJson({ infoId, tool, args, status, calls, error, timestamp }: PreparedCall): Json {
  return { info_id: infoId, tool, args: toJson(args), status, calls, error, timestamp };
}

function toSpentJson(spent: OpeningCost): Json {
  const { modelCalls, toolCalls, ...usage } = spent;
  return { model_calls: modelCalls, tool_calls: toolCalls, ...toUsageJson(usage) };
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
            ...toUsageJson(outcome.statistics),
            duration_ms: outcome.statistics.durationMs,
            details: toJson(outcome.details),
          },
  };
}

/** Takes a value that was read from a JSON file for JSON; one that is not there becomes null. */
function toJson(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
}

const maxLines = 40;
const maxChars = 4_000;
const maxArgsChars = 200;
/** Characters of a folded prompt that are shown. */
const maxGlimpse = 120;

/** Options of `formatEntry`. */
export interface FormatEntryOptions {
  readonly texts: CliTexts;
  /** Shows prompts and long texts whole. Default: folded. */
  readonly isFull?: boolean | undefined;
}

/**
 * One entry of a journal as people read it: who spoke, when, what. Prompts are folded, long texts are cut and say how much is missing. Null
 * for an internal event.
 */
export function formatEntry(
  entry: HistoryEntry<ShownMessage>,
  { texts, isFull = false }: FormatEntryOptions,
): string | null {
  if (entry.type === 'summary') {
    const { startSeq, endSeq, text } = entry.summary;
    return section(`── ${texts.summaryOf(startSeq, endSeq)}`, text, { isFull });
  }
  if (entry.type === 'tool') return formatTool(entry, texts);
  const dated = (name: string) => `── ${name}  ${formatTime(entry.timestamp)}`;
  if (entry.type === 'fact') return formatFact(entry, texts);
  const { seq, message, usage, spent, delivers } = entry;
  const cost = usage ?? spent ?? null;
  const head = [
    dated(`${seq}`),
    message.role,
    ...(cost === null ? [] : [texts.tokens(cost.inputTokens, cost.outputTokens)]),
    ...(delivers.length === 0 ? [] : [texts.delivered(delivers.length)]),
  ];
  const text = textOf(message);
  const isPrompt = message.role !== 'assistant';
  return isPrompt && !isFull
    ? section(head.join('  '), fold(text, texts))
    : section(head.join('  '), text, { isFull });
}

const sessionSchema = z.object({
  id: z.string(),
  agent: z.object({ name: z.string(), version: z.string().nullish() }).nullish().catch(null),
});
const planSchema = z.array(
  z.object({ text: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) }),
);
const planMarks = { pending: '○', in_progress: '▶', completed: '✓' } as const;

/** Formats comments, plans and what an agent reports of itself; null for any other fact. */
function formatFact(
  { name, data, timestamp }: HistoryEntry<ShownMessage> & { type: 'fact' },
  texts: CliTexts,
): string | null {
  const dated = (title: string) => `── ${title}  ${formatTime(timestamp)}`;
  const session = name === 'agent-session' ? sessionSchema.safeParse(data).data : undefined;
  if (session !== undefined) {
    const { agent, id } = session;
    const who = agent == null ? null : `${agent.name} ${agent.version ?? ''}`.trim();
    return section(dated(cleanLine(texts.agentSession(who))), id);
  }
  if (name === inheritedDecisionsName) {
    const decisions = parseInheritedDecisions(data).map((one) => cleanLine(formatRecordedDecision(one)));
    return section(dated(texts.inheritedDecisions), decisions.join('\n'));
  }
  const plan = name === 'agent-plan' ? planSchema.safeParse(data).data : undefined;
  if (plan === undefined) {
    const text = describeFact({ name, data });
    const title = name === 'observed' ? texts.show.comments : texts.show.plan;
    return text === null ? null : section(dated(title), text);
  }
  const steps = plan.map(({ text, status }) => `${planMarks[status]} ${cleanLine(text)}`);
  return section(dated(texts.agentPlan), steps.join('\n'));
}

const marks = { started: '▶', success: '✓', error: '✗' } as const;

function formatTool(entry: HistoryEntry<ShownMessage> & { type: 'tool' }, texts: CliTexts): string {
  const took = entry.durationMs === null ? texts.toolStarted : `${Math.round(entry.durationMs)} ms`;
  const isFailed = isFailedCall(entry);
  const call = isFailed ? { ...entry, status: 'error' as const } : entry;
  const head = formatCall(call, entry.title === null ? took : `${took}  "${cleanLine(entry.title)}"`);
  if (!isFailed) return head;
  const text = unwrapToolOutput(entry.output ?? '').trim();
  return section(entry.failure === null ? head : `${head}  (${cleanLine(entry.failure)})`, text);
}

/** Formats a call of a tool before the first entry. */
export function formatPreparedCall(call: PreparedCall, texts: CliTexts): string {
  const head = formatCall(call, texts.prepared(call.calls));
  return call.error === null ? head : section(head, call.error);
}

function formatCall(
  { status, timestamp, tool, args }: Pick<ToolEntry, 'status' | 'timestamp' | 'tool' | 'args'>,
  note: string,
): string {
  const written = cleanLine(JSON.stringify(args) ?? '');
  const shown = written.length > maxArgsChars ? `${written.slice(0, maxArgsChars)}…` : written;
  return `   ${marks[status]} ${formatTime(timestamp)}  ${cleanLine(tool)}  ${note}  ${shown}`;
}

/** First line of a prompt, and how much is not shown. */
function fold(text: string, texts: CliTexts): string {
  const first = text.trim().split('\n', 1)[0] ?? '';
  const glimpse = first.slice(0, maxGlimpse).replace(/[\uD800-\uDBFF]$/, '');
  const hidden = text.trim().length - glimpse.length;
  return hidden === 0 ? glimpse : `${glimpse}… ${texts.show.folded(hidden)}`;
}

function section(head: string, body: string, { isFull = false }: { readonly isFull?: boolean } = {}): string {
  const lines = cleanText(isFull ? body : shorten(body)).split('\n');
  const most = isFull ? lines.length : maxLines;
  const shown = lines.slice(0, most).map((line) => `   ${line}`.trimEnd());
  if (lines.length > most) shown.push(`   … (+${lines.length - most})`);
  return body.trim() === '' ? head : [head, ...shown].join('\n');
}

function shorten(text: string): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}… (+${text.length - maxChars})`;
}

/** The text of a message; its calls are shown by what the tools did, their results by the beginning of each. */
function textOf({ content }: ShownMessage): string {
  if (typeof content === 'string') return content;
  return content.map(textOfPart).filter(Boolean).join('\n');
}

function textOfPart(part: { readonly type: string; readonly [key: string]: unknown }): string {
  if (part.type === 'tool-call') return `→ ${String(part.toolName)}`;
  if (part.type === 'tool-result')
    return `← ${String(part.toolName)}: ${outputOf(unwrapToolOutput(part.output)).trim()}`;
  return typeof part.text === 'string' ? part.text : `(${part.type})`;
}

function outputOf(output: unknown): string {
  const value = (output as { value?: unknown } | undefined)?.value ?? output;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function formatTime(timestamp: string): string {
  return timestamp.slice(0, 19).replace('T', ' ');
}

/** A tool that was called, or refused, to get a run ready: what was wanted of it, and what became of it. */
export interface PreparedCall extends Pick<ToolEntry, 'tool' | 'args' | 'timestamp'> {
  readonly infoId: string;
  readonly status: 'success' | 'error';
  /** Real calls, tries included; 0 for one that was refused. */
  readonly calls: number;
  /** Why it gave nothing; null where it did. */
  readonly error: string | null;
}

/**
 * Lists the calls of tools before the first line of a run's journal, from what is kept of that: the journal begins after
 * it. In the order of the plan. @see decision 0011
 */
export async function listPreparedCalls(
  runState: Pick<RunState, 'read'>,
  logger: Pick<DaemonLogger, 'warn'>,
): Promise<readonly PreparedCall[]> {
  const kept = await readKeptPrePlanning(runState, logger);
  if (kept === null) return [];
  const { readPrePlanningState } = await import('@agent/pre-planning');
  const state = readPrePlanningState(kept.state, logger);
  if (state === null) return [];
  const results = new Map(state.collection_results.map((result) => [result.info_id, result]));
  const reasons = new Map(state.failures.map(({ info_id: id, reason }) => [id, reason]));
  const needs = state.collection_plan?.required_information ?? [];
  return needs.flatMap(({ id, collection_method: { tool, parameters } }) => {
    const result = results.get(id);
    if (result === undefined) return [];
    const error = reasons.get(id) ?? null;
    const { timestamp, tool_calls_used: calls } = result;
    const status = error === null ? 'success' : 'error';
    return { infoId: id, tool, args: parameters, status, calls, error, timestamp };
  });
}
