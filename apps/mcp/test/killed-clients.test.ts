// @module-tag full
import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { program, type Stage, stageGitHub, stageGitLab, startOverStdio } from './server-bed.ts';

/** Runs one call of the command line. */
async function run(stage: Stage, words: readonly string[], input = '') {
  const child = spawn(process.execPath, [...program, ...stage.args, ...words], {
    env: { ...stage.environment, PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // Whoever ends early does not read all of it.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (printed.stdout += String(data)));
  child.stderr.on('data', (data) => (printed.stderr += String(data)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...printed };
}

describe('agent-comments-mcp over stdio', () => {
  it('shows a client on GitLab that was killed before it acknowledged the same again [NX-265, NX-266]', {
    tags: ['release'],
  }, async () => {
    const stage = await stageGitLab();
    onTestFinished(stage.close);
    const first = await startOverStdio(stage);
    await first.call('get_new_comments');
    stage.say('alice', 'In euros, please.');
    stage.say('mallory', 'In shells!');
    const shown = await first.call('get_new_comments');
    expect(shown.text).toMatch(/author: @alice \| authority: trusted/);
    expect(shown.text).toMatch(/author: @mallory \| authority: untrusted/);
    const [one = '', other = ''] = shown.ids;
    await first.call('acknowledge', { ids: [one] });
    process.kill(first.pid ?? 0, 'SIGKILL');
    await first.client.close();
    const second = await startOverStdio(stage);
    expect((await second.call('get_new_comments', { before_end: true })).ids).toEqual([other]);
    expect((await second.call('post_answer', { body: `Euros it is. ${stage.token}` })).isError).toBe(false);
    expect(stage.bodies().join()).not.toContain(stage.token);
    expect((await second.call('get_conversation')).text).toContain('Euros it is.');
    await second.client.close();
  });
});

describe('a client that misbehaves', () => {
  it('gets one complaint for any ids, and its endless message ends the server with a reason [NX-299]', async () => {
    const stage = await stageGitHub();
    onTestFinished(stage.close);
    const { client, call } = await startOverStdio(stage);
    const wrong = [...Array.from({ length: 400 }, (_, index) => index), 'x'.repeat(100_000)];
    for (const ids of [wrong, Array.from({ length: 10_000 }, (_, index) => index), []]) {
      const answer = await call('acknowledge', { ids });
      expect(answer.isError).toBe(true);
      expect(answer.text.length).toBeLessThan(500);
    }
    await client.close();
    const ended = await run(stage, ['stdio'], 'x'.repeat(11 * 1024 * 1024));
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^The connection was closed: .*maximum size/u);
    expect(await run(stage, ['stdio'], 'no JSON\n{}\n[]\n')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('the command line for hooks', () => {
  it('ends with the code that it is given where something waits, and shares its memory with a server [NX-265, NX-269]', async () => {
    const stage = await stageGitHub();
    onTestFinished(stage.close);
    const server = await startOverStdio(stage);
    await server.call('get_new_comments');
    const quiet = await run(stage, ['new', '--exit-code', '2']);
    expect(quiet).toMatchObject({ code: 0, stderr: '' });
    stage.say('alice', 'Stop rounding.');
    const found = await run(stage, ['new', '--exit-code', '2']);
    expect(found).toMatchObject({ code: 2, stdout: '' });
    expect(found.stderr).toContain('Stop rounding.');
    const { ids } = await server.call('get_new_comments');
    expect(ids).toHaveLength(1);
    expect(await run(stage, ['acknowledge', ...ids])).toMatchObject({ code: 0 });
    expect((await server.call('get_new_comments')).ids).toEqual([]);
    expect(await run(stage, ['new'])).toMatchObject({ code: 0 });
    await server.client.close();
    const refused = await run({ ...stage, environment: { GITHUB_TOKEN: 'ghp_wrong' } }, [
      'new',
      '--exit-code',
      '2',
    ]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('Bad credentials');
    expect(refused.stdout).toBe('');
    const unset = await run({ ...stage, environment: {} }, ['new']);
    expect(unset).toMatchObject({ code: 1, stderr: expect.stringContaining('GITHUB_TOKEN is not set') });
  });
});
