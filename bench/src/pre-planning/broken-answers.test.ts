import { createStructuredOutput, RequestUnderstandingProcessor } from '@agent/pre-planning';
import type { ModelReaction } from '@agent/simulators/model';
import { createOpenAI } from '@ai-sdk/openai';
import { afterEach, describe, expect, it } from 'vitest';
import { makeBrokenAnswers } from './broken-answers.ts';
import { type FaultyEndpoint, startFaultyEndpoint } from './faulty-endpoint.ts';

describe('broken answers', () => {
  const corpus = makeBrokenAnswers();

  it('are 370, all of them different', () => {
    const written = corpus.map(({ fault, react }) =>
      JSON.stringify([
        fault,
        ...(['format', 'tool'] as const).flatMap((way) => [react(way, 0), react(way, 1)]),
      ]),
    );
    expect(corpus).toHaveLength(370);
    const isTalk = (fault: string) => fault === 'nothing but prose';
    expect(new Set(written.filter((_, index) => !isTalk(corpus[index]?.fault ?? ''))).size).toBe(360);
  });

  it('are broken: none but those with an odd frame or odd fields is the JSON that was asked for', () => {
    const isJson = (reaction: ModelReaction) => {
      try {
        return reaction.kind === 'say' && Object.hasOwn(JSON.parse(reaction.text), 'phase');
      } catch {
        return false;
      }
    };
    const direct = corpus.filter(({ react }) => isJson(react('format', 0)));
    expect([...new Set(direct.map(({ fault }) => fault))]).toEqual([
      'numbers as text',
      'confidence in words or over 1',
      'lists as one text',
      'no annotations',
      'reasoning first',
      'the scope as text',
      'the scope as a list',
      'ambiguities as texts',
      'a word for no ambiguities',
      'deliverables as objects',
      'a list as the reasoning',
      'no phase',
      'another phase',
      'confidence in full width, or with words',
      'a tag of thoughts in a text',
      'the form alone, then the answer',
    ]);
  });
});

describe('the faulty endpoint', () => {
  let endpoint: FaultyEndpoint;
  afterEach(() => endpoint.close());

  it('plays one fault after the other, counting answers anew', async () => {
    endpoint = await startFaultyEndpoint();
    const provider = createOpenAI({ baseURL: endpoint.baseUrl, apiKey: 'none' });
    const request = {
      author: 'mona',
      isTrusted: true,
      title: 'a',
      body: '',
      labels: [],
      comments: [],
      history: null,
    };
    const fates = [];
    for (const fault of ['only the tool, broken off', 'prose, then the answer', 'no annotations']) {
      const broken = makeBrokenAnswers().find((one) => one.fault === fault);
      if (broken !== undefined) endpoint.play(broken);
      const output = createStructuredOutput({
        model: provider('m'),
        chatModel: provider.chat('m'),
        maxRetries: 0,
      });
      const { isMinimal } = await new RequestUnderstandingProcessor(output, { locale: 'ja' }).analyzeRequest(
        request,
      );
      fates.push([isMinimal, output.capabilities()]);
    }
    expect(fates).toEqual([
      [false, { format: 'refuses', 'chat-format': 'refuses' }],
      [false, { format: 'ignores', 'chat-format': 'works' }],
      [false, { format: 'works' }],
    ]);
  });
});
