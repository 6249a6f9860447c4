// @module-tag full
import { estimateTokens } from '@agent/text';
import { APICallError } from 'ai';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commentSaying, createInbox, createTool, runForTest, toOutcome } from '../../test/run-setup.ts';
import { createScriptedModel, type ModelPrompt } from '../../test/scripted-model.ts';
import { createContextCompressor } from '../context-compressor.ts';

type Step =
  | { readonly kind: 'calls'; readonly sizes: readonly number[] }
  | { readonly kind: 'writes'; readonly size: number }
  | { readonly kind: 'comment'; readonly size: number };

const anySize = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 400, max: 300_000 }));
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.array(anySize, { minLength: 1, maxLength: 6 }).map((sizes) => ({ kind: 'calls' as const, sizes })),
  anySize.map((size) => ({ kind: 'writes' as const, size: Math.min(size, 50_000) })),
  anySize.map((size) => ({ kind: 'comment' as const, size })),
);
const anyRun = fc.record({
  contextLength: fc.constantFrom(2_048, 4_096, 8_192, 16_384, 32_768, 131_072, 1_000_000),
  /** Share of the configured window that the endpoint really has. */
  real: fc.constantFrom(1, 1, 1, 0.5, 0.25),
  ratio: fc.constantFrom('chars', 0.6, 1, 1.3, 1.8),
  refusal: fc.constantFrom('numbers', 'words'),
  reports: fc.constantFrom('usage', 'nothing', 'nonsense'),
  unit: fc.constantFrom('const total = items.reduce(add, 0);\n', 'x y ', '合計が違います。', '0123456789 '),
  opening: anySize,
  steps: fc.array(anyStep, { minLength: 1, maxLength: 8 }),
  summarizes: fc.boolean(),
});

type TestedRun = typeof anyRun extends fc.Arbitrary<infer Run> ? Run : never;

/** Texts that a server counts: those of the messages, of their calls, and the tools. */
function toTexts(prompt: ModelPrompt, tools: unknown): string {
  const texts = prompt.map(({ content }) =>
    typeof content === 'string'
      ? content
      : content
          .map((part) => {
            if (part.type === 'text' || part.type === 'reasoning') return part.text;
            if (part.type === 'tool-call') return `${part.toolName}${JSON.stringify(part.input)}`;
            if (part.type === 'tool-result') return 'value' in part.output ? String(part.output.value) : '';
            return '';
          })
          .join('\n'),
  );
  return `${texts.join('\n')}${JSON.stringify(tools ?? [])}`;
}

function fill(unit: string, size: number): string {
  return unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
}

async function play(tested: TestedRun) {
  const { unit, steps } = tested;
  const limit = Math.max(2_048, tested.contextLength * tested.real);
  const comments = steps.filter((step) => step.kind === 'comment');
  const newest = comments.length === 0 ? null : `COMMENT-${comments.length} `;
  let step = 0;
  let over = 0;
  const shown: { readonly prompt: ModelPrompt; readonly isRefused: boolean }[] = [];
  const model = createScriptedModel(
    (prompt) => {
      const isSummary = prompt.length === 1 && JSON.stringify(prompt).includes('memory of a coding agent');
      const text = toTexts(prompt, isSummary ? [] : toolSchemas);
      const count = tested.ratio === 'chars' ? text.length / 4 : estimateTokens(text) * Number(tested.ratio);
      const tokens = Math.ceil(count);
      const inputs = { usage: tokens, nothing: undefined, nonsense: 10 }[tested.reports as 'usage'];
      usage.current = inputs;
      if (!isSummary) shown.push({ prompt, isRefused: tokens > limit });
      if (tokens > limit) {
        over += 1;
        throw new APICallError({
          message: 'Bad Request',
          url: 'http://127.0.0.1/v1/chat/completions',
          requestBodyValues: {},
          statusCode: 400,
          responseBody: JSON.stringify({
            error: {
              message:
                tested.refusal === 'numbers'
                  ? `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens.`
                  : 'The input is too long for the context window.',
            },
          }),
        });
      }
      if (isSummary) return tested.summarizes ? 'They read files.' : '';
      step += 1;
      const next = steps[step - 1];
      if (next === undefined) return 'Done.';
      if (next.kind === 'calls')
        return next.sizes.map((size, index) => ({
          id: `${step}-${index}`,
          tool: 'read',
          input: { text: `${size}` },
        }));
      if (next.kind === 'writes')
        return [{ id: `${step}`, tool: 'write', input: { text: fill(unit, next.size) } }];
      return [{ id: `${step}`, tool: 'read', input: { text: '1' } }];
    },
    () => usage.current,
  );
  const usage: { current: number | undefined } = { current: undefined };
  const tools = {
    read: createTool((size) => fill(unit, Number(size))),
    write: createTool(() => 'written'),
  };
  const toolSchemas = Object.values(tools).map(({ description }) => [description, 'x'.repeat(500)]);
  const looks = steps.map((one, index) => {
    const number = comments.indexOf(one as (typeof comments)[number]) + 1;
    return one.kind === 'comment'
      ? commentSaying(`COMMENT-${number} ${fill(unit, one.size)}`, `c${index}`)
      : { status: 'checked' as const, delivery: null };
  });
  const { result } = await runForTest({
    model,
    tools,
    comments: createInbox([{ status: 'checked', delivery: null }, ...looks]),
    compressor: createContextCompressor({ model, contextLength: tested.contextLength, maxRetries: 0 }),
    openConversation: async () => ({
      instructions: 'You mend things.',
      messages: [{ role: 'user', content: `TASK ${fill(unit, tested.opening)}` }],
    }),
  });
  return { outcome: toOutcome(result), shown, newest, over, comments };
}

type PromptPart = Extract<ModelPrompt[number]['content'], readonly unknown[]>[number];

/** Results that differ from what their tool gave, without a word about it; and calls whose result is missing. */
function findSilentCuts({ unit, steps }: TestedRun, prompt: ModelPrompt): readonly string[] {
  const parts: readonly PromptPart[] = prompt.flatMap(({ content }) =>
    typeof content === 'string' ? [] : (content as readonly PromptPart[]),
  );
  const results = parts.filter((part) => part.type === 'tool-result');
  const answered = new Set(results.map(({ toolCallId }) => toolCallId));
  const open = parts.filter((part) => part.type === 'tool-call' && !answered.has(part.toolCallId));
  const cut = results.filter(({ toolCallId, output }) => {
    const [step = 0, index] = toolCallId.split('-').map(Number);
    const made = steps[step - 1];
    if (made?.kind !== 'calls' || index === undefined || !('value' in output)) return false;
    const text = String(output.value);
    return (
      text !== fill(unit, made.sizes[index] ?? 0) && !/ are not shown \(| is elided to save space/.test(text)
    );
  });
  return [...open, ...cut].map((part) => JSON.stringify(part).slice(0, 200));
}

it('no run ends because of a size, and nothing is dropped silently', async () => {
  await fc.assert(
    fc.asyncProperty(anyRun, async (tested) => {
      const { outcome, shown, newest, comments } = await play(tested);
      expect(outcome.reason).toBeNull();
      expect(outcome.status).toBe('completed');
      for (const { prompt } of shown) expect(findSilentCuts(tested, prompt)).toEqual([]);
      const last = toTexts(shown.at(-1)?.prompt ?? [], []);
      const whole = newest === null ? `TASK ${fill(tested.unit, tested.opening)}` : null;
      const wanted = whole ?? `${newest}${fill(tested.unit, comments.at(-1)?.size ?? 0)}`;
      if (!last.includes(wanted)) expect(last).toMatch(/of this message are not shown \(\d+ characters\)/);
    }),
    { numRuns: Number(process.env.WINDOW_RUNS ?? 60), endOnFailure: true },
  );
}, 120_000);
