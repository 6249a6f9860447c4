import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appRepository, onAppWorld } from '../../test/fixtures/app-fixture.ts';
import { createGitLabFixture } from '../../test/fixtures/gitlab-fixture.ts';
import { tokenOf } from '../../test/fixtures/rest-people.ts';
import { startSharingProcesses } from '../../test/fixtures/sharing-processes.ts';
import { type Credential, createFileCredential } from '../credentials/index.ts';
import { createMemorySharedAnswers } from '../sources/index.ts';
import { contractWorld } from '../testing/index.ts';

const [owner = '', repo = ''] = appRepository.split('/');
const key = { type: 'github_issue', owner, repo, number: 1 } as const;

describe('a request whose token is refused', () => {
  it('is made once more with another token, whether it reads, writes or asks GraphQL [NX-202]', () =>
    onAppWorld(async ({ simulator, credential, platformOf, pass }) => {
      const thread = platformOf(credential).openThread(key);
      const revoke = async () => {
        const { value } = await credential.token({ repository: appRepository });
        pass(60_000);
        simulator.revokeToken(value);
      };
      const refused = () => simulator.requests.filter(({ status }) => status === 401).length;
      await revoke();
      expect((await thread.reader.readThread()).title).toBe('One');
      await revoke();
      await thread.writer.ensureComment({ topic: 'one', body: 'Hello' });
      expect(simulator.thread(appRepository, 1).comments.map(({ body }) => body)).toHaveLength(1);
      await revoke();
      expect(await thread.labelEvents?.lastLabeled('none')).toBeNull();
      expect(refused()).toBe(3);
      // A comment listing is neither repeated nor kept waiting otherwise.
      await revoke();
      expect((await thread.comments.listComments({ since: null })).comments).toHaveLength(1);
      expect(refused()).toBe(4);
    }));

  it('says so where there is no other token, after one attempt more, and works once the App is let in again [NX-202, NX-208]', () =>
    onAppWorld(async ({ simulator, app, installation, credential, platformOf, pass }) => {
      const { reader } = platformOf(credential).openThread(key);
      await reader.readThread();
      pass(60_000);
      simulator.apps.uninstall(installation);
      const asked = simulator.requests.length;
      const state = { code: 'unauthorized', scope: 'credential' };
      await expect(reader.readThread()).rejects.toMatchObject(state);
      await expect(reader.readThread()).rejects.toMatchObject(state);
      expect(simulator.requests.length - asked).toBeLessThanOrEqual(8);
      simulator.apps.install({ app: app.slug, account: 'octo' });
      expect((await reader.readThread()).title).toBe('One');
    }));

  it('is not repeated where the credential has the same token', () =>
    onAppWorld(async ({ simulator, platformOf }) => {
      const { reader } = platformOf('ghp_unknown0123456789').openThread(key);
      const error = await reader.readThread().catch((caught: unknown) => String(caught));
      expect(error).toContain('GitHub refused the token');
      expect(simulator.requests).toHaveLength(1);
    }));
});

describe('a token file', () => {
  const startFile = async (token: string) => {
    const directory = await mkdtemp(join(tmpdir(), 'token-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const path = join(directory, 'token');
    const write = async (text: string) => {
      await writeFile(`${path}.new`, text, { mode: 0o600 });
      await rename(`${path}.new`, path);
    };
    await write(`${token}\n`);
    const issued: string[] = [];
    const credential = createFileCredential({ path, onToken: ({ value }) => issued.push(value) });
    return { path, write, issued, credential };
  };

  it('is read again when it changes, on GitLab in the middle of a run [NX-203]', async () => {
    const { simulator, connect, key: thread, close } = await createGitLabFixture();
    onTestFinished(close);
    const { write, issued, credential } = await startFile(tokenOf(contractWorld.agent));
    const { reader } = connect({ token: credential }).openThread(thread);
    await reader.readThread();
    for (let number = 1; number <= 3; number += 1) {
      const rotated = `glpat-rotated-${number}-0123456789`;
      simulator.addToken({ token: rotated, username: contractWorld.agent });
      for (const old of issued) simulator.revokeToken(old, 'revoked');
      await write(`${rotated}\n`);
      expect((await reader.readThread()).title).toBe(contractWorld.issue.title);
    }
    expect(issued).toHaveLength(4);
    expect(simulator.requests.filter(({ status }) => status === 401)).toEqual([]);
  });

  it('that comes late is found by the refusal [NX-202, NX-203]', async () => {
    const { simulator, connect, key: thread, close } = await createGitLabFixture();
    onTestFinished(close);
    const old = tokenOf(contractWorld.agent);
    const { write, credential } = await startFile(old);
    const rotated = 'glpat-late-0123456789';
    simulator.addToken({ token: rotated, username: contractWorld.agent });
    simulator.revokeToken(old, 'revoked');
    const late: Credential = {
      ...credential,
      token: async (options) => {
        if (options?.refused !== undefined) await write(rotated);
        return credential.token(options);
      },
    };
    const { reader } = connect({ token: late }).openThread(thread);
    expect((await reader.readThread()).title).toBe(contractWorld.issue.title);
  });

  it('that is empty or gone for a moment leaves the token in use, until it is refused [NX-203]', async () => {
    const { path, write, credential } = await startFile('glpat-first-0123456789');
    const first = await credential.token();
    await write('');
    expect(await credential.token()).toEqual(first);
    await rm(path);
    expect(await credential.token()).toEqual(first);
    await expect(credential.token({ refused: first.value })).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('ENOENT'),
    });
    await write('two words');
    const other = createFileCredential({ path });
    await expect(other.token()).rejects.toThrow('must contain one token and nothing else');
  });
});

it('answers are shared by processes that have one token, and begin anew with the next one [NX-202]', async () => {
  const { start, say, world } = await startSharingProcesses({ answers: createMemorySharedAnswers() });
  const [first, second] = [tokenOf(contractWorld.agent), 'ghp_renewed0123456789'];
  world.simulator.addToken({ token: second, login: contractWorld.agent });
  let value: string = first;
  const token: Credential = { token: async () => ({ value, endsAt: null }), login: async () => null };
  const [one, two] = [start({ token }), start({ token })];
  say('hello');
  for (const process of [one, two]) expect(await process.bodies(null)).toEqual(['hello']);
  expect([one.statuses(), two.statuses()]).toEqual([[200], [304]]);
  value = second;
  for (const process of [one, two]) expect(await process.bodies(null)).toEqual(['hello']);
  expect([one.statuses(), two.statuses()]).toEqual([[200], [304]]);
});
