import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareRehearsal, openShapes } from '@agent/rehearsal/shapes';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ForgeName } from '../support/forge.ts';
import { actAsPerson } from './act-as-person.ts';
import { playModel } from './play-model.ts';
import { startPlayedPlatform } from './play-platform.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shapes-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Changes an answer on its way, as a server does that is not like the simulator. */
type Change = (answer: { body: unknown; status: number; readonly headers: Headers }) => void;

function changing(path: RegExp, change: Change): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!path.test(`${init?.method ?? 'GET'} ${input}`)) return response;
    const text = await response.text();
    const answer = {
      body: JSON.parse(text) as unknown,
      status: response.status,
      headers: new Headers(response.headers),
    };
    change(answer);
    answer.headers.delete('content-length');
    const { status, headers, body } = answer;
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
  };
}

/** Lets a person act on a platform whose answers are changed. @returns what `--compare` prints, and its exit code */
async function compare(
  name: ForgeName,
  {
    send = fetch,
    seed = () => {},
    LANG = 'C',
  }: {
    readonly send?: typeof fetch;
    readonly seed?: (forge: Awaited<ReturnType<typeof startPlayedPlatform>>['forge']) => void;
    readonly LANG?: string;
  } = {},
) {
  const shapes = openShapes({ directory, fetch: send });
  const { forge } = await startPlayedPlatform(name, shapes.fetch);
  seed(forge);
  await actAsPerson({ forge, fetch: shapes.fetch }).finally(forge.shutDown);
  return printComparison(await shapes.finish({ checks: [], versions: {} }), LANG);
}

async function printComparison(file: string, LANG = 'C') {
  const lines: string[] = [];
  const code = await compareRehearsal(file, { environment: { LANG }, print: (line) => lines.push(line) });
  return { code, text: lines.join('\n') };
}

const list = (body: unknown) => body as Record<string, unknown>[];
const object = (body: unknown) => body as Record<string, unknown>;

describe('rehearse --compare', () => {
  it.each(['github', 'gitlab'] as const)('finds no difference between %s and its simulator', async (name) => {
    const { code, text } = await compare(name);
    expect(text).toContain('No differences found.');
    expect(text).not.toContain('✗');
    expect(code).toBe(0);
  });

  const comments = /GET .*\/(?:comments|notes)\?per_page=100/;
  const issue = /GET .*\/issues\/\d+$/;
  it.each<[string, ForgeName, RegExp, Change, string]>([
    ['a missing field', 'github', issue, ({ body }) => delete object(body).user, '$.user is missing.'],
    [
      'a field that some entries lack',
      'gitlab',
      comments,
      ({ body }) => delete object(list(body)[0]).author,
      '$[].author is missing in some answers.',
    ],
    [
      'an id that is a text',
      'gitlab',
      issue,
      ({ body }) => Object.assign(object(body), { id: '1' }),
      '$.id is string. Expected: number.',
    ],
    [
      'a time with parts of seconds',
      'github',
      comments,
      ({ body }) => Object.assign(object(list(body)[0]), { updated_at: '2024-05-01T00:00:00.000Z' }),
      '$[].updated_at is time-with-parts. Expected: time.',
    ],
    [
      'a state that is not documented',
      'github',
      issue,
      ({ body }) => Object.assign(object(body), { state: 'half open' }),
      '$.state is string. Expected: "closed", "open".',
    ],
    [
      'an object instead of a list',
      'github',
      comments,
      (answer) => Object.assign(answer, { body: { items: answer.body } }),
      '$ is object. Expected: array.',
    ],
    [
      'a page of a proxy',
      'gitlab',
      comments,
      (answer) => {
        answer.headers.set('content-type', 'text/html');
        answer.body = '<html></html>';
      },
      '$ is html. Expected: array.',
    ],
    [
      'another status',
      'github',
      /POST .*\/comments$/,
      (answer) => Object.assign(answer, { status: 422, body: { message: 'Validation Failed' } }),
      '→ 422\n    The reference answers 201 here.',
    ],
    [
      'a strong ETag',
      'github',
      issue,
      ({ headers }) => headers.set('etag', '"1"'),
      'The header etag is strong. Expected: weak.',
    ],
    [
      'rate limits that are not numbers',
      'github',
      issue,
      ({ headers }) => headers.set('x-ratelimit-remaining', 'many'),
      'The header x-ratelimit-remaining is text.',
    ],
  ])('finds %s', async (_, name, path, change, expected) => {
    const { code, text } = await compare(name, { send: changing(path, change) });
    expect(text).toContain(expected);
    expect(code).toBe(1);
  });

  it.each(['github', 'gitlab'] as const)('finds pages of %s without a Link header', async (name) => {
    const { text } = await compare(name, {
      seed: ({ simulator }) =>
        simulator.fail({ method: 'GET', path: 'per_page=1', kind: 'link-missing', times: 9 }),
    });
    expect(text).toContain('1 full page has no Link header: if there are more entries, they are not found.');
  });

  it('finds an answer that is cut off, and a proxy that drops headers', async () => {
    const { text } = await compare('github', {
      seed: ({ simulator }) => {
        simulator.fail({ method: 'GET', path: '/comments?per_page=100', kind: 'malformed-json' });
        simulator.fail({ method: 'GET', path: '/rate_limit', kind: 'headers-dropped' });
      },
    });
    expect(text).toContain('$ is broken. Expected: array.');
    expect(text).toContain('The header date is missing in 1/1 answers.');
  });

  it('finds a server that does not answer, and leaves out requests that the daemon aborted', async () => {
    const shapes = openShapes({ directory });
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('[', () => response.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = async (path: string, signal: AbortSignal | null = null): Promise<void> =>
      void (await shapes.fetch(`http://127.0.0.1:${port}${path}`, { signal }).catch(() => {}));
    await ask('/repos/a/b/issues');
    await ask('/repos/a/b/labels', AbortSignal.abort());
    await new Promise((resolve) => server.close(resolve));
    await ask('/user');
    const { text } = await printComparison(await shapes.finish({ checks: [], versions: {} }));
    expect(text).toContain('/issues → 200\n    No whole answer arrived (broken off).');
    expect(text).toContain('/user → no answer\n    No whole answer arrived (not connected).');
    expect(text).toContain('Differences: 2.');
  });

  it('lists fields that the simulators lack, and does not count them', async () => {
    const { code, text } = await compare('github', {
      send: changing(issue, ({ body }) =>
        Object.assign(object(body), { comments_enabled: true, body_html: 'x' }),
      ),
    });
    expect(text).toMatch(/field.* that the reference lacks \(harmless\): \$\.body_html/);
    expect(code).toBe(0);
  });

  it('names the checks that failed', async () => {
    const check = { name: 'fresh-list', status: 'failed' as const, durationMs: 1 };
    const file = await openShapes({ directory }).finish({ checks: [check], versions: {} });
    const { code, text } = await printComparison(file);
    expect(text).toContain('✗ Checks that failed in this rehearsal: fresh-list');
    expect(code).toBe(1);
  });

  it('speaks Japanese', async () => {
    const { text } = await compare('github', {
      LANG: 'ja_JP.UTF-8',
      send: changing(issue, ({ body }) => delete object(body).user),
    });
    expect(text).toContain('$.user がありません。');
  });

  it('refuses a file that is not a record, and one with content in it', async () => {
    const file = join(directory, 'rehearsal.json');
    await expect(printComparison(file)).rejects.toThrow('ENOENT');
    await writeFile(file, '{');
    await expect(printComparison(file)).rejects.toThrow('Cannot read');
    const written = await openShapes({ directory }).finish({ checks: [], versions: {} });
    const record = JSON.parse(await readFile(written, 'utf8'));
    await writeFile(file, JSON.stringify({ ...record, versions: { program: '\u001b[31m' } }));
    await expect(printComparison(file)).rejects.toThrow('is not a record of "rehearse"');
  });
});

describe('rehearse --compare of a model', () => {
  const play = async (send: typeof fetch, options?: Parameters<typeof playModel>[1]) => {
    const shapes = openShapes({ directory, fetch: send });
    await playModel(shapes.fetch, options);
    return printComparison(await shapes.finish({ checks: [], versions: {} }));
  };

  it('finds no difference to the scripted model', async () => {
    const { code, text } = await play(fetch);
    expect(text).toContain('No differences found.');
    expect(code).toBe(0);
  });

  it('finds a model that calls no tools', async () => {
    const { code, text } = await play(fetch, { callsTools: false });
    expect(text).toContain(
      'model: POST /responses → 200\n    The model received tools and did not call any. Choose a model that supports tool calls.',
    );
    expect(text).toContain('model: POST /chat/completions → 200\n    The model received tools');
    expect(code).toBe(1);
  });

  it('finds answers that no server of the matrix gives', async () => {
    const chat = /POST .*\/chat\/completions/;
    const { text } = await play(
      changing(chat, (answer) => {
        if (answer.status !== 200) answer.status = 418;
        else delete object(answer.body).choices;
      }),
      { streams: false },
    );
    expect(text).toContain('$.choices is missing.');
    expect(text).toMatch(/POST \/chat\/completions → 418\n {4}The reference answers .*429/);
  });
});
