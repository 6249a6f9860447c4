import { z } from 'zod';
import { httpUrl, seconds, someLimitsSchema, variableName } from './schemas.ts';

/** A host, all hosts below one (`*.example.com`), or either with a port; without one, 80 and 443 count. */
const host = z
  .string()
  .regex(
    /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i,
    'must be a host, *.host or host:port, without scheme and path',
  )
  .transform((text) => text.toLowerCase());

const hosts = z.array(host).max(500);

/** `on` or `off`; `true` and `false` mean the same. */
const allOrNothing = z
  .union([z.enum(['on', 'off']), z.boolean()])
  .transform((value) => (value === true ? 'on' : value === false ? 'off' : value));

const network = z.union([
  allOrNothing,
  z.strictObject({
    allow: hosts.min(1),
    /** Hosts that may have an address of a private network or of this machine. */
    private: hosts.default([]),
  }),
]);

/** Repositories of submodules: one, all of an owner, or all of a host. */
const submodulePlace = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9.-]*(:\d{1,5})?\/([\w.-]+\/){0,20}([\w.-]+|\*)$/i,
    'must be host/owner/repo, host/owner/* or host/*',
  );

const maxMegabytes = z.number().int().min(1).max(1_048_576);

const submodules = z.union([
  allOrNothing,
  z.strictObject({
    /** Those that are fetched with the login, on the repository's own server, or from other servers, without one. */
    allow: z.array(submodulePlace).max(500).default([]),
    /** Most that one fetch brings, and that their files take. */
    max_mb: maxMegabytes.default(1_024),
  }),
]);

const lfs = z.union([
  allOrNothing,
  /** Most that files of LFS take in a worktree. */
  z.strictObject({ max_mb: maxMegabytes }),
]);

/** Tells whether a path stays below where it begins, and away from git's own files. */
function staysBelow(path: string): boolean {
  return path.split('/').every((part) => part !== '' && !/^(\.{1,2}|\.git)$/i.test(part));
}

const lockPath = z
  .string()
  .min(1)
  .max(500)
  .refine(staysBelow, 'must be the path of a file, relative to the root of the repository');

const keptPath = z
  .string()
  .min(1)
  .max(500)
  .refine(
    (path) => staysBelow(path.replace(/^~\//, '')),
    'must be relative to the root of the repository, or to the home of commands with ~/ before it',
  );

/** Files whose content decides what a set-up installs, where a configuration names none. */
const knownLocks = [
  ...['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'],
  ...['yarn.lock', 'bun.lock', 'deno.lock', '.npmrc', '.nvmrc'],
  ...['pyproject.toml', 'requirements.txt', 'uv.lock', 'poetry.lock', 'Pipfile.lock'],
  ...['Cargo.toml', 'Cargo.lock', 'go.mod', 'go.sum', 'Gemfile.lock', 'composer.lock', 'mix.lock'],
  ...['pom.xml', 'build.gradle', 'build.gradle.kts', 'gradle.lockfile'],
];

const setupShape = {
  /** Lines of shell, one after the other, in the root of the repository. */
  commands: z.array(z.string().min(1).max(10_000)).min(1).max(50),
  /** Files whose content says whether it has to be done again. */
  locks: z.array(lockPath).max(100).default(knownLocks),
  /** Files and directories that it makes: kept for the next worktree with the same locks. `~/` is the home of commands. */
  keep: z.array(keptPath).max(50).default([]),
  timeout_seconds: seconds.default(900),
};

/** Commands that tell whether the repository is in order: all of them succeed. */
const checks = z.strictObject({
  /** Lines of shell, one after the other, in the root of the repository. */
  commands: z.array(z.string().min(1).max(10_000)).min(1).max(50),
  timeout_seconds: seconds.default(900),
});

const variables = z.record(variableName, z.string().max(10_000));

const registry = z.strictObject({
  /** Names the variable with its address inside: `AGENT_REGISTRY_NAME`. */
  name: z
    .string()
    .regex(
      /^[a-z][a-z0-9_]{0,30}$/,
      'must begin with a lower-case letter, followed by at most 30 lower-case letters, digits and _',
    ),
  /** Decides which settings of tools lead to it; `other` sets none. */
  kind: z.enum(['npm', 'pypi', 'other']).default('other'),
  url: httpUrl,
  /** Variable of the daemon's environment that holds its secret. */
  token_env: variableName.nullable().default(null),
  /** Null: the secret is sent as a bearer token; else as the password of this name. */
  username: z.string().min(1).nullable().default(null),
});

/** Actions by pattern of paths: `hold` until a person allows the change, `draft` to push and report it, `allow` to push it. */
export const protectedPathsSchema = z
  .record(z.string().min(1).max(500), z.enum(['hold', 'draft', 'allow']))
  .default({});

const environment = z.strictObject({
  /** `owner/repo`, `owner/*`, or `*` for all; the first entry that matches counts. */
  repositories: z.array(z.string().min(1)).min(1),
  setup: z
    .strictObject({ ...setupShape, on_failure: z.enum(['continue', 'end']).default('continue') })
    .nullable()
    .default(null),
  /** Variables of commands. Nothing secret: commands read them. */
  variables: variables.default({}),
  /** Null: as `tools.run_command.network` says. */
  network: network.nullable().default(null),
  registries: z
    .array(registry)
    .max(20)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'must have different names')
    .default([]),
  /** Limits that differ from `tools.run_command.limits`. */
  limits: someLimitsSchema.default({}),
  /** Null: as `tools.run_command.timeout_seconds` says. */
  timeout_seconds: seconds.nullable().default(null),
  /** True for a tool that runs lines of shell; only where something keeps commands in. */
  shell: z.boolean().default(false),
  /** True for tools that keep processes in the background while the run goes on. */
  background: z.boolean().default(false),
  /** True for a tool that merges the base branch. Null: while a run stays with its change request, which may conflict with it. */
  merge_base: z.boolean().nullable().default(null),
  /** Hosts of which the model may read pages. */
  fetch: hosts.default([]),
  /** `on`: those that are public on the repository's own server. */
  submodules: submodules.default('on'),
  /** `on`: up to 1 GB of files that LFS keeps. */
  lfs: lfs.default('on'),
  /** Null: there are none, and changes are held together with the protected paths beside them. */
  checks: checks.nullable().default(null),
  /** Rules for changed paths that come before those of `outgoing.protected_paths`. */
  protected_paths: protectedPathsSchema,
  /** True where `.agent.yml` of the base branch counts, within the bounds set here. */
  repository_file: z.boolean().default(true),
});

/** `environments`: what commands get, by repository. */
export const environmentsSchema = z
  .array(environment, {
    error: 'must be a list, and each entry of it begins with "- repositories: [owner/repo]"',
  })
  .max(1_000)
  .default([]);

/** Environment of some repositories, as an operator writes it. */
export type EnvironmentEntry = z.infer<typeof environment>;

/** A package registry, as an operator names it. */
export type RegistryEntry = z.infer<typeof registry>;

/** Hosts that commands may reach. */
export type NetworkRule = z.infer<typeof network>;

/** `.agent.yml` of a repository: it adds commands and variables, and narrows everything else. */
export const repositoryFileSchema = z.strictObject({
  setup: z.strictObject(setupShape).nullable().default(null),
  checks: checks.nullable().default(null),
  variables: variables.default({}),
  network: network.nullable().default(null),
  limits: someLimitsSchema.default({}),
  timeout_seconds: seconds.nullable().default(null),
  shell: z.boolean().default(true),
  background: z.boolean().default(true),
  /** False for no merges at all; true leaves it to the operator. */
  merge_base: z.boolean().default(true),
  /** Null: all that the operator names. */
  fetch: hosts.nullable().default(null),
  submodules: allOrNothing.default('on'),
  lfs: allOrNothing.default('on'),
  /** They only make the operator's rules stricter. */
  protected_paths: protectedPathsSchema,
});

/** Environment of a repository, as its own file writes it. */
export type RepositoryFile = z.infer<typeof repositoryFileSchema>;

/** Names the variables of the daemon's environment that hold the registries' secrets, each once. */
export function listRegistryVariables(environments: readonly EnvironmentEntry[]): readonly string[] {
  const names = environments.flatMap(({ registries }) => registries.map(({ token_env: name }) => name));
  return [...new Set(names.filter((name) => name !== null))];
}

/** Finds the first entry for a repository; null where there is none. Names are one whatever their case. */
export function findEnvironment(
  environments: readonly EnvironmentEntry[],
  repositoryPath: string,
): EnvironmentEntry | null {
  const path = repositoryPath.toLowerCase();
  const matches = (pattern: string) =>
    pattern === '*' || pattern === path || (pattern.endsWith('/*') && path.startsWith(pattern.slice(0, -1)));
  const isFor = ({ repositories }: EnvironmentEntry) =>
    repositories.some((pattern) => matches(pattern.toLowerCase()));
  return environments.find(isFor) ?? null;
}
