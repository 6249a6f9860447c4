import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectConfiguredPlatforms } from '../src/platforms/index.ts';
import { startExpiriesBed } from './expiries-bed.ts';
import { repository } from './expiring-forges.ts';
import { createStepModel, startWork } from './expiring-work.ts';

const hourMs = 61 * 60_000;
/** Ends of a token, and the forges. */
const [expiries, forges] =
  process.env.TEST_RELEASE === '1' ? [50, ['github', 'gitlab'] as const] : [7, ['gitlab'] as const];

describe.each(forges)('on %s', (name) => {
  it('a run goes across the ends of its token, hears everybody, and leaves the tokens nowhere [NX-207, NX-206, NX-205, NX-203]', {
    tags: ['full'],
  }, async () => {
    const bed = await startExpiriesBed(name);
    onTestFinished(bed.close);
    const { forge, pass, issued } = bed;
    forge.label('coding agent');
    const { model, prompts } = createStepModel(expiries, async (step) => {
      pass(hourMs);
      await forge.renew();
      forge.say(`Remark ${step} of mine.`);
      ring();
    });
    const { orchestrator, ring } = startWork(bed, { model });
    expect(await orchestrator.run({ once: true })).toBe(true);

    expect(orchestrator.board.state.counts.runsEnded.completed).toBe(1);
    const { labels, comments } = forge.thread();
    expect(labels).toEqual(['coding agent done']);
    const last = prompts.at(-1) ?? '';
    for (let step = 1; step <= expiries; step += 1) {
      expect(last.split(`=====\\nRemark ${step} of mine.`), `remark ${step}`).toHaveLength(2);
    }
    const own = comments.filter(({ author }) => author === forge.agent);
    expect(own.length + expiries).toBe(comments.length);
    expect(own.at(-1)?.body).toContain('All of it is done.');
    expect(forge.countDrafts()).toBe(1);

    expect(new Set(issued.map(({ value }) => value)).size).toBeGreaterThan(expiries);
    // A request that is under way at the end of its token is refused, and made again; GitLab's ends at each rotation.
    expect(forge.countRefused()).toBeLessThanOrEqual(name === 'github' ? 3 : expiries);
    expect(bed.secrets.values().length).toBeLessThanOrEqual(33);
    expect(await bed.findLeaks()).toEqual([]);
    for (const { value } of issued) expect(prompts.join('\n')).not.toContain(value);
  });

  it('git and the API go across ends and revocations of the same token, one after the other [NX-207, NX-204, NX-202, NX-203]', {
    tags: ['full'],
  }, async () => {
    const bed = await startExpiriesBed(name);
    onTestFinished(bed.close);
    const { forge, pass, issued, directories, now } = bed;
    const { observe, signal } = { observe: () => {}, signal: new AbortController().signal };
    const surroundings = { logger: bed.logger, now, observe, signal };
    const [connected] = await connectConfiguredPlatforms(bed.settings, surroundings);
    if (connected === undefined) throw new Error('the platform is not connected');
    const { platform, workspaces } = connected;
    const { comments, writer, labelEvents } = platform.openThread(forge.key);
    const { cloneUrl } = forge;
    const task = { uuid: 'run-1', host: platform.host, repositoryPath: repository, cloneUrl };
    const branch = { branch: 'agent/notes', baseBranch: 'main' };
    const revoke = () => forge.revoke(issued.at(-1)?.value ?? '');
    for (let count = 1; count <= expiries; count += 1) {
      // Ended, or taken away from one request to the next.
      pass(count % 2 === 0 ? hourMs : 60_000);
      await (count % 2 === 0 ? forge.renew() : revoke());
      const workspace = await workspaces.open({ ...task, ...branch });
      await writeFile(join(workspace.path, `${count}.md`), `note ${count}\n`);
      await workspace.commitAll(() => `Note ${count}`);
      if (count % 3 === 0) {
        pass(60_000);
        await revoke();
      }
      await workspace.push();
      forge.label(`label-${count}`);
      expect((await labelEvents?.lastLabeled(`label-${count}`))?.actor?.login).toBe('alice');
      await writer.ensureComment({ topic: 'notes', body: `${count} notes` });
      expect((await comments.listComments({ since: null })).comments).toHaveLength(1);
    }
    expect(forge.thread().comments[0]).toMatchObject({ author: forge.agent });
    const log = execFileSync(
      'git',
      ['--git-dir', forge.gitDirectory, 'log', '--format=%an <%ae>', 'agent/notes'],
      {
        encoding: 'utf8',
      },
    );
    const [author = ''] = log.split('\n');
    expect(author.startsWith(`${forge.agent} <`)).toBe(true);
    expect(author).toContain('noreply');
    expect(log.split('\n').filter((line) => line === author)).toHaveLength(expiries);
    expect(issued.length).toBeGreaterThan(expiries);
    expect(directories.workspaces).toBe(bed.settings.workspaces.directory);
    expect(await bed.findLeaks()).toEqual([]);
  });
});
