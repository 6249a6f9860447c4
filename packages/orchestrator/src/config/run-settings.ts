import { commentDetectionConfigSchema } from '@agent/comment-detection/config';
import { contextInheritanceConfigSchema } from '@agent/context-inheritance/config';
import { executorSchema } from '@agent/runner/executors/config';
import { modelPriceSchema } from '@agent/runner/models/config';
import { isTimeZone } from '@agent/text';
import { commentHandlingConfigSchema } from '@agent/thread-context/config';
import { environmentsSchema, runCommandSchema } from '@agent/workspace/config';
import { z } from 'zod';
import { branchPrefixSchema } from './branch-prefix.ts';
import { describeIssues } from './describe-issues.ts';
import { followUpSchema } from './follow-up-settings.ts';
import { picturesSchema } from './picture-settings.ts';
import { planningSchema } from './planning-settings.ts';
import { maxCostSchema } from './spending-settings.ts';

/** Frequency of a question: 1 for every checkpoint, 5 for every fifth, 0 for never. */
const checkInterval = z.number().int().min(0).max(1_000).default(1);

/**
 * Directory of runs, and the way in which their context is made smaller.
 *
 * @see docs/requirements.md RL-13
 */
const contextStorageSchema = z.strictObject({
  enabled: z
    .literal(true, { error: 'cannot be disabled: a run needs its journal to survive a crash' })
    .default(true),
  base_dir: z.string().min(1).default('contexts'),
  /** Share of the model's window above which older messages are summarized. */
  compression_threshold: z.number().gt(0).max(1).default(0.7),
  keep_recent_messages: z.number().int().min(1).max(1_000).default(5),
  /** Days for which data of runs that ended is stored. Null: `context_inheritance.context_expiry_days`, the least that is allowed (X8). */
  retention_days: z.number().int().min(1).nullable().default(null),
  /** Asks for a summary; `{messages}` stands for what is summarized. Null: the daemon's own words. */
  summary_prompt: z
    .string()
    .includes('{messages}', { error: 'must contain {messages}, the placeholder for the messages' })
    .nullable()
    .default(null),
});

/** @see docs/requirements.md RL-2 … RL-6 */
export const pauseResumeSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** While this file exists, runs pause and none begins. Null: `pause_signal` in the base directory (contexts/pause_signal). */
  signal_file: z.string().min(1).nullable().default(null),
  check_interval: checkInterval,
  paused_task_expiry_days: z.number().positive().default(30),
  /** Null: `paused` in the base directory (contexts/paused). */
  paused_dir: z.string().min(1).nullable().default(null),
});

/** @see docs/requirements.md RL-3, RL-7 */
export const taskStopSchema = z.strictObject({
  enabled: z.boolean().default(true),
  check_interval: checkInterval,
  min_check_interval_seconds: z.number().min(0).max(86_400).default(30),
});

/** An IANA name; `local` is read as that of the process. */
const timeZone = z
  .string()
  .transform((name) => (name === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : name))
  .refine(isTimeZone, 'must be the name of a time zone such as Asia/Tokyo, or local');

const limits = z.strictObject({
  max_steps: z.number().int().min(1).max(10_000).default(100),
  max_duration_minutes: z.number().positive().max(10_080).default(120),
  max_tokens: z.number().int().min(1_000).nullable().default(null),
  max_tool_failures: z.number().int().min(1).max(100).default(3),
  max_calls_per_answer: z.number().int().min(1).max(1_000).default(64),
  max_same_calls: z.number().int().min(2).max(1_000).default(10),
  max_cost: maxCostSchema,
});

const queueSchema = z.strictObject({
  /** Order of waiting tasks by their labels: a higher value starts first; a task without such a label has 0. */
  priorities: z.record(z.string().min(1), z.number().int().min(-100).max(100)).default({}),
});

/** Settings of how runs are carried out, as a configuration writes them. An app puts them beside its own. */
export const runSettingsShape = {
  locale: z.enum(['auto', 'ja', 'en']).default('auto'),
  /** Zone of all times on threads, which name it: an IANA name, or `local` for that of the process. */
  time_zone: timeZone.default('UTC'),
  branch_prefix: branchPrefixSchema,
  /** True where each run keeps a comment that says that it works there, which also keeps two daemons of one account apart. */
  status_comment: z.boolean().default(true),
  /** `single`: the comment of each run shows its whole progress; `seed`: the single notices of the seeds. @see decision X5 */
  report: z.strictObject({ style: z.enum(['single', 'seed']).default('single') }).prefault({}),
  comment_handling: commentHandlingConfigSchema.prefault({}),
  comment_detection: commentDetectionConfigSchema
    /** True where reactions show people that a comment was told to the model, and what became of a command. */
    .extend({ reactions: z.boolean().default(true) })
    .prefault({}),
  context_storage: contextStorageSchema.prefault({}),
  /** Inheritance from earlier runs of a thread. @see seed 002 §5 */
  context_inheritance: contextInheritanceConfigSchema.prefault({}),
  planning: planningSchema,
  executor: executorSchema,
  pause_resume: pauseResumeSchema.prefault({}),
  task_stop: taskStopSchema.prefault({}),
  limits: limits.prefault({}),
  queue: queueSchema.prefault({}),
  /** Null: a run ends with its delivery, unless somebody says `/watch`. */
  follow_up: followUpSchema.nullable().default(null),
  /** Pictures in issues and comments that the model is shown. */
  pictures: picturesSchema.prefault({}),
  /** Environment of commands, by repository. */
  environments: environmentsSchema,
  tools: z.strictObject({ run_command: runCommandSchema.prefault({}) }).prefault({}),
};

/** Settings that say how long data of a run is stored once it ended. */
interface RetentionSettings {
  readonly context_storage: { readonly retention_days: number | null };
  readonly context_inheritance: { readonly context_expiry_days: number };
}

/** @see decision X8 */
export function toRetentionDays({ context_storage, context_inheritance }: RetentionSettings): number {
  return context_storage.retention_days ?? context_inheritance.context_expiry_days;
}

/** Refuses to delete runs that later ones may still inherit from. */
export function checkRetention(settings: RetentionSettings, context: z.RefinementCtx): void {
  const { context_expiry_days: expiryDays } = settings.context_inheritance;
  if (toRetentionDays(settings) >= expiryDays) return;
  const message = `must be at least context_inheritance.context_expiry_days (${expiryDays}): later runs inherit from runs of that age. Raise it, lower context_expiry_days, or leave it out`;
  context.addIssue({ code: 'custom', path: ['context_storage', 'retention_days'], message });
}

const llmSchema = z.strictObject({
  max_retries: z.number().int().min(0).max(10).default(2),
  step_timeout_seconds: z.number().positive().default(600),
  prices: z.record(z.string().min(1), modelPriceSchema).default({}),
  currency: z.string().min(1).max(8).default('USD'),
});

const runSettingsSchema = z
  .strictObject({ ...runSettingsShape, llm: llmSchema.prefault({}) })
  .superRefine(checkRetention);

/**
 * Reads settings as a configuration writes them; what is left out has its default.
 *
 * @throws {TypeError} that names each setting which is unknown or invalid, and the one that was probably meant
 * @example
 * const settings = parseRunSettings({ limits: { max_steps: 20 }, time_zone: 'Asia/Tokyo' });
 */
export function parseRunSettings(written: z.input<typeof runSettingsSchema> = {}): RunSettings {
  const read = runSettingsSchema.safeParse(written);
  if (read.success) return read.data;
  const { error } = read;
  const mistakes = describeIssues(error, { schema: runSettingsSchema, input: written, platforms: [] });
  throw new TypeError(mistakes.map(({ text }) => text).join('\n'), { cause: error });
}

/** Settings that runs read of a configuration. */
export type RunSettings = z.infer<typeof runSettingsSchema>;
