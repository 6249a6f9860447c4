import { z } from 'zod';
import { seconds } from './scalars.ts';

const autoIsGone =
  'auto is gone. Write required (bubblewrap or no start; the default), external (the daemon runs in a container that keeps its commands in) or off (commands have all rights of the daemon)';

const shownPath = z
  .string()
  .regex(
    /^\/(?!(proc|dev|sys|tmp)(\/|$))[^/]/,
    'must be absolute, and neither / nor below /proc, /dev, /sys or /tmp',
  );

/** Limits of one command together with everything that it starts. */
const commandLimits = z.strictObject({
  cpu_seconds: z.number().int().min(1).max(604_800).default(1_800),
  memory_mb: z.number().int().min(64).max(4_194_304).default(4_096),
  processes: z.number().int().min(16).max(4_194_304).default(1_024),
  file_size_mb: z.number().int().min(1).max(4_194_304).default(1_024),
});

/** `tools.run_command` */
export const runCommandSchema = z.strictObject({
  allow: z
    .array(z.string().regex(/^[\w.+-]+$/, 'must be a bare command name'))
    .nullable()
    .default(null),
  timeout_seconds: seconds.default(300),
  sandbox: z
    .enum(['required', 'external', 'off'], {
      error: ({ input }) => (input === 'auto' ? autoIsGone : undefined),
    })
    .default('required'),
  /** True to let commands run as root where the daemon does. */
  allow_root: z.boolean().default(false),
  network: z.boolean().default(false),
  /** Absolute paths that commands may read in the sandbox, beside the system and the tools on PATH. */
  show: z.array(shownPath).default([]),
  limits: commandLimits.prefault({}),
  max_output_bytes: z.number().int().min(1_024).max(1_048_576).default(32_768),
});
