import { entryOf } from '@agent/orchestrator/platforms';
import type { SandboxObstacle } from '@agent/workspace/sandbox';
import { stringify } from 'yaml';
import { type InitAnswers, listSecretNames } from './ask-answers.ts';
import { keyFile } from './format-app-page.ts';
import type { InitTexts } from './texts.en.ts';

/** Placeholder for the App ID, which is unknown until the App is created. The daemon does not accept it. */
export const appIdPlaceholder = 'APP_ID';

/** Circumstances of a configuration that is written. */
export interface FormatConfigOptions {
  readonly texts: Pick<InitTexts, 'comments' | 'obstacles'>;
  /** Obstacles that keep commands from running on this machine, as the file is written. */
  readonly obstacles: readonly SandboxObstacle['kind'][];
  /** Context of the model as its server reports it, in tokens. Default null: unknown. */
  readonly contextLength?: number | null | undefined;
}

/** Formats a commented `agent.config.yaml`. Settings with their default are comments in it. */
export function formatConfig(answers: InitAnswers, options: FormatConfigOptions): string {
  const { comments } = options.texts;
  const { contextLength = null } = options;
  const { platform, repositories, trigger, baseUrl, preset, model, llmBaseUrl, api, app } = answers;
  const [tokenName = ''] = listSecretNames(answers);
  const credential =
    app === null
      ? [`    # ${comments.token}`, `    token_env: ${tokenName}`]
      : [`    # ${comments.app}`, `    app: { app_id: ${appIdPlaceholder}, private_key_file: ${keyFile} }`];
  const { baseUrl: usual, list } = entryOf(platform).init;
  return [
    ...comments.head.map((line) => `# ${line}`),
    '',
    'platforms:',
    `  ${platform}:`,
    `    # ${comments.repositories}`,
    `    ${list}:`,
    ...repositories.map((repository) => `      - ${value(repository)}`),
    `    # ${comments.baseUrl}`,
    setting('    ', { key: 'base_url', given: baseUrl, usual }),
    ...credential,
    `    # ${comments.trigger}`,
    setting('    ', { key: 'trigger', given: trigger === 'label' ? null : trigger, usual: 'label' }),
    ...(trigger === 'label' ? [`    # ${comments.labels}`, '    # bot_label: coding agent'] : []),
    '',
    'llm:',
    `  # ${comments.preset}`,
    setting('  ', { key: 'preset', given: preset, usual: 'lmstudio' }),
    `  # ${comments.model}`,
    `  model: ${value(model)}`,
    ...(contextLength === null
      ? []
      : [`  # ${comments.contextLength}`, `  context_length: ${contextLength}`]),
    `  # ${comments.llmBaseUrl}`,
    setting('  ', { key: 'base_url', given: llmBaseUrl, usual: 'http://localhost:1234/v1' }),
    `  # ${comments.api}`,
    setting('  ', { key: 'api', given: api, usual: preset === 'ollama' ? 'chat' : 'responses' }),
    `  # ${comments.key}`,
    preset === 'openai' ? '  api_key_env: OPENAI_API_KEY' : '  # api_key_env: LLM_API_KEY',
    '',
    ...formatRest(answers, options),
    '',
  ].join('\n');
}

/** Formats the settings that rarely need a change at first. */
function formatRest(
  { platform }: InitAnswers,
  { texts: { comments, obstacles: sentences }, obstacles }: FormatConfigOptions,
): readonly string[] {
  const { webhooks } = entryOf(platform);
  return [
    `# ${comments.locale}`,
    'locale: auto',
    `# ${comments.poll}`,
    'poll_interval_seconds: 60',
    `# ${comments.concurrency}`,
    'concurrency: 2',
    '',
    `# ${comments.limits}`,
    'limits:',
    '  max_steps: 100',
    '  max_duration_minutes: 120',
    '',
    'tools:',
    '  run_command:',
    `    # ${comments.tools}`,
    '    # allow: [npm, node, git]',
    `    # ${comments.sandbox}`,
    ...obstacles.map((kind) => `    # ${sentences[kind]}`),
    '    sandbox: required',
    ...(obstacles.includes('root') ? ['    # allow_root: true'] : []),
    `    # ${comments.network}`,
    '    network: false',
    '',
    `# ${comments.inheritance}`,
    '# context_inheritance: { enabled: false }',
    `# ${comments.planning}`,
    '# planning: { enabled: false }',
    '',
    `# ${comments.http}`,
    '# http:',
    '#   port: 9464',
    `# ${comments.webhooks}`,
    `# webhooks: { ${platform}: { ${webhooks.key}: ${webhooks.variable} } }`,
  ];
}

/** Formats `.env.example`: names without values. */
export function formatEnvExample(answers: InitAnswers, { comments }: InitTexts): string {
  const lines = [...comments.secrets.map((line) => `# ${line}`)];
  return [...lines, ...listSecretNames(answers).map((name) => `${name}=`), ''].join('\n');
}

function setting(
  indent: string,
  { key, given, usual }: { readonly key: string; readonly given: string | null; readonly usual: string },
): string {
  return given === null ? `${indent}# ${key}: ${usual}` : `${indent}${key}: ${value(given)}`;
}

/** Formats a text for YAML, in quotes if it needs them. */
function value(text: string): string {
  return stringify(text).trimEnd();
}
