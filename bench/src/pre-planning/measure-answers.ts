import {
  type AnswerSource,
  createStructuredOutput,
  type Reply,
  RequestUnderstandingProcessor,
  understandingSchema,
} from '@agent/pre-planning';
import { createOpenAI } from '@ai-sdk/openai';
import { makeBrokenAnswers } from './broken-answers.ts';
import { startFaultyEndpoint } from './faulty-endpoint.ts';

/** What became of one broken answer. */
export interface AnswerFate {
  readonly fault: string;
  /** A result of the right type came of it. */
  readonly isValid: boolean;
  /** What the model meant was found: the least result is none of it, and half a goal neither. */
  readonly isUnderstood: boolean;
  /** The mode and the way of reading that gave it, such as `format, repaired`. */
  readonly by: string;
  /** Answers of the model that it took. */
  readonly calls: number;
}

const request = {
  author: 'mona',
  isTrusted: true,
  title: 'The total is wrong',
  body: 'Mend it.',
  labels: [],
  comments: [],
  history: null,
};

/** Asks models at fault what is being asked, each over HTTP and as if nothing were known of it. */
export async function measureAnswers(): Promise<readonly AnswerFate[]> {
  const endpoint = await startFaultyEndpoint();
  const provider = createOpenAI({ baseURL: endpoint.baseUrl, apiKey: 'none' });
  const models = { model: provider('faulty'), chatModel: provider.chat('faulty') };
  const fates: AnswerFate[] = [];
  for (const broken of makeBrokenAnswers()) {
    endpoint.play(broken);
    const { goal, ...fate } = await understand(createStructuredOutput({ ...models, maxRetries: 0 }));
    fates.push({ fault: broken.fault, ...fate, isUnderstood: goal !== null && isSame(goal, broken.goal) });
  }
  await endpoint.close();
  return fates;
}

/** What came of a question; `goal` is null where nothing was read. */
interface Understood extends Pick<AnswerFate, 'isValid' | 'by' | 'calls'> {
  readonly goal: string | null;
}

async function understand(output: AnswerSource): Promise<Understood> {
  let reply: Reply<unknown> | null = null;
  const source: AnswerSource = {
    ask: async (question) => {
      const given = await output.ask(question);
      reply = given;
      return given;
    },
  };
  const { understanding, isMinimal } = await new RequestUnderstandingProcessor(source, {
    locale: 'ja',
  }).analyzeRequest(request);
  const goal = isMinimal ? null : understanding.primary_goal;
  return { ...describe(reply), isValid: isValid(understanding), goal };
}

/** Quotes are what some of the faults spoil. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.replace(/["']/g, ''));
  return left === right;
}

function describe(reply: Reply<unknown> | null): { readonly by: string; readonly calls: number } {
  if (reply === null) return { by: 'not asked', calls: 0 };
  return { by: reply.status === 'answered' ? `${reply.mode}, ${reply.way}` : 'minimal', calls: reply.calls };
}

/** Nothing is left for the lenient schema to repair, and there is a goal. */
function isValid(understanding: { readonly primary_goal: string }): boolean {
  const parsed = understandingSchema.safeParse({ request_understanding: understanding });
  const isSame = JSON.stringify(parsed.data?.request_understanding) === JSON.stringify(understanding);
  return isSame && understanding.primary_goal !== '';
}
