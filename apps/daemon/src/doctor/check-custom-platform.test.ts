import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileStorage } from '@agent/run-store/file';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../config/load-config.ts';
import { toPlatformSettings } from '../config/settings.ts';
import { checkPlatforms } from './check-platforms.ts';
import type { Finding } from './finding.ts';
import { en } from './texts.en.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'doctor-adapter-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Examines an adapter that answers this to whoever asks for its tasks. */
async function examine(
  listTasks: string,
  { trigger = 'label', roles = '' }: { readonly trigger?: string; readonly roles?: string } = {},
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const thread =
    '{ reader: { readThread() {} }, comments: { listComments() {} }, writer: { ensureComment() {} }';
  const text = `export default () => ({ tasks: { listTasks: ${listTasks} }, openThread: () => (${thread}, ${roles} }) });`;
  await writeFile(join(directory, 'adapter.mjs'), text);
  const section = `{ module: ./adapter.mjs, bot_label: do it, trigger: ${trigger} }`;
  const config = parseConfig(`platforms: { board: ${section} }`, 'test');
  const tools = {
    texts: en,
    report: (finding: Finding) => void findings.push(finding),
    logger: pino({ level: 'silent' }),
    fetch: globalThis.fetch,
    signal: new AbortController().signal,
    now: () => 0,
    environment: {},
    processEnvironment: {},
  };
  const settings = toPlatformSettings(
    {
      config,
      environment: {},
      envFile: { path: '.env', variables: {}, problems: [] },
      readEnvironment: async () => ({}),
      directory,
    },
    createFileStorage({ baseDirectory: directory }),
  );
  await checkPlatforms(tools, { ...settings, branchPrefix: 'agent' });
  return findings;
}

describe('doctor, of a platform of your own', () => {
  it('asks once for the tasks that wait, by the label that it looks for [NX-9]', async () => {
    const task = `{ key: { type: 'custom', platform: 'board', project: 'p', id: '1' }, number: 1, title: label,
      labels: [label], author: null, url: 'board:1', updatedAt: '2026-01-01T00:00:00Z' }`;
    const findings = await examine(
      `async ({ label }) => ({ tasks: label === 'do it' ? [${task}] : [], failures: [] })`,
    );
    expect(findings.at(-1)).toMatchObject({ status: 'ok', text: 'waiting tasks: 1' });
  });

  it('names the places that cannot be asked beside what the others answered [NX-26]', async () => {
    const findings = await examine(
      `async () => ({ tasks: [], failures: [{ place: 'inbox', error: new Error('no inbox here') }] })`,
    );
    expect(findings.filter(({ status }) => status === 'failed')).toMatchObject([
      { area: 'board', text: expect.stringContaining('no inbox here') },
    ]);
    expect(findings.at(-1)).toMatchObject({ status: 'ok', text: 'waiting tasks: 0' });
  });

  it('says once what is wrong with an adapter whose answer a run cannot use [NX-9]', async () => {
    const failed = (await examine(`async () => ({ tasks: [{ title: 'x' }], failures: [] })`)).filter(
      ({ status }) => status === 'failed',
    );
    expect(failed).toMatchObject([{ area: 'board', fix: en.fixAdapter }]);
    expect(failed[0]?.text).toMatch(/tasks\.listTasks that does not fit.*number/s);
  });

  const nothing = 'async () => ({ tasks: [], failures: [] })';

  it('says what is off without the roles that the adapter lacks [NX-9]', async () => {
    const roles = 'history: { lastAssigned() {}, listEdits() {} }';
    const [warning] = (await examine(nothing, { roles })).filter(({ status }) => status === 'warning');
    expect(warning?.text).toContain('assignees (no trigger: assignment)');
    expect(warning?.text).not.toContain('history');
  });

  it.each([
    ['mention', 'history'],
    ['assignment', 'assignees'],
  ])('refuses trigger: %s where the adapter lacks %s, and says what to do [NX-74]', async (trigger, role) => {
    const [failed, ...others] = await examine(nothing, { trigger });
    expect(failed).toMatchObject({ area: 'board', status: 'failed' });
    expect(failed?.text).toContain(
      `platforms.board.trigger: ${trigger} needs the role ${role}, which the adapter ./adapter.mjs does not have:`,
    );
    expect(failed?.text).toMatch(/Add the role to the adapter, or set trigger: label\.$/);
    expect(others).toEqual([]);
  });

  it('lists the open threads for mentions, and keeps nothing of them [NX-74]', async () => {
    const roles = 'history: { lastAssigned() {}, listEdits() {} }';
    const listTasks = `async ({ label, assignee }) => {
      if (label !== null || assignee !== null) throw new Error('asked for less');
      return { tasks: [], failures: [] };
    }`;
    const findings = await examine(listTasks, { trigger: 'mention', roles });
    expect(findings.at(-1)).toMatchObject({ status: 'ok', text: en.threadsListed(0) });
    expect(await readdir(directory)).toEqual(['adapter.mjs']);
  });
});
