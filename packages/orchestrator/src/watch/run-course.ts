import { type Outcome, outcomes, type TaskState } from '@agent/run-store';
import { parseJson } from '@agent/text/json';
import { z } from 'zod';

/** Progress of a run, by its plan or in pre-planning. */
export interface RowProgress {
  /** In the words of the record, such as `collection` or `execution`. */
  readonly phase: string;
  readonly done: number;
  readonly total: number;
}

/** Course of a run that is at work, as far as its record says it: a fold over the lines, which are read once. */
export interface RunCourse {
  /** Number of model calls that were answered, in pre-planning too. */
  readonly calls: number;
  /** Number of the step that is under way, as the log has it. */
  readonly step: number;
  readonly tool: string | null;
  /** Start of the call of that tool in milliseconds since 1970; null without one. */
  readonly toolSince: number | null;
  readonly tokens: number;
  /** In millionths of the currency. */
  readonly costMicros: number;
  readonly progress: RowProgress | null;
  /** State of its pause; null while it is not paused. */
  readonly pause: TaskState | null;
  /** Null while it has not ended. */
  readonly status: Outcome | null;
  /** Reason of the outcome; null for none. */
  readonly reason: string | null;
  /** Ids of the tasks of its plan that are done. */
  readonly done: ReadonlySet<string>;
}

/** Course of a run of which nothing was read yet. */
export const noCourse: RunCourse = {
  ...{
    calls: 0,
    step: 0,
    tool: null,
    toolSince: null,
    tokens: 0,
    costMicros: 0,
    progress: null,
    pause: null,
  },
  ...{ status: null, reason: null, done: new Set() },
};

const factName = /^\{"fact":"([a-z-]+)"/;

/** Names the fact of a line; null for a message. */
export function nameOfLine(text: string): string | null {
  return factName.exec(text)?.[1] ?? null;
}

/** The course after another line. What says nothing changes nothing. */
export function afterLine(course: RunCourse, text: string): RunCourse {
  const name = nameOfLine(text);
  if (name === null) return afterMessage(course, text);
  return afterFact[name]?.(course, text) ?? course;
}

const usageSchema = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cost_micros: z.number().default(0),
});
const messageSchema = z.object({
  usage: usageSchema.nullish(),
  spent: usageSchema.extend({ model_calls: z.number() }).nullish(),
});

function afterMessage(course: RunCourse, text: string): RunCourse {
  // Most lines without a cost are long, and are not read.
  if (!text.includes('"input_tokens":')) return { ...course, step: course.calls + 1 };
  const { usage, spent } = parse(messageSchema, text) ?? {};
  const counted = usage ?? spent;
  if (counted == null) return course;
  const calls = course.calls + (usage == null ? (spent?.model_calls ?? 0) : 1);
  return {
    ...{ ...course, calls, step: usage == null ? calls + 1 : calls },
    tokens: course.tokens + counted.input_tokens + counted.output_tokens,
    costMicros: course.costMicros + counted.cost_micros,
  };
}

type Reader = (course: RunCourse, text: string) => RunCourse;

const startedSchema = z.object({ timestamp: z.string(), data: z.object({ tool: z.string() }) });
const endedSchema = z.object({
  data: z.object({ outcome: z.object({ status: z.enum(outcomes), reason: z.string().nullish() }) }),
});
const pausedSchema = z.object({
  data: z
    .object({ paused_at: z.string(), last_error: z.string().nullable(), planning_state: z.json().nullish() })
    .transform(({ paused_at, last_error, planning_state }) => ({
      ...{ pausedAt: paused_at, lastError: last_error, planningState: planning_state ?? null },
    })),
});
const planSchema = z.object({
  data: z.union([
    z.object({ type: z.literal('phase'), phase: z.string() }),
    z.object({ type: z.literal('action'), task_id: z.string(), state: z.string() }),
    z.object({
      type: z.literal('plan'),
      plan: z.object({ action_plan: z.object({ actions: z.array(z.unknown()) }) }),
    }),
    z.object({
      type: z.literal('revision'),
      updated_plan: z.object({ action_plan: z.object({ actions: z.array(z.unknown()) }) }),
    }),
  ]),
});

const noTool = { tool: null, toolSince: null } as const;

const afterFact: Readonly<Record<string, Reader>> = {
  'tool-started': (course, text) => {
    const started = parse(startedSchema, text);
    const toolSince = started === undefined ? null : Date.parse(started.timestamp);
    const step = course.calls === 0 ? course.step : course.calls;
    return { ...course, step, tool: started?.data.tool ?? null, toolSince };
  },
  'tool-finished': (course) => ({ ...course, ...noTool }),
  paused: (course, text) => {
    const pause = parse(pausedSchema, text)?.data;
    return pause === undefined ? course : { ...course, pause: toPause(pause) };
  },
  resumed: (course) => ({ ...course, pause: null, status: null, reason: null, ...noTool }),
  ended: (course, text) => {
    const outcome = parse(endedSchema, text)?.data.outcome;
    if (outcome === undefined || outcome.status === 'needs_input') return course;
    return { ...course, status: outcome.status, reason: outcome.reason ?? null, ...noTool };
  },
  planning: (course, text) => {
    const fact = parse(planSchema, text)?.data;
    return fact === undefined ? course : afterPlanning(course, fact);
  },
};

function afterPlanning(course: RunCourse, fact: z.output<typeof planSchema>['data']): RunCourse {
  const { progress = null, done } = course;
  const { phase = 'planning', total = 0 } = progress ?? {};
  if (fact.type === 'phase') return { ...course, progress: { phase: fact.phase, done: done.size, total } };
  if (fact.type === 'action') {
    const after = new Set(done);
    if (fact.state === 'succeeded') after.add(fact.task_id);
    else after.delete(fact.task_id);
    return { ...course, done: after, progress: { phase: 'execution', done: after.size, total } };
  }
  const plan = fact.type === 'plan' ? fact.plan : fact.updated_plan;
  return { ...course, progress: { phase, done: done.size, total: plan.action_plan.actions.length } };
}

function toPause(pause: Pick<TaskState, 'pausedAt' | 'lastError' | 'planningState'>): TaskState {
  const rest = { taskKey: {}, uuid: '', user: null, status: 'paused', resumeCount: 0, resumedAt: null };
  return { ...rest, contextPath: '', ...pause };
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | undefined {
  return schema.safeParse(parseJson(text)).data;
}
