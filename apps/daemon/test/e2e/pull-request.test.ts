import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { repository, startWorld, type World } from '../support/world.ts';

const git = promisify(execFile);
let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

describe.each(['responses', 'chat'] as const)("a pull request's own task, with a model behind /%s", (api) => {
  it('pushes to its head branch, opens no second pull request and ends with one comment [RL-1, RL-14]', async () => {
    world = await startWorld({ script: fixScript, api });
    const pull = await world.gitHub.openPullRequest({
      repo: repository,
      author: 'alice',
      title: '合計を直す',
      body: '数量が抜けています。',
      labels: ['coding agent'],
      headBranch: 'alice/total',
      files: { 'NOTES.md': 'Alice was here.\n' },
    });
    const exit = await startDaemonProcess(world.configFile).exited;
    expect(exit.output).toContain('task ended');
    expect(exit.code).toBe(0);

    const thread = world.thread(pull.number);
    expect(thread.labels).toEqual(['coding agent done']);
    expect(thread.comments.map(({ author }) => author)).toEqual(['robot']);
    expect(thread.comments[0]?.body).toContain('## ✅ タスク完了');
    expect(thread.comments[0]?.body).toContain('**プッシュしたブランチ:** `alice/total`');
    expect(world.gitHub.threads(repository)).toHaveLength(1);

    const cwd = world.gitHub.gitDirectory(repository);
    const { stdout: file } = await git('git', ['show', 'alice/total:total.js'], { cwd });
    expect(file).toContain('line.price * line.quantity');
    const { stdout: log } = await git('git', ['log', '--format=%an', 'main..alice/total'], { cwd });
    expect(log.trim().split('\n')).toHaveLength(2);
  });
});
