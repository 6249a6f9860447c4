import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import { journaled } from '../conversation.ts';
import type { JournalEntry } from '../model.ts';
import { withoutPlannedCall } from '../planning/prompts/plan.ts';
import type { RunJournal } from '../ports.ts';
import { readEntries } from '../replay-journal.ts';
import { readCalls, type WrittenCall } from './call-templates.ts';
import { QuotedText } from './quoted-calls.ts';
import { readCallTemplate } from './with-text-tools.ts';

type Result = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapGenerate']>>>;
type Params = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0]['params'];

/** Reason for which a call in a text was not executed, by what was found last. */
export type TextCallRefusal = 'quoted-call' | 'other-form';

/**
 * Reads calls from the answers of a model whose server has no tool support. An answer is taken for calls if it is nothing but calls in
 * the template of its model, of tools that it was given, and if no text of others in the run contains one of them.
 */
export class TextCallReader {
  readonly #journal: Pick<RunJournal, 'read'>;
  readonly #quoted = new Map<number, QuotedText | null>();
  #refusal: TextCallRefusal | null = null;

  constructor(journal: Pick<RunJournal, 'read'>) {
    this.#journal = journal;
  }

  /** Reason for which the last answer is no call, if it is one in its text; null for a model that cannot write calls as text. */
  get refusal(): TextCallRefusal | null {
    return this.#refusal;
  }

  /** The same model, whose answers hold the calls that were read. */
  watch(model: LanguageModel): LanguageModel {
    if (typeof model === 'string') return model;
    return wrapLanguageModel({
      model,
      middleware: {
        specificationVersion: 'v4',
        wrapGenerate: async ({ doGenerate, params }) => this.#read(await doGenerate(), params),
      },
    });
  }

  async #read(result: Result, { tools = [], toolChoice, prompt }: Params): Promise<Result> {
    const template = readCallTemplate(result.providerMetadata);
    this.#refusal = template === null ? null : 'other-form';
    const isComplete =
      result.finishReason.unified !== 'length' && result.finishReason.unified !== 'content-filter';
    const hasCalls = result.content.some(({ type }) => type === 'tool-call');
    if (template === null || hasCalls || !isComplete || toolChoice?.type === 'none') return result;
    const calls = readCalls(
      template,
      result.content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    );
    const names = new Set(tools.map(({ name }) => name));
    if (calls === null || !calls.every(({ name }) => names.has(name))) return result;
    if (await this.#isQuoted(calls)) {
      this.#refusal = 'quoted-call';
      return result;
    }
    const made = calls.map(({ name, input }, index) => ({
      type: 'tool-call' as const,
      toolCallId: `text-call-${prompt.length}-${index + 1}`,
      toolName: name,
      input: JSON.stringify(input),
    }));
    const others = result.content.filter(({ type }) => type !== 'text');
    return {
      ...result,
      content: [...others, ...made],
      finishReason: { ...result.finishReason, unified: 'tool-calls' },
    };
  }

  /** Searches the whole journal: the model may repeat what it read long ago. */
  async #isQuoted(calls: readonly WrittenCall[]): Promise<boolean> {
    for (const entry of await journaled(readEntries(this.#journal, { facts: [] }))) {
      if (entry.type !== 'message') continue;
      let quoted = this.#quoted.get(entry.seq);
      if (quoted === undefined) {
        const text = toOtherText(entry);
        quoted = text === '' ? null : new QuotedText(text);
        this.#quoted.set(entry.seq, quoted);
      }
      if (quoted !== null && calls.some((call) => quoted.has(call))) return true;
    }
    return false;
  }
}

/** Text of a message that the model of this run did not write. */
function toOtherText({
  message: { role, content },
  usage,
}: Extract<JournalEntry, { type: 'message' }>): string {
  if (role === 'assistant' && usage !== null) return '';
  if (typeof content === 'string') return withoutPlannedCall(content);
  const parts = content.flatMap((part): readonly unknown[] => {
    if (part.type === 'text') return [part.text];
    return part.type === 'tool-result' ? ['value' in part.output ? part.output.value : part.output] : [];
  });
  return parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('\n');
}
