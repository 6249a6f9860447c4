import { runSettingsShape } from '@agent/orchestrator/config';
import { mcpServersSchema } from '@agent/workspace/config';
import { z } from 'zod';
import { platformsSchema } from './platform-schema.ts';
import { httpUrl, seconds, variableName } from './scalars.ts';

/** Section `webhooks`: the variables that hold what a platform proves itself with. Without a value, its webhooks are refused. */
const webhooksSchema = z.strictObject({
  github: z.strictObject({ secret_env: variableName.default('GITHUB_WEBHOOK_SECRET') }).prefault({}),
  gitlab: z.strictObject({ token_env: variableName.default('GITLAB_WEBHOOK_TOKEN') }).prefault({}),
  /** Bodies that are read at one time, of all platforms together; what comes beyond is told to come again. */
  max_bodies_in_flight: z.number().int().min(1).max(1_000).default(32),
  /** Bytes of these bodies together. Default 32 MiB. */
  max_bytes_in_flight: z.number().int().min(65_536).default(33_554_432),
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
  /** Bytes of an answer's body; a longer one is refused. */
  max_answer_bytes: z.number().int().min(65_536).default(2_097_152),
  /** A module whose default export returns an AI SDK `LanguageModel`; replaces everything above. */
  module: z.string().min(1).nullable().default(null),
});

const http = z.strictObject({
  /** Null: no server at all. 0: any free port. */
  port: z.number().int().min(0).max(65_535).nullable().default(null),
  host: z.string().min(1).default('127.0.0.1'),
  /** Names beside `host` that requests may ask by, without a port. */
  allowed_hosts: z
    .array(z.string().regex(/^[A-Za-z0-9_.-]+$/, 'must be a host name without scheme and port'))
    .default([]),
});

const outgoing = z.strictObject({
  /** Files, and directories with a slash at the end, in which what looks like a secret may be pushed. */
  allow_paths: z.array(z.string().min(1)).default([]),
  /** Values that may be pushed, by the fingerprints that the log tells. */
  allow_fingerprints: z
    .array(z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 hexadecimal digits, as the log tells them'))
    .default([]),
});

/** `agent.config.yaml`, as written: snake_case, strict, every default in one place. */
export const configSchema = z.strictObject({
  ...runSettingsShape,
  platforms: platformsSchema,
  llm: llm.prefault({}),
  poll_interval_seconds: seconds.default(60),
  concurrency: z.number().int().min(1).max(100).default(2),
  /**
   * People who may give a thread to the agent and steer its runs: people with write permission, everyone, or the accounts named.
   * A list may hold `collaborators` beside names, as for a bot.
   */
  trust: z
    .union([z.enum(['collaborators', 'everyone']), z.array(z.string().min(1))])
    .default('collaborators'),
  workspaces: z
    .strictObject({
      base_dir: z.string().min(1).default('workspaces'),
      author_name: z.string().min(1).nullable().default(null),
      author_email: z.email().nullable().default(null),
    })
    .prefault({}),
  /** MCP servers by name; the name stands before the names of their tools. */
  mcp_servers: mcpServersSchema,
  /** Files and values that are pushed although they look like secrets. */
  outgoing: outgoing.prefault({}),
  http: http.prefault({}),
  webhooks: webhooksSchema.prefault({}),
  log: z.strictObject({ level: z.enum(['debug', 'info', 'warn', 'error']).default('info') }).prefault({}),
});

export type Config = z.infer<typeof configSchema>;

export type LlmConfig = Config['llm'];

/** Keys that are set and have no effect so far: whoever sets one is told. */
export function listReservedKeys({ comment_detection: detection, planning }: Config): readonly string[] {
  return [
    ...(detection.include_review_comments ? ['comment_detection.include_review_comments'] : []),
    ...(planning?.progress_comment.enabled ? ['planning.progress_comment.enabled'] : []),
  ];
}
