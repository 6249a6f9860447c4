import { describe, expect, it } from 'vitest';
import { createAppCredential, createFileCredential } from '../src/credentials/index.ts';
import { createGitLabPlatform } from '../src/gitlab/index.ts';
import { createMemoryPlatform } from '../src/memory/index.ts';
import {
  createCheckSource,
  createDoorbell,
  createRequestBudget,
  joinSources,
  openThreadSource,
} from '../src/sources/index.ts';
import {
  createBodyBudget,
  createGitHubOrigin,
  createGitLabOrigin,
  createWebhookHandler,
  createWebhookReceiver,
} from '../src/webhooks/index.ts';

const token = 'glpat-secret';
const origin = createGitHubOrigin({ secret: 'a' });
const bell = createDoorbell();
const privateKey = () => '';

describe('A public function of the platforms', () => {
  it.each([
    [
      'GitLabPlatformOptions.projects must be an array of the projects',
      () => createGitLabPlatform({ token } as never),
    ],
    [
      'GitLabPlatformOptions.maxRequestsPerMinute must be a whole number of at least 1; it is 0.',
      () => createGitLabPlatform({ token, projects: [], maxRequestsPerMinute: 0 }),
    ],
    [
      'GitLabPlatformOptions.baseUrl must be an address that begins with http:// or https://',
      () => createGitLabPlatform({ token, projects: [], baseUrl: 'https://me:pass@gitlab.com' }),
    ],
    [
      'GitLabPlatformOptions.repositories is unknown.',
      () => createGitLabPlatform({ token, repositories: [] } as never),
    ],
    [
      'AppCredentialOptions.appId must be a whole number or a text',
      () => createAppCredential({ privateKey, installation: 1 } as never),
    ],
    [
      'AppCredentialOptions.privateKey must be a function that returns the private key; it is a text.',
      () => createAppCredential({ appId: 1, privateKey: '-----BEGIN', installation: 1 } as never),
    ],
    ['FileCredentialOptions.path must be a text', () => createFileCredential({} as never)],
    [
      'MemorySeed.repositories must be an array, each entry an object',
      () => createMemoryPlatform({ repositories: ['octo/hello'] } as never),
    ],
    [
      'MemorySeed.answerOnly is unknown. Did you mean answersOnly?',
      () => createMemoryPlatform({ answerOnly: true } as never),
    ],
    [
      'RequestBudgetOptions.share must be a number from 0 to 1; it is 50.',
      () => createRequestBudget({ share: 50 }),
    ],
    ['CheckSourceOptions.logChars must be', () => createCheckSource({} as never, { logChars: '9' } as never)],
    ['JoinSourcesOptions.onLeftOut must be a function', () => joinSources([], { onLeftOut: 5 } as never)],
    ['ThreadSourceOptions.budget must be an object', () => openThreadSource({} as never, { bell } as never)],
    [
      'GitHubOriginOptions.secret must be a text that is not empty; it is an empty text.',
      () => createGitHubOrigin({ secret: '' }),
    ],
    [
      'GitLabOriginOptions.token must be a text that is not empty; it is an empty text.',
      () => createGitLabOrigin({ token: '' }),
    ],
    [
      'WebhookReceiverOptions.bell must be an object with the functions ring',
      () => createWebhookReceiver({ origin, repositories: [] } as never),
    ],
    [
      'WebhookHandlerOptions.secret is unknown.',
      () => createWebhookHandler({ origin, repositories: [], bell, secret: 'x' } as never),
    ],
    [
      'BodyBudgetOptions.maxBytes must be a number of at least 1',
      () => createBodyBudget({ maxBodies: 1, maxBytes: '1 MB' } as never),
    ],
  ] satisfies readonly (readonly [string, () => unknown])[])(
    'names the option that it refuses: %s',
    (message, call) => {
      expect(call).toThrow(TypeError);
      expect(call).toThrow(message);
    },
  );
});
