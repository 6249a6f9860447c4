import { findNamedProgram } from '@agent/workspace/sandbox';
import type { ObserveBoard } from '../board/board-event.ts';
import { checkExecutor } from '../config/executor-mistakes.ts';
import type { RunSettings } from '../config/run-settings.ts';
import type { Environment, RunLogger } from '../host/ports.ts';

export interface AgentGateOptions {
  /** False for a process that only looks for tasks, and starts no agent. */
  readonly works: boolean;
  readonly settings: Pick<RunSettings, 'executor' | 'limits'>;
  readonly environment: Environment;
  /** True where nobody waits for it. */
  readonly once: boolean;
  readonly observe: ObserveBoard;
  readonly logger: RunLogger;
  /** Called when the agent is there again. */
  readonly beginWaiting: () => void;
}

/** Finds the program of the agent for a run. @throws AgentMissingError where it is not there */
export type FindAgent = (worktree: string) => Promise<string>;

/** The agent of the configuration, as those see it who begin tasks. */
export interface AgentGate {
  readonly find: FindAgent;
  /** Looks whether its program is there, and tells board and log where that has changed. */
  readonly look: () => Promise<void>;
  /** Milliseconds for which no task may begin; 0 if one may. */
  readonly holdMs: () => number;
  /** Aborted when nobody waits for the agent. */
  readonly givenUp: AbortSignal;
}

/** Says that the agent of the configuration is not there: that is no fault of a run, which goes on once it is. */
class AgentMissingError extends Error {
  readonly code = 'unavailable';

  constructor(command: string) {
    super(describeMissing(command));
    this.name = 'AgentMissingError';
  }
}

const lookedAgainMs = 5_000;
/** Directory in which nothing lies. */
const nowhere = '/nonexistent';

/**
 * Opens the gate that tasks pass while the program of the agent is there; always, where runs are worked on by the own loop.
 *
 * @throws ConfigError where the agent's settings have mistakes
 */
export async function openAgentGate(options: AgentGateOptions): Promise<AgentGate> {
  const { works, settings, environment } = options;
  if (works) checkExecutor({ ...settings, environment });
  const gate = createGate(works ? (settings.executor?.acp.command ?? null) : null, options);
  await gate.look();
  return gate;
}

/** @param command - null where there is no agent to wait for */
function createGate(
  command: string | null,
  {
    once,
    observe,
    logger,
    beginWaiting,
  }: Pick<AgentGateOptions, 'once' | 'observe' | 'logger' | 'beginWaiting'>,
): AgentGate {
  const hopeless = new AbortController();
  let isThere: boolean | null = null;
  const see = (program: string | null): string | null => {
    const before = isThere;
    isThere = program !== null;
    if (command === null || before === isThere) return program;
    const reason = isThere ? null : describeMissing(command);
    observe({ type: 'condition', part: 'agent', state: isThere ? 'ok' : 'failed', reason });
    if (isThere && before === false) {
      logger.info({ command }, 'agent is available again');
      beginWaiting();
    }
    if (isThere) return program;
    logger.error({ command, reason }, 'agent is not available; not starting tasks');
    if (once) hopeless.abort();
    return program;
  };
  return {
    find: async (worktree) => {
      const found = command === null ? null : await findNamedProgram(command, { worktree });
      const program = see(found);
      if (program === null) throw new AgentMissingError(command ?? '');
      return program;
    },
    look: async () => {
      if (command !== null) see(await findNamedProgram(command, { worktree: nowhere }));
    },
    holdMs: () => (isThere === false ? lookedAgainMs : 0),
    givenUp: hopeless.signal,
  };
}

/** Says what is missing, and what to do about it. */
export function describeMissing(command: string): string {
  return `The agent "${command}" (executor.acp.command) is not installed, is not in PATH, or cannot be run by the daemon's user.`;
}
