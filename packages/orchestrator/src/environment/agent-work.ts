import type { RunResult, RunTaskOptions } from '@agent/runner';
import type { AgentOptions } from '@agent/runner/executors';
import type { CallSpending } from '@agent/runner/models';
import { type CommandPlace, isKeptIn, type TaskWorkspace } from '@agent/workspace';
import { checkExecutor, type ExecutorPlace } from '../config/executor-mistakes.ts';
import type { RunSettings } from '../config/run-settings.ts';
import type { Environment } from '../host/ports.ts';
import type { FindAgent } from './open-agent-gate.ts';

export interface AgentWorkOptions extends ExecutorPlace {
  readonly llm: Pick<RunSettings['llm'], 'currency'>;
  readonly findAgent: FindAgent;
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
 * @throws ConfigError where its settings have mistakes
 */
export function createAgentWork({ findAgent, llm, ...settings }: AgentWorkOptions): AgentWork | null {
  const { executor, environment } = settings;
  if (executor === null) return null;
  checkExecutor(settings);
  const { acp } = executor;
  const variables = pickVariables(acp.env, environment);
  return {
    plans: acp.plans,
    open: async ({ logger, workspace, place, spending }) => {
      const start = async () => {
        const program = await findAgent(workspace.path);
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

/** Picks the variables that the configuration names for an agent; those that are not set are left out. */
export function pickVariables(
  names: readonly string[],
  environment: Environment,
): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, environment[name] ?? '']));
}
