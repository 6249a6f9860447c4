import type { FaultyModelRequest, ModelReaction } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../test/model-server.ts';
import { sampleRequest, understandingAnswer } from '../../test/sample-request.ts';
import { createStructuredOutput } from '../answers/create-structured-output.ts';
import { RequestUnderstandingProcessor } from './request-understanding-processor.ts';

describe('RequestUnderstandingProcessor', () => {
  let server: ModelServer;
  afterEach(() => server.close());

  async function analyze(script: (request: FaultyModelRequest, index: number) => ModelReaction) {
    server = await startModelServer(script);
    const output = createStructuredOutput({
      model: server.model,
      chatModel: server.chatModel,
      maxRetries: 0,
    });
    const processor = new RequestUnderstandingProcessor(output);
    return { processor, analyzed: await processor.analyzeRequest(sampleRequest) };
  }
  const say = (text: string): ModelReaction => ({ kind: 'say', text });

  it('asks the model once and validates its answer [PP-49] [PP-8] [PP-11]', async () => {
    const { analyzed } = await analyze(() => say(JSON.stringify(understandingAnswer)));
    expect(analyzed).toEqual({
      understanding: understandingAnswer.request_understanding,
      isMinimal: false,
    });
    expect(server.requests.map(({ mode }) => mode)).toEqual(['format']);
  });

  it('sends the task whole, with comments, labels, the past, the items and the form [PP-7] [PP-10]', async () => {
    await analyze(() => say(JSON.stringify(understandingAnswer)));
    const { written } = server.requests[0] ?? { written: '' };
    for (const part of [
      'The total ignores quantities',
      'Three apples cost as much as one.',
      'bug, coding agent',
      'Only the backend, please.',
      'An earlier run found total.js.',
      'expected_deliverables',
      'understanding_confidence',
      'request_understanding',
    ]) {
      expect(written).toContain(part);
    }
    expect(written).not.toContain('item_reference');
  });

  it('asks three more times when it cannot read the answer, then goes on with the least [PP-52] [E3]', async () => {
    const { analyzed, processor } = await analyze(() => say('I understand: the total is wrong.'));
    expect(server.requests).toHaveLength(4);
    expect(analyzed).toMatchObject({
      isMinimal: true,
      understanding: { task_type: 'unknown', primary_goal: sampleRequest.title, understanding_confidence: 0 },
    });
    expect(processor.checkUnderstandingConfidence(analyzed.understanding)).toBe(false);
  });

  it('asks again for an understanding without a goal, and takes the title for it at last [PP-52] [PP-8]', async () => {
    const { analyzed } = await analyze(() => say('{"request_understanding": {"task_type": "fix"'));
    expect(server.requests[1]?.written).toContain('request_understanding.primary_goal: is empty');
    expect(analyzed.understanding.primary_goal).toBe(sampleRequest.title);
  });

  it('tells the model what was wrong with its answer [PP-52]', async () => {
    const { analyzed } = await analyze((_, index) =>
      say(index === 0 ? '{"request_understanding": 3}' : JSON.stringify(understandingAnswer)),
    );
    expect(analyzed.isMinimal).toBe(false);
    expect(server.requests[1]?.written).toContain('Your answer could not be read');
    expect(server.requests[1]?.written).toContain('request_understanding: ');
  });
});

describe('checkUnderstandingConfidence', () => {
  const processor = new RequestUnderstandingProcessor({ ask: () => Promise.reject(new Error('not asked')) });
  const judge = (fields: object) =>
    processor.checkUnderstandingConfidence({
      ...understandingAnswer.request_understanding,
      ...fields,
    } as never);

  it('is content from the threshold on, with a kind of task and a goal [PP-12] [E2]', () => {
    expect(judge({ understanding_confidence: 0.7 })).toBe(true);
    expect(judge({ understanding_confidence: 0.69 })).toBe(false);
    expect(judge({ task_type: '' })).toBe(false);
    expect(judge({ primary_goal: '' })).toBe(false);
  });
});
