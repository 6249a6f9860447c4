import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileRunStore, createFileTaskIndex } from '@agent/run-store/file';
import { startWorkspaceBed } from '@agent/workspace/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import { historyCommand } from './history.ts';
import { migrateCommand } from './migrate.ts';
import { purgeCommand } from './purge.ts';

const [first, second, other] = ['1', '2', '3'].map(
  (digit) => `${digit}1110000-0000-4000-8000-000000000001`,
) as [string, string, string];

let kept: KeptRuns;
beforeEach(async () => {
  kept = await makeKeptRuns();
});
afterEach(() => kept.close());

const completed = (): Promise<string[]> => readdir(join(kept.contexts, 'completed'));
const rebuild = () => createFileTaskIndex({ baseDirectory: kept.contexts }).rebuild();
const addAll = async (): Promise<void> => {
  await kept.add({ uuid: first, number: 1, state: 'completed' });
  await kept.add({ uuid: second, number: 1, state: 'stopped' });
  await kept.add({ uuid: other, number: 2, state: 'completed' });
  const usage = { inputTokens: 1, outputTokens: 1 };
  const summary = { text: 'Mended. Ask alice.', fields: { key_decisions: [] }, usage };
  const parseMessage = (json: unknown) => json as { role: string; content: unknown };
  const store = createFileRunStore({ baseDirectory: kept.contexts, parseMessage });
  await (await store.openEnded(first)).finalSummary.append(summary, { now: Date.now() });
  await rebuild();
};
const history = (task: string, flags: { json?: boolean; environment?: Record<string, string> } = {}) =>
  runCommand((io) => historyCommand({ config: kept.configFile, task, json: flags.json }, io), flags);
const purge = (task: string, { yes = false, answer = null as string | null } = {}) =>
  runCommand((io) => {
    const prompt = answer === null ? null : () => Promise.resolve(answer);
    return purgeCommand({ config: kept.configFile, task, yes }, { io, prompt });
  });
const migrate = (apply: boolean, directory: string | null = null) =>
  runCommand((io) => migrateCommand({ config: kept.configFile, apply, directory }, io));

describe('history', () => {
  beforeEach(addAll);

  it('shows the runs of one task alone, what each inherited and left, without people [CI-45, CI-54, CI-55, CI-56]', async () => {
    const { code, output } = await history('acme/shop#1');
    expect(code).toBe(0);
    expect(output).toMatch(/^ENDED +STATUS +ID +DEPTH +INHERITED +SUMMARY$/m);
    expect(output).toMatch(/2026-01-01 23:00 +completed +11110000 +0 +- +Mended\. Ask/);
    expect(output).toMatch(/stopped +21110000 +0 +- +\(no summary\)/);
    expect(output).not.toContain('31110000');
    expect(output).not.toContain('alice');
    await kept.add({ uuid: '41110000-0000-4000-8000-000000000001', number: 1, state: 'running' });
    expect((await history('github_issue:acme:shop:1')).output).toMatch(/not finished +running +41110000/);
  });

  it('shows the others, and says so, where a directory is gone or damaged [CI-47, CI-48]', async () => {
    await rm(join(kept.contexts, 'completed', second), { recursive: true });
    expect(await history('acme/shop#1')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/completed +11110000 +0 +- +Mended\.[\s\S]*stopped +21110000 +0 +\? /),
      errors: expect.stringContaining('Cannot read 21110000: '),
    });
    for (const file of ['metadata.json', 'messages.jsonl'])
      await writeFile(join(kept.contexts, 'completed', first, file), '{');
    const { output, errors } = await history('acme/shop#1', { json: true });
    expect(errors).toContain('Cannot read 11110000: ');
    expect(JSON.parse(output).runs[0]).toMatchObject({ uuid: first, created_at: null, inheritance_depth: 0 });
  });

  it('is there for programs, and in Japanese, and says that a task is unknown', async () => {
    const { output } = await history('acme/shop#2', { json: true });
    expect(JSON.parse(output)).toEqual({
      task: 'github_issue:acme:shop:2',
      host: 'github.com',
      runs: [
        {
          ...{ uuid: other, status: 'completed', created_at: '2026-01-01T23:00:00.000Z' },
          ...{ completed_at: '2026-01-01T23:00:00.000Z', inherited_from_uuid: null, inheritance_depth: 0 },
          ...{ inherited_tokens: 0, inheritance_refusal: null, summary: null },
        },
      ],
    });
    expect((await history('acme/shop#2', { environment: { LANG: 'ja_JP.UTF-8' } })).output).toContain(
      '引き継ぎ',
    );
    expect(await history('acme/shop#9')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('no task'),
    });
  });
});

describe('purge', () => {
  beforeEach(addAll);

  it('removes all of one task and nothing of another, when told so or asked [CI-54, CI-55]', async () => {
    expect(await purge('acme/shop#1', { answer: 'no' })).toMatchObject({
      code: 1,
      output: 'Nothing was deleted.',
    });
    expect(await purge('acme/shop#1')).toMatchObject({ code: 1, errors: expect.stringContaining('--yes') });
    expect(await completed()).toHaveLength(3);
    const purged = await purge('acme/shop#1', { answer: 'y' });
    expect(purged).toMatchObject({ code: 0, output: 'Deleted 2 runs of acme/shop#1.' });
    expect(await completed()).toEqual([other]);
    expect((await history('acme/shop#1')).errors).toContain('no task');
    expect((await history('acme/shop#2')).output).toContain('31110000');
  });

  it('removes worktrees and branches of the runs of that task, and of no other [NX-62]', async () => {
    const bed = await startWorkspaceBed();
    try {
      await kept.close();
      kept = await makeKeptRuns(`workspaces: { base_dir: ${join(bed.directory, 'kept')} }\n`);
      await addAll();
      const open = (uuid: string) => bed.workspaces().open(bed.task({ uuid, branch: `agent/${uuid}` }));
      await open(first);
      await open(second);
      const { gitDirectories } = await open(other);
      expect((await purge('acme/shop#1', { yes: true })).code).toBe(0);
      expect(await readdir(join(bed.directory, 'kept/worktrees'))).toEqual([other]);
      expect(await readdir(join(gitDirectories[0] ?? '', 'refs/heads/agent'))).toEqual([other]);
      expect(await readdir(join(gitDirectories[0] ?? '', 'refs/starts'))).toEqual([other]);
    } finally {
      await bed.close();
    }
  });

  it('refuses while a run of the task has not ended, or a daemon is at work', async () => {
    await kept.add({ uuid: '41110000-0000-4000-8000-000000000001', number: 1, state: 'paused' });
    expect((await purge('acme/shop#1', { yes: true })).errors).toContain('is not finished');
    await kept.own();
    expect(await purge('acme/shop#2', { yes: true })).toMatchObject({ code: 1 });
    expect(await completed()).toHaveLength(3);
  });
});

describe('migrate', () => {
  const uuid = '51110000-0000-4000-8000-000000000001';
  const addEarlier = async (task_key: object, base = kept.contexts, day = '2025-12-31'): Promise<void> => {
    const directory = join(base, 'completed', uuid);
    await mkdir(directory, { recursive: true });
    const metadata = {
      uuid,
      task_key,
      created_at: `${day}T10:00:00`,
      process_id: 1,
      hostname: 'h',
      config: {},
    };
    await writeFile(join(directory, 'metadata.json'), JSON.stringify({ ...metadata, user: 'alice' }));
    await writeFile(join(directory, 'messages.jsonl'), '');
    const line = {
      id: 1,
      start_seq: 1,
      end_seq: 2,
      summary: 'Counted quantities.',
      timestamp: `${day}T11:00:00`,
    };
    await writeFile(join(directory, 'summaries.jsonl'), `${JSON.stringify(line)}\n`);
  };
  const typedKey = { type: 'github_issue', owner: 'acme', repo: 'shop', number: 7 };

  it('says first what it would do, does it with --apply, and may be repeated [CI-64, C21]', async () => {
    await addEarlier(typedKey);
    const dry = await migrate(false);
    expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('agent-daemon migrate --apply') });
    expect(dry.output).toContain(`${uuid}  to migrate  github_issue:acme:shop:7  completed  status inferred`);
    await rebuild();
    expect((await history('acme/shop#7')).code).toBe(1);
    expect((await migrate(true)).output).toContain('The index contains 1 run.');
    expect((await history('acme/shop#7')).output).toMatch(
      /2025-12-31 11:00 +completed +51110000 .*Counted quantities\./,
    );
    expect((await migrate(true)).output).toContain('0 migrated, 1 up to date');
  });

  it('names what it leaves, and works on another directory as well [C21]', async () => {
    const elsewhere = join(kept.directory, 'old');
    await addEarlier({ type: 'gitlab_issue', project_id: 12, issue_iid: 3 }, elsewhere);
    const left = await migrate(true, elsewhere);
    expect(left).toMatchObject({ code: 1, output: expect.stringContaining('no platforms.gitlab') });
    await addEarlier(typedKey, elsewhere);
    expect((await migrate(true, elsewhere)).code).toBe(0);
    expect(await readdir(elsewhere)).toEqual(['completed', 'index', 'lock.held', 'lock.json']);
  });

  it('warns of runs so old that the daemon would remove them, and knows a name typed wrong [CI-57, C21, X8]', async () => {
    await addEarlier(typedKey);
    const young = await migrate(false);
    expect(young.output).not.toContain('finished more than');
    await addEarlier(typedKey, kept.contexts, '2025-10-03');
    expect((await migrate(false)).output).toContain('1 of them finished more than 90 days ago');
    for (const apply of [false, true]) {
      const wrong = await migrate(apply, join(kept.directory, 'contextz'));
      expect(wrong).toMatchObject({ code: 1, errors: expect.stringContaining('There is no directory') });
    }
    expect(await readdir(kept.directory)).not.toContain('contextz');
  });
});
