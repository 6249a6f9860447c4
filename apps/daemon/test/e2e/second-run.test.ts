// @module-tag full
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { followSteps } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript, fixScript } from '../support/fix-script.ts';
import { listTurns } from '../support/model-requests.ts';
import { forgesToTry, itInFullInFiles } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

const run = promisify(execFile);

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

describe.each(forgesToTry('gitlab'))('a second run of one issue on %s', (name) => {
  it('that changes nothing claims nothing of the first, and leaves its draft as it is [RL-14]', async () => {
    let script = fixScript;
    world = await startWorld({ script: (view) => script(view), forges: [name] });
    const { forge, configFile } = world;
    const { reference } = forge.openIssue({
      title: 'The total is wrong',
      body: 'It forgets the quantity.',
      labels: ['coding agent'],
    });
    expect((await startDaemonProcess(configFile).exited).code).toBe(0);
    const [draft] = forge.changeRequests();
    expect(forge.thread(reference).comments.at(-1)?.body).toContain('1 file changed');

    script = answerScript;
    forge.addLabels(reference, ['coding agent']);
    expect((await startDaemonProcess(configFile).exited).code).toBe(0);
    const { comments, labels } = forge.thread(reference);
    expect(labels).toEqual(['coding agent done']);
    expect(comments.map(({ body }) => body)).toEqual([
      expect.stringContaining('Task completed'),
      expect.stringContaining('Inherited the context of earlier runs'),
      expect.stringContaining('Nothing to change'),
    ]);
    const report = comments[2]?.body;
    expect(report).toContain('No files were changed.');
    expect(report).toContain(`**Open ${forge.changeRequestWords.en}:** [${draft?.reference}](${forge.url}`);
    expect(report).not.toMatch(/files? changed|\*\*Draft/);
    expect(forge.changeRequests()).toEqual([draft]);
  });

  it('hears how the tools of the first one fared and that its last command failed, at times of one zone [NX-54] [NX-55] [CI-8]', async () => {
    world = await startWorld({
      script: followSteps([
        { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] },
        { toolCalls: [{ name: 'read_file', input: { path: 'nothing.js' } }] },
        { toolCalls: [{ name: 'run_command', input: { command: 'node', args: ['total.test.js'] } }] },
        { text: 'The test fails, and I do not know why.' },
      ]),
      forges: [name],
      config: { time_zone: 'Asia/Tokyo' },
    });
    const { forge, configFile, model } = world;
    const { reference } = forge.openIssue({ title: 'Total', body: 'Wrong.', labels: ['coding agent'] });
    expect((await startDaemonProcess(configFile).exited).code).toBe(0);
    const asked = listTurns(model).length;
    forge.addLabels(reference, ['coding agent']);
    expect((await startDaemonProcess(configFile).exited).code).toBe(0);
    const [told = ''] = listTurns(model).slice(asked);
    const block = told.slice(told.indexOf('## Previous Processing Context')).split('\\n---\\n')[0] ?? '';
    expect(block).toContain('- run_command: failed (exit code 1)');
    expect(block).toContain('- read_file: 2 call(s), 1 failed (not found)');
    expect(block).toContain('- run_command: 1 call(s), 1 failed (exit code 1)');
    const words = [block, ...forge.thread(reference).comments.map(({ body }) => body)];
    for (const text of words) expect(text).toMatch(/\d\d:\d\d:\d\d GMT\+9/);
  });

  it('keeps what people wrote in the draft, tells of both runs, and gives each commit its own subject [NX-30]', async () => {
    let script = fixScript;
    world = await startWorld({ script: (view) => script(view), forges: [name] });
    const { forge, configFile } = world;
    const { reference, number } = forge.openIssue({
      title: 'Closes #99 with the wrong total',
      body: 'It forgets the quantity.',
      labels: ['coding agent'],
    });
    expect((await startDaemonProcess(configFile).exited).code).toBe(0);
    const [draft] = forge.changeRequests();
    if (draft === undefined) throw new Error('there is no draft');
    const notes = 'Release notes\n\n- [x] reviewed by security';
    forge.editThread(draft.reference, {
      by: 'alice',
      title: 'Count quantities',
      body: `${notes}\n\n${draft.body}`,
    });

    script = followSteps([
      { toolCalls: [{ name: 'write_file', input: { path: 'FOLLOW.md', content: 'More.\n' } }] },
      { text: 'Added FOLLOW.md.' },
    ]);
    forge.addLabels(reference, ['coding agent']);
    expect((await startDaemonProcess(configFile).exited).code).toBe(0);
    const [after] = forge.changeRequests();
    expect(after?.title).toBe('Count quantities');
    expect(after?.body.startsWith(`${notes}\n\n`)).toBe(true);
    expect(after?.body).toMatch(/Added FOLLOW\.md\.[\s\S]*total counts quantities now/);
    expect(await forge.subjectsOf(draft.changeRequest?.head ?? '')).toEqual([
      `Change FOLLOW.md (#${number})`,
      `Change total.js (#${number})`,
    ]);

    forge.editThread(draft.reference, { by: 'alice', title: 'Count quantities', body: 'All by hand.' });
    forge.addLabels(reference, ['coding agent']);
    script = followSteps([
      { toolCalls: [{ name: 'write_file', input: { path: 'THIRD.md', content: 'More.\n' } }] },
      { text: 'Added THIRD.md.' },
    ]);
    expect((await startDaemonProcess(configFile).exited).code).toBe(0);
    expect(forge.changeRequests()[0]?.body).toBe('All by hand.');
    expect(forge.thread(reference).comments.at(-1)?.body).toContain(
      "Its description was edited, so I didn't update it",
    );
  });

  itInFullInFiles('opens the draft of work that an earlier run pushed and then could not show', async () => {
    world = await startWorld({ script: answerScript, forges: [name] });
    const { forge, configFile } = world;
    const { reference, number } = forge.openIssue({
      title: 'The total is wrong',
      body: 'It forgets the quantity.',
      labels: ['coding agent'],
    });
    await pushWork(forge.gitDirectory, `agent/issue-${number}-the-total-is-wrong`);
    expect((await startDaemonProcess(configFile).exited).code).toBe(0);
    const [draft] = forge.changeRequests();
    expect(draft?.changeRequest).toMatchObject({ draft: true });
    expect(draft?.body).toContain('- `total.js`');
    const report = forge.thread(reference).comments[0]?.body;
    expect(report).toContain('No files were changed.');
    expect(report).toContain(`[${draft?.reference}](${forge.url}`);
  });
});

/** A branch with one commit, which removes all files. */
async function pushWork(gitDirectory: string, branch: string): Promise<void> {
  const git = async (...args: string[]): Promise<string> =>
    (
      await run('git', ['-c', 'user.name=robot', '-c', 'user.email=robot@example.org', ...args], {
        cwd: gitDirectory,
      })
    ).stdout.trim();
  const tree = await git('hash-object', '-t', 'tree', '-w', '/dev/null');
  const commit = await git('commit-tree', tree, '-p', 'main', '-m', 'Work');
  await git('update-ref', `refs/heads/${branch}`, commit);
}
