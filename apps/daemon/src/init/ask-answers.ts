import {
  type BuiltInName,
  builtInNames,
  entryOf,
  type TriggerName,
  triggerNames,
} from '@agent/orchestrator/platforms';
import type { Prompt } from '../cli/command-io.ts';
import type { InitTexts } from './texts.en.ts';

/** Answers that options of the command line give already. */
export type GivenAnswers = { readonly [Key in keyof InitAnswers]?: InitAnswers[Key] | undefined };

export interface AskAnswersOptions {
  readonly prompt: Prompt;
  /** Says what is wrong with an answer. */
  readonly say: (text: string) => void;
  readonly texts: InitTexts;
}

const presets = ['openai', 'lmstudio', 'ollama'] as const;

/** Asks for what is not given yet. Secrets are never asked for. */
export async function askAnswers(given: GivenAnswers, options: AskAnswersOptions): Promise<InitAnswers> {
  const { questions } = options.texts;
  const platform =
    given.platform ?? (await askChoice(options, { question: questions.platform, choices: builtInNames }));
  const repositories = given.repositories ?? (await askRepositories(options));
  const trigger =
    given.trigger ?? (await askChoice(options, { question: questions.trigger, choices: triggerNames }));
  const baseUrl = given.baseUrl === undefined ? await askOptional(options, questions.baseUrl) : given.baseUrl;
  const preset = await askPreset(given, options);
  const model = given.model ?? (await askText(options, { question: questions.model }));
  const llmBaseUrl =
    given.llmBaseUrl === undefined ? await askOptional(options, questions.llmBaseUrl) : given.llmBaseUrl;
  const { api = null, app = null } = given;
  return { platform, repositories, trigger, baseUrl, preset, model, llmBaseUrl, api, app };
}

/** An address that is given says more than a preset: the key of OpenAI must not go there for want of an answer. */
async function askPreset(
  { preset, llmBaseUrl }: GivenAnswers,
  options: AskAnswersOptions,
): Promise<InitAnswers['preset']> {
  if (preset !== undefined) return preset;
  if (llmBaseUrl) return null;
  return askChoice(options, { question: options.texts.questions.preset, choices: presets });
}

/** A slip is told at its question, not after the last one. */
async function askRepositories(options: AskAnswersOptions): Promise<readonly string[]> {
  const { questions, needed, noRepository } = options.texts;
  for (;;) {
    const names = splitList(await askText(options, { question: questions.repositories }));
    const wrong = names.find((name) => !/^[^/:]+(?:\/[^/:]+)+$/.test(name));
    if (names.length > 0 && wrong === undefined) return names;
    options.say(wrong === undefined ? needed : noRepository(wrong));
  }
}

/** `a/b, c/d` as a list. */
export function splitList(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

async function askText(
  { prompt, say, texts }: AskAnswersOptions,
  { question }: { readonly question: string },
): Promise<string> {
  for (;;) {
    const answer = (await prompt(`${question} `)).trim();
    if (answer !== '') return answer;
    say(texts.needed);
  }
}

async function askOptional({ prompt, texts }: AskAnswersOptions, question: string): Promise<string | null> {
  const answer = (await prompt(`${question} ${texts.defaultsTo(texts.none)} `)).trim();
  return answer === '' ? null : answer;
}

/** The first choice is the default. */
async function askChoice<Choice extends string>(
  { prompt, say, texts }: AskAnswersOptions,
  { question, choices }: { readonly question: string; readonly choices: readonly [Choice, ...Choice[]] },
): Promise<Choice> {
  const [first] = choices;
  for (;;) {
    const answer = (await prompt(`${question} (${choices.join(', ')}) ${texts.defaultsTo(first)} `)).trim();
    const chosen = answer === '' ? first : choices.find((choice) => choice === answer.toLowerCase());
    if (chosen !== undefined) return chosen;
    say(texts.oneOf(choices.join(', ')));
  }
}

/** Answers that a configuration is written from. */
export interface InitAnswers {
  readonly platform: BuiltInName;
  /** `owner/repo` or `group/project`; at least one. */
  readonly repositories: readonly string[];
  /** Way in which people give threads to the agent. */
  readonly trigger: TriggerName;
  /** API address of a server of one's own; null for the platform's own. */
  readonly baseUrl: string | null;
  /** Null for an endpoint of which only the address is known: no key is sent there unless one is named. */
  readonly preset: 'openai' | 'lmstudio' | 'ollama' | null;
  readonly model: string;
  /** Address of the model endpoint; null for that of the preset. */
  readonly llmBaseUrl: string | null;
  /** Null for that of the preset. */
  readonly api: 'responses' | 'chat' | null;
  /** Name of the GitHub App that is to work; null for a token. */
  readonly app: string | null;
}

/** Variables that hold the secrets of such a configuration. */
export function listSecretNames({ platform, preset, app }: InitAnswers): readonly string[] {
  const token = app === null ? [entryOf(platform).init.tokenVariable] : [];
  return preset === 'openai' ? [...token, 'OPENAI_API_KEY'] : token;
}
