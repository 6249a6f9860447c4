import { RequestUnderstandingProcessor } from '@agent/pre-planning';
import { prePlanningConfigSchema } from '@agent/pre-planning/config';
import { createModel, llmSchema } from '@agent/runner/models';
import { type FaultyModel, startFaultyModel } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { openPrePlanning } from './open-pre-planning.ts';

describe('openPrePlanning', () => {
  let server: FaultyModel | null = null;
  afterEach(() => server?.close());

  it('fits its questions to the window of the model, as the answers and refusals of its endpoint show it', async () => {
    const window = 12_000;
    const logged: string[] = [];
    server = await startFaultyModel(({ written }) => {
      // An endpoint that counts two characters a token: twice as many as the estimate.
      const tokens = Math.ceil(written.length / 2);
      const message = `prompt is too long: ${tokens} tokens > ${window} maximum`;
      return tokens > window
        ? { kind: 'refuse', status: 400, body: { error: { message } } }
        : {
            kind: 'say',
            text: JSON.stringify({ request_understanding: { primary_goal: 'Count', task_type: 'bug fix' } }),
          };
    });
    const llm = llmSchema.parse({ api: 'chat', base_url: server.baseUrl, model: 'm' });
    const { model } = await createModel(llm, { environment: {}, directory: '.' });
    const logger = {
      ...{ debug: () => undefined, warn: () => undefined, error: () => undefined },
      info: (_: object, message: string) => void logged.push(message),
      child: () => logger,
    };
    const prePlanning = await openPrePlanning(prePlanningConfigSchema.parse({}), {
      contextLength: 64_000,
      maxRetries: 0,
      timeoutMs: 10_000,
      hideKnownSecrets: (text) => text,
      logger: logger as never,
    });
    const source = prePlanning?.openSource({ planning: model, planningChat: null });
    if (source === undefined) throw new Error('not opened');
    const request = {
      ...{ author: 'mona', isTrusted: true, title: 'Total', labels: [], comments: [], history: null },
      body: 'The total is wrong. '.repeat(20_000),
    };
    const processor = new RequestUnderstandingProcessor(source);
    expect(await processor.analyzeRequest(request)).toMatchObject({ isMinimal: false });
    expect(logged).toContain('shortening prompt after refusal');
    const asked = server.requests.length;
    expect(await processor.analyzeRequest(request)).toMatchObject({ isMinimal: false });
    expect(server.requests).toHaveLength(asked + 1);
  });
});
