import { describe, expect, it } from 'vitest';
import {
  AssumptionMaker,
  createReadOnlyTools,
  createStructuredOutput,
  formatPlanningBlock,
  InformationCollector,
  PrePlanningManager,
  RequestUnderstandingProcessor,
} from './index.ts';

const source = { ask: async () => ({ status: 'unreadable' as const, problem: '', calls: 1 }) };
const tools = createReadOnlyTools({});

describe('A public function of pre-planning', () => {
  it.each([
    ['PrePlanningPorts must be an object', () => new PrePlanningManager(undefined as never)],
    [
      'PrePlanningPorts.source must be a source that createStructuredOutput returns',
      () => new PrePlanningManager({ tools } as never),
    ],
    [
      'PrePlanningPorts.tools must be tools that createReadOnlyTools returns',
      () => new PrePlanningManager({ source, tools: {} } as never),
    ],
    [
      'StructuredOutputOptions.model must be a model of the AI SDK',
      () => createStructuredOutput({} as never),
    ],
    [
      'StructuredOutputOptions.maxRetries must be ',
      () => createStructuredOutput({ model: 'a', maxRetries: '2' } as never),
    ],
    [
      'ReadOnlyToolsOptions.timeoutMs must be ',
      () => createReadOnlyTools({}, { timeoutMs: '60000' } as never),
    ],
    ['tools must be an object of tools', () => createReadOnlyTools([] as never)],
    ['CollectorOptions.parallel must be ', () => new InformationCollector(tools, { parallel: 0 })],
    ['tools must be tools that createReadOnlyTools returns', () => new InformationCollector({} as never)],
    [
      'AssumptionOptions.confidenceThreshold must be ',
      () => new AssumptionMaker(source, { confidenceThreshold: 60 }),
    ],
    [
      'UnderstandingOptions.treshold is unknown.',
      () => new RequestUnderstandingProcessor(source, { treshold: 1 } as never),
    ],
    ['source must be a source', () => new RequestUnderstandingProcessor({} as never)],
    [
      'PlanningBlockOptions.maxChars must be ',
      () => formatPlanningBlock({} as never, { maxChars: '9' } as never),
    ],
  ])('names the option that it refuses: %s', (message, call) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });

  it('warns if none of its tools is marked as read-only', () => {
    const warnings: object[] = [];
    const silent = () => undefined;
    const warn = (fields: object) => void warnings.push(fields);
    const logger = { debug: silent, info: silent, warn, error: silent };
    const search = { inputSchema: {} as never, execute: () => '' };
    createReadOnlyTools({ search }, { logger });
    createReadOnlyTools({ search: { ...search, readOnly: true } }, { logger });
    createReadOnlyTools({}, { logger });
    expect(warnings).toEqual([{ tools: ['search'] }]);
  });
});
