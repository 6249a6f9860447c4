import { z } from 'zod';

/** How often a question is asked: 1 at every checkpoint, 5 at every fifth, 0 never. */
const checkInterval = z.number().int().min(0).max(1_000).default(1);

/**
 * Where runs are kept and how their context is made smaller.
 *
 * @see docs/requirements.md RL-13
 */
export const contextStorageSchema = z.strictObject({
  enabled: z
    .literal(true, { error: 'cannot be switched off: the journal is what lets a run survive' })
    .default(true),
  base_dir: z.string().min(1).default('contexts'),
  /** Share of the model's window above which older messages are summarized. */
  compression_threshold: z.number().gt(0).max(1).default(0.7),
  keep_recent_messages: z.number().int().min(1).max(1_000).default(5),
  /** Days after which a run that ended is deleted; never sooner than `context_inheritance.context_expiry_days` (X8). */
  cleanup_days: z.number().int().min(1).default(30),
  /** Asks for a summary; `{messages}` stands for what is summarized. Null: the daemon's own words. */
  summary_prompt: z
    .string()
    .includes('{messages}', { error: 'must contain {messages}, where the messages go' })
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
