import { checkOptions, type ExpectationsOf } from '@agent/text/options';
import { type RunResult, type RunTaskOptions, runExpectations } from '../run-options.ts';
import { toCarrier, workToEnd } from '../run-task.ts';
import { type AgentOptions, agentExpectations } from './agent-options.ts';
import { AgentTurns } from './take-agent-turn.ts';

/** Options of a task that an agent with a loop of its own works on: those of `runTask`, without what that agent has itself. */
export interface AgentTaskOptions
  extends Omit<
      RunTaskOptions,
      | 'model'
      | 'planningModel'
      | 'tools'
      | 'availability'
      | 'compressor'
      | 'gauge'
      | 'maxCallsPerAnswer'
      | 'maxRetries'
      | 'toolResultToText'
      | 'providerOptions'
    >,
    AgentOptions {}

const {
  model: _model,
  planningModel: _planningModel,
  tools: _tools,
  availability: _availability,
  compressor: _compressor,
  gauge: _gauge,
  maxCallsPerAnswer: _maxCallsPerAnswer,
  maxRetries: _maxRetries,
  toolResultToText: _toolResultToText,
  providerOptions: _providerOptions,
  ...sharedExpectations
} = runExpectations;

const expectations: ExpectationsOf<AgentTaskOptions> = { ...sharedExpectations, ...agentExpectations };

/**
 * Runs one task as `runTask` does, by an agent with a loop and a memory of its own: journal, checkpoints, comments, limits and the
 * end are the same. What is said while the agent works is told to it at once, and stands in its conversation exactly once.
 *
 * @throws what `openConversation` rejects with, and a `TypeError` that names an option which is missing, unknown or invalid
 *
 * @example
 * const result = await runAgentTask({ executor, journal: createMemoryRunJournal(), openConversation, comments });
 * if (result.kind === 'ended') console.log(result.outcome.status);
 */
export async function runAgentTask(given: AgentTaskOptions): Promise<RunResult> {
  checkOptions('AgentTaskOptions', given, expectations, ['executor', 'journal', 'openConversation']);
  const { executor, checkIntervalMs, maxDeaths, maxTurnFailures, maxRefusals, spending, ...options } = given;
  const turns = new AgentTurns({
    executor,
    checkIntervalMs,
    maxDeaths,
    maxTurnFailures,
    maxRefusals,
    spending,
  });
  const carry = toCarrier({ work: (run) => workToEnd(run, (one) => turns.take(one)) });
  try {
    // The agent has a model and tools of its own; the runner's are never asked for.
    return await carry({ ...options, model: 'none', tools: {} });
  } finally {
    await executor.close();
  }
}
