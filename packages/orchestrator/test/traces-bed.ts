import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryPlatform } from '@agent/platforms/memory';
import type { RunTools } from '@agent/runner';
import { OpenTelemetryIdGenerator } from '@ai-sdk/otel';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { jsonSchema, type LanguageModel, registerTelemetry } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { onTestFinished } from 'vitest';
import { parseRunSettings } from '../src/config/index.ts';
import { createOrchestrator, openFileStorage, openReader, toRecordDirectories } from '../src/index.ts';
import { traceModelCalls, traceRuns } from '../src/telemetry/index.ts';

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

/** What the model does at one step: says something, or calls the tool `notes__find`. */
export type Step = string | { readonly find: string };

/** Creates a model that takes these steps in turn; `before` is called as each begins. */
export function createSteppingModel(
  steps: readonly Step[],
  before: (step: number) => Promise<void> | void = () => {},
): LanguageModel {
  let taken = 0;
  return new MockLanguageModelV4({
    provider: 'scripted',
    modelId: 'stepper',
    doGenerate: async () => {
      const number = taken++;
      await before(number);
      const step = steps[Math.min(number, steps.length - 1)] ?? '';
      const isCall = typeof step !== 'string';
      return {
        content: isCall
          ? [
              {
                type: 'tool-call' as const,
                toolCallId: `call-${number}`,
                toolName: 'notes__find',
                input: JSON.stringify({ word: step.find }),
              },
            ]
          : [{ type: 'text' as const, text: step }],
        finishReason: { unified: isCall ? ('tool-calls' as const) : ('stop' as const), raw: 'x' },
        usage,
        warnings: [],
      };
    },
  });
}

const tools: RunTools = {
  notes__find: {
    description: 'Finds a note.',
    inputSchema: jsonSchema<unknown>({ type: 'object', properties: { word: { type: 'string' } } }),
    readOnly: true,
    execute: async (input, { onFailure }) => {
      const { word } = input as { readonly word: string };
      if (word === 'nothing') onFailure?.('exit code 1');
      if (word === 'fail') throw new Error('the note of hunter2 is locked');
      return `found ${word}`;
    },
  },
};

/** Collects the spans of one process. */
function openCollector(content: boolean) {
  const exporter = new InMemorySpanExporter();
  const ids = new OpenTelemetryIdGenerator();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  const provider = new BasicTracerProvider({ idGenerator: ids, sampler: ids, spanProcessors });
  const tracer = provider.getTracer('test');
  globalThis.AI_SDK_TELEMETRY_INTEGRATIONS = undefined;
  registerTelemetry(traceModelCalls({ tracer, content }));
  return { telemetry: traceRuns({ tracer, ids, content }), read: () => exporter.getFinishedSpans() };
}

/** Opens a thread in memory, whose runs are traced; each `run` is what one process does. */
export async function openTracesBed() {
  const directory = await mkdtemp(join(tmpdir(), 'traces-'));
  const contexts = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
  onTestFinished(async () => {
    context.disable();
    globalThis.AI_SDK_TELEMETRY_INTEGRATIONS = undefined;
    await rm(directory, { recursive: true, force: true });
  });
  const memory = createMemoryPlatform({ answersOnly: true });
  const key = memory.people.openIssue({ author: 'octo', title: 'Two and two', body: 'A secret question.' });
  memory.people.assign(key, ['agent']);
  const run = async (
    model: LanguageModel,
    { content = false, signal }: { readonly content?: boolean; readonly signal?: AbortSignal } = {},
  ) => {
    const collector = openCollector(content);
    const orchestrator = createOrchestrator({
      platforms: [memory],
      model,
      directory,
      settings: parseRunSettings({
        planning: { enabled: false },
        tools: { run_command: { sandbox: 'off', allow_root: true } },
      }),
      openMcp: () => ({ tools: async () => tools, listWaiting: async () => [], close: async () => {} }),
      telemetry: collector.telemetry,
      sleep: async () => {},
    });
    await orchestrator.run({ once: true, signal });
    return { spans: collector.read() };
  };
  const storage = await openFileStorage(toRecordDirectories(join(directory, 'contexts')));
  const reader = openReader(storage);
  return {
    run,
    say: (body: string) => memory.people.comment(key, { author: 'octo', body }),
    /** Asks this of the run that is under way, as the command line does. */
    ask: async (verb: 'pause' | 'resume') => {
      const { running, paused } = await reader.readOverview({ recent: 0 });
      const [run] = [...running, ...paused];
      if (run !== undefined) await storage.controls.request(run.uuid, verb);
    },
  };
}

/** Shows spans by their names and their parents'. */
export function showTree(spans: readonly ReadableSpan[]): readonly string[] {
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  return spans.map(({ name, parentSpanContext }) => {
    const parent = parentSpanContext && (names.get(parentSpanContext.spanId) ?? 'elsewhere');
    return parent === undefined ? name : `${parent} > ${name}`;
  });
}
