import { unwrapToolOutput } from '@agent/text';
import { parseJson, toRecord } from '@agent/text/json';
import { z } from 'zod';
import {
  formatRecordedDecision,
  inheritedDecisionsName,
  parseInheritedDecisions,
} from '../past/inherited-decisions.ts';
import { nameOfLine } from './run-course.ts';

/** Step of the timeline of a run. */
export interface TimelineEntry {
  /** Number of its line in the record; identifies it. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: 'message' | 'tool' | 'summary' | 'comment' | 'plan' | 'state';
  /** A role, a tool, a phase or a fact. */
  readonly name: string;
  readonly text: string;
  /** Number of characters that were cut. */
  readonly cut: number;
  /** Arguments of a tool, as JSON; null for another entry. */
  readonly args: string | null;
  readonly status: 'started' | 'success' | 'error' | null;
  readonly durationMs: number | null;
  readonly tokens: number | null;
  readonly costMicros: number | null;
}

/** Line of a record, read. */
export interface ReadLine {
  readonly line: number;
  /** Name of its fact; null for a message. */
  readonly fact: string | null;
  readonly at: number;
  /** Data of the fact; the whole line of a message. */
  readonly data: { readonly [name: string]: unknown };
}

const lineSchema = z.looseObject({ timestamp: z.string(), data: z.unknown().optional() });

/** Facts that the store and the runs keep for themselves. */
const unshown: ReadonlySet<string> = new Set(['state', 'intent', 'settled', 'record-behind']);

/** Reads a line; null for one that says nothing to people. */
export function readLine({ line, text }: { readonly line: number; readonly text: string }): ReadLine | null {
  const fact = nameOfLine(text);
  const whole = toRecord(parseJson(text));
  const { success, data: read } = lineSchema.safeParse(whole);
  if (!success || whole === null) return null;
  const data = fact === null ? whole : (toRecord(read.data) ?? { list: read.data });
  return { line, fact, at: Date.parse(read.timestamp), data };
}

/** Options of what is shown. */
export interface TimelineOptions {
  readonly redact: (text: string) => string;
  /** Characters of a text that are shown at most. */
  readonly textLimit: number;
}

/** Texts of an entry before they are cut. */
interface Told {
  readonly kind: TimelineEntry['kind'];
  readonly name: string;
  readonly text: string;
  readonly args?: string;
  readonly status?: TimelineEntry['status'];
  readonly durationMs?: number;
  readonly usage?: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost_micros: number;
  };
}

/** Tells whether a line is a step of the timeline, without making one. */
export function isShown({ fact, data }: Pick<ReadLine, 'fact' | 'data'>): boolean {
  // What a tool gave back stands in the line of the tool.
  if (fact === null) return data.role !== 'tool';
  return !unshown.has(fact);
}

/** Makes an entry of a line that is shown. Texts are cut, and hide what is secret. */
export function toTimelineEntry(
  { line, fact, at, data }: ReadLine,
  { redact, textLimit }: TimelineOptions,
): TimelineEntry {
  const told = fact === null ? tellMessage(data) : (tellers[fact] ?? tellFact(fact))(data);
  const whole = redact(told.text);
  const text = cutText(whole, { textLimit, keepsEnd: told.status === 'error' });
  const { usage } = told;
  return {
    ...{
      seq: line,
      at,
      kind: told.kind,
      name: told.name,
      text,
      cut: Math.max(0, whole.length - text.length),
    },
    args: told.args === undefined ? null : redact(told.args).slice(0, textLimit),
    status: told.status ?? null,
    durationMs: told.durationMs ?? null,
    tokens: usage === undefined ? null : usage.input_tokens + usage.output_tokens,
    costMicros: usage?.cost_micros ?? null,
  };
}

/** Cuts a text at its end. `keepsEnd`: in its middle, because the cause of an error is often the last line. */
function cutText(
  text: string,
  { textLimit, keepsEnd }: { readonly textLimit: number; readonly keepsEnd: boolean },
): string {
  if (text.length <= textLimit) return text;
  const part = keepsEnd ? Math.floor(textLimit / 2) : textLimit;
  const start = text.slice(0, part).replace(/[\uD800-\uDBFF]$/, '');
  if (!keepsEnd) return start;
  return `${start}\n…\n${text.slice(-part).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

export const usageSchema = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cost_micros: z.number().default(0),
});

function tellMessage(data: ReadLine['data']): Told {
  const { role, content } = data;
  const usage = usageSchema.safeParse(data.usage ?? data.spent).data;
  const said = { kind: 'message', name: toText(role), text: toText(content) } as const;
  return usage === undefined ? said : { ...said, usage };
}

type Tell = (data: ReadLine['data']) => Told;

/** True for the end of a call that failed, or whose work did, such as a command with another exit code than 0. */
export function isFailedCall({
  status,
  failure,
}: {
  readonly status?: unknown;
  readonly failure?: unknown;
}): boolean {
  return status === 'error' || typeof failure === 'string';
}

function tellTool(data: ReadLine['data']): Told {
  const { tool, args, status, result, error, duration_ms: durationMs, failure } = data;
  return {
    kind: 'tool',
    name: toText(tool),
    text: [failure, unwrapToolOutput(result ?? error)].map(toText).filter(Boolean).join('\n'),
    args: JSON.stringify(args) ?? '',
    status: isFailedCall(data) ? 'error' : status === 'success' ? status : 'started',
    ...(typeof durationMs === 'number' ? { durationMs } : {}),
  };
}

function tellSummary({ summary, usage }: ReadLine['data']): Told {
  const counted = usageSchema.safeParse(usage).data;
  const told = { kind: 'summary', name: 'summary', text: toText(summary) } as const;
  return counted === undefined ? told : { ...told, usage: counted };
}

function tellObserved({ observations }: ReadLine['data']): Told {
  const found = Array.isArray(observations) ? observations.map((one) => toRecord(one) ?? {}) : [];
  const lines = found.map(({ kind, author, body }) =>
    `${toText(kind)} @${toText(toRecord(author)?.login) || '?'}: ${toText(body)}`.trim(),
  );
  return { kind: 'comment', name: 'observed', text: lines.join('\n') };
}

function tellPlan(data: ReadLine['data']): Told {
  const { type, state, task_id: task, detail, reason, phase } = data;
  const words = [task, state, phase, reason, detail].map(toText).filter(Boolean);
  return { kind: 'plan', name: toText(type), text: words.join(' · ') };
}

function tellAgentPlan({ list }: ReadLine['data']): Told {
  const steps = Array.isArray(list) ? list.map((one) => toRecord(one) ?? {}) : [];
  const text = steps.map(({ status, text: step }) => `${toText(status)}: ${toText(step)}`).join('\n');
  return { kind: 'plan', name: 'agent-plan', text };
}

function tellInheritedDecisions(data: ReadLine['data']): Told {
  const text = parseInheritedDecisions(data).map(formatRecordedDecision).join('\n');
  return { kind: 'state', name: inheritedDecisionsName, text };
}

/** Tells who the agent is. Id and secret of the session are left out. */
function tellSession({ agent }: ReadLine['data']): Told {
  const { name, version } = toRecord(agent) ?? {};
  const text = [name, version].map(toText).filter(Boolean).join(' ');
  return { kind: 'state', name: 'agent-session', text };
}

const tellState =
  (name: string, read: (data: ReadLine['data']) => unknown): Tell =>
  (data) => ({ kind: 'state', name, text: toText(read(data)) });

const tellFact =
  (name: string): Tell =>
  (data) => ({ kind: 'state', name, text: JSON.stringify(data) });

/** Describes comments and plans that the caller of the store wrote down; null for an internal event, and for one without words. */
export function describeFact({
  name,
  data,
}: {
  readonly name: string;
  readonly data: unknown;
}): string | null {
  const tell = name === 'observed' ? tellObserved : name === 'planning' ? tellPlan : null;
  const { name: kind, text } = tell?.(toRecord(data) ?? {}) ?? { name: '', text: '' };
  if (text === '') return null;
  return name === 'planning' ? `${kind}: ${text}` : text;
}

const tellers: Readonly<Record<string, Tell>> = {
  'tool-started': tellTool,
  'tool-finished': tellTool,
  summary: tellSummary,
  observed: tellObserved,
  planning: tellPlan,
  'agent-plan': tellAgentPlan,
  [inheritedDecisionsName]: tellInheritedDecisions,
  'agent-session': tellSession,
  opened: tellState('opened', ({ hostname }) => hostname),
  owned: tellState('owned', ({ hostname, host }) => hostname ?? host),
  left: tellState('left', () => ''),
  paused: tellState('paused', ({ last_error: error }) => error),
  resumed: tellState('resumed', () => ''),
  damage: tellState('damage', ({ reason }) => reason),
  ended: tellState('ended', ({ outcome }) => {
    const { status, reason, final_text: text } = toRecord(outcome) ?? {};
    return [status, reason, text].map(toText).filter(Boolean).join('\n');
  }),
};

/** A text as it is; '' for nothing, JSON for anything else. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
