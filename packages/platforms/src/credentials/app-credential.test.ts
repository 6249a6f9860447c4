import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { appRepository, onAppWorld } from '../../test/fixtures/app-fixture.ts';

const minute = 60_000;
const minted = (requests: readonly { readonly method: string; readonly path: string }[]) =>
  requests.filter(({ method, path }) => method === 'POST' && path.includes('/access_tokens')).length;

const needed = { contents: 'write', issues: 'write', pull_requests: 'write', checks: 'read' } as const;

async function statusOf(
  url: string,
  { repository, token }: { readonly repository: string; readonly token: string },
): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}/repos/${repository}/issues/1`, { headers })).status;
}

describe('the credential of an App', () => {
  it('finds its installation, gives one token to all who ask, and renews it well before its end [NX-201]', () =>
    onAppWorld(async ({ simulator, credential, issued, pass, now }) => {
      const [one, two] = await Promise.all([credential.token(), credential.token()]);
      expect(one).toEqual(two);
      expect(minted(simulator.requests)).toBe(1);
      expect(one.endsAt).toBeGreaterThan(now() + 59 * minute);
      pass(49 * minute);
      expect(await credential.token()).toEqual(one);
      pass(2 * minute);
      const renewed = await Promise.all([credential.token(), credential.token(), credential.token()]);
      expect(new Set(renewed.map(({ value }) => value)).size).toBe(1);
      expect(renewed[0].value).not.toBe(one.value);
      expect(issued.map(({ value }) => value)).toEqual([one.value, renewed[0].value]);
    }));

  it.each([-3600, -61, -60, -1, 0, 1, 60, 61, 3600])(
    'signs for a clock that is %i s off, and knows the end of its token by it [NX-201]',
    (seconds) =>
      onAppWorld(async ({ simulator, connect, now }) => {
        const ours = () => now() + seconds * 1000;
        const { endsAt } = await connect({ now: ours }).token();
        expect(Math.abs((endsAt ?? 0) - ours() - 60 * minute)).toBeLessThan(2_000);
        const refused = simulator.requests.filter(({ status }) => status === 401).length;
        expect(refused).toBe(seconds > 60 || seconds < -540 ? 1 : 0);
      }),
  );

  it('narrows a token to the repository of its request and to what runs need', () =>
    onAppWorld(async ({ simulator, app, installation, connect, platformOf }) => {
      await simulator.addRepository({ owner: 'octo', name: 'other', private: true });
      simulator.openIssue({ repo: 'octo/other', author: 'octo', title: 'Two', body: 'Secret.' });
      simulator.apps.permit(installation, { ...needed, administration: 'write' });
      const bodies: unknown[] = [];
      const recording: typeof globalThis.fetch = (input, init) => {
        if (typeof init?.body === 'string') bodies.push(JSON.parse(init.body));
        return fetch(input, init);
      };
      for (const options of [{ fetch: recording }, { installation }]) {
        const credential = connect(options);
        const { value } = await credential.token({ repository: 'octo/hello' });
        expect((await credential.token({ repository: 'Octo/Hello' })).value).toBe(value);
        const other = await credential.token({ repository: 'octo/other' });
        expect(other.value).not.toBe(value);
        const seen = await Promise.all(
          ['octo/hello', 'octo/other'].map((repository) =>
            statusOf(simulator.url, { repository, token: value }),
          ),
        );
        expect(seen).toEqual([200, 404]);
      }
      expect(bodies[0]).toEqual({
        repositories: ['hello'],
        permissions: {
          metadata: 'read',
          contents: 'write',
          issues: 'write',
          pull_requests: 'write',
          checks: 'read',
        },
      });
      const platform = platformOf(connect());
      const thread = platform.openThread({ type: 'github_issue', owner: 'octo', repo: 'hello', number: 1 });
      await thread.writer.ensureComment({ topic: 'one', body: 'Hello' });
      expect(simulator.thread(appRepository, 1).comments[0]).toMatchObject({ author: app.login });
    }));

  it('opens all of the installation for a repository that it does not have by this name', () =>
    onAppWorld(async ({ simulator, credential }) => {
      await simulator.addRepository({ owner: 'alice', name: 'hello' });
      for (const repository of ['octo/renamed', 'alice/hello']) {
        const { value } = await credential.token({ repository });
        expect(await statusOf(simulator.url, { repository: 'octo/hello', token: value })).toBe(200);
      }
    }));

  it('stays with a token that still holds where GitHub makes no new one, and asks again soon [NX-201]', () =>
    onAppWorld(async ({ simulator, credential, pass }) => {
      const first = await credential.token();
      pass(51 * minute);
      simulator.fail({ path: /access_tokens/, kind: 'server-error' });
      expect(await credential.token()).toEqual(first);
      expect(await credential.token()).toEqual(first);
      expect(minted(simulator.requests)).toBe(2);
      pass(31_000);
      expect((await credential.token()).value).not.toBe(first.value);
      pass(61 * minute);
      simulator.fail({ path: /access_tokens/, kind: 'server-error' });
      await expect(credential.token()).rejects.toMatchObject({ code: 'unavailable' });
    }));

  it('gives another token for one that was refused, once, and no more than one in ten seconds [NX-202]', () =>
    onAppWorld(async ({ simulator, credential, pass }) => {
      const { value: refused } = await credential.token();
      pass(minute);
      const others = await Promise.all([credential.token({ refused }), credential.token({ refused })]);
      const [{ value: other }] = others;
      expect(others[1]?.value).toBe(other);
      expect(other).not.toBe(refused);
      expect((await credential.token({ refused })).value).toBe(other);
      expect((await credential.token({ refused: other })).value).toBe(other);
      expect(minted(simulator.requests)).toBe(2);
    }));

  it('says what to do where the App is suspended, gone or has another key, and finds it where it is installed anew [NX-208]', () =>
    onAppWorld(async ({ simulator, app, installation, connect }) => {
      const credential = connect();
      simulator.apps.suspend(installation, 'octo');
      const unusable = (text: string) => ({
        code: 'unauthorized',
        scope: 'credential',
        message: expect.stringContaining(text),
      });
      await expect(credential.token()).rejects.toMatchObject(unusable('end its suspension'));
      simulator.apps.uninstall(installation);
      await expect(credential.token()).rejects.toMatchObject(unusable('Install the App there'));
      simulator.apps.install({ app: app.slug, account: 'octo' });
      expect((await credential.token()).value).toMatch(/^ghs_/);
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
      await expect(connect({ privateKey: () => pem }).token()).rejects.toMatchObject(
        unusable(`signed as App ${app.id}: check app_id, its private key`),
      );
      await expect(connect({ privateKey: () => 'hunter22' }).token()).rejects.toMatchObject(
        unusable('is not an RSA key in PEM format'),
      );
    }));

  it('names its account, takes keys with spelled line breaks or in base64, and an installation by its number [NX-201, NX-206]', () =>
    onAppWorld(async ({ app, installation, connect, platformOf, simulator }) => {
      const privateKey = () => app.privateKey.replaceAll('\n', '\\n');
      const credential = connect({ privateKey, installation });
      expect(await credential.login()).toBe('my-agent[bot]');
      const encoded = () => Buffer.from(app.privateKey).toString('base64');
      expect(await connect({ privateKey: encoded, installation }).login()).toBe('my-agent[bot]');
      const platform = platformOf(credential);
      const account = await platform.identity.whoAmI();
      expect(account).toMatchObject({ login: 'my-agent[bot]', kind: 'bot' });
      const [owner = '', repo = ''] = appRepository.split('/');
      const thread = platform.openThread({ type: 'github_issue', owner, repo, number: 1 });
      await thread.writer.ensureComment({ topic: 'one', body: 'Hello' });
      expect(simulator.thread(appRepository, 1).comments[0]).toMatchObject({ author: 'my-agent[bot]' });
    }));

  it('shows neither key nor signature nor token in an error [NX-205]', () =>
    onAppWorld(async ({ connect, app }) => {
      const fetch: typeof globalThis.fetch = async (_input, init) =>
        Response.json({ message: new Headers(init?.headers).get('authorization') }, { status: 403 });
      const error = await connect({ fetch })
        .token()
        .catch((caught: unknown) => caught);
      expect(String(error)).toContain('[REDACTED]');
      const shown = `${String(error)}${JSON.stringify(error)}${String((error as Error).cause)}`;
      expect(shown).not.toMatch(/eyJ|PRIVATE KEY/);
      expect(shown).not.toContain(app.privateKey);
    }));
});
