import { describe, expect, it } from 'vitest';
import { createModelOf } from '../test/scripted-model.ts';
import { awaitModel } from './await-model.ts';
import { boundFetch } from './call-limits.ts';
import { createAcpExecutor } from './executors/acp-executor.ts';
import { examineAgent } from './executors/examine-agent.ts';
import { runAgentTask } from './executors/run-agent-task.ts';
import { createMemoryRunJournal } from './memory-run-journal.ts';
import { ModelCircuit } from './model-circuit.ts';
import { measureModel } from './models/measure-model.ts';
import { meterModel } from './models/meter-model.ts';
import { FallbackOrder, withFallbacks } from './models/with-fallbacks.ts';
import { openLoop } from './open-loop.ts';
import { PlanningCoordinator } from './planning/planning-coordinator.ts';
import { runPlannedTask } from './planning/run-planned-task.ts';
import { readRunRecord } from './read-journal.ts';
import { LmStudioClient } from './reply/lm-studio-client.ts';
import { findUnreachable } from './reply/model-server.ts';
import { fromLanguageModel } from './reply/reply-model.ts';
import { requestSummary } from './request-summary.ts';
import { withCheckInterval } from './run-signals.ts';

const model = createModelOf();
const journal = createMemoryRunJournal();
const openConversation = async () => ({ instructions: '', messages: [] });
const task = { model, tools: {}, journal, openConversation };
const signals = { read: async () => 'none' as const };
const executor = {
  open: openConversation,
  turn: openConversation,
  steer: openConversation,
  close: async () => {},
};

/** A call with options that TypeScript refuses, as a program in JavaScript can write it. */
type Refused = readonly [message: string, call: () => unknown];

const refused: readonly Refused[] = [
  [
    'PlannedTaskOptions.task.limits must be an object of maxSteps, ',
    () => runPlannedTask({ task: { ...task, limits: 5 } } as never),
  ],
  ['PlannedTaskOptions must be an object; it is undefined.', () => runPlannedTask(undefined as never)],
  ['PlannedTaskOptions.task must be an object of ', () => runPlannedTask({} as never)],
  [
    'PlannedTaskOptions.task.journal must be ',
    () => runPlannedTask({ task: { ...task, journal: {} } } as never),
  ],
  ['PlannedTaskOptions.agent.executor must be ', () => runPlannedTask({ task, agent: {} } as never)],
  ['PlannedTaskOptions.model is unknown.', () => runPlannedTask({ task, model } as never)],
  [
    'PlanningCoordinatorOptions.prePlaning',
    () => new PlanningCoordinator({ task, prePlaningManager: null } as never),
  ],
  ['PlanningCoordinatorOptions must be an object', () => new PlanningCoordinator(undefined as never)],
  ['AgentTaskOptions must be an object', () => runAgentTask(undefined as never)],
  ['AgentTaskOptions.executor must be ', () => runAgentTask({ journal, openConversation } as never)],
  ['AgentTaskOptions.model is unknown.', () => runAgentTask({ ...task, executor } as never)],
  [
    'AcpExecutorOptions.rules.isSandboxed must be true or false',
    () => createAcpExecutor({ start: async () => {}, rules: { directory: '/' } } as never),
  ],
  ['ExamineAgentOptions must be an object', () => examineAgent(undefined as never)],
  ['OwnLoopOptions.openConversation must be a function', () => openLoop({ journal } as never)],
  [
    'SummaryRequestOptions.maxRetries must be a whole number',
    () => requestSummary('Sum up.', { model, maxRetries: '2' } as never),
  ],
  [
    'AwaitModelOptions.maxOutageMs must be ',
    () => awaitModel(new ModelCircuit(), { maxOutageMs: '5' } as never),
  ],
  ['ModelCircuitOptions.maxFailures must be ', () => new ModelCircuit({ maxFailures: 0 })],
  ['BoundedFetchOptions.maxBytes must be ', () => boundFetch({ maxBytes: '2 MB' } as never)],
  ['signals must be an object with the functions read', () => withCheckInterval({} as never)],
  ['CheckIntervalOptions.everyNthCall must be ', () => withCheckInterval(signals, { everyNthCall: -1 })],
  [
    'MeterOptions.price.max_output_tokens must be ',
    () => meterModel(model, { price: { input: 3, output: 15 }, spending: null } as never),
  ],
  ['MeasureOptions.onCall must be a function', () => measureModel(model as never, {} as never)],
  ['FallbackOptions.count must be ', () => new FallbackOrder({ count: 0 })],
  ['models must be an array of at least one model', () => withFallbacks([], new FallbackOrder({ count: 1 }))],
  ['RunRecordOptions.maxTokens must be ', () => readRunRecord(journal, { maxTokens: '8000' } as never)],
  [
    'LmStudioClientOptions.baseURL is unknown. Did you mean baseUrl?',
    () => new LmStudioClient({ baseURL: 'http://localhost:1' } as never),
  ],
  [
    'LmStudioClientOptions.baseUrl must be an address',
    () => new LmStudioClient({ baseUrl: 'localhost:1234' }),
  ],
  [
    'LanguageModelOptions.shape.temperature must be ',
    () => fromLanguageModel(model, { shape: { temperature: 3 } }),
  ],
  ['ModelServerOptions.baseUrl must be an address', () => findUnreachable({} as never)],
];

describe('A public function of the runner', () => {
  it.each(refused)('names the option that it refuses: %s', async (message, call) => {
    const calling = Promise.resolve().then(call);
    await expect(calling).rejects.toBeInstanceOf(TypeError);
    await expect(calling).rejects.toThrow(message);
  });
});
