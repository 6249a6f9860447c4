import { z } from 'zod';

const label = (name: string) => z.string().trim().min(1).max(50).default(name);
const seconds = z.number().positive().max(86_400);
const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable');
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });
const repositoryPath = z
  .string()
  .regex(/^[\w.-]+\/[\w.-]+$/, 'must look like owner/repository, without a host');

/**
 * Labels of one platform; together they are the states of a task.
 *
 * @see seed 002 and docs/requirements.md RL-1
 */
const labels = {
  bot_label: label('coding agent'),
  processing_label: label('coding agent processing'),
  done_label: label('coding agent done'),
  failed_label: label('coding agent failed'),
  paused_label: label('coding agent paused'),
  stopped_label: label('coding agent stopped'),
};

const github = z.strictObject({
  base_url: httpUrl.default('https://api.github.com'),
  token_env: variableName.default('GITHUB_TOKEN'),
  repositories: z.array(repositoryPath).min(1, 'name at least one repository, as owner/repository'),
  username: z.string().min(1).nullable().default(null),
  bot_name: z.string().min(1).nullable().default(null),
  timeout_seconds: seconds.default(30),
  write_spacing_ms: z.number().int().min(0).max(60_000).default(1_000),
  ...labels,
});

const llm = z.strictObject({
  preset: z.enum(['openai', 'lmstudio', 'ollama']).nullable().default(null),
  base_url: httpUrl.nullable().default(null),
  model: z.string().min(1).nullable().default(null),
  api: z.enum(['responses', 'chat']).nullable().default(null),
  api_key_env: variableName.nullable().default(null),
  context_length: z.number().int().min(1_024).nullable().default(null),
  max_retries: z.number().int().min(0).max(10).default(2),
  step_timeout_seconds: seconds.default(600),
  /** A module whose default export returns an AI SDK `LanguageModel`; replaces everything above. */
  module: z.string().min(1).nullable().default(null),
});

const limits = z.strictObject({
  max_steps: z.number().int().min(1).max(10_000).default(100),
  max_duration_minutes: z.number().positive().max(10_080).default(120),
  max_tokens: z.number().int().min(1_000).nullable().default(null),
  max_tool_failures: z.number().int().min(1).max(100).default(3),
});

const runCommand = z.strictObject({
  allow: z
    .array(z.string().regex(/^[\w.+-]+$/, 'must be a bare command name'))
    .nullable()
    .default(null),
  timeout_seconds: seconds.default(300),
  sandbox: z.enum(['auto', 'required', 'off']).default('auto'),
  network: z.boolean().default(false),
  max_output_bytes: z.number().int().min(1_024).max(1_048_576).default(32_768),
});

/** `agent.config.yaml`, as written: snake_case, strict, every default in one place. */
export const configSchema = z.strictObject({
  locale: z.enum(['auto', 'ja', 'en']).default('auto'),
  platforms: z.strictObject({ github }),
  llm: llm.prefault({}),
  poll_interval_seconds: seconds.default(60),
  concurrency: z.number().int().min(1).max(100).default(2),
  comment_handling: z.strictObject({ max_comment_count: z.number().int().min(0).default(10) }).prefault({}),
  context_storage: z.strictObject({ base_dir: z.string().min(1).default('contexts') }).prefault({}),
  workspaces: z
    .strictObject({
      base_dir: z.string().min(1).default('workspaces'),
      author_name: z.string().min(1).nullable().default(null),
      author_email: z.email().nullable().default(null),
    })
    .prefault({}),
  limits: limits.prefault({}),
  tools: z.strictObject({ run_command: runCommand.prefault({}) }).prefault({}),
  log: z.strictObject({ level: z.enum(['debug', 'info', 'warn', 'error']).default('info') }).prefault({}),
});

export type Config = z.infer<typeof configSchema>;
export type GitHubConfig = Config['platforms']['github'];
export type LlmConfig = Config['llm'];
