import { commentDetectionConfigSchema } from '@agent/comment-detection/config';
import { contextInheritanceConfigSchema } from '@agent/context-inheritance';
import { commentHandlingConfigSchema } from '@agent/thread-context/config';
import { runCommandSchema } from '@agent/workspace/config';
import { z } from 'zod';
import { planningSchema } from './planning-schema.ts';
import { contextStorageSchema, pauseResumeSchema, taskStopSchema } from './run-life-schema.ts';
import { timeZone } from './time-zone.ts';

const limits = z.strictObject({
  max_steps: z.number().int().min(1).max(10_000).default(100),
  max_duration_minutes: z.number().positive().max(10_080).default(120),
  max_tokens: z.number().int().min(1_000).nullable().default(null),
  max_tool_failures: z.number().int().min(1).max(100).default(3),
  max_calls_per_answer: z.number().int().min(1).max(1_000).default(64),
  max_same_calls: z.number().int().min(2).max(1_000).default(10),
});

/** Settings of how runs are carried out, as a configuration writes them. An app puts them beside its own. */
export const runSettingsShape = {
  locale: z.enum(['auto', 'ja', 'en']).default('auto'),
  /** Of all times on threads, which name it: an IANA name, or `local` for that of the process. */
  time_zone: timeZone.default('UTC'),
  comment_handling: commentHandlingConfigSchema.prefault({}),
  comment_detection: commentDetectionConfigSchema
    /** Whether reactions show people that a comment was told to the model, and what became of a command. */
    .extend({ reactions: z.boolean().default(true) })
    .prefault({}),
  context_storage: contextStorageSchema.prefault({}),
  /** What a run inherits from earlier ones of its thread. @see seed 002 §5 */
  context_inheritance: contextInheritanceConfigSchema.prefault({}),
  planning: planningSchema,
  pause_resume: pauseResumeSchema.prefault({}),
  task_stop: taskStopSchema.prefault({}),
  limits: limits.prefault({}),
  tools: z.strictObject({ run_command: runCommandSchema.prefault({}) }).prefault({}),
};

const runSettingsSchema = z.object(runSettingsShape);

const llmSchema = z.object({
  max_retries: z.number().int().min(0).max(10).default(2),
  step_timeout_seconds: z.number().positive().default(600),
});

/** Reads settings as a configuration writes them; what is left out has its default. Throws a ZodError that names the mistake. */
export function parseRunSettings(
  written: z.input<typeof runSettingsSchema> & { readonly llm?: z.input<typeof llmSchema> } = {},
): RunSettings {
  return { ...runSettingsSchema.parse(written), llm: llmSchema.parse(written.llm ?? {}) };
}

/** What runs read of a configuration. */
export type RunSettings = z.infer<typeof runSettingsSchema> & {
  readonly llm: { readonly max_retries: number; readonly step_timeout_seconds: number };
};
