import { PlatformError } from '@agent/platforms';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import type { ActiveRun } from '../run/run.ts';
import { heardInternalName } from '../run/run-audience.ts';
import { postHistory, postInheritanceNotice } from './post-inheritance.ts';
import { restoreInheritance } from './restore-inheritance.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

/** The run that begins, as a process opens it from its metadata. */
const openRun = (lineage: ActiveRun['lineage']) => {
  const { key, platform } = bed;
  const run = { uuid: 'u', key, platform: { platform }, thread: platform.openThread(key), lineage };
  return { ...run, facts: { locale: 'en' }, logger: bed.parts.logger } as unknown as ActiveRun;
};
const listBodies = () => bed.platform.people.commentsOn(bed.key).map(({ body }) => body);

describe('a thread is told', () => {
  it('once what a run takes over, and the history that was asked for, also when a crash has it told twice [CI-45] [CI-46]', async () => {
    const uuid = await bed.addRun({ summary: 'It counts quantities, says @alice.' });
    bed.clock.ms += 60_000;
    bed.say('alice', '/show-history');
    const { lineage, inherited } = await bed.begin();
    for (let time = 0; time < 2; time += 1)
      await postInheritanceNotice(bed.parts, openRun(lineage), inherited);
    expect(listBodies().slice(1)).toEqual([
      expect.stringContaining(
        `📋 **Took over the context of earlier runs**\n\n- From: #${uuid.slice(0, 8)}\n`,
      ),
      expect.stringMatching(/## 📜 Processing History.*`It counts quantities, says @\[USER\]\.`$/s),
    ]);
  });

  it('the history for each comment that asks for it while a run is under way [CI-45]', async () => {
    await bed.addRun();
    const { lineage } = await bed.begin();
    for (const id of ['7', '8', '7']) await postHistory(bed.parts, openRun(lineage), id);
    expect(listBodies()).toEqual([
      expect.stringContaining('run:u:history:7'),
      expect.stringContaining('run:u:history:8'),
    ]);
  });

  it('the history of a run that heard an internal note to those alone who may read that note [NX-27]', async () => {
    const uuid = await bed.addRun();
    const { lineage } = await bed.begin();
    const written: (boolean | undefined)[] = [];
    const run = openRun(lineage);
    const { ensureComment } = run.thread.writer;
    const writer: ActiveRun['thread']['writer'] = {
      ensureComment: (comment) => {
        written.push(comment.internal);
        return ensureComment(comment);
      },
    };
    const telling = { ...run, thread: { ...run.thread, writer } };
    await postHistory(bed.parts, telling, '7');
    await bed.parts.store.openState(uuid).write(heardInternalName, '');
    await postHistory(bed.parts, telling, '8');
    expect(written).toEqual([false, true]);
  });

  it('nothing by a run that begins anew', async () => {
    const { lineage, inherited } = await bed.begin();
    await postInheritanceNotice(bed.parts, openRun(lineage), inherited);
    expect(listBodies()).toEqual([]);
  });

  it('nothing where the platform refuses, which the log says and the run outlives', async () => {
    await bed.addRun();
    const { lineage, inherited } = await bed.begin();
    const error = new PlatformError('locked', { code: 'forbidden' });
    bed.platform.failNext({ operation: 'ensureComment', error });
    await postInheritanceNotice(bed.parts, openRun(lineage), inherited);
    expect(bed.logged('error')).toEqual([expect.objectContaining({ topic: 'inherited' })]);
  });
});

describe('a run that died before its first line', () => {
  const list = () => bed.platform.openThread(bed.key).comments.listComments({ since: null });

  it('takes over again what it took over, and nothing else', async () => {
    await bed.addRun();
    const { lineage, inherited } = await bed.begin();
    expect(await restoreInheritance(bed.parts, openRun(lineage), await list())).toEqual(inherited);
    const anew = openRun({ ...lineage, fromUuid: null });
    expect(await restoreInheritance(bed.parts, anew, await list())).toBeNull();
  });

  it('goes on without it where it cannot be had any more, with a warning [CI-69]', async () => {
    await bed.addRun();
    const { lineage } = await bed.begin();
    bed.clock.ms += 91 * 86_400_000;
    expect(await restoreInheritance(bed.parts, openRun(lineage), await list())).toBeNull();
    expect(bed.logged('warn').map(({ msg }) => msg)).toEqual([
      'nothing of the earlier run is left to take over',
    ]);
  });
});
