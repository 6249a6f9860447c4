import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentFacts } from '@agent/runner/executors';
import { createCommandPlace, openCommandNetwork } from '@agent/workspace';
import { chooseSandbox, findNamedProgram } from '@agent/workspace/sandbox';
import { ConfigError } from '../config/config-error.ts';
import type { RunSettings } from '../config/run-settings.ts';
import type { Environment } from '../host/ports.ts';
import { pickVariables } from './agent-work.ts';
import { describeMissing } from './open-agent-gate.ts';
import { toDefaults } from './open-commands.ts';
import { toSandboxOptions } from './open-sandbox.ts';

/** Settings of an agent that is to be tried. */
export interface AgentExamination {
  readonly settings: Pick<RunSettings, 'executor' | 'tools'>;
  readonly environment: Environment;
  /** Files and directories that commands must not see. */
  readonly hidden: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Starts the agent of a configuration where runs start it, in an empty worktree and an empty home, asks what it is, and ends it.
 *
 * @returns null where runs are worked on by the own loop
 * @throws ConfigError where it is not there; AgentFailure; WorkspaceError where commands cannot run
 */
export async function tryAgent({
  settings,
  environment,
  hidden,
  signal,
}: AgentExamination): Promise<AgentFacts | null> {
  const { executor, tools } = settings;
  if (executor === null) return null;
  const { command, args, env, steering } = executor.acp;
  const { network, network_ports: ports } = tools.run_command;
  const directory = await mkdtemp(join(tmpdir(), 'agent-doctor-'));
  try {
    const worktree = join(directory, 'worktree');
    await mkdir(worktree);
    const program = await findNamedProgram(command, { worktree });
    if (program === null) throw new ConfigError(describeMissing(command));
    const sandbox = await chooseSandbox({ ...toSandboxOptions(tools.run_command), hidden });
    const place = createCommandPlace({
      workspacePath: worktree,
      homesDirectory: directory,
      owner: 'doctor',
      sandbox,
      network: await openCommandNetwork({
        ...{ sandbox, rule: network ? 'on' : 'off', ports, registries: [], environment, directory },
      }),
      limits: toDefaults(tools.run_command).limits,
    });
    const variables = pickVariables(env, environment);
    const start = () => place.start({ command: [program, ...args], variables });
    const { examineAgent } = await import('@agent/runner/executors');
    const facts = await examineAgent({ start, signal }).finally(place.close);
    return steering === 'auto' ? facts : { ...facts, steering };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
