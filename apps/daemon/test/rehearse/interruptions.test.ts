// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { openLabel } from '../../src/rehearse/rehearsal-config.ts';
import { type RehearsalFixture, repository, startRehearsalFixture } from './rehearsal-fixture.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  await fixture?.close();
  fixture = null;
});

const openThreads = ({ forge }: RehearsalFixture) => forge.threads().filter(({ state }) => state === 'open');

describe('agent-daemon rehearse', () => {
  it('removes what it created after Ctrl-C in the middle', { tags: ['release'] }, async () => {
    fixture = await startRehearsalFixture({ forge: 'github' });
    const ended = new AbortController();
    const onResult = ({ name }: { readonly name: string }) => {
      if (name === 'comment') ended.abort(new Error('interrupted'));
    };
    const { code, output } = await fixture.rehearse({}, { signal: ended.signal, onResult });
    expect(code, output).toBe(130);
    expect(fixture.statusOf('draft')).toBe('skipped');
    expect(openThreads(fixture)).toEqual([]);
    expect(await fixture.forge.branches()).toEqual(['main']);
    expect(await fixture.listFiles()).toEqual(['agent.config.yaml', 'rehearsal.json']);
  });

  it('lists what stays if the network is lost during the clean-up', { tags: ['release'] }, async () => {
    let isLost = false;
    fixture = await startRehearsalFixture({
      forge: 'gitlab',
      handle: ({ forward }) => (isLost ? Promise.resolve('reset') : forward()),
    });
    const onResult = ({ name }: { readonly name: string }) => {
      isLost ||= name === 'webhook';
    };
    const { code, output } = await fixture.rehearse({}, { onResult, cleanUpPatienceMs: 500 });
    expect(code).toBe(1);
    expect(fixture.statusOf('clean-up')).toBe('failed');
    const [thread] = openThreads(fixture);
    expect(output).toContain(`issue ${thread?.reference}`);
    expect(output).toMatch(/\/acme\/shop\/-\/issues\/1/);
    expect(output).toMatch(/branch agent\//);
    expect(output).toContain('label "agent rehearsal"');
  });

  it('leaves everything with --keep', async () => {
    fixture = await startRehearsalFixture({ forge: 'github' });
    const ended = new AbortController();
    const onResult = ({ name }: { readonly name: string }) => {
      if (name === 'start') ended.abort(new Error('interrupted'));
    };
    await fixture.rehearse({ keep: true }, { signal: ended.signal, onResult });
    expect(openThreads(fixture)).toHaveLength(1);
    expect(fixture.checkOf('clean-up')).toMatchObject({ status: 'skipped' });
  });

  it('runs one rehearsal of a repository at a time', async () => {
    fixture = await startRehearsalFixture({ forge: 'github' });
    const ended = new AbortController();
    const second: Promise<unknown>[] = [];
    let output = '';
    const onResult = ({ name }: { readonly name: string }) => {
      if (name !== 'start' || second.length > 0) return;
      const { rehearse } = fixture as RehearsalFixture;
      second.push(
        rehearse().then((result) => {
          output = result.output;
          ended.abort(new Error('seen'));
        }),
      );
    };
    await fixture.rehearse({}, { signal: ended.signal, onResult });
    await Promise.all(second);
    expect(output).toMatch(/failed single: another rehearsal is open: http.*\/issues\/1/);
    expect(openThreads(fixture)).toEqual([]);
  });

  it.each([
    [{ yes: 'acme/other' }, 'Not confirmed'],
    [{ yes: undefined }, `--yes ${repository}`],
    [{ personTokenEnv: 'NOT_SET' }, 'NOT_SET is not set'],
    [{ personTokenEnv: undefined }, '--person-token-env'],
    [{ repository: 'shop', yes: 'shop' }, 'owner/name'],
    [{ platform: 'gitlab' as const }, 'platforms.gitlab'],
    [{ repository: undefined }, 'Pass --repository owner/name'],
    [{ repository: 'acme/..', yes: 'acme/..' }, '--repository: "acme/.."'],
    [{ repository: 'acme/a/b', yes: 'acme/a/b' }, '--repository acme/a/b'],
    [{ personTokenEnv: 'PERSON-TOKEN' }, 'name of a variable'],
    [{ observe: true }, '--observe --thread'],
  ])('changes nothing with the options %j', async (flags, message) => {
    fixture = await startRehearsalFixture({ forge: 'github' });
    const { code, errors } = await fixture.rehearse(flags);
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(message) });
    expect(fixture.forge.threads()).toEqual([]);
    expect(errors).not.toContain('.agent-rehearsal-');
    expect(await fixture.listFiles()).toEqual(['agent.config.yaml']);
  });

  it.each(['ghp_TokenOfAlice00001', 'github_pat_TokenOfAlice00001', 'glpat-TokenOfAlice00001'])(
    'does not print the token %s that is given instead of a variable',
    async (personTokenEnv) => {
      fixture = await startRehearsalFixture({ forge: 'github' });
      const { code, output, errors } = await fixture.rehearse({ personTokenEnv });
      expect(code).toBe(1);
      expect(errors).toContain('name of a variable');
      expect(output + errors).not.toContain('TokenOfAlice');
    },
  );

  it('does not print a token that is given instead of a repository', async () => {
    fixture = await startRehearsalFixture({ forge: 'github' });
    const { code, output, errors } = await fixture.rehearse({ repository: 'ghp_TokenOfAlice00001' });
    expect(code).toBe(1);
    expect(errors).toContain('Write owner/name');
    expect(output + errors).not.toContain('TokenOfAlice');
  });

  it('leaves the labels to another rehearsal that opened its issue first', async () => {
    const { promise: url, resolve } = Promise.withResolvers<string>();
    const token = 'ghp_ThisIsTheTokenOfAliceInTests00001';
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    let isOpen = false;
    const at = await startRehearsalFixture({
      forge: 'github',
      handle: async ({ method, path, body: sent, forward }) => {
        if (method === 'POST' && path.endsWith('/issues') && sent.includes('agent-rehearsal: ') && !isOpen) {
          isOpen = true;
          const body = JSON.stringify({ title: 'Another rehearsal', labels: [openLabel] });
          await fetch(`${await url}/repos/${repository}/issues`, { method: 'POST', headers, body });
        }
        return forward();
      },
    });
    fixture = at;
    resolve(at.forge.url);
    await at.rehearse();
    expect(at.checkOf('start')).toMatchObject({
      ...{ status: 'failed', text: expect.stringContaining('another rehearsal is open') },
    });
    const answer = await fetch(`${at.forge.url}/repos/${repository}/labels?per_page=100`, { headers });
    const labels = (await answer.json()) as { readonly name: string }[];
    expect(labels.map(({ name }) => name)).toContain(openLabel);
    expect(openThreads(at).map(({ title }) => title)).toEqual(['Another rehearsal']);
  });

  it('exits with 130 and changes nothing after Ctrl-C at the confirmation', async () => {
    fixture = await startRehearsalFixture({ forge: 'github' });
    const prompt = () => Promise.reject(new DOMException('The operation was aborted', 'AbortError'));
    const { code, errors } = await fixture.rehearse({ yes: undefined }, { prompt });
    expect({ code, errors }).toEqual({ code: 130, errors: expect.stringContaining('Not confirmed') });
    expect(await fixture.listFiles()).toEqual(['agent.config.yaml']);
  });
});
