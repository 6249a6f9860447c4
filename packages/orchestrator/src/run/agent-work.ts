import { isAbsolute } from 'node:path';
import type { RunResult, RunTaskOptions } from '@agent/runner';
import type { AgentOptions } from '@agent/runner/executors';
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
  readonly llm: Pick<RunSettings['llm'], 'currency'>;
  /** Its variables are given to the agent by name. */
  readonly environment: Environment;
}

/** Place in which the agent works on a run, and who pays for it. */
export interface AgentStart {
  readonly logger: RunTaskOptions['logger'];
  readonly workspace: Pick<TaskWorkspace, 'path'>;
  readonly place: CommandPlace;
  /** Pays for the run; null where nothing is limited. */
  readonly spending: CallSpending | null;
}

/** Agent with a loop of its own, which runs where commands run. */
export interface AgentWork {
  /** True where the model plans, and the agent does the actions. */
  readonly plans: boolean;
  /** Makes the agent of one run; it is started with its first turn. */
  readonly open: (start: AgentStart) => Promise<AgentOptions>;
  /** Works on the task of a run. */
  readonly work: (task: RunTaskOptions, agent: AgentOptions) => Promise<RunResult>;
}

/**
 * Creates it; null where runs are worked on by the runner's own loop.
 *
 * @throws ConfigError where a limit of costs is set and the agent is not said to tell what it spends, or a variable is not set
 */
export function createAgentWork({ executor, limits, llm, environment }: AgentWorkOptions): AgentWork | null {
  if (executor === null) return null;
  const { acp } = executor;
  if (hasLimit(limits.max_cost) && !acp.tells_cost)
    throw new ConfigError(
      'limits.max_cost needs an agent that tells what it spends. If yours does, say so by executor.acp.tells_cost: true; else take the limit away, and set one where the agent pays.',
    );
  const variables = pickVariables(acp.env, environment);
  return {
    plans: acp.plans,
    open: async ({ logger, workspace, place, spending }) => {
      const start = async () => {
        const program = isAbsolute(acp.command) ? acp.command : await place.findProgram(acp.command);
        if (program === null)
          throw new ConfigError(
            `The agent "${acp.command}" (executor.acp.command) is not installed, not in PATH, or lies in the repository.`,
          );
        return place.start({ command: [program, ...acp.args], variables });
      };
      const rules = { directory: workspace.path, isSandboxed: isKeptIn(place) };
      // Loaded here alone: it brings a client of the protocol.
      const { createAcpExecutor } = await import('@agent/runner/executors');
      const { currency } = llm;
      const executor = createAcpExecutor({ start, rules, steering: acp.steering, currency, logger });
      return { executor, spending: acp.tells_cost ? spending : null };
    },
    work: async (task, agent) => {
      const { runAgentTask } = await import('@agent/runner/executors');
      const { logger, journal, openConversation, signals, comments, limits: runLimits, limitNames } = task;
      return runAgentTask({
        ...agent,
        ...{ logger, journal, openConversation, signals, comments, limits: runLimits, limitNames },
        stepTimeoutMs: task.stepTimeoutMs,
        toolTimeoutMs: task.toolTimeoutMs,
        maxSameCalls: task.maxSameCalls,
        finishRounds: task.finishRounds,
        hideKnownSecrets: task.hideKnownSecrets,
        onEvent: task.onEvent,
        signal: task.signal,
        locale: task.locale,
        now: task.now,
      });
    },
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
