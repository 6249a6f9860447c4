import { readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createAuditLog, createLoginTokens } from '@agent/orchestrator/watch';
import { createFileStorage } from '@agent/run-store/file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import type { Prompt } from '../../init/ask-answers.ts';
import { type EraseFlags, eraseCommand } from './erase.ts';
import { exportCommand } from './export.ts';

const [ended, running, paused] = [
  '11110000-0000-4000-8000-000000000001',
  '22220000-0000-4000-8000-000000000002',
  '33330000-0000-4000-8000-000000000003',
] as const;

let kept: KeptRuns;
beforeEach(async () => {
  kept = await makeKeptRuns();
  await kept.add({ uuid: ended, number: 1, state: 'completed', says: 'As @alice said.' });
});
afterEach(() => kept.close());

interface Given extends Partial<EraseFlags> {
  readonly prompt?: Prompt | null;
  readonly environment?: Readonly<Record<string, string>>;
}

const erase = ({ prompt = null, environment, ...flags }: Given = {}) =>
  runCommand((io) => eraseCommand({ config: kept.configFile, person: 'alice', ...flags }, { io, prompt }), {
    environment,
  });
const openStorage = () => createFileStorage({ baseDirectory: kept.contexts });
const record = (uuid: string, place: string) =>
  readFile(join(kept.contexts, place, uuid, 'messages.jsonl'), 'utf8');
const logger = { info: () => {} };

describe('erase', () => {
  it('asks first, and changes nothing without a yes [NX-423]', async () => {
    const refused = await erase();
    expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('Use --yes') });
    const asked: string[] = [];
    const declined = await erase({
      prompt: async (question) => {
        asked.push(question);
        return 'n';
      },
    });
    expect(declined.code).toBe(1);
    expect(declined.output).toContain('Nothing was changed.');
    expect(asked[0]).toContain('This cannot be undone.');
    expect(await record(ended, 'completed')).toContain('alice');
  });

  it('names the runs that are not finished and leaves them as they are, until it is repeated [NX-423]', async () => {
    await kept.add({ uuid: running, number: 2, state: 'running' });
    await kept.add({ uuid: paused, number: 3, state: 'paused' });
    const first = await erase({ yes: true });
    expect(first.code).toBe(1);
    expect(first.output).toContain('Erased in 1 finished run,');
    expect(first.output).toContain('acme/shop#2: a run is not finished.');
    expect(first.output).toContain('acme/shop#3: a run is not finished.');
    expect(await record(ended, 'completed')).not.toContain('alice');
    expect(await record(running, 'running')).toContain('alice');
    const again = await erase({ yes: true });
    expect(again.code).toBe(1);
    expect(again.output).toContain('Nothing that can be erased is stored.\nNot erased yet.');
  });

  it('is in the audit log without the name, which it takes from the entries of earlier acts [NX-423]', async () => {
    const audit = createAuditLog(openStorage().notes, { logger, now: () => Date.parse('2026-01-02') });
    const act = { action: 'pause', target: 'acme/shop#1', run: ended, reason: null } as const;
    const at = Date.parse('2026-01-01');
    await audit.write({ ...act, id: '1', at, actor: 'Alice', via: 'comment', outcome: 'accepted' });
    await audit.write({ ...act, id: '2', at, actor: 'alice', via: 'cli', outcome: 'accepted' });
    expect((await erase({ yes: true })).code).toBe(0);
    expect(
      (await audit.list({ limit: 9 })).map(({ actor, action, target }) => [actor, action, target]),
    ).toEqual([
      [userInfo().username, 'erase', 'a person'],
      // The account of the system that ran a command is not an account of the platform.
      ['alice', 'pause', 'acme/shop#1'],
      ['[erased]', 'pause', 'acme/shop#1'],
    ]);
  });

  it('revokes the access token of the person, and of no other user [NX-423]', async () => {
    const tokens = createLoginTokens(openStorage().notes);
    for (const name of ['alice', 'bob']) await tokens.create(name, { days: 9 });
    expect((await erase({ yes: true })).code).toBe(0);
    expect((await tokens.list()).map(({ holder }) => holder)).toEqual(['bob']);
  });

  it('names what else has to wait: requests, tasks and the pause of everything [NX-423]', async () => {
    const { controls, pauseSignal, notes } = openStorage();
    await controls.request(ended, 'retry', { by: 'alice' });
    await pauseSignal.set({ by: 'alice' });
    const by = { id: '7', login: 'alice', kind: 'person' };
    await notes.write('handovers/5f3a', { by, since: '2026-01-01T00:00:00Z', comment_id: null });
    const { code, output } = await erase({ yes: true });
    expect(code).toBe(1);
    expect(output).toContain('acme/shop#1: a request of the person is not handled yet.');
    expect(output).toContain('1 task will start with the permissions of the person.');
    expect(output).toContain('All tasks are paused by the person.');
    expect(await notes.read('handovers/5f3a')).toMatchObject({ by });
  });

  it('reports a record that is damaged, and erases the others [NX-423]', async () => {
    await kept.add({ uuid: running, number: 2, state: 'completed' });
    const damaged = join(kept.contexts, 'completed', ended, 'messages.jsonl');
    await writeFile(
      damaged,
      (await readFile(damaged, 'utf8')).replace('Please mend it.', 'Please break it.'),
    );
    const { code, output } = await erase({ yes: true });
    expect(code).toBe(1);
    expect(output).toMatch(/acme\/shop#1: Line 2 of ".*" is not as it was written/);
    expect(await record(running, 'completed')).not.toContain('alice');
  });

  it('takes the platform from the option where several are configured [NX-423]', async () => {
    await writeFile(
      kept.configFile,
      'platforms: { github: { repositories: [acme/shop] }, gitlab: { projects: [acme/shop] } }\n',
    );
    expect((await erase({ yes: true })).errors).toContain('with --platform: github, gitlab.');
    expect((await erase({ platform: 'gitea' })).errors).toContain('no platform "gitea"');
    expect(await erase({ platform: 'gitlab' })).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing'),
    });
    expect((await erase({ platform: 'github', yes: true })).output).toContain('Erased in 1 finished run');
  });

  it('refuses a directory in which a daemon works, and speaks Japanese where the process does [NX-423]', async () => {
    const japanese = { LANG: 'ja_JP.UTF-8' };
    expect((await erase({ environment: japanese })).errors).toContain('--yes を付けて');
    await kept.own();
    const { code, errors } = await erase({ yes: true });
    expect(code).toBe(1);
    expect(errors).toMatch(/owned|works|another process|daemon/i);
    expect(await record(ended, 'completed')).toContain('alice');
  });
});

describe('export --person', () => {
  const run = (flags: object) =>
    runCommand((io) => exportCommand({ config: kept.configFile, person: 'alice', ...flags }, io));

  it('writes what is stored of a person to standard output, or to a new file [NX-423]', async () => {
    const { code, output } = await run({});
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      login: 'alice',
      runs: [
        {
          task: 'acme/shop#1',
          state: 'ended',
          texts: [{ line: 1, value: { title: 'The total is wrong' } }],
          mentions: expect.arrayContaining([expect.objectContaining({ value: ['As @alice said.'] })]),
        },
      ],
    });
    const file = join(kept.directory, 'alice.json');
    expect((await run({ output: file })).output).toContain('The file contains personal data.');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ login: 'alice' });
    expect((await run({ output: file })).errors).toContain('already exists');
    const audit = createAuditLog(openStorage().notes, { logger, now: () => Date.parse('2026-01-02') });
    expect((await audit.list({ limit: 9 })).map(({ target }) => target)).not.toContain('alice');
  });

  it('takes a task or a person, not both [NX-423]', async () => {
    expect((await run({ task: 'acme/shop#1' })).errors).toContain('Name a task, or a person');
    expect((await run({ person: undefined })).errors).toContain('Name a task, or a person');
  });
});
