import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { buildAssets } from '../client/build.ts';
import { assets } from '../src/assets/assets.ts';
import built from '../src/assets/built.json' with { type: 'json' };
import { formatRunFile } from '../src/index.ts';
import { en } from '../src/texts.en.ts';
import { ja } from '../src/texts.ja.ts';
import { createClient } from './support/client.ts';
import { createRow, createRun } from './support/views.ts';

const uuid = '00000000-0000-4000-8000-000000000000';
const rooms = [
  '/',
  '/health',
  '/audit',
  `/runs/${uuid}`,
  `/runs/${uuid}/journal`,
  '/threads/github_issue:acme:shop:40',
];

type Node = DefaultTreeAdapterTypes.Node;

/** Every element of a page, in order. */
function listElements(node: Node): readonly DefaultTreeAdapterTypes.Element[] {
  const children = 'childNodes' in node ? node.childNodes.flatMap(listElements) : [];
  return 'tagName' in node ? [node, ...children] : children;
}

/** Tags and names of attributes: all of a page that a browser acts on, but for values. */
function shapeOf(html: string): readonly string[] {
  return listElements(parse(html)).map(
    ({ tagName, attrs }) => `${tagName} ${attrs.map(({ name }) => name).join(' ')}`,
  );
}

/** Puts a text in the place of every text that a stranger could have written. */
function replaceTexts<T>(value: T, text: string, name = ''): T {
  if (typeof value === 'string')
    return (
      /^(id|uuid|threadKey|key|state|status|kind|outcome|standing|currency)$/.test(name) ? value : text
    ) as T;
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, text, name)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      name === 'row' && key === 'uuid' ? inner : replaceTexts(inner, text, key),
    ]),
  ) as T;
}

const hostileTexts = {
  'a script': '<script>alert(1)</script>',
  'the end of an attribute': '"><img src=x onerror=alert(1)>',
  'the end of one in single quotes': "' onmouseover='alert(1)",
  'the ends of elements': '</pre></textarea></title></style></script><!--',
  references: '&lt;b&gt; &amp; &#x3c;script&#x3e;',
  'signs that turn the line': '\u202egnp.exe\u2066',
  'commands of a terminal': '\u001b[31mred\u001b[0m\u0000',
  'ten thousand characters': 'x'.repeat(10_000),
  'an address of a script': 'javascript:alert(1)',
  'half a character': '\ud800',
};

describe('what strangers wrote', () => {
  it('is text in every room: it adds no element and no attribute [NX-329]', () => {
    const run = createRun(createRow(0, 40));
    const plain = shapeOf(formatRunFile(replaceTexts(run, 'plain')));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.constantFrom(...Object.values(hostileTexts)),
          fc.string({ unit: 'binary', minLength: 1 }),
        ),
        (text) => {
          const filled = text.trim() === '' ? 'plain' : text;
          expect(shapeOf(formatRunFile(replaceTexts(run, filled)))).toEqual(plain);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each(Object.entries(hostileTexts))('is text in every room: %s [NX-329]', async (_, text) => {
    const [plain, hostile] = [createClient(), createClient()];
    await Promise.all([plain.logIn(), hostile.logIn()]);
    for (const [{ world }, word] of [
      [plain, 'plain'],
      [hostile, text],
    ] as const) {
      world.rows.splice(0, world.rows.length, ...world.rows.map((row) => replaceTexts(row, word)));
      for (const [key, run] of world.runs) world.runs.set(key, replaceTexts(run, word));
      for (const [key, thread] of world.threads) world.threads.set(key, replaceTexts(thread, word));
      world.journal.fill(word);
      world.entries.splice(0, world.entries.length, {
        id: word,
        at: 0,
        actor: word,
        via: 'comment',
        action: word,
        target: word,
        run: word,
        outcome: 'failed',
        reason: word,
      });
    }
    for (const room of rooms) {
      const html = await hostile.text(room);
      expect(shapeOf(html).filter((part) => /^(?:script|style)| (?:style|on\w+)/.test(part))).toEqual([
        'script src defer',
      ]);
      const known = new Set([...shapeOf(await plain.text(room)), 'p class']);
      expect(shapeOf(html).filter((part) => !known.has(part))).toEqual([]);
      expect(html.replaceAll(/value="[^"]*"/g, '')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      expect(html).not.toMatch(/href="javascript:/);
      expect(html.length).toBeLessThan(300_000);
    }
  });

  it('is linked to the web alone, and tells no other site where it was [NX-329]', () => {
    const row = createRow(0, 40);
    const link = (url: string): string =>
      formatRunFile({ ...createRun(row), facts: [{ name: 'x', value: 'y', url }] });
    expect(link('https://example.com/a')).toContain('rel="noreferrer noopener nofollow"');
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      'https://user:pw@evil.example',
    ])
      expect(
        listElements(parse(link(url))).some(({ attrs }) => attrs.some(({ value }) => value === url)),
      ).toBe(false);
  });
});

describe('a page', () => {
  it('with its assets is at most 100 KB, also with 5,000 tasks [NX-330]', async () => {
    const client = createClient({ tasks: 5000 });
    await client.logIn();
    const files = Object.values(assets).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    for (const room of rooms.filter((path) => !path.startsWith('/threads')))
      expect(Buffer.byteLength(await client.text(room)) + files, room).toBeLessThan(100_000);
  });

  it('loads only what it names by its hash, which may be kept for good [NX-330]', async () => {
    const client = createClient();
    const html = await client.text('/login');
    for (const { path, type } of Object.values(assets)) {
      expect(html).toContain(path);
      const response = await client.get(path);
      expect(response.headers.get('content-type')).toBe(type);
      expect(response.headers.get('cache-control')).toContain('immutable');
    }
    expect(shapeOf(html).filter((part) => /\bstyle\b/.test(part))).toEqual([]);
  });

  it('has the assets that its sources make [NX-330]', async () => {
    expect(JSON.parse(await buildAssets())).toEqual(built);
  });

  it('speaks the language that was chosen, that is set, or that the browser wishes [NX-331]', async () => {
    const wishes = { headers: { 'accept-language': 'fr, ja;q=0.8, en;q=0.5' } };
    const client = createClient();
    expect(await client.text('/login', wishes)).toContain('<html lang="ja"');
    expect(await client.text('/login')).toContain('<html lang="en"');
    expect(await client.text('/login?lang=ja')).toContain('ログイン');
    expect(await client.text('/login')).toContain('<html lang="ja"');
    expect(await createClient({ locale: 'ja' }).text('/login')).toContain('<html lang="ja"');
  });

  it('has every text in both languages [NX-331]', () => {
    const keysOf = (texts: object, path = ''): string[] =>
      Object.entries(texts).flatMap(([key, value]) =>
        typeof value === 'object' ? keysOf(value, `${path}${key}.`) : [`${path}${key}`],
      );
    expect(keysOf(ja)).toEqual(keysOf(en));
  });

  it('of the board goes on where its rows end, and filters them [NX-332]', async () => {
    const client = createClient({ tasks: 120 });
    await client.logIn();
    const seen: string[] = [];
    let path: string | undefined = '/?text=acme';
    while (path !== undefined) {
      const html = await client.text(path);
      seen.push(...[...html.matchAll(/data-row="([^"]+)"/g)].map(([, id = '']) => id));
      path = /<p id="more"><a href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(client.world.rows.filter(({ name }) => name.startsWith('acme')).map(({ id }) => id));
    const asking = await client.text('/?state=needs_input');
    expect([...asking.matchAll(/data-row=/g)]).toHaveLength(2);
    const failed = await client.text('/?state=failed&hours=24');
    expect(failed).toContain('<option value="failed" selected>');
    expect(failed).toContain('<option value="24" selected>');
  });

  it('of the board says what today cost, what is reserved and left, and when it is reset, and the currency of each row', async () => {
    const client = createClient();
    await client.logIn();
    const html = await client.text('/');
    const text = html.replaceAll(/<[^>]+>/g, '');
    expect(text).toContain('Today (2026-11-30)');
    expect(text).toMatch(
      /0\.014 USD spent, 0\.0228 reserved, 4\.9632 of 5\.00 left · resets at 2026-11-28 11:00:00 UTC/,
    );
    expect(html).toMatch(/<time datetime="2026-11-28T11:00:00.000Z" data-whole>/);
    expect(text).toMatch(/Cost 0\.\d+ USD/);
  });

  it('of the board offers the last hour, and counts what the filter of time and repository matches', async () => {
    const client = createClient({ tasks: 120 });
    await client.logIn();
    const html = await client.text('/?hours=1');
    expect(html).toContain('<option value="1" selected>Last hour</option>');
    const countEnded = (page: string) =>
      Number(/<strong>([\d,]+)<\/strong> <span class="state off">/.exec(page)?.[1]);
    const all = countEnded(await client.text('/'));
    const shop = await client.text('/?repository=acme%2Fshop');
    const ended = client.world.rows.filter(
      ({ repository, state }) => repository === 'acme/shop' && state === 'ended',
    );
    expect(countEnded(shop)).toBe(ended.length);
    expect(countEnded(shop)).toBeLessThan(all);
    const failed = ended.filter(({ status }) => status === 'failed').length;
    expect(shop.replaceAll(/<[^>]+>/g, '')).toContain(`${ended.length} EndedOutcome: ${failed} Failed`);
  });

  it('of the audit log shows date and zone, and filters by user, day and text [NX-325]', async () => {
    const client = createClient();
    await client.logIn();
    const entry = { at: 0, via: 'cli', run: null, outcome: 'accepted', reason: null } as const;
    client.world.entries.push(
      { ...entry, id: 'a', actor: 'alice', action: 'token-create', target: 'operator' },
      { ...entry, id: 'b', actor: 'bob', action: 'pause', target: 'acme/shop#1' },
    );
    const html = await client.text('/audit?user=alice&day=2026-11-30&text=%3Cb%3E');
    expect(html).toContain('<th scope="col">Task or object</th>');
    expect(html).toContain('data-whole>1970-01-01 00:00:00 UTC</time>');
    expect(html).toContain('operator');
    expect(html).not.toContain('acme/shop#1');
    for (const value of ['alice', '2026-11-30', '&lt;b&gt;']) expect(html).toContain(`value="${value}"`);
    expect(html).toContain('Day (UTC)');
    expect(await client.text('/audit?user=carol')).toContain('No actions match the filter.');
  });

  it('names the problems of the service and what to do, with a link to all of them', async () => {
    const client = createClient();
    await client.logIn();
    for (const path of ['/', `/runs/${uuid}`, '/audit']) {
      const html = await client.text(path);
      expect(html).toContain('The model endpoint refuses requests');
      expect(html).toContain('Fix the key or the model in llm');
      expect(html).toMatch(/id="problems"[\s\S]+href="[^"]*\/health"/);
    }
    expect(await client.text('/health')).toContain('connection refused');
    const ja = await client.text('/health?lang=ja');
    expect(ja).toContain('問題');
  });

  it('of the health shows each process with its role, load and last sign of life', async () => {
    const client = createClient();
    await client.logIn();
    const html = await client.text('/health');
    for (const word of ['Polls', 'leader', '0 / 4', '2 s ago', '23 s ago', 'expected end'])
      expect(html).toContain(word);
  });

  it('of the health lists notices apart from problems, as text [NX-319]', async () => {
    const client = createClient();
    await client.logIn();
    const html = await client.text('/health');
    const [, notices = ''] = /<h2 id="notices">([\s\S]*?)<\/section>/.exec(html) ?? [];
    expect(notices).toContain('the default branch main is not protected');
    expect(notices).toContain('Protect it on &lt;GitHub&gt;.');
    expect(await client.text('/health?lang=ja')).toContain('お知らせ');
  });

  it('is served under a path of its own [NX-323]', async () => {
    const client = createClient({ base: '/agents' });
    const html = await client.text('/agents/login');
    const addresses = listElements(parse(html)).flatMap(({ attrs }) =>
      attrs.filter(({ name }) => /^(href|src|action)$/.test(name)).map(({ value }) => value),
    );
    expect(addresses.filter((address) => !/^(\/agents\/|#)/.test(address))).toEqual([]);
    const script = addresses.find((address) => address.endsWith('.js')) ?? '';
    expect((await client.get(script)).status).toBe(200);
  });
});

describe('a file of a run', () => {
  it('needs nothing else and runs nothing [NX-334]', () => {
    const html = formatRunFile(createRun(createRow(0, 40)));
    const elements = listElements(parse(html));
    expect(elements.map(({ tagName }) => tagName)).not.toContain('script');
    expect(elements.filter(({ tagName }) => tagName === 'form' || tagName === 'link')).toEqual([]);
    expect(html).toContain("default-src 'none'");
    expect(html).toContain('id="entry-1"');
    expect(html).toContain('id="entry-60"');
  });
});
