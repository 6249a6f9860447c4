import { fitStart, type Logger, toErrorMessage } from '@agent/text';
import { type JsonReading, readJsonAnswer } from '@agent/text/json';
import {
  checkOptions,
  type Expectation,
  type ExpectationsOf,
  expected,
  expectNullable,
  expectNumber,
  expectPort,
  isObject,
} from '@agent/text/options';
import { APICallError, type LanguageModel, type ModelMessage, RetryError } from 'ai';
import type { z } from 'zod';
import { PrePlanningError } from '../pre-planning-error.ts';
import type { AnswerSource, CallReport, OutputMode, Question, Reply } from './answer-source.ts';
import { askInMode, type ModeRequest } from './ask-in-mode.ts';
import { createPromptWindow, fitQuestion, type PromptWindow } from './prompt-window.ts';

/** Options of `createStructuredOutput`. */
export interface StructuredOutputOptions {
  /** Any model of the AI SDK. */
  readonly model: LanguageModel;
  /** The same model by the chat endpoint, where `model` uses the Responses one; default none. */
  readonly chatModel?: LanguageModel | null;
  /** Tokens of question and answer together; default 128,000. */
  readonly contextLength?: number | undefined;
  /** Window that the prompts are fitted to, instead of `contextLength`. */
  readonly window?: PromptWindow | undefined;
  /** Capabilities of this endpoint as known before; default none. */
  readonly known?: EndpointCapabilities;
  /** Further questions when an answer can't be read; default 3. @see seed 004 §11.1 */
  readonly maxParseRetries?: number;
  /** Further attempts of a request that fails on the way; default 2. */
  readonly maxRetries?: number;
  /** Time limit of one request; default 600,000 ms. */
  readonly timeoutMs?: number;
  /** Default: the model's server keeps nothing, and takes forms with free parts. */
  readonly providerOptions?: ModeRequest['providerOptions'];
  /** Takes secrets out of what the model said, before it is shown to it again; default nothing. */
  readonly hideKnownSecrets?: (text: string) => string;
  /** Told of each answer of the model and what it cost; 0 where the endpoint did not say. */
  readonly onCall?: (call: CallReport) => void;
  readonly logger?: Logger | null;
}

const expectModel: Expectation = {
  isMet: (value) => isObject(value) || (typeof value === 'string' && value !== ''),
  text: 'a model of the AI SDK',
};

const expectations: ExpectationsOf<StructuredOutputOptions> = {
  model: expectModel,
  chatModel: expectNullable(expectModel),
  contextLength: expectNumber(1, { most: Number.MAX_SAFE_INTEGER }),
  window: expectPort('count', 'toTokens', 'fitText', 'learn', 'shrinkAfter'),
  known: expected.object,
  maxParseRetries: expectNumber(0, { isWhole: true }),
  maxRetries: expectNumber(0, { isWhole: true }),
  timeoutMs: expectNumber(0),
  providerOptions: expected.object,
  hideKnownSecrets: expected.function,
  onCall: expected.function,
  logger: expected.logger,
};

/** An `AnswerSource` that knows what its endpoint can do. */
export interface StructuredOutput extends AnswerSource {
  /** Gives what was learned so far, as JSON: for the next `createStructuredOutput` on the same endpoint. */
  readonly capabilities: () => EndpointCapabilities;
}

/**
 * Asks in the most reliable way that the endpoint takes: the first questions find out which, later ones remember it, and
 * each twentieth finds out anew. An answer that can't be read is asked for again in the next mode, with what was
 * wrong with it.
 * @throws {TypeError} that names an option which is missing, unknown or invalid
 *
 * @example
 * const source = createStructuredOutput({ model });
 * const { understanding } = await new RequestUnderstandingProcessor(source).analyzeRequest(request);
 */
export function createStructuredOutput(options: StructuredOutputOptions): StructuredOutput {
  checkOptions('StructuredOutputOptions', options, expectations, ['model']);
  const { model, chatModel = null, known = {}, logger = null } = options;
  const last = chatModel ?? model;
  const models = new Map<OutputMode, LanguageModel>([['format', model]]);
  if (chatModel !== null) models.set('chat-format', chatModel);
  models.set('tool', last).set('text', last);
  const memory = createCapabilityMemory(known, logger);
  const { contextLength, window = createPromptWindow({ contextLength }) } = options;
  return {
    ask: (question) => askUntilRead(question, { models, memory, window, options }),
    capabilities: memory.capabilities,
  };
}

interface OutputSetup {
  /** In the order of the modes. */
  readonly models: ReadonlyMap<OutputMode, LanguageModel>;
  readonly memory: CapabilityMemory;
  readonly window: PromptWindow;
  readonly options: StructuredOutputOptions;
}

async function askUntilRead<Answer>(question: Question<Answer>, output: OutputSetup): Promise<Reply<Answer>> {
  const { memory, options } = output;
  const { maxParseRetries = 3, hideKnownSecrets = (text) => text } = options;
  const modes = [...memory.chooseModes([...output.models.keys()])];
  /** Modes in which the model gave no JSON, and could have. */
  const silent: OutputMode[] = [];
  let followUp: readonly ModelMessage[] = [];
  let problem = '';
  for (let calls = 1; ; calls += 1) {
    const said = await askFirstWorkingMode(question, { ...output, modes, followUp });
    if (said.kind === 'refused') {
      // The question grew by what was wrong with an answer; that it is too much now does not undo the answer.
      if (calls > 1) return { status: 'unreadable', problem, calls: calls - 1 };
      throw unavailable(said.error, hideKnownSecrets);
    }
    const { mode, texts, isCutOff } = said;
    const reading = readFirstAnswer(texts, question.schema);
    if (reading.status === 'read') {
      if (reading.way === 'direct') memory.learn(mode, 'works');
      for (const one of silent) if (one !== mode) memory.learn(one, 'ignores');
      return { ...reading, status: 'answered', mode, calls };
    }
    if (!reading.isJson && !isCutOff) silent.push(mode);
    problem = reading.problem;
    const [answer = ''] = texts;
    options.logger?.warn({ mode, calls, problem, chars: answer.length }, 'failed to parse model answer');
    if (calls > maxParseRetries) return { status: 'unreadable', problem, calls };
    followUp = formatComplaint({ answer: hideKnownSecrets(answer), problem });
    if (modes.length > 1) modes.shift();
  }
}

interface ModeSearch extends OutputSetup {
  /** The first is asked; those that the endpoint refuses are taken out. */
  readonly modes: OutputMode[];
  /** Messages after the question. */
  readonly followUp: readonly ModelMessage[];
}

type Attempt =
  | {
      readonly kind: 'answered';
      readonly mode: OutputMode;
      readonly texts: readonly string[];
      readonly isCutOff: boolean;
    }
  | { readonly kind: 'refused'; readonly error: unknown };

async function askFirstWorkingMode(question: Question<unknown>, search: ModeSearch): Promise<Attempt> {
  const { models, memory, window, options, modes, followUp } = search;
  const refused: OutputMode[] = [];
  for (;;) {
    const mode = modes[0] ?? 'text';
    const prompt = fitQuestion(question, { window, followUp });
    const request = { ...toRequest(options), mode, model: models.get(mode) ?? options.model, prompt };
    try {
      const { texts, isCutOff, ...tokens } = await askInMode(question, request);
      window.learn(prompt, tokens.inputTokens);
      // Only now is it known that the question as such was a good one.
      for (const one of refused) memory.learn(one, 'refuses');
      options.onCall?.({ mode, ...tokens });
      question.onCall?.({ mode, ...tokens });
      return { kind: 'answered', mode, texts, isCutOff };
    } catch (error) {
      if (question.signal?.aborted) throw question.signal.reason;
      if (window.shrinkAfter(prompt, error)) {
        options.logger?.info({ estimate: prompt.estimate }, 'shortening prompt after refusal');
        continue;
      }
      const failure = classifyFailure(error);
      if (failure === 'unavailable') throw unavailable(error, options.hideKnownSecrets);
      if (modes.length < 2) return { kind: 'refused', error };
      if (failure === 'refused') refused.push(mode);
      modes.shift();
    }
  }
}

function toRequest({ maxRetries = 2, timeoutMs = 600_000, providerOptions }: StructuredOutputOptions) {
  const openai = { store: false, strictJsonSchema: false };
  const openaiCompatible = { strictJsonSchema: false };
  return { maxRetries, timeoutMs, providerOptions: providerOptions ?? { openai, openaiCompatible } };
}

/** Characters that are enough to tell a refused connection from a wrong key. */
const maxCauseChars = 300;

function unavailable(cause: unknown, hideKnownSecrets = (text: string) => text): PrePlanningError {
  const detail = hideKnownSecrets(toErrorMessage(cause)).replace(/\s+/g, ' ');
  const message = `The model could not be called (${fitStart(detail, maxCauseChars)}). Check its endpoint, then run the phase again with the saved state.`;
  return new PrePlanningError('model-unavailable', message, { cause });
}

/**
 * Kind of a failed request: `refused`: the endpoint does not know a request of this form; `faulty`: it failed on
 * this form, which another one may not; `unavailable`: it would fail on any.
 */
type Failure = 'refused' | 'faulty' | 'unavailable';

/** Statuses of a refusal; 200 comes with something that is no answer, from servers that do not know the path. */
const refusals: ReadonlySet<number | undefined> = new Set([200, 400, 404, 405, 415, 422]);
/** 500 is what grammars that fail end in, and anything else too. */
const faults: ReadonlySet<number | undefined> = new Set([500, 501]);

function classifyFailure(error: unknown): Failure {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  if (!APICallError.isInstance(last)) return 'unavailable';
  if (refusals.has(last.statusCode)) return 'refused';
  return faults.has(last.statusCode) ? 'faulty' : 'unavailable';
}

/** Reads the first of several texts that can be read; what is wrong is said of one with JSON in it, if there is one. */
function readFirstAnswer<Answer>(texts: readonly string[], schema: z.ZodType<Answer>): JsonReading<Answer> {
  let unreadable = readJsonAnswer('', schema);
  for (const text of texts) {
    const reading = readJsonAnswer(text, schema);
    if (reading.status === 'read') return reading;
    if (reading.isJson && unreadable.status === 'unreadable' && !unreadable.isJson) unreadable = reading;
  }
  return unreadable;
}

/** More of a broken answer would only invite to repeat it. */
const maxAnswerChars = 4_000;

/** The answer that could not be read, and the problem with it. */
function formatComplaint({
  answer,
  problem,
}: {
  readonly answer: string;
  readonly problem: string;
}): readonly ModelMessage[] {
  const shown = answer.trim() === '' ? '(nothing)' : answer.slice(0, maxAnswerChars).toWellFormed();
  return [
    { role: 'assistant', content: shown },
    {
      role: 'user',
      content: `Your answer could not be read: ${problem}. Answer again with the one JSON object that was asked for: no text before or after it, no code fence, every bracket closed. Keep it short.`,
    },
  ];
}

/**
 * Experience with an endpoint, mode by mode: `works`: the answer was the JSON; `ignores`: the answer was none, although the model
 * gave it on another mode; `refuses`: it does not know the request. A mode that is not named was not tried, or nothing
 * follows from what became of it.
 */
export type EndpointCapabilities = Readonly<Partial<Record<OutputMode, Capability>>>;

export type Capability = 'works' | 'ignores' | 'refuses';

/** Remembers capabilities, and chooses the modes of a question by them. */
interface CapabilityMemory {
  readonly capabilities: () => EndpointCapabilities;
  /** Keeps the latest lesson about a mode; one that works is given up only after two failures in a row. */
  readonly learn: (mode: OutputMode, capability: Capability) => void;
  /** The modes of the next question, best first. */
  readonly chooseModes: (modes: readonly OutputMode[]) => readonly OutputMode[];
}

/** So often a question begins at the top whatever was learned: servers change, and one odd answer proves little. */
const questionsPerTrial = 20;

function createCapabilityMemory(known: EndpointCapabilities, logger: Logger | null): CapabilityMemory {
  let capabilities = known;
  let questions = 0;
  const doubted = new Set<OutputMode>();
  return {
    capabilities: () => capabilities,
    learn: (mode, capability) => {
      if (mode === 'text') return;
      const isDoubt = capability !== 'works' && capabilities[mode] === 'works' && !doubted.has(mode);
      if (isDoubt) doubted.add(mode);
      else doubted.delete(mode);
      if (isDoubt || capabilities[mode] === capability) return;
      capabilities = { ...capabilities, [mode]: capability };
      logger?.debug({ mode, capability }, 'learned output mode capability of endpoint');
    },
    chooseModes: (modes) => {
      questions += 1;
      return questions % questionsPerTrial === 0 ? modes : listUsableModes(modes, capabilities);
    },
  };
}

/** The modes worth a question, one that works first; plain text always is. */
function listUsableModes(modes: readonly OutputMode[], known: EndpointCapabilities): readonly OutputMode[] {
  const working = modes.find((mode) => known[mode] === 'works');
  const usable = modes.filter(
    (mode) => mode === 'text' || known[mode] === undefined || known[mode] === 'works',
  );
  return working === undefined ? usable : [working, ...usable.filter((mode) => mode !== working)];
}
