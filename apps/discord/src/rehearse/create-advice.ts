import type { CheckParts, ServerCheck, Verdict } from '@agent/rehearsal';
import type { RehearsalTexts } from './texts.en.ts';

/** Parts that each check of a server uses. */
export interface ServerCheckParts extends CheckParts<ServerCheck> {
  readonly texts: RehearsalTexts;
}

/** Creates the function that adds the usual instruction and page to a verdict that has none. */
export function createAdvice(texts: RehearsalTexts): ServerCheckParts['advise'] {
  return (name, verdict): Verdict => {
    if (verdict.status === 'passed') return verdict;
    const usual = verdict.status === 'failed' ? texts.fixes[name] : texts.fixesNotSupported[name];
    const { fix = usual ?? null, url = pages[name] ?? null } = verdict;
    return { ...verdict, fix, url };
  };
}

const docs = 'https://docs.discord.com/developers';
const applications = 'https://discord.com/developers/applications';

/** Pages of the documentation, or where the setting is. */
const pages: Partial<Record<ServerCheck, string>> = {
  token: applications,
  intents: applications,
  gateway: `${docs}/events/gateway`,
  channel: `${docs}/topics/permissions`,
  permissions: `${docs}/topics/permissions`,
  'model-name': 'https://lmstudio.ai/docs/developer/rest/endpoints',
  model: 'https://lmstudio.ai/docs/developer/openai-compat/responses',
  mention: `${docs}/events/gateway-events#message-create`,
  'fresh-list': `${docs}/resources/message#get-channel-messages`,
  reaction: `${docs}/resources/message#create-reaction`,
  thread: `${docs}/resources/channel#start-thread-from-message`,
  conversation: `${docs}/resources/message#get-channel-messages`,
  edit: `${docs}/events/gateway-events#message-update`,
  deletion: `${docs}/events/gateway-events#message-delete`,
  crash: `${docs}/resources/message#get-channel-messages`,
  'long-answer': `${docs}/resources/message#create-message`,
  'rate-limit': `${docs}/topics/rate-limits`,
  'clean-up': `${docs}/resources/channel#deleteclose-channel`,
};
