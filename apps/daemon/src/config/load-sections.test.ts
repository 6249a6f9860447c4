import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSections } from './load-sections.ts';
import { placeNames, type SectionName } from './schema.ts';

let directory = '';
let file = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daemon sections '));
  file = join(directory, 'agent.config.yaml');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const platforms = 'platforms: { github: { repositories: [acme/shop] } }\n';
const place = `context_storage: { base_dir: runs }\nstorage: { postgres: { schema: own } }\n`;

async function load<Name extends SectionName>(
  text: string | Buffer,
  { needs = [], environment = {} }: { needs?: readonly Name[]; environment?: Record<string, string> } = {},
) {
  await writeFile(file, text);
  return loadSections(file, { names: [...placeNames, ...needs], environment });
}

const refusal = (text: string, options = {}) =>
  load(text, options).then(
    () => '',
    (error: Error) => error.message.replaceAll(file, 'FILE'),
  );

describe('loadSections', () => {
  it('returns only the named sections, and no problem of a correct file', async () => {
    const { config, problem } = await load(platforms + place, { needs: ['http'] });
    expect(problem).toBeNull();
    expect(config).toEqual({
      storage: { postgres: { url_env: 'DATABASE_URL', schema: 'own' } },
      context_storage: { base_dir: 'runs' },
      pause_resume: { enabled: true, signal_file: null, paused_dir: null },
      http: { host: '127.0.0.1', port: null },
    });
  });

  it.each([
    ['an unknown key', 'concurency: 3\n', /concurency is not a known key\. Did you mean concurrency\?/],
    ['a wrong value of another section', 'limits: { max_steps: none }\n', /limits\.max_steps: must be/],
    ['a wrong value beside a needed one', 'pause_resume: { check_interval: -1 }\n', /check_interval/],
    ['no platform', 'platforms:\n', /platforms: must be a section of keys .*is empty/],
    ['a key in both spellings', 'taskStop: {}\ntask_stop: {}\n', /task_stop is there twice/],
    ['a section that is not YAML', 'llm: { model: [a\n', /is not valid YAML/],
    ['a tab', 'limits:\n\tmax_steps: 3\n', /Indent with spaces/],
    ['an open quote above', 'locale: "ja\n', /is not valid YAML/],
    ['an alias without its anchor', 'log: *level\n', /is not valid YAML/],
    ['a second document', 'locale: ja\n---\n', /several YAML documents/],
    [
      'a wrong section that a command can do without',
      'http: { port: many }\n',
      /http\.port: must be a number/,
    ],
  ])('reads its sections despite %s, and reports it', async (_, mistake, problem) => {
    const loaded = await load(`${mistake}${mistake.includes('platforms') ? '' : platforms}${place}`, {
      needs: ['http'],
    });
    expect(loaded.problem).toMatch(problem);
    expect(loaded.config.context_storage.base_dir).toBe('runs');
    expect(loaded.config.storage.postgres?.schema).toBe('own');
    expect(loaded.config.http.port).toBeNull();
  });

  it('refuses an unreadable section that hides a needed one, instead of acting on the default place', async () => {
    const text = `${platforms}llm:\n    model: a\n context_storage: { base_dir: runs }\n`;
    expect(await refusal(text)).toContain('is not valid YAML');
    expect(await refusal(`${text}context_storage: { base_dir: runs }\n`)).toBe('');
  });

  it('knows the secrets that an unreadable section names', async () => {
    const text = `${place}platforms:\n  github: [\n    token_env: GH_PAT\n`;
    const { secrets } = await load(text, {
      environment: { GH_PAT: 'ghp_0123456789abcdefghij0123456789abcdef' },
    });
    expect(secrets).toContain('ghp_0123456789abcdefghij0123456789abcdef');
  });

  it.each([
    ['plain text', 'There is nothing here.'],
    ['an empty file', ''],
    ['bytes that are no text', Buffer.from([0, 255, 254, 1, 2, 3])],
  ])('falls back to the defaults for %s', async (_, content) => {
    const loaded = await load(content);
    expect(loaded.problem).not.toBeNull();
    expect(loaded.config).toMatchObject({
      context_storage: { base_dir: 'contexts' },
      storage: { postgres: null },
    });
  });

  it('reads a file and a .env in another encoding', async () => {
    await writeFile(
      join(directory, '.env'),
      Buffer.from('# caf\xe9\nDATABASE_URL=postgres://here\n', 'latin1'),
    );
    const loaded = await load(Buffer.from(`# caf\xe9\n${platforms}${place}`, 'latin1'));
    expect(loaded.problem).toMatch(/agent\.config\.yaml, line 1: the text is neither UTF-8 nor UTF-16/);
    expect(loaded.environment.DATABASE_URL).toBe('postgres://here');
    expect(loaded.config.context_storage.base_dir).toBe('runs');
  });

  it.each([
    [
      'context_storage: { base_dir: 3 }',
      'context_storage.base_dir: must be text, not a number. Put it in quotes.',
    ],
    [
      'context_storage: { basedir: runs }',
      'context_storage.basedir is not a known key. Did you mean base_dir?',
    ],
    ['storage: { postgress: {} }', 'storage.postgress is not a known key. Did you mean postgres?'],
    ['storage: { database: {} }', 'storage.database is not a known key.'],
    ['storrage: { postgres: {} }', 'storrage is not a known key. Did you mean storage?'],
    ['storage: files', 'storage: must be a section of keys (postgres), not text.'],
  ])('refuses a mistake in a setting that it needs, by its key: %s', async (text, line) => {
    expect(await refusal(`${platforms}concurency: 3\n${text}\n`)).toBe(`FILE has mistakes:\n  - ${line}`);
  });

  it('names a needed section that is not valid YAML', async () => {
    expect(await refusal(`${platforms}storage: { postgres: {\nlimits: {}\n`)).toMatch(
      /^storage in FILE is not valid YAML\./,
    );
    expect(await refusal(`${place}llm: "a\n${place}`)).toMatch(
      /^context_storage in FILE is not valid YAML\. The same key/,
    );
  });

  it('reports a section only to a command that needs it', async () => {
    const text = `${platforms}limits: { max_cost: much }\n`;
    expect((await load(text)).problem).toContain('limits.max_cost');
    expect(await refusal(text, { needs: ['limits'] })).toContain('limits.max_cost: must be a number');
  });

  it('quotes no secret that was pasted into the file, and knows those that a broken file names', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const pasted = await load(`platforms: { github: { repositories: [a/b], token_env: ${secret} } }\n`);
    expect(pasted.problem).toContain('looks like the secret itself');
    expect(pasted.problem).not.toContain(secret);
    const broken = await load(`platforms:\n  github:\n    token: "${secret}\n    tokenEnv: LOGIN\n`);
    expect(broken.problem).not.toContain(secret);
    const environment = {
      LOGIN: 'plum orchard',
      DATABASE_URL: 'postgres://u:pear-tree@host/db',
      HOME: '/home',
    };
    const { secrets } = await load(`llm: {\nplatforms: { github: { tokenEnv: LOGIN } }\n${place}`, {
      environment,
    });
    expect(secrets).toEqual(expect.arrayContaining(['plum orchard', 'pear-tree']));
    expect(secrets).not.toContain('/home');
    expect(await refusal(`storage: { postgres: { url_env: "postgres://u:${secret}@h/d" } }\n`)).not.toContain(
      secret,
    );
  });

  it('needs a file', async () => {
    await expect(loadSections(file, { names: placeNames, environment: {} })).rejects.toThrow(
      /^There is no configuration at /,
    );
  });
});
