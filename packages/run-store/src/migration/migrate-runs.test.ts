import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { createFileTaskIndex } from '../index/file-task-index.ts';
import type { JsonObject } from '../run-model.ts';
import { hashTaskKey } from '../storage-names.ts';
import { type EarlierRun, writeEarlierRun } from '../testing/earlier-run.ts';
import { type MigratedRun, migrateRuns } from './migrate-runs.ts';

const now = Date.parse('2025-03-01T00:00:00Z');
const host = 'github.com';
const [first, second, third, broken] = ['1', '2', '3', '4'].map(
  (digit) => `${digit}0000000-0000-4000-8000-000000000000`,
) as [string, string, string, string];
const typedKey = { type: 'github_issue', owner: 'octo', repo: 'cat', number: 42 };
const sampleKey = { task_source: 'github', owner: 'octo', repo: 'cat', task_type: 'issue', task_id: '42' };
const taskKeyText = 'github_issue:octo:cat:42';

const directory = useDirectory();

const toTask = (taskKey: JsonObject) => {
  if (taskKey.type !== 'github_issue') throw new Error(`${taskKey.type} is on no platform of ours`);
  const { owner, repo, number } = taskKey;
  return { taskKey, taskKeyText: `github_issue:${owner}:${repo}:${number}`, host };
};
const migrate = async (apply: boolean): Promise<MigratedRun[]> => {
  const rows: MigratedRun[] = [];
  for await (const row of migrateRuns({ baseDirectory: directory.path, toTask, apply })) rows.push(row);
  return rows;
};
const openIndex = () => createFileTaskIndex({ baseDirectory: directory.path, now: () => now });
const find = () => openIndex().find({ taskKeyHash: hashTaskKey(taskKeyText), host });
function addTasks(rows: readonly { uuid: string; status: string; completed_at: string | null }[]): void {
  const database = new DatabaseSync(join(directory.path, 'tasks.db'));
  database.exec(
    'CREATE TABLE tasks (uuid TEXT PRIMARY KEY, status TEXT, completed_at TEXT, llm_call_count INTEGER, tool_call_count INTEGER, total_tokens INTEGER, error_message TEXT)',
  );
  const insert = database.prepare('INSERT INTO tasks VALUES (?, ?, ?, 4, 3, 1200, NULL)');
  for (const { uuid, status, completed_at } of rows) insert.run(uuid, status, completed_at);
  database.close();
}

const addEarlier = ({
  key = typedKey,
  ...run
}: Omit<EarlierRun, 'taskKey'> & { readonly key?: JsonObject }) =>
  writeEarlierRun(directory.path, { ...run, taskKey: key });
const summary = '合計を修正しました。\n\n## 決定事項\n- 数量は必ず掛ける';

describe('migrateRuns', () => {
  it('has a new run inherit from a directory of the earlier program [CI-5, CI-6, CI-8, CI-64, CI-66, C21]', async () => {
    await addEarlier({ uuid: first, summary });
    expect(await find()).toEqual([]);
    expect(await migrate(true)).toEqual([
      {
        ...{ uuid: first, kind: 'migrated', taskKeyText, status: 'completed', statusInferred: true },
        ...{ endedAt: '2025-01-31T11:00:00.000Z', reason: null },
      },
    ]);
    await openIndex().rebuild();
    expect(await find()).toMatchObject([
      {
        ...{
          uuid: first,
          status: 'completed',
          statusInferred: true,
          completedAt: '2025-01-31T11:00:00.000Z',
        },
        ...{ createdAt: '2025-01-31T10:00:00.123Z', model: 'gpt-4o', inheritanceDepth: 0, user: 'mona' },
      },
    ]);
  });

  it('takes status and times from tasks.db where it is there, and either form of the key [CI-64, C21]', async () => {
    await addEarlier({ uuid: first, summary });
    await addEarlier({ uuid: second, key: sampleKey, summary });
    await addEarlier({ uuid: third, summary: '[要約生成失敗: timeout]' });
    addTasks([
      { uuid: first, status: 'stopped', completed_at: '2025-02-01 12:00:00' },
      { uuid: second, status: 'failed', completed_at: null },
    ]);
    const rows = await migrate(true);
    expect(rows.map(({ status, statusInferred, endedAt }) => [status, statusInferred, endedAt])).toEqual([
      ['stopped', false, '2025-02-01T12:00:00.000Z'],
      ['failed', false, '2025-01-31T11:00:00.000Z'],
      // What the earlier program stored when its model failed is no summary.
      ['failed', true, '2025-01-31T10:00:00.123Z'],
    ]);
    await openIndex().rebuild();
    expect(await find()).toMatchObject([
      {
        uuid: first,
        status: 'stopped',
        completedAt: '2025-02-01T12:00:00.000Z',
        llmCallCount: 4,
        totalTokens: 1200,
      },
      { uuid: second, status: 'failed', completedAt: '2025-01-31T11:00:00.000Z' },
      { uuid: third, status: 'failed', statusInferred: true, completedAt: null },
    ]);
  });

  it('changes nothing unless told to, and nothing when it is repeated [CI-64, C21]', async () => {
    await addEarlier({ uuid: first, summary });
    const read = async () => {
      const names = await readdir(join(directory.path, 'completed', first));
      const text = await readFile(join(directory.path, 'completed', first, 'metadata.json'), 'utf8');
      return { names, text };
    };
    const before = await read();
    expect(await migrate(false)).toMatchObject([{ kind: 'migrated', taskKeyText }]);
    expect(await read()).toEqual(before);
    await migrate(true);
    const after = await read();
    expect(JSON.parse(after.text)).toMatchObject({
      task_key_hash: hashTaskKey(taskKeyText),
      inheritance_depth: 0,
    });
    expect(await readFile(join(directory.path, 'completed', first, 'metadata.earlier.json'), 'utf8')).toBe(
      before.text,
    );
    expect(await migrate(true)).toMatchObject([{ kind: 'current' }]);
    expect(await read()).toEqual(after);
  });

  it('reports what is broken, of no platform or not ended, leaves it as it is, and goes on [CI-49, CI-69, C21]', async () => {
    await addEarlier({ uuid: first, summary, place: 'running' });
    await addEarlier({ uuid: second, key: { type: 'jira_issue', id: 1 }, summary });
    await addEarlier({ uuid: third, summary });
    await addEarlier({ uuid: broken, summary });
    await writeFile(join(directory.path, 'completed', broken, 'metadata.json'), '{"uuid": "4');
    const rows = await migrate(true);
    expect(rows.map(({ uuid, kind }) => [uuid.slice(0, 1), kind])).toEqual([
      ['1', 'left'],
      ['2', 'left'],
      ['3', 'migrated'],
      ['4', 'left'],
    ]);
    expect(rows[0]?.reason).toContain('had not ended');
    expect(rows[1]?.reason).toContain('jira_issue is on no platform of ours');
    expect(await readFile(join(directory.path, 'completed', broken, 'metadata.json'), 'utf8')).toBe(
      '{"uuid": "4',
    );
  });

  it('says so when tasks.db is none, instead of guessing', async () => {
    await addEarlier({ uuid: first, summary });
    await writeFile(
      join(directory.path, 'tasks.db'),
      'no database, and longer than the header of one would have to be',
    );
    await expect(migrate(true)).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('tasks.db'),
    });
  });
});
