import type { LanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

type Generate = NonNullable<ConstructorParameters<typeof MockLanguageModelV4>[0]>['doGenerate'];
export type ModelPrompt = Parameters<Extract<Generate, (...all: never[]) => unknown>>[0]['prompt'];

/** Answer of a scripted model: a text, one cut off, calls of tools, or an error that it throws. */
export type ScriptedAnswer =
  | string
  | { readonly cutOff: string }
  | { readonly filtered: string }
  | Error
  | { readonly cutCalls: readonly ScriptedCall[] }
  | { readonly said: string; readonly calls: readonly ScriptedCall[] }
  | readonly ScriptedCall[];

interface ScriptedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** A model that answers from the prompt alone, so that it goes on after a crash as a real one would. */
export function createScriptedModel(
  answer: (prompt: ModelPrompt) => ScriptedAnswer | Promise<ScriptedAnswer>,
  readInputTokens: () => number | undefined = () => 10,
): LanguageModel & { readonly prompts: ModelPrompt[] } {
  const prompts: ModelPrompt[] = [];
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt, abortSignal }) => {
      prompts.push(prompt);
      const scripted = await answer(prompt);
      const total = readInputTokens();
      const usage = {
        inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 5, text: 5, reasoning: 0 },
      };
      abortSignal?.throwIfAborted();
      if (scripted instanceof Error) throw scripted;
      if (typeof scripted === 'string') {
        const content = scripted === '' ? [] : [{ type: 'text' as const, text: scripted }];
        return { content, finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] };
      }
      if ('filtered' in scripted) {
        const content = [{ type: 'text' as const, text: scripted.filtered }];
        const finishReason = { unified: 'content-filter', raw: 'content_filter' } as const;
        return { content, finishReason, usage, warnings: [] };
      }
      if ('cutOff' in scripted) {
        const content = [{ type: 'text' as const, text: scripted.cutOff }];
        return { content, finishReason: { unified: 'length', raw: 'length' }, usage, warnings: [] };
      }
      const isCut = 'cutCalls' in scripted;
      const said = 'said' in scripted ? [{ type: 'text' as const, text: scripted.said }] : [];
      const calls = isCut ? scripted.cutCalls : 'said' in scripted ? scripted.calls : scripted;
      const made = calls.map(({ id, tool, input }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: tool,
        input: typeof input === 'string' ? input : JSON.stringify(input),
      }));
      const finishReason = isCut
        ? ({ unified: 'length', raw: 'length' } as const)
        : ({ unified: 'tool-calls', raw: 'tool_calls' } as const);
      return { content: [...said, ...made], finishReason, usage, warnings: [] };
    },
  });
  return Object.assign(model, { prompts });
}

/** A model that gives one answer after the other. */
export function createModelOf(...answers: readonly ScriptedAnswer[]) {
  let next = 0;
  return createScriptedModel(() => {
    const answer = answers[next];
    next += 1;
    if (answer === undefined) throw new Error(`the script has no answer ${next}`);
    return answer;
  });
}
