import { z } from 'zod';
import { variableName } from './scalars.ts';

/** Section `webhooks`: the variables that hold what a platform proves itself with. Without a value, its webhooks are refused. */
export const webhooksSchema = z.strictObject({
  github: z.strictObject({ secret_env: variableName.default('GITHUB_WEBHOOK_SECRET') }).prefault({}),
  gitlab: z.strictObject({ token_env: variableName.default('GITLAB_WEBHOOK_TOKEN') }).prefault({}),
});
