import type { ExecutorSettings } from '@agent/runner/executors/config';
import type { Environment } from '../host/ports.ts';
import { ConfigError } from './config-error.ts';
import type { RunSettings } from './run-settings.ts';
import { hasLimit } from './spending-settings.ts';

/** Settings of an agent, and what they rest on. */
export interface ExecutorPlace {
  readonly executor: ExecutorSettings;
  readonly limits: Pick<RunSettings['limits'], 'max_cost'>;
  /** Its variables are given to the agent by name. */
  readonly environment: Environment;
}

/** Finds all that is wrong with the settings of an agent, without a look at the machine; empty where none is named. */
export function listExecutorMistakes({ executor, limits, environment }: ExecutorPlace): readonly string[] {
  if (executor === null) return [];
  const { tells_cost: tellsCost, env } = executor.acp;
  const missing = env.filter((name) => !environment[name]);
  return [
    ...(hasLimit(limits.max_cost) && !tellsCost
      ? [
          'limits.max_cost needs an agent that reports its costs. If yours does, set executor.acp.tells_cost: true. Otherwise remove the limit, and set one in the account that the agent uses.',
        ]
      : []),
    ...(missing.length > 0
      ? [
          `${missing.join(', ')} must be set in the environment: executor.acp.env names ${missing.length === 1 ? 'it' : 'them'} for the agent. Export ${missing.length === 1 ? 'it, or remove it' : 'them, or remove them'} there.`,
        ]
      : []),
  ];
}

/**
 * Makes sure that the settings of an agent have no mistakes.
 *
 * @throws ConfigError that names all of them
 */
export function checkExecutor(place: ExecutorPlace): void {
  const mistakes = listExecutorMistakes(place);
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
}

/**
 * Tells whether an agent is cut off from every network where no environment of a repository says otherwise, the endpoint of its own model
 * included: only bubblewrap can do that.
 */
export function isAgentOffline({
  executor,
  tools: { run_command: command },
}: Pick<RunSettings, 'executor' | 'tools'>): boolean {
  return executor !== null && command.sandbox === 'required' && !command.network;
}
