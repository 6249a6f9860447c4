import {
  type BuiltInName,
  builtInNames,
  entryOf,
  type TriggerName,
  triggerNames,
} from '@agent/orchestrator/platforms';
import type { Environment } from '@agent/workspace';
import { choosePreset } from './choose-preset.ts';
import { type FoundModelServer, type PresetName, presets } from './find-model-servers.ts';
import type { InitTexts } from './texts.en.ts';

/** Asks one question and resolves with the answer, as it was typed. */
export type Prompt = (question: string) => Promise<string>;

/** Answers that options of the command line give. */
export type GivenAnswers = { readonly [Key in keyof InitAnswers]?: InitAnswers[Key] | undefined };

export interface AskAnswersOptions {
  readonly prompt: Prompt;
  /** Prints a line, such as what is wrong with an answer. */
  readonly say: (text: string) => void;
  readonly texts: InitTexts;
  /** Model servers on this machine. */
  readonly servers: readonly FoundModelServer[];
  readonly environment: Environment;
}

/** Asks for everything that is not given. Secrets are never asked for. */
export async function askAnswers(given: GivenAnswers, options: AskAnswersOptions): Promise<InitAnswers> {
  const { questions } = options.texts;
  const platform =
    given.platform ?? (await askChoice(options, { question: questions.platform, choices: builtInNames }));
  const repositories = given.repositories ?? (await askRepositories(options));
  const trigger =
    given.trigger ?? (await askChoice(options, { question: questions.trigger, choices: triggerNames }));
  const baseUrl = given.baseUrl === undefined ? await askOptional(options, questions.baseUrl) : given.baseUrl;
  const preset = await askPreset(given, options);
  const model = given.model ?? (await askModel(preset, options));
  const llmBaseUrl =
    given.llmBaseUrl === undefined ? await askOptional(options, questions.llmBaseUrl) : given.llmBaseUrl;
  const { api = null, app = null } = given;
  return { platform, repositories, trigger, baseUrl, preset, model, llmBaseUrl, api, app };
}

/** A given address needs no preset: the key of OpenAI must not be sent there because of a default. */
async function askPreset(
  { preset, llmBaseUrl, model }: GivenAnswers,
  options: AskAnswersOptions,
): Promise<InitAnswers['preset']> {
  if (preset !== undefined) return preset;
  if (llmBaseUrl) return null;
  const { texts, say, servers, environment } = options;
  for (const { baseUrl, models } of servers)
    say(texts.serverFound(baseUrl, models.slice(0, maxShownModels).join(', ')));
  const { preset: first } = choosePreset({ model: model ?? null, servers, environment });
  const others = presets.filter((name) => name !== first);
  return askChoice(options, { question: texts.questions.preset, choices: [first, ...others] });
}

/** Models of a server that are shown as suggestions. */
const maxShownModels = 8;

/** Asks for the model. The default is the first one of the server that runs on this machine. */
async function askModel(preset: InitAnswers['preset'], options: AskAnswersOptions): Promise<string> {
  const { texts, servers, prompt } = options;
  const [first] = servers.find((server) => server.preset === preset)?.models ?? [];
  const question = texts.questions.model;
  if (first === undefined) return askText(options, { question });
  return (await prompt(`${question} ${texts.defaultsTo(first)} `)).trim() || first;
}

/** A mistake is reported at its question, not after the last one. */
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
  /** Way in which users start tasks. */
  readonly trigger: TriggerName;
  /** API URL of a self-hosted server; null for the platform's own. */
  readonly baseUrl: string | null;
  /** Null for an endpoint of which only the address is known: no key is sent there unless one is named. */
  readonly preset: PresetName | null;
  readonly model: string;
  /** Base URL of the model endpoint; null for that of the preset. */
  readonly llmBaseUrl: string | null;
  /** Null for that of the preset. */
  readonly api: 'responses' | 'chat' | null;
  /** Name of the GitHub App to work as; null for a token. */
  readonly app: string | null;
}

/** Variables that hold the secrets of such a configuration. */
export function listSecretNames({ platform, preset, app }: InitAnswers): readonly string[] {
  const token = app === null ? [entryOf(platform).init.tokenVariable] : [];
  return preset === 'openai' ? [...token, 'OPENAI_API_KEY'] : token;
}
