import type { MockLanguageModelV4 } from 'ai/test';

type Reply = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

const usage: Reply['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** What a model says, as the SDK's providers give it. */
export function textReply(text: string): Reply {
  return {
    content: [{ type: 'text', text }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage,
    warnings: [],
  };
}

export function toolReply(toolCallId: string): Reply {
  const call = { type: 'tool-call' as const, toolCallId, toolName: 'work', input: '{}' };
  return { content: [call], finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage, warnings: [] };
}
