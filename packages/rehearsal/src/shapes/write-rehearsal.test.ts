import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isKind, isKnownKey } from './known-fields.ts';
import { createRecordingFetch } from './recording-fetch.ts';
import { rehearsalSchema } from './rehearsal.ts';
import type { ShapeLine } from './shape-line.ts';
import { writeRehearsal } from './write-rehearsal.ts';

/** JSON with holes for texts, numbers and keys of the user's own. */
type Form =
  | 'text'
  | 'number'
  | 'null'
  | 'true'
  | { readonly list: readonly Form[] }
  | { readonly fields: readonly (readonly [key: string | null, value: Form])[] };

const documentedKeys = [
  'id',
  'title',
  'body',
  'user',
  'login',
  'labels',
  'name',
  'state',
  'created_at',
  'files',
];
const { form } = fc.letrec<{ form: Form }>((tie) => ({
  form: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Form>('text', 'number', 'null', 'true'),
    fc.record({ list: fc.array(tie('form'), { maxLength: 4 }) }),
    fc.record({
      fields: fc.uniqueArray(fc.tuple(fc.option(fc.constantFrom(...documentedKeys)), tie('form')), {
        maxLength: 6,
        selector: ([key]) => key ?? Symbol('of the user'),
      }),
    }),
  ),
}));

const word = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 6, maxLength: 40 }),
    fc.constantFrom(
      ...['ghp_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 'sk-proj-0123456789abcdef', 'maria@example.com'],
      ...[
        'https://git.internal.example/secret',
        'src/payroll/salaries.ts',
        '__proto__',
        '\u001b[31mred\u001b[0m',
      ],
      ...['192.168.17.4', '2024-05-01T00:00:00Z and more', '","injected":"', '合計を直してください'],
    ),
  )
  .filter((text) => !isKnownKey(text) && !isKind(`=${text}`));

/** Texts and numbers of one user. */
interface Content {
  readonly words: readonly string[];
  readonly seed: number;
}

const content: fc.Arbitrary<Content> = fc.record({
  words: fc.array(word, { minLength: 8, maxLength: 8 }),
  seed: fc.integer({ min: 1_000_000, max: 900_000_000 }),
});

const addresses = [
  'POST /repos/{}/{}/issues/{}/comments',
  'GET /repos/{}/{}/contents/{}/{}',
  'GET /repos/{}/{}/{}',
  'GET /api/v4/projects/{}/issues?search={}&page=2&{}=1',
  'GET /api/v3/repos/{}/{}/issues?per_page=2&labels={}',
  'POST /graphql',
  'POST /v1/chat/completions',
  'PUT /{}/{}',
] as const;

const exchange = fc.record({
  address: fc.constantFrom(...addresses),
  status: fc.constantFrom(200, 201, 404, 422, 500),
  contentType: fc.constantFrom('application/json', 'text/event-stream', 'text/html', 'application/x-secret'),
  sent: form,
  received: form,
});

type Planned = typeof exchange extends fc.Arbitrary<infer Value> ? Value : never;

/** Fills forms with the content of one user. */
function createFiller({ words, seed }: Content) {
  let taken = 0;
  const take = (): string => `${words[taken++ % words.length]}`;
  const fill = (one: Form): unknown => {
    if (one === 'text') return take();
    if (one === 'number') return seed + taken++;
    if (one === 'null') return null;
    if (one === 'true') return true;
    if ('list' in one) return one.list.map(fill);
    const own = (key: string | null): string => key ?? `${take()} ${taken++}`;
    return Object.fromEntries(one.fields.map(([key, value]) => [own(key), fill(value)]));
  };
  return { take, fill };
}

let answers: ((request: string) => { status: number; headers: Record<string, string>; body: string }) | null =
  null;
const server = createServer((request, response) => {
  request.resume();
  const { status, headers, body } = answers?.(request.url ?? '') ?? { status: 500, headers: {}, body: '' };
  response.writeHead(status, headers).end(body);
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends a request with this content, and lets the server answer with it. @returns the text of `rehearsal.json` */
async function record(planned: readonly Planned[], user: Content): Promise<string> {
  const lines: ShapeLine[] = [];
  for (const { address, status, contentType, sent, received } of planned) {
    const { take, fill } = createFiller(user);
    const [method = '', path = ''] = address
      .replaceAll('{}', () => `x${encodeURIComponent(take().toWellFormed())}`)
      .split(' ');
    const json = JSON.stringify(fill(received));
    const header = encodeURIComponent(take().toWellFormed());
    answers = () => ({
      status,
      headers: {
        'content-type': contentType,
        etag: `"${header}"`,
        link: `<https://${header}/?page=2>; rel="next"`,
        'x-oauth-scopes': header,
        'x-ratelimit-remaining': header,
        [`x-${header.replace(/[^\w]/g, '').slice(0, 20)}`]: header,
      },
      body: contentType === 'text/event-stream' ? `data: ${json}\n\ndata: [DONE]\n\n` : json,
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    const fetch = createRecordingFetch({
      ...{ fetch: globalThis.fetch, source: 'person', now: () => 0 },
      write: (line) => {
        lines.push(line);
        resolve();
      },
    });
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${header}` },
      ...(method === 'GET' ? {} : { body: JSON.stringify(fill(sent)) }),
    });
    expect(await response.text()).toContain(contentType === 'text/event-stream' ? 'data: ' : json);
    await promise;
  }
  const [first = '', second = ''] = user.words;
  const checks = [
    { name: 'comment', status: 'failed' as const, durationMs: 12, text: first, fix: second, url: first },
    { name: second, status: 'passed' as const, durationMs: 0 },
  ];
  const versions = { program: '0.1.0', node: 'v24.1.0', git: first, platform: second, [second]: '1.2.3' };
  return writeRehearsal({ lines, checks, versions });
}

describe('writeRehearsal', () => {
  it('writes the same for requests and answers of the same form, whatever their texts, names, numbers and keys are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(exchange, { minLength: 1, maxLength: 4 }),
        content,
        content,
        async (planned, one, other) => {
          const written = await record(planned, one);
          expect(await record(planned, other)).toBe(written);
          for (const text of [...one.words, ...other.words].filter((text) => text.length >= 6))
            expect(written).not.toContain(text);
          expect(written).not.toContain(String(one.seed));
          expect(() => rehearsalSchema.parse(JSON.parse(written))).not.toThrow();
        },
      ),
      { numRuns: 100 },
    );
  });

  it('writes names and states of checks and versions that are numbers, and no other text of them', async () => {
    const written = JSON.parse(await record([], { words: ['Maria Smith', 'my/repository'], seed: 1 }));
    expect(written.checks).toEqual([{ name: 'comment', status: 'failed', milliseconds: 12 }]);
    expect(written.versions).toEqual({ program: '0.1.0', node: '24.1.0' });
    expect(written.platform).toBeNull();
  });
});
