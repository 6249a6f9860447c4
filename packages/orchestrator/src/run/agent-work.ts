import { isAbsolute } from 'node:path';
import type { RunResult, RunTaskOptions } from '@agent/runner';
import type { ExecutorSettings } from '@agent/runner/executors/config';
import type { CallSpending } from '@agent/runner/models';
import { type CommandPlace, isKeptIn, type TaskWorkspace } from '@agent/workspace';
import { ConfigError } from '../config/config-error.ts';
import type { RunSettings } from '../config/run-settings.ts';
import type { Environment } from '../ports.ts';
import { hasLimit } from '../spending/spending-settings.ts';

export interface AgentWorkOptions {
  readonly executor: ExecutorSettings;
  readonly limits: Pick<RunSettings['limits'], 'max_cost'>;
  /** Its variables are given to the agent by name. */
  readonly environment: Environment;
}

/** Task of a run, and where the agent works on it. */
export interface AgentWorkStart {
  readonly task: RunTaskOptions;
  readonly workspace: Pick<TaskWorkspace, 'path'>;
  readonly place: CommandPlace;
  /** Pays for the run; null where nothing is limited. */
  readonly spending: CallSpending | null;
}

/** Works on the task of a run by an agent with a loop of its own, which runs where commands run. */
export type AgentWork = (start: AgentWorkStart) => Promise<RunResult>;

/**
 * Creates it; null where runs are worked on by the runner's own loop.
 *
 * @throws ConfigError where a limit of costs is set and the agent is not said to tell what it spends, or a variable is not set
 */
export function createAgentWork({ executor, limits, environment }: AgentWorkOptions): AgentWork | null {
  if (executor === null) return null;
  const { acp } = executor;
  if (hasLimit(limits.max_cost) && !acp.tells_cost)
    throw new ConfigError(
      'limits.max_cost needs an agent that tells what it spends. If yours does, say so by executor.acp.tells_cost: true; else take the limit away, and set one where the agent pays.',
    );
  const variables = pickVariables(acp.env, environment);
  return async ({ task, workspace, place, spending }) => {
    // Loaded here alone: it brings a client of the protocol.
    const { createAcpExecutor, runAgentTask } = await import('@agent/runner/executors');
    const start = async () => {
      const program = isAbsolute(acp.command) ? acp.command : await place.findProgram(acp.command);
      if (program === null)
        throw new ConfigError(
          `The agent "${acp.command}" (executor.acp.command) is not installed, not in PATH, or lies in the repository.`,
        );
      return place.start({ command: [program, ...acp.args], variables });
    };
    const { logger, journal, openConversation, signals, comments, limits: runLimits, limitNames } = task;
    return runAgentTask({
      executor: createAcpExecutor({
        start,
        rules: { directory: workspace.path, isSandboxed: isKeptIn(place) },
        steering: acp.steering,
        logger,
      }),
      ...{ logger, journal, openConversation, signals, comments, limits: runLimits, limitNames },
      spending: acp.tells_cost ? spending : null,
      stepTimeoutMs: task.stepTimeoutMs,
      finishRounds: task.finishRounds,
      hideKnownSecrets: task.hideKnownSecrets,
      onEvent: task.onEvent,
      signal: task.signal,
      locale: task.locale,
      now: task.now,
    });
  };
}

function pickVariables(names: readonly string[], environment: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name) => {
      const value = environment[name];
      if (value === undefined || value === '')
        throw new ConfigError(
          `${name} is not set. executor.acp.env names it for the agent: export it, or take it out.`,
        );
      return [name, value];
    }),
  );
}
