import { checkRetention, runSettingsShape } from '@agent/orchestrator/config';
import { platformsSchema, webhooksSchema } from '@agent/orchestrator/platforms';
import { pageSchema } from '@agent/page/config';
import { llmSchema } from '@agent/runner/models/config';
import {
  mcpServersSchema,
  protectedPathsSchema,
  seconds,
  signingSchema,
  variableName,
} from '@agent/workspace/config';
import { z } from 'zod';

const http = z.strictObject({
  /** Null: no server at all. 0: any free port. */
  port: z.number().int().min(0).max(65_535).nullable().default(null),
  host: z.string().min(1).default('127.0.0.1'),
  /** Names beside `host` that requests may ask by, without a port. */
  allowed_hosts: z
    .array(z.string().regex(/^[A-Za-z0-9_.-]+$/, 'must be a host name without scheme and port'))
    .default([]),
  page: pageSchema.prefault({}),
  /** File with the bearer token for `/metrics` and `/tasks.json`, relative to the configuration file. */
  metrics_token_file: z.string().min(1).nullable().default(null),
});

const postgres = z.strictObject({
  /** Variable that holds the address, `postgres://user:password@host/database`. */
  url_env: variableName.default('DATABASE_URL'),
  /** Holds the tables; one for each cluster on the same database. */
  schema: z
    .string()
    .regex(
      /^(?!.*_queue$)[a-z_][a-z0-9_]{0,39}$/,
      'must be at most 40 lower-case letters, digits and "_", without "_queue" at the end',
    )
    .default('agent'),
});

const outgoing = z.strictObject({
  /** Hosts to which links in comments may lead, besides those of the platforms and the web UI: `docs.example.org`. */
  link_hosts: z
    .array(z.string().regex(/^[a-z0-9.-]+(?::\d{1,5})?$/i, 'must be a host name such as docs.example.org'))
    .default([]),
  /** Files, and directories with a slash at the end, in which what looks like a secret may be pushed. */
  allow_paths: z.array(z.string().min(1)).default([]),
  /** Values that can be pushed, by the fingerprints in the log. */
  allow_fingerprints: z
    .array(z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 hexadecimal digits, as the log shows them'))
    .default([]),
  /**
   * Actions for changed paths: `hold` until a user allows the change, `draft` to push and report it, `allow` to push it. CI files, code
   * owners, agent instructions and configuration that runs commands are held if no pattern matches.
   */
  protected_paths: protectedPathsSchema,
});

const sections = z.strictObject({
  ...runSettingsShape,
  platforms: platformsSchema,
  llm: llmSchema.prefault({}),
  poll_interval_seconds: seconds.default(60),
  concurrency: z.number().int().min(1).max(100).default(2),
  /**
   * People who may give a thread to the agent and steer its runs: people with write permission, everyone, or the accounts named.
   * A list may hold `collaborators` beside names, as for a bot.
   */
  trust: z
    .union([z.enum(['collaborators', 'everyone']), z.array(z.string().min(1))], {
      error: 'must be collaborators, everyone, or a list of accounts such as [alice, bob]',
    })
    .default('collaborators'),
  /** Place where runs are kept. Null: files of `context_storage.base_dir`. */
  storage: z.strictObject({ postgres: postgres.nullable().default(null) }).prefault({}),
  workspaces: z
    .strictObject({
      base_dir: z.string().min(1).default('workspaces'),
      author_name: z.string().min(1).nullable().default(null),
      author_email: z.email().nullable().default(null),
      /** Key that commits are signed with. Null: they are not signed. */
      signing: signingSchema.nullable().default(null),
    })
    .prefault({}),
  /** MCP servers by name; the name stands before the names of their tools. */
  mcp_servers: mcpServersSchema,
  /** Changes that a person has to allow before they are pushed, and values that are pushed although they look like secrets. */
  outgoing: outgoing.prefault({}),
  http: http.prefault({}),
  webhooks: webhooksSchema.prefault({}),
  /** Traces and metrics, which go where the standard variables of OpenTelemetry say; without those there are none. */
  telemetry: z
    .strictObject({
      enabled: z.boolean().default(true),
      /** True to send what was said and done, too: prompts, answers, arguments and results of tools. */
      content: z.boolean().default(false),
    })
    .prefault({}),
  log: z.strictObject({ level: z.enum(['debug', 'info', 'warn', 'error']).default('info') }).prefault({}),
});

/** `agent.config.yaml`, as written: snake_case, strict, every default in one place. */
export const configSchema = sections.superRefine(checkRetention);

export type Config = z.infer<typeof configSchema>;

const { shape } = configSchema;
const { base_dir: contexts } = shape.context_storage.unwrap().shape;
const { enabled, signal_file, paused_dir } = shape.pause_resume.unwrap().shape;
const { host, port } = shape.http.unwrap().shape;
const { prices, currency } = shape.llm.unwrap().shape;

/**
 * Sections as commands beside the daemon read them: only the settings that they use. Commands can do without a section
 * that has a `catch`.
 */
export const commandSections = {
  storage: shape.storage,
  context_storage: z.object({ base_dir: contexts }).prefault({}),
  pause_resume: z.object({ enabled, signal_file, paused_dir }).prefault({}),
  workspaces: z.object({ base_dir: shape.workspaces.unwrap().shape.base_dir }).prefault({}),
  http: z.object({ host, port }).prefault({}).catch({ host: '127.0.0.1', port: null }),
  platforms: shape.platforms.catch({ github: null, gitlab: null, custom: {} }),
  llm: z.object({ prices, currency }).prefault({}),
  limits: z.object({ max_cost: shape.limits.unwrap().shape.max_cost }).prefault({}),
  time_zone: shape.time_zone.catch('UTC'),
};

export type SectionName = keyof typeof commandSections;

/** The named sections, parsed. */
export type Sections<Name extends SectionName> = {
  readonly [Key in Name]: z.output<(typeof commandSections)[Key]>;
};

/** Sections that say where runs are stored. */
export const placeNames = ['storage', 'context_storage', 'pause_resume'] as const;

export type PlaceName = (typeof placeNames)[number];
