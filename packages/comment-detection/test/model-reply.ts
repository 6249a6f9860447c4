import { convertArrayToReadableStream, type MockLanguageModelV4 } from 'ai/test';

type Reply = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
type Streamed = Awaited<ReturnType<MockLanguageModelV4['doStream']>>;
type Part = Streamed['stream'] extends ReadableStream<infer One> ? One : never;

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

/** The same reply, part by part. */
export function toStreamed({ content, finishReason, usage: used }: Reply): Streamed {
  const parts = content.flatMap((part): Part[] => {
    if (part.type !== 'text') return [part as Part];
    return [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: part.text },
      { type: 'text-end', id: 't' },
    ];
  });
  const stream: Part[] = [
    { type: 'stream-start', warnings: [] },
    ...parts,
    { type: 'finish', finishReason, usage: used },
  ];
  return { stream: convertArrayToReadableStream(stream) };
}
