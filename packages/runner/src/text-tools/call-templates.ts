import { removeReasoning } from '@agent/text';
import { parseJson, toRecord } from '@agent/text/json';
import { findJsonSpans } from '../text-calls/json-calls.ts';

/** Names of the templates in which a model can write calls as text. */
export const callTemplateNames = ['hermes', 'llama', 'mistral', 'deepseek', 'harmony'] as const;

export type CallTemplateName = (typeof callTemplateNames)[number];

/** Call of a tool that a model wrote as text. */
export interface WrittenCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Form of the calls of a template. All expressions are sticky. */
interface CallForm {
  /** Before the first call and after the last. */
  readonly start: RegExp;
  readonly end: RegExp;
  /** Before and after the object of each call; the first group is the name of the tool, if it is not in the object. */
  readonly before: RegExp;
  readonly after: RegExp;
  /** Key of the arguments; null if the object is the arguments. */
  readonly key: 'arguments' | 'parameters' | null;
}

interface CallTemplate {
  readonly forms: readonly CallForm[];
  readonly write: (calls: readonly WrittenCall[]) => string;
}

const json = (value: unknown) => JSON.stringify(value);
const nothing = /\s{0,20}/y;

/**
 * Templates with their sources.
 *
 * @see https://github.com/NousResearch/Hermes-Function-Calling
 * @see https://www.llama.com/docs/model-cards-and-prompt-formats/llama3_1/
 * @see https://docs.mistral.ai/cookbooks/concept-deep-dive-tokenization-tool_calling
 * @see https://huggingface.co/deepseek-ai/DeepSeek-V3.1
 * @see https://cookbook.openai.com/articles/openai-harmony
 */
const templates: Readonly<Record<CallTemplateName, CallTemplate>> = {
  hermes: {
    forms: [
      {
        ...{
          start: nothing,
          before: /\s{0,20}<tool_call>\s{0,20}/y,
          after: /\s{0,20}<\/tool_call>\s{0,20}/y,
          end: nothing,
        },
        key: 'arguments',
      },
    ],
    write: (calls) =>
      calls
        .map(({ name, input }) => `<tool_call>\n${json({ name, arguments: input })}\n</tool_call>`)
        .join('\n'),
  },
  llama: {
    forms: [
      {
        ...{ start: /\s{0,20}(?:<\|python_tag\|>)?/y, before: nothing, after: /\s{0,20};?/y, end: nothing },
        key: 'parameters',
      },
    ],
    write: (calls) => calls.map(({ name, input }) => json({ name, parameters: input })).join('; '),
  },
  mistral: {
    forms: [
      {
        ...{
          start: /\s{0,20}\[TOOL_CALLS\]\s{0,20}\[/y,
          before: nothing,
          after: /\s{0,20}(?:,|(?=\]))/y,
          end: /\s{0,20}\]\s{0,20}/y,
        },
        key: 'arguments',
      },
      {
        ...{
          start: nothing,
          before: /\s{0,20}\[TOOL_CALLS\]\s{0,20}([\w.-]{1,128})\s{0,20}\[ARGS\]\s{0,20}/y,
        },
        ...{ after: nothing, end: nothing, key: null },
      },
    ],
    write: (calls) => `[TOOL_CALLS]${json(calls.map(({ name, input }) => ({ name, arguments: input })))}`,
  },
  deepseek: {
    forms: [
      {
        start: /\s{0,20}<｜tool▁calls▁begin｜>\s{0,20}/y,
        before: /\s{0,20}<｜tool▁call▁begin｜>function<｜tool▁sep｜>([\w.-]{1,128})\s{0,20}```json\s{0,20}/y,
        after: /\s{0,20}```\s{0,20}<｜tool▁call▁end｜>/y,
        end: /\s{0,20}<｜tool▁calls▁end｜>\s{0,20}/y,
        key: null,
      },
      {
        start: /\s{0,20}<｜tool▁calls▁begin｜>\s{0,20}/y,
        before: /\s{0,20}<｜tool▁call▁begin｜>([\w.-]{1,128})<｜tool▁sep｜>\s{0,20}/y,
        after: /\s{0,20}<｜tool▁call▁end｜>/y,
        end: /\s{0,20}<｜tool▁calls▁end｜>\s{0,20}/y,
        key: null,
      },
    ],
    write: (calls) => {
      const written = calls.map(
        ({ name, input }) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${json(input)}<｜tool▁call▁end｜>`,
      );
      return `<｜tool▁calls▁begin｜>${written.join('')}<｜tool▁calls▁end｜>`;
    },
  },
  harmony: {
    forms: [
      {
        start: nothing,
        before:
          /\s{0,20}(?:<\|start\|>assistant)?<\|channel\|>commentary to=functions\.([\w.-]{1,128}) ?(?:<\|constrain\|> ?json)? ?<\|message\|>\s{0,20}/y,
        ...{ after: /\s{0,20}(?:<\|call\|>)?/y, end: nothing, key: null },
      },
    ],
    write: (calls) =>
      calls
        .map(
          ({ name, input }) =>
            `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${json(input)}<|call|>`,
        )
        .join('<|start|>assistant'),
  },
};

/** Writes calls in a template. */
export function writeCalls(template: CallTemplateName, calls: readonly WrittenCall[]): string {
  return templates[template].write(calls);
}

const analysis =
  /^\s{0,20}(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>[^<]*(?:<(?!\|end\|>)[^<]*)*<\|end\|>/;

/**
 * Reads the calls of an answer that is nothing but calls in a template, apart from reasoning before them. Null for every other answer:
 * a text around a call, another template, or arguments that are not valid JSON.
 */
export function readCalls(template: CallTemplateName, answer: string): readonly WrittenCall[] | null {
  const candidates = [answer.replace(analysis, ''), removeReasoning(answer)];
  for (const text of candidates)
    for (const form of templates[template].forms) {
      const calls = readForm(text, form);
      if (calls !== null) return calls;
    }
  return null;
}

/** Position behind a match at a position; null if there is no match. */
function pass(
  text: string,
  expression: RegExp,
  at: number,
): { readonly at: number; readonly group: string | undefined } | null {
  expression.lastIndex = at;
  const match = expression.exec(text);
  return match === null ? null : { at: at + match[0].length, group: match[1] };
}

function readForm(text: string, form: CallForm): readonly WrittenCall[] | null {
  const spans = findJsonSpans(text.slice(0, maxChars));
  const calls: WrittenCall[] = [];
  let at = pass(text, form.start, 0)?.at ?? null;
  for (const { start, end } of spans) {
    const before = at === null ? null : pass(text, form.before, at);
    if (before === null || before.at !== start) return null;
    const call = toCall(text.slice(start, end), { name: before.group, key: form.key });
    if (call === null) return null;
    calls.push(call);
    at = pass(text, form.after, end)?.at ?? null;
  }
  const last = at === null ? null : pass(text, form.end, at);
  return calls.length > 0 && last?.at === text.length ? calls : null;
}

const maxChars = 1_000_000;

function toCall(
  written: string,
  { name, key }: { readonly name: string | undefined; readonly key: CallForm['key'] },
): WrittenCall | null {
  const record = toRecord(parseJson(written));
  if (record === null) return null;
  if (key === null) return name === undefined ? null : { name, input: record };
  const { name: tool, [key]: input, ...others } = record;
  const isOther = Object.keys(others).some((one) => one !== 'id' && one !== 'type');
  const inner = toRecord(input);
  return typeof tool !== 'string' || inner === null || isOther ? null : { name: tool, input: inner };
}
