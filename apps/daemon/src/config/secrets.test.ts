import { createSecretFilters } from '@agent/text/outgoing';
import { expect, it } from 'vitest';
import { configSchema } from './schema.ts';
import { collectSecrets, listSecretFiles, listShortSecrets, refuseSharedCredentials } from './settings.ts';

const config = configSchema.parse({
  platforms: { github: { repositories: ['acme/shop'], token_env: 'FORGE_LOGIN' } },
});
const environment = {
  FORGE_LOGIN: 'a-login-of-the-forge',
  OPENAI_API_KEY: 'ollama',
  OTHER_TOKEN: 'x',
  THIRD_PASSWORD: 'plum orchard lane',
  HOME: '/home/robot-of-acme',
};

it('knows what the configuration names and what names of variables say, and says which are too short [NX-36]', () => {
  const secrets = collectSecrets(config, environment);
  expect(secrets).toEqual(['a-login-of-the-forge', 'ollama', 'x', 'plum orchard lane']);
  expect(listShortSecrets(config, environment)).toEqual(['OPENAI_API_KEY']);
  expect(listShortSecrets(config, {})).toEqual([]);
  const { redactOutgoing } = createSecretFilters(secrets);
  expect(redactOutgoing('The token has not expired; ollama answers; plum orchard lane')).toBe(
    'The token has not expired; ollama answers; [REDACTED]',
  );
});

it('hides the key that signs commits, and credentials: files from commands, the variable from every text [NX-399, NX-424]', () => {
  const signedBy = (key: object) =>
    configSchema.parse({
      platforms: { github: { repositories: ['acme/shop'] } },
      workspaces: { signing: { format: 'ssh', ...key } },
    });
  const environment = { CREDENTIALS_DIRECTORY: '/run/credentials/agent-daemon.service' };
  const withFile = { config: signedBy({ key_file: 'signing_key' }), directory: '/srv/agent', environment };
  expect(listSecretFiles(withFile)).toEqual([
    '/srv/agent/.env',
    '/srv/agent/signing_key',
    '/run/credentials/agent-daemon.service',
  ]);
  const withVariable = signedBy({ key_env: 'SIGNED_BY' });
  expect(collectSecrets(withVariable, { SIGNED_BY: 'the key of the agent' })).toContain(
    'the key of the agent',
  );
  expect(() => signedBy({})).toThrow('either key_file or key_env');
});

it('gives an agent no credential of the daemon itself; the key of a model may be that of both [NX-277]', () => {
  const withAgent = (...env: string[]) =>
    configSchema.parse({
      platforms: { github: { repositories: ['acme/shop'], token_env: 'FORGE_LOGIN' } },
      executor: { acp: { command: 'opencode', env } },
    });
  expect(() => refuseSharedCredentials(withAgent('OTHER_TOKEN', 'FORGE_LOGIN'))).toThrow(
    'executor.acp.env names FORGE_LOGIN, a credential of the daemon itself.',
  );
  expect(() => refuseSharedCredentials(withAgent('OTHER_TOKEN', 'OPENAI_API_KEY'))).not.toThrow();
  expect(() => refuseSharedCredentials(config)).not.toThrow();
});
