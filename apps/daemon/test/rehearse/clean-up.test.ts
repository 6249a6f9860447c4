// @module-tag full
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProxyAnswer, ProxyExchange } from '@agent/simulators/trials';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type RehearsalFixture, repository, startRehearsalFixture } from './rehearsal-fixture.ts';

let fixture: RehearsalFixture | null = null;
afterEach(async () => {
  vi.unstubAllEnvs();
  await fixture?.close();
  fixture = null;
});

const openThreads = ({ forge }: RehearsalFixture) => forge.threads().filter(({ state }) => state === 'open');
const is = ({ method, path }: ProxyExchange, wanted: string, end: RegExp): boolean =>
  method === wanted && end.test(path);

/** Answers as a platform that refuses a request. */
const refuse = (message: string, headers: Readonly<Record<string, string>> = {}) => ({
  status: 403,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify({ message })),
});

/** Loses the answer to the creation of a label. */
const losing =
  (label: string) =>
  async (exchange: ProxyExchange): Promise<ProxyAnswer | 'reset'> => {
    const answer = await exchange.forward();
    return is(exchange, 'POST', /\/labels$/) && exchange.body.includes(`"${label}"`) ? 'reset' : answer;
  };

async function listLabels({ forge, environment }: RehearsalFixture): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${environment.PERSON_TOKEN}` };
  const place =
    forge.name === 'github' ? `/repos/${repository}/labels` : '/api/v4/projects/acme%2Fshop/labels';
  const labels = (await (await fetch(`${forge.url}${place}?per_page=100`, { headers })).json()) as {
    readonly name: string;
  }[];
  return labels.map(({ name }) => name);
}

describe('the clean-up of a rehearsal', () => {
  it('closes an issue that could not be labeled', async () => {
    fixture = await startRehearsalFixture({
      forge: 'github',
      handle: async (exchange) =>
        is(exchange, 'POST', /\/issues\/1\/labels$/) ? refuse('Resource not accessible') : exchange.forward(),
    });
    const { output } = await fixture.rehearse();
    expect(fixture.statusOf('start'), output).toBe('failed');
    expect(openThreads(fixture)).toEqual([]);
    expect(output).toContain('issue #1 (closed)');
  });

  it.each(['github', 'gitlab'] as const)(
    'finds an issue of %s whose creation got no answer',
    async (forge) => {
      fixture = await startRehearsalFixture({
        forge,
        handle: async (exchange) => {
          const answer = await exchange.forward();
          const isIssue = exchange.body.includes('agent-rehearsal:');
          return isIssue && is(exchange, 'POST', /\/issues$/) ? 'reset' : answer;
        },
      });
      fixture.forge.openIssue({ title: 'Agent rehearsal', body: 'An issue of a user.', labels: [] });
      const { output } = await fixture.rehearse();
      expect(fixture.statusOf('start'), output).toBe('failed');
      expect(fixture.forge.threads(), output).toHaveLength(2);
      expect(openThreads(fixture).map(({ number }) => number)).toEqual([1]);
    },
  );

  it.each(['github', 'gitlab'] as const)(
    'removes a label of %s whose creation got no answer',
    async (forge) => {
      fixture = await startRehearsalFixture({ forge, handle: losing('agent rehearsal paused') });
      const { output } = await fixture.rehearse();
      expect(fixture.checkOf('labels'), output).toMatchObject({ status: 'failed' });
      expect(fixture.checkOf('clean-up'), output).toMatchObject({ status: 'passed' });
      expect((await listLabels(fixture)).filter((name) => name.startsWith('agent'))).toEqual([]);
    },
  );

  it('leaves a label of a user whose creation got no answer', async () => {
    const name = 'agent rehearsal paused';
    let isLost = false;
    const lose = losing(name);
    fixture = await startRehearsalFixture({
      forge: 'github',
      handle: (exchange) => (isLost ? lose(exchange) : exchange.forward()),
    });
    const headers = { authorization: `Bearer ${fixture.environment.PERSON_TOKEN}` };
    const body = JSON.stringify({ name });
    await fetch(`${fixture.forge.url}/repos/${repository}/labels`, { method: 'POST', headers, body });
    isLost = true;
    const { output } = await fixture.rehearse();
    expect(fixture.statusOf('labels'), output).toBe('failed');
    expect((await listLabels(fixture)).filter((one) => one.startsWith('agent'))).toEqual([name]);
  });

  it('waits as long as a secondary rate limit asks for', async () => {
    let isLimited = false;
    let refusals = 0;
    fixture = await startRehearsalFixture({
      forge: 'github',
      handle: async (exchange) => {
        const isRefused = isLimited && refusals < 2 && exchange.method === 'DELETE';
        if (!isRefused) return exchange.forward();
        refusals += 1;
        return refuse('You have exceeded a secondary rate limit.', { 'retry-after': '1' });
      },
    });
    const ended = new AbortController();
    const onResult = ({ name }: { readonly name: string }) => {
      if (name !== 'start') return;
      isLimited = true;
      ended.abort(new Error('interrupted'));
    };
    const { output } = await fixture.rehearse({}, { signal: ended.signal, onResult });
    expect(refusals, output).toBe(2);
    expect(output).toContain('continues in 1 s');
    expect(await fixture.forge.branches()).toEqual(['main']);
    expect(output).not.toMatch(/label "|branch agent/);
  });

  it('names the pages of branches and labels if a rate limit lasts too long', async () => {
    fixture = await startRehearsalFixture({
      forge: 'github',
      handle: async (exchange) =>
        is(exchange, 'DELETE', /\/labels\/agent[^/]*$/)
          ? refuse('You have exceeded a secondary rate limit.', { 'retry-after': '3600' })
          : exchange.forward(),
    });
    const ended = new AbortController();
    const onResult = ({ name }: { readonly name: string }) => {
      if (name === 'labels') ended.abort(new Error('interrupted'));
    };
    const { output } = await fixture.rehearse({}, { signal: ended.signal, onResult });
    expect(output).toContain('label "agent rehearsal done": DELETE ');
    expect(output).toContain(`/${repository}/labels?q=agent+rehearsal+done`);
  });

  it('deletes only the labels that the rehearsal created', async () => {
    fixture = await startRehearsalFixture({ forge: 'github' });
    const { forge, environment } = fixture;
    const headers = { authorization: `Bearer ${environment.PERSON_TOKEN}` };
    const place = `${forge.url}/repos/${repository}/labels`;
    const body = JSON.stringify({ name: 'agent rehearsal done' });
    expect((await fetch(place, { method: 'POST', headers, body })).status).toBe(201);
    const ended = new AbortController();
    const onResult = ({ name }: { readonly name: string }) => {
      if (name === 'start') ended.abort(new Error('interrupted'));
    };
    await fixture.rehearse({}, { signal: ended.signal, onResult });
    expect((await listLabels(fixture)).filter((name) => name.startsWith('agent'))).toEqual([
      'agent rehearsal done',
    ]);
  });

  it('lists what --keep leaves', async () => {
    fixture = await startRehearsalFixture({ forge: 'github' });
    const ended = new AbortController();
    const onResult = ({ name }: { readonly name: string }) => {
      if (name === 'start') ended.abort(new Error('interrupted'));
    };
    const { output } = await fixture.rehearse({ keep: true }, { signal: ended.signal, onResult });
    expect(output).toMatch(/issue #1: --keep\n +http\S+\/acme\/shop\/issues\/1\n/);
    expect(output).not.toContain('Removing');
  });

  it('changes nothing if the output directory does not exist', async () => {
    fixture = await startRehearsalFixture({ forge: 'github' });
    const { code, errors } = await fixture.rehearse({ output: join(fixture.directory, 'missing') });
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('--output') });
    expect(fixture.forge.threads()).toEqual([]);
  });

  it('lists leftovers if rehearsal.json cannot be written', { tags: ['release'] }, async () => {
    fixture = await startRehearsalFixture({ forge: 'github' });
    // Other rehearsals have records in the usual directory.
    const temporary = await mkdtemp(join(tmpdir(), 'unwritten-'));
    vi.stubEnv('TMPDIR', temporary);
    const ended = new AbortController();
    const onResult = ({ name }: { readonly name: string }) => {
      if (name === 'start') ended.abort(new Error('interrupted'));
    };
    const directory = join(fixture.directory, 'missing');
    const { output } = await fixture.rehearse({}, { signal: ended.signal, onResult, directory });
    expect(output).toContain('issue #1 (closed)');
    expect(output).toContain('Could not write rehearsal.json: ENOENT');
    expect(await readdir(temporary)).toEqual([]);
    await rm(temporary, { recursive: true });
  });
});
