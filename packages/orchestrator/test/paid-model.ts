import { MockLanguageModelV4 } from 'ai/test';

/** A token of an answer costs a millionth of the currency, and no call more than 400 of them. */
export const price = { input: 0, output: 1, max_output_tokens: 400 };

/** A model whose answers have 300 tokens each: it calls a tool first, and then answers. */
export function createPaidModel(onCall: () => void = () => {}): MockLanguageModelV4 {
  let calls = 0;
  return new MockLanguageModelV4({
    doGenerate: async ({ tools = [] }) => {
      onCall();
      calls += 1;
      const isWork = tools.length > 0 && calls === 1;
      const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'count', input: '{}' } as const;
      return {
        content: [isWork ? call : { type: 'text', text: 'Counted.' }],
        finishReason: { unified: isWork ? 'tool-calls' : 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 300, text: 300, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}
