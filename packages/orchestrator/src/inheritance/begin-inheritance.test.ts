import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatTaskKey, PlatformError } from '@agent/platforms';
import { hashTaskKey } from '@agent/run-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import { createBeginInheritance } from './begin-inheritance.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

const recordOf = ({ contexts, key }: PastBed) => {
  const hash = hashTaskKey(formatTaskKey(key));
  return join(contexts, 'index', hash.slice(0, 2), `${hash}.json`);
};

const threadOf = ({ key, platform }: PastBed) => ({
  taskKeyHash: hashTaskKey(formatTaskKey(key)),
  host: platform.host,
});

describe('a run that begins', () => {
  it('takes over the newest run that left a summary, without its secrets and people [CI-56] [CI-58]', async () => {
    await bed.addRun({ summary: 'FIRST' });
    const second = await bed.addRun({
      summary: 'alice said the password: hunter2-hunter2, as AKIAIOSFODNN7EXAMPLQ <!-- hidden -->.',
    });
    await bed.addRun({ summary: null });
    const { lineage, inherited } = await bed.begin();
    expect(lineage).toMatchObject({ fromUuid: second, depth: 1, refusal: null, showsHistory: false });
    expect(inherited?.tokens).toBe(lineage.tokens);
    expect(inherited?.block).toContain('[USER] said the password: [REDACTED]');
    expect(inherited?.block).not.toMatch(/alice|hunter2|AKIA|hidden|FIRST/);
    expect(inherited?.notice).toContain(`#${second.slice(0, 8)}`);
  });

  it('takes over one that has ended and is not settled, and one without a summary beside it [NX-113]', async () => {
    await bed.addRun({ summary: null, isSettled: false });
    const open = await bed.addRun({ summary: 'OPEN', isSettled: false });
    await bed.addRun({ summary: null, isSettled: false });
    const { lineage, inherited } = await bed.begin();
    expect(lineage).toMatchObject({ fromUuid: open, depth: 1 });
    expect(inherited?.block).toContain('OPEN');
    expect(bed.logged('warn').map(({ reason }) => reason)).toEqual(['no-summary', 'no-summary']);
  });

  it('inherits nothing from a run in another repository of the same name', async () => {
    const own = await bed.addRun({ summary: 'OWN', repositoryId: '7' });
    await bed.addRun({ summary: 'FOREIGN', repositoryId: '8' });
    const begun = await bed.begin({ repositoryId: '7' });
    expect(begun.lineage).toMatchObject({ fromUuid: own, depth: 1 });
    expect(begun.inherited?.block).toContain('OWN');
    expect(begun.inherited?.block).not.toContain('FOREIGN');
    expect((await bed.begin({ repositoryId: '9' })).inherited).toBeNull();
    expect((await bed.begin()).inherited?.block).toContain('FOREIGN');
  });

  it('looks at nothing that lies behind a /fresh-start [CI-44] [C8]', async () => {
    await bed.addRun({ summary: 'FIRST' });
    const second = await bed.addRun({ summary: 'SECOND', startsAfresh: true });
    const thread = { taskKeyText: formatTaskKey(bed.key), host: bed.platform.host };
    const listed = await bed.earlierRuns.listInheritable(thread);
    expect(listed).toEqual([second]);
    const { lineage, inherited } = await bed.begin();
    expect(lineage).toMatchObject({ fromUuid: second, depth: 1 });
    expect(inherited?.block).not.toContain('FIRST');
  });

  it('takes over no more than a quarter of what a small model can read [CI-40] [CI-50]', async () => {
    await bed.addRun({ summary: 'It counts quantities. '.repeat(2_000) });
    const { lineage, inherited } = await bed.begin();
    expect(lineage.tokens).toBeGreaterThan(1_500);
    expect(lineage.tokens).toBeLessThanOrEqual(2_000);
    expect(inherited?.block).toContain('... (the summary is long; the rest is left out)');
  });

  it('is a new task where nothing was left, and says so only in the log [CI-51] [CI-69]', async () => {
    await bed.addRun({ summary: null });
    const { lineage, inherited } = await bed.begin();
    expect({ lineage, inherited }).toMatchObject({ lineage: { fromUuid: null, depth: 0 }, inherited: null });
    expect(bed.logged('warn')).toHaveLength(1);
  });

  it('is a new task where the index cannot be read, with an error in the log [CI-53] [CI-70] [C18]', async () => {
    await bed.addRun();
    await rm(join(bed.contexts, 'index'), { recursive: true });
    await writeFile(join(bed.contexts, 'index'), 'in the way');
    expect((await bed.begin()).lineage.fromUuid).toBeNull();
    expect(bed.logged('error').map(({ msg }) => msg)).toContain(
      'failed to look up earlier runs; starting without them',
    );
  });

  it('takes over from an index that is damaged or was deleted by hand, which is built anew [CI-47] [CI-49]', async () => {
    const uuid = await bed.addRun();
    await writeFile(recordOf(bed), '{"half a file');
    expect((await bed.begin()).lineage.fromUuid).toBe(uuid);
    await rm(join(bed.contexts, 'index'), { recursive: true });
    expect((await bed.begin()).lineage.fromUuid).toBe(uuid);
  });

  it('takes the next run where a directory is gone, and the index forgets it [CI-48]', async () => {
    const first = await bed.addRun({ summary: 'FIRST' });
    const second = await bed.addRun();
    await rename(join(bed.contexts, 'completed', second), join(bed.contexts, 'elsewhere'));
    expect((await bed.begin()).lineage.fromUuid).toBe(first);
    const { index } = bed.openStorage();
    const thread = { taskKeyHash: hashTaskKey(formatTaskKey(bed.key)), host: bed.platform.host };
    expect((await index.find(thread)).map(({ uuid }) => uuid)).toEqual([first]);
  });

  it('takes nothing over where that is switched off, whatever is commanded [CI-37]', async () => {
    await bed.addRun();
    bed.say('alice', '/show-history');
    const begin = createBeginInheritance({ ...bed.inheriting, earlierRuns: null });
    const opened = bed.platform.openThread(bed.key);
    const issue = await opened.reader.readThread();
    const beginning = await begin({
      thread: { taskKeyText: formatTaskKey(bed.key), host: bed.platform.host },
      snapshot: {
        thread: issue,
        listing: await opened.comments.listComments({ since: null }),
      },
      issue,
      readTextAuthors: async () => [issue.author],
      isTrusted: async () => true,
      ownAccount: await bed.platform.identity.whoAmI(),
      botName: null,
      locale: 'en',
    });
    expect(beginning).toMatchObject({ inherited: null, lineage: { showsHistory: false } });
  });
});

describe('commands to a run that begins', () => {
  it('are obeyed from people who may steer, and count once [CI-43] [CI-44] [CI-45] [C8]', async () => {
    await bed.addRun({ summary: 'FIRST' });
    bed.clock.ms += 60_000;
    const id = bed.say('alice', '/fresh-start\n/show-history');
    const refused = bed.say('bob', '/no-inherit');
    const { lineage, inherited, ...heard } = await bed.begin();
    expect(inherited).toBeNull();
    expect(heard).toEqual({ obeyed: [id], refused: [refused] });
    const barrierAt = new Date(bed.clock.ms).toISOString();
    expect(lineage).toMatchObject({
      refusal: 'fresh-start',
      barrierAt,
      showsHistory: true,
      heard: [id, refused],
    });

    const second = await bed.addRun();
    expect((await bed.begin()).lineage).toMatchObject({ refusal: null, fromUuid: second, heard: [] });
  });

  it('are heard also where our clock was ahead when the last run ended, and leave that run behind [CI-43, CI-44, C6, C8]', async () => {
    const dayMs = 86_400_000;
    bed.clock.ms += dayMs;
    const ahead = await bed.addRun({ summary: 'AHEAD' });
    bed.clock.ms -= dayMs;
    const { writer } = bed.platform.openThread(bed.key);
    await writer.ensureComment({ topic: `run:${ahead}:final`, body: 'Done.' });
    expect((await bed.begin()).lineage).toMatchObject({ fromUuid: ahead, refusal: null });
    bed.clock.ms += 60_000;
    bed.say('alice', '/fresh-start');
    const { lineage } = await bed.begin();
    expect(lineage).toMatchObject({ fromUuid: null, refusal: 'fresh-start' });
    const completedAt = (await bed.openStorage().index.find(threadOf(bed)))[0]?.completedAt;
    expect(lineage.barrierAt).toBe(completedAt);
  });

  it('are not read in hidden text, in quotes, in code and in what we wrote', async () => {
    const first = await bed.addRun();
    bed.clock.ms += 60_000;
    bed.say('alice', '<!--\n/no-inherit\n-->\n> /no-inherit\n```\n/no-inherit\n```\nwe /no-inherit');
    const { writer } = bed.platform.openThread(bed.key);
    await writer.ensureComment({ topic: 'x', body: '/fresh-start' });
    expect((await bed.begin()).lineage).toMatchObject({ refusal: null, fromUuid: first });
  });

  it('wait with the run while the platform cannot say who may steer', async () => {
    await bed.addRun();
    bed.clock.ms += 60_000;
    bed.say('alice', '/no-inherit');
    const error = new PlatformError('down', { code: 'unavailable' });
    bed.platform.failNext({ operation: 'accessOf', error });
    await expect(bed.begin()).rejects.toBe(error);
    expect((await bed.begin()).lineage.refusal).toBe('no-inherit');
    bed.platform.failNext({ operation: 'accessOf', error: new PlatformError('no', { code: 'forbidden' }) });
    expect((await bed.begin()).lineage.refusal).toBeNull();
  });
});
