import { describe, expect, it, onTestFinished } from 'vitest';
import { type AppWorld, appRepository, onAppWorld } from '../../test/fixtures/app-fixture.ts';
import { createGitLabFixture } from '../../test/fixtures/gitlab-fixture.ts';
import { formatAppManifest, openCredential } from '../credentials/index.ts';
import {
  type CredentialExamination,
  examineGitHubCredential,
  examineGitLabCredential,
} from './credential-examiner.ts';

const dayMs = 24 * 60 * 60_000;

type Changes = Partial<CredentialExamination>;

const toOptions = (baseUrl: string, changes: Changes): CredentialExamination => ({
  baseUrl,
  token: 'ghp_unused0123456789',
  app: null,
  place: appRepository,
  trigger: 'label',
  hearsWebhooks: false,
  timeoutMs: 5_000,
  fetch: globalThis.fetch,
  now: Date.now,
  ...changes,
});

function examineApp({ simulator, app, now }: AppWorld, changes: Changes = {}) {
  const section = {
    base_url: simulator.url,
    token_env: 'UNUSED',
    token_file: null,
    timeout_seconds: 5,
    app: {
      app_id: app.id,
      private_key_env: 'KEY',
      private_key_file: null,
      installation_id: null,
    },
  };
  const opened = openCredential(section, {
    place: appRepository,
    purpose: 'the token',
    readVariable: () => app.privateKey,
    resolvePath: (path) => path,
    now,
  });
  return examineGitHubCredential(toOptions(simulator.url, { app: opened.app, now, ...changes }));
}

describe('the credential of an App', () => {
  it('is told by its slug, with each permission that it lacks and what that is for [NX-209, NX-251]', () =>
    onAppWorld(async (world) => {
      expect(await examineApp(world)).toMatchObject([
        { kind: 'app', slug: 'my-agent' },
        { kind: 'permission-missing', name: 'statuses: read', purpose: 'checks', isRequired: false },
        { kind: 'permission-missing', name: 'actions: read', purpose: 'actions', isPending: false },
      ]);
      world.simulator.apps.permit(world.installation, { contents: 'read', issues: 'write' });
      const found = await examineApp(world);
      expect(found.filter((one) => 'isRequired' in one && one.isRequired)).toMatchObject([
        { name: 'contents: write', purpose: 'branches', isPending: true },
        { name: 'pull_requests: write', purpose: 'drafts', isPending: true },
      ]);
      expect(found.map((one) => ('url' in one ? new URL(one.url).pathname : ''))).toEqual(
        expect.arrayContaining(['/apps/my-agent', `/settings/installations/${world.installation}`]),
      );
    }));

  it('is told which events it does not hear where webhooks are received, and that nobody can assign it [NX-209]', () =>
    onAppWorld(async (world) => {
      const found = await examineApp(world, { hearsWebhooks: true, trigger: 'assignment' });
      const events = found.flatMap((one) => (one.kind === 'event-missing' ? [one.name] : []));
      expect(events).toContain('issue_comment');
      expect(events).toHaveLength(9);
      expect(found.at(-1)).toEqual({ kind: 'app-not-assignable', slug: 'my-agent' });
    }));

  it('lacks nothing where its manifest was accepted [NX-210, NX-209]', () =>
    onAppWorld(async (world) => {
      const { simulator } = world;
      const text = formatAppManifest({
        name: 'From manifest',
        url: 'https://example.com',
        redirectUrl: 'https://example.com/settings/apps',
        webhookUrl: 'https://example.com/webhooks/github',
      });
      const { name, url, public: isPublic, default_permissions: permissions, ...rest } = JSON.parse(text);
      expect(isPublic).toBe(false);
      const app = simulator.apps.register({
        ...{ owner: 'octo', name, url, permissions },
        events: rest.default_events,
      });
      simulator.apps.uninstall(world.installation);
      simulator.apps.install({ app: app.slug, account: 'octo' });
      const found = await examineApp({ ...world, app }, { hearsWebhooks: true });
      expect(found).toEqual([{ kind: 'app', slug: 'from-manifest' }]);
    }));
});

describe('the token of an account', () => {
  it('tells when it ends, and that it is soon, on GitHub [NX-209]', () =>
    onAppWorld(async ({ simulator, now }) => {
      const find = async (days: number) => {
        const token = `ghp_ends-in-${days}-0123456789`;
        simulator.addToken({ token, login: 'alice', permissions: {}, expiresAt: now() + days * dayMs });
        return examineGitHubCredential(toOptions(simulator.url, { token, now }));
      };
      expect(await find(13)).toEqual([{ kind: 'token-ends', at: '2026-01-15', isSoon: true }]);
      expect(await find(15)).toEqual([{ kind: 'token-ends', at: '2026-01-17', isSoon: false }]);
      simulator.addToken({ token: 'ghp_endless0123456789', login: 'alice' });
      const endless = toOptions(simulator.url, { token: 'ghp_endless0123456789', now });
      expect(await examineGitHubCredential(endless)).toEqual([]);
    }));

  it('tells when it ends on GitLab [NX-209]', async () => {
    const now = () => Date.parse('2026-01-02T03:04:05Z');
    const { simulator, close } = await createGitLabFixture({ now });
    onTestFinished(close);
    const token = 'glpat-ends0123456789';
    simulator.addToken({ token, username: 'octo', expiresAt: '2026-01-10' });
    expect(await examineGitLabCredential(toOptions(simulator.url, { token, now }))).toEqual([
      { kind: 'token-ends', at: '2026-01-10', isSoon: true },
    ]);
  });
});
