import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectList,
  expectNumber,
  expectOneOf,
} from '@agent/text/options';
import { WorkspaceError } from '../workspace-error.ts';
import type { CommandSandbox, SandboxObstacle, SandboxOptions } from './command-sandbox.ts';
import { probeSandbox, type SandboxProbe } from './probe-sandbox.ts';

export type { Bubblewrap, CommandSandbox, SandboxObstacle, SandboxOptions } from './command-sandbox.ts';

/** Finding of what keeps commands in here, and of everything that stands in the way. */
export interface SandboxExamination {
  /** Null where a required sandbox does not work. */
  readonly sandbox: CommandSandbox | null;
  /** Empty where commands may run. */
  readonly obstacles: readonly SandboxObstacle[];
}

const expectations: ExpectationsOf<SandboxOptions> = {
  mode: expectOneOf('required', 'external', 'off'),
  allowRoot: expected.flag,
  nestedNamespaces: expected.flag,
  shown: expectList(expected.text),
  hidden: expectList(expected.text),
  path: { isMet: (value) => typeof value === 'string', text: 'a text' },
  probeDirectory: expected.text,
  userId: expectNumber(0, { isWhole: true }),
  platform: expected.text,
  architecture: expected.text,
};

/**
 * Decides once, at start, how commands are kept in: by trying, not by guessing.
 *
 * @example
 * const sandbox = await chooseSandbox({ mode: 'required', hidden: ['/srv/agent/.env'] });
 *
 * @throws WorkspaceError with code `sandbox-unusable`, which says all that is to be done, when commands would run as root, or a sandbox is required and does not work
 */
export async function chooseSandbox(options: SandboxOptions): Promise<CommandSandbox> {
  const { sandbox, obstacles } = await examineSandbox(options);
  if (sandbox !== null && obstacles.length === 0) return sandbox;
  const message = obstacles.map((obstacle) => obstacle.message).join(' ');
  throw new WorkspaceError(message, { code: 'sandbox-unusable' });
}

/** Tries how commands would be kept in here, and lists all that stands in the way rather than the first of it. */
export async function examineSandbox(options: SandboxOptions): Promise<SandboxExamination> {
  checkOptions('SandboxOptions', options, expectations, ['mode']);
  const { mode, allowRoot = false, userId = process.getuid?.() } = options;
  const rooted = userId === 0 && !allowRoot ? [rootRefused] : [];
  if (mode !== 'required') return { sandbox: { kind: 'none', mode }, obstacles: rooted };
  const probe: SandboxProbe = await probeSandbox(options).catch((error: Error) => ({
    works: false,
    kind: 'bubblewrap-blocked',
    reason: `bubblewrap could not be tried (${error.message})`,
  }));
  if (probe.works) return { sandbox: probe.sandbox, obstacles: rooted };
  const { kind, reason } = probe;
  const problem = `tools.run_command.sandbox is required (the default), but ${reason}`;
  return { sandbox: null, obstacles: [...rooted, toObstacle(kind, problem, remedies[kind])] };
}

const toObstacle = (kind: SandboxObstacle['kind'], problem: string, remedy: string): SandboxObstacle => ({
  kind,
  problem,
  message: `${problem}: ${remedy}.`,
});

const rootRefused = toObstacle(
  'root',
  'Commands would run as root, because the daemon does',
  'start it from its own account, or set tools.run_command.allow_root: true if root is intended',
);

const otherwise =
  "set tools.run_command.sandbox: external if the daemon runs in a container that isolates its commands, or sandbox: off to run the programs of repositories with all of the daemon's rights";

const remedies: Readonly<Record<Exclude<SandboxObstacle['kind'], 'root'>, string>> = {
  'other-system': `run the daemon on Linux or in a Linux container; ${otherwise}`,
  'bubblewrap-missing': `install bubblewrap, or ${otherwise}`,
  'bubblewrap-blocked': `allow user namespaces, or ${otherwise}`,
  'filter-refused': `use a kernel with seccomp filters on x64 or arm64, or ${otherwise}`,
};
