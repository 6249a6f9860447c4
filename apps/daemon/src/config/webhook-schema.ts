import { z } from 'zod';
import { variableName } from './scalars.ts';

/** Section `webhooks`: the variables that hold what a platform proves itself with. Without a value, its webhooks are refused. */
export const webhooksSchema = z.strictObject({
  github: z.strictObject({ secret_env: variableName.default('GITHUB_WEBHOOK_SECRET') }).prefault({}),
  gitlab: z.strictObject({ token_env: variableName.default('GITLAB_WEBHOOK_TOKEN') }).prefault({}),
  /** Bodies that are read at one time, of all platforms together; what comes beyond is told to come again. */
  max_bodies_in_flight: z.number().int().min(1).max(1_000).default(32),
  /** Bytes of these bodies together. Default 32 MiB. */
  max_bytes_in_flight: z.number().int().min(65_536).default(33_554_432),
});
