import { z } from 'zod';

/** Seconds, up to a day. */
export const seconds = z.number().positive().max(86_400);

/** Name of an environment variable. */
export const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable');

/** `workspaces.signing` */
export const signingSchema = z
  .strictObject({
    /** Way in which git signs: by ssh-keygen, or by gpg. */
    format: z.enum(['ssh', 'openpgp']),
    /** File with the private key, which has no passphrase. */
    key_file: z.string().min(1).nullable().default(null),
    /** Variable with the private key, in the place of a file. */
    key_env: variableName.nullable().default(null),
  })
  .refine(({ key_file, key_env }) => (key_file === null) !== (key_env === null), {
    error: 'needs either key_file or key_env, and not both',
  });

/** Key that commits are signed with. */
export type SigningConfig = z.infer<typeof signingSchema>;

/** Address of a server, over http or https. */
export const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'must be an address that begins with http:// or https://',
});

const tools = {
  /** Tools that runs get, by the names that the server gives them; null: all. */
  tools: z.array(z.string().min(1)).min(1).nullable().default(null),
};

const mcpServer = z.union(
  [
    z.strictObject({
      ...tools,
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      /** Variables of the process's environment that the server gets, beside PATH and HOME. */
      env: z
        .array(variableName, {
          error:
            'must be a list of names of environment variables, such as [API_URL]; their values go into .env',
        })
        .default([]),
    }),
    z.strictObject({
      ...tools,
      url: httpUrl,
      /** Variable that holds the bearer token. */
      token_env: variableName.nullable().default(null),
    }),
  ],
  {
    error: ({ input }) =>
      typeof input === 'object' && input !== null && !Array.isArray(input)
        ? undefined
        : 'must be a section: each server has a name of its own, and below it command or url',
  },
);

/** `mcp_servers`: MCP servers by name; the name stands before the names of their tools. */
export const mcpServersSchema = z
  .record(
    z
      .string()
      .regex(
        /^[a-z][a-z0-9_-]{0,30}$/,
        'must begin with a lower-case letter, followed by at most 30 lower-case letters, digits, - and _',
      ),
    mcpServer,
  )
  .default({});

/** Configuration of one MCP server: a command to start, or an address. */
export type McpServerConfig = z.infer<typeof mcpServer>;

const autoIsGone =
  'auto was removed. Use required (bubblewrap or no start; the default), external (the daemon runs in a container that isolates its commands) or off (commands run with all permissions of the daemon)';

const shownPath = z
  .string()
  .regex(
    /^\/(?!(proc|dev|sys|tmp)(\/|$))[^/]/,
    'must be absolute, and neither / nor below /proc, /dev, /sys or /tmp',
  );

/** Numbers that a limit may be. */
const limitShape = {
  cpu_seconds: z.number().int().min(1).max(604_800),
  memory_mb: z.number().int().min(64).max(4_194_304),
  processes: z.number().int().min(16).max(4_194_304),
  file_size_mb: z.number().int().min(1).max(4_194_304),
  disk_mb: z.number().int().min(1).max(67_108_864),
};

/** Limits of one command together with everything that it starts. */
const commandLimits = z.strictObject({
  cpu_seconds: limitShape.cpu_seconds.default(1_800),
  memory_mb: limitShape.memory_mb.default(4_096),
  processes: limitShape.processes.default(1_024),
  file_size_mb: limitShape.file_size_mb.default(1_024),
  disk_mb: limitShape.disk_mb.default(20_480),
});

/** Those of the limits that are named; the others stay as they are. */
export const someLimitsSchema = z.strictObject(limitShape).partial();

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
  /** True for the public internet, through a proxy of the daemon. */
  network: z.boolean().default(false),
  /** Ports that `network: true` opens. */
  network_ports: z.array(z.number().int().min(1).max(65_535)).min(1).max(100).default([443, 80]),
  /** True to let commands create user namespaces in the sandbox, as the sandbox of Chromium does. */
  nested_namespaces: z.boolean().default(false),
  /** Absolute paths that commands may read in the sandbox, beside the system and the tools on PATH. */
  show: z.array(shownPath).default([]),
  limits: commandLimits.prefault({}),
  max_output_bytes: z.number().int().min(1_024).max(1_048_576).default(262_144),
});
