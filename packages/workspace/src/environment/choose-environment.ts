import type {
  EnvironmentEntry,
  NetworkRule,
  RegistryEntry,
  RepositoryFile,
} from '../config/environment-schemas.ts';
import type { SubmoduleRules } from '../contents/submodule-address.ts';
import { intersectHosts } from '../network/host-rules.ts';
import type { CommandLimits } from '../sandbox/command-limits.ts';

/** Commands that make a worktree ready, and what says whether they have to run again. */
export interface SetupPlan {
  readonly commands: readonly string[];
  /** Paths of files in the repository. */
  readonly locks: readonly string[];
  /** Paths in the repository, or in the home of commands (`~/…`). */
  readonly keep: readonly string[];
  readonly timeoutMs: number;
  /** `end`: the run fails with it. */
  readonly onFailure: 'continue' | 'end';
}

/** Commands that tell whether the repository is in order. */
export interface CheckPlan {
  readonly commands: readonly string[];
  /** Limit of all commands together. */
  readonly timeoutMs: number;
}

/** The environment of a repository's commands: what the operator allows, and the repository does not narrow. */
export interface RepositoryEnvironment {
  readonly setup: SetupPlan | null;
  /** Null where there are none. */
  readonly checks: CheckPlan | null;
  readonly variables: Readonly<Record<string, string>>;
  readonly network: NetworkRule;
  readonly registries: readonly RegistryEntry[];
  readonly limits: CommandLimits;
  readonly timeoutMs: number;
  /** True for a tool that runs lines of shell. */
  readonly shell: boolean;
  /** True for tools that keep processes in the background. */
  readonly background: boolean;
  /** True for a tool that merges the base branch; null for one while a run stays with its change request. */
  readonly mergeBase: boolean | null;
  /** Hosts of which pages may be read. */
  readonly fetch: readonly string[];
  /** Null where submodules are not fetched. */
  readonly submodules: SubmoduleRules | null;
  /** Null where files that LFS keeps are not fetched. */
  readonly lfs: { readonly maxBytes: number } | null;
}

/** Settings that hold where no entry says otherwise. */
export type EnvironmentDefaults = Pick<RepositoryEnvironment, 'limits' | 'timeoutMs'> & {
  /** True where commands reach the network. */
  readonly network: boolean;
};

/** Applies what the operator says of a repository to what holds without it. */
export function applyEntry(
  entry: EnvironmentEntry | null,
  { network, limits, timeoutMs }: EnvironmentDefaults,
): RepositoryEnvironment {
  const byDefault = network ? 'on' : 'off';
  const nothing = {
    setup: null,
    checks: null,
    variables: {},
    registries: [],
    shell: false,
    background: false,
    mergeBase: null,
    fetch: [],
    submodules: toSubmoduleRules('on'),
    lfs: toLfsRules('on'),
  };
  if (entry === null) return { ...nothing, network: byDefault, limits, timeoutMs };
  const { setup, variables, registries, shell, background, fetch } = entry;
  return {
    setup: setup && { ...toPlan(setup), onFailure: setup.on_failure },
    checks: entry.checks && toCheckPlan(entry.checks),
    ...{ variables, registries, shell, background, fetch, mergeBase: entry.merge_base },
    submodules: toSubmoduleRules(entry.submodules),
    lfs: toLfsRules(entry.lfs),
    network: entry.network ?? byDefault,
    limits: { ...limits, ...toLimits(entry.limits) },
    timeoutMs: entry.timeout_seconds === null ? timeoutMs : entry.timeout_seconds * 1_000,
  };
}

/**
 * Narrows an environment by what its repository says. Its commands follow the operator's, its variables do not replace
 * them, and of everything else the smaller counts.
 */
export function narrowEnvironment(
  environment: RepositoryEnvironment,
  file: RepositoryFile,
): RepositoryEnvironment {
  const network = narrowNetwork(environment.network, file.network);
  return {
    setup: joinSetups(environment.setup, file.setup),
    checks: joinChecks(environment.checks, file.checks),
    variables: { ...file.variables, ...environment.variables },
    network,
    registries: file.network === 'off' ? [] : environment.registries,
    limits: lowerOf(environment.limits, toLimits(file.limits)),
    timeoutMs: Math.min(environment.timeoutMs, (file.timeout_seconds ?? Number.POSITIVE_INFINITY) * 1_000),
    shell: environment.shell && file.shell,
    background: environment.background && file.background,
    mergeBase: file.merge_base ? environment.mergeBase : false,
    fetch: file.fetch === null ? environment.fetch : intersectHosts(environment.fetch, file.fetch),
    submodules: file.submodules === 'off' ? null : environment.submodules,
    lfs: file.lfs === 'off' ? null : environment.lfs,
  };
}

function toSubmoduleRules(setting: EnvironmentEntry['submodules']): SubmoduleRules | null {
  if (setting === 'off') return null;
  const { allow, max_mb: maxMb } = setting === 'on' ? { allow: [], max_mb: 1_024 } : setting;
  return { allow, maxBytes: maxMb * 2 ** 20 };
}

function toLfsRules(setting: EnvironmentEntry['lfs']): RepositoryEnvironment['lfs'] {
  if (setting === 'off') return null;
  return { maxBytes: (setting === 'on' ? 1_024 : setting.max_mb) * 2 ** 20 };
}

function joinSetups(setup: SetupPlan | null, more: RepositoryFile['setup']): SetupPlan | null {
  if (more === null) return setup;
  const added = toPlan(more);
  if (setup === null) return { ...added, onFailure: 'continue' };
  return {
    ...setup,
    commands: [...setup.commands, ...added.commands],
    locks: [...new Set([...setup.locks, ...added.locks])],
    keep: [...new Set([...setup.keep, ...added.keep])],
    timeoutMs: Math.min(setup.timeoutMs, added.timeoutMs),
  };
}

function toCheckPlan({ commands, timeout_seconds }: NonNullable<RepositoryFile['checks']>): CheckPlan {
  return { commands, timeoutMs: timeout_seconds * 1_000 };
}

function joinChecks(checks: CheckPlan | null, more: RepositoryFile['checks']): CheckPlan | null {
  if (more === null) return checks;
  const added = toCheckPlan(more);
  if (checks === null) return added;
  const commands = [...checks.commands, ...added.commands];
  return { commands, timeoutMs: Math.min(checks.timeoutMs, added.timeoutMs) };
}

function toPlan({ commands, locks, keep, timeout_seconds }: NonNullable<RepositoryFile['setup']>) {
  return { commands, locks, keep, timeoutMs: timeout_seconds * 1_000 };
}

function narrowNetwork(allowed: NetworkRule, wanted: NetworkRule | null): NetworkRule {
  if (wanted === null || wanted === 'on' || allowed === 'off') return allowed;
  if (wanted === 'off' || allowed === 'on') return wanted;
  const allow = [...intersectHosts(allowed.allow, wanted.allow)];
  if (allow.length === 0) return 'off';
  return { allow, private: [...intersectHosts(allowed.private, wanted.private)] };
}

function toLimits(limits: EnvironmentEntry['limits']): Partial<CommandLimits> {
  const named = {
    cpuSeconds: limits.cpu_seconds,
    memoryMb: limits.memory_mb,
    processes: limits.processes,
    fileSizeMb: limits.file_size_mb,
    diskMb: limits.disk_mb,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

function lowerOf(limits: CommandLimits, others: Partial<CommandLimits>): CommandLimits {
  const lower = (name: keyof CommandLimits) => Math.min(limits[name], others[name] ?? limits[name]);
  return {
    cpuSeconds: lower('cpuSeconds'),
    memoryMb: lower('memoryMb'),
    processes: lower('processes'),
    fileSizeMb: lower('fileSizeMb'),
    diskMb: lower('diskMb'),
  };
}
