import { PlatformError } from '@agent/platforms';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRunComments } from '../../test/memory-outbox.ts';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import { heardInternalName, sinceBegun, writingFor } from '../run/run-thread.ts';
import { createInheritanceOfRun, type TellingRun } from './inheritance-of-run.ts';

let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

/** The run that begins, as a process opens it from its metadata. */
const openRun = (lineage: TellingRun['lineage']): TellingRun => {
  const { key, platform } = bed;
  const ports = platform.openThread(key);
  const thread = { platform: { platform }, ports, writer: openRunComments(ports.writer, bed.logger) };
  return {
    uuid: 'u',
    thread,
    lineage,
    facts: { locale: 'en', belongsTo: null, repository: null },
    logger: bed.logger,
  };
};
const ofRun = () => createInheritanceOfRun(bed);
const listBodies = () => bed.platform.people.commentsOn(bed.key).map(({ body }) => body);

describe('a thread is told', () => {
  it('once what a run takes over, and the history that was asked for, also when a crash has it told twice [CI-45] [CI-46]', async () => {
    const uuid = await bed.addRun({ summary: 'It counts quantities, says @alice.' });
    bed.clock.ms += 60_000;
    bed.say('alice', '/show-history');
    const { lineage, inherited } = await bed.begin();
    for (let time = 0; time < 2; time += 1) await ofRun().postNotice(openRun(lineage), inherited);
    expect(listBodies().slice(1)).toEqual([
      expect.stringContaining(
        `📋 **Inherited the context of earlier runs**\n\n- From: #${uuid.slice(0, 8)}\n`,
      ),
      expect.stringMatching(/## 📜 Processing history.*`It counts quantities, says @\[USER\]\.`$/s),
    ]);
  });

  it('the history for each comment that asks for it while a run is under way [CI-45]', async () => {
    await bed.addRun();
    const { lineage } = await bed.begin();
    for (const id of ['7', '8', '7']) await ofRun().postHistory(openRun(lineage), id);
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
    const { ensureComment } = run.thread.ports.writer;
    const writer: TellingRun['thread']['ports']['writer'] = {
      ensureComment: (comment) => {
        written.push(comment.internal);
        return ensureComment(comment);
      },
    };
    const telling = { ...run, thread: { ...run.thread, writer: openRunComments(writer) } };
    await ofRun().postHistory(telling, '7');
    await bed.store.openState(uuid).write(heardInternalName, '');
    await ofRun().postHistory(telling, '8');
    expect(written).toEqual([false, true]);
  });

  it('nothing by a run that begins anew', async () => {
    const { lineage, inherited } = await bed.begin();
    await ofRun().postNotice(openRun(lineage), inherited);
    expect(listBodies()).toEqual([]);
  });

  it('nothing where the platform refuses, which the log says and the run outlives', async () => {
    await bed.addRun();
    const { lineage, inherited } = await bed.begin();
    const error = new PlatformError('locked', { code: 'forbidden' });
    bed.platform.failNext({ operation: 'ensureComment', error });
    await ofRun().postNotice(openRun(lineage), inherited);
    expect(bed.logged('error')).toEqual([expect.objectContaining({ topic: 'run:u:inherited' })]);
  });
});

describe('the question which decision is valid', () => {
  const decide = (id: string, text: string) => ({
    ...{ id, text, subject: 'framework', isTrusted: true, replaces: [], evidence: null, origin: null },
    source: { kind: 'comment', commentId: '7', sha256: null } as const,
    ...{ state: { kind: 'open' } as const, runUuid: 'r', decidedAt: '2026-03-01T12:00:00Z' },
  });
  const conflict = {
    subject: 'framework',
    decisions: [decide('b-1', 'Use Node, @alice'), decide('a-1', 'Use Flask')],
  };

  it('is posted once for a conflict, also by later runs, whatever they write since they began', async () => {
    const { lineage } = await bed.begin();
    const first = openRun(lineage);
    await ofRun().postConflicts(first, [conflict]);
    await ofRun().postConflicts(first, [conflict]);
    bed.clock.ms += 86_400_000;
    const { ports } = openRun(lineage).thread;
    const since: unknown[] = [];
    const writer: typeof ports.writer = {
      ensureComment: (comment) => {
        since.push(comment.since);
        return ports.writer.ensureComment(comment);
      },
    };
    const threadUpdatedAt = new Date(bed.clock.ms).toISOString();
    const later = sinceBegun({ ...ports, writer }, { threadUpdatedAt });
    const turned = { ...conflict, decisions: conflict.decisions.toReversed() };
    const run = { ...first, uuid: 'v', thread: { ...first.thread, writer: openRunComments(later.writer) } };
    await ofRun().postConflicts(run, [turned]);
    expect(listBodies()).toHaveLength(1);
    expect(since).toEqual([null]);
    const more = { ...conflict, decisions: [decide('c-1', 'Use Deno'), ...conflict.decisions] };
    await ofRun().postConflicts(run, [more]);
    expect(listBodies()).toHaveLength(2);
    expect(listBodies()[0]).toContain('`Use Node, @alice`');
  });

  it('is posted at the beginning of a run if the run that found the conflict crashed before', async () => {
    await bed.addRun();
    const { lineage, inherited } = await bed.begin();
    if (inherited === null) throw new Error('It inherits nothing.');
    await ofRun().postNotice(openRun(lineage), { ...inherited, conflicts: [conflict] });
    expect(listBodies().filter((body) => body.includes('Which decision is valid?'))).toHaveLength(1);
  });

  it('is for those who read internal notes if the run heard one', async () => {
    const { lineage } = await bed.begin();
    const run = openRun(lineage);
    const { ports } = run.thread;
    const written: (boolean | undefined)[] = [];
    const writer = writingFor(
      { hear: async () => undefined, inherit: async () => true, isInternal: async () => true },
      {
        ensureComment: (comment) => {
          written.push(comment.internal);
          return ports.writer.ensureComment(comment);
        },
      },
    );
    await ofRun().postConflicts({ ...run, thread: { ...run.thread, writer: openRunComments(writer) } }, [
      conflict,
    ]);
    expect(written).toEqual([true]);
  });

  it('fits into a comment with any number of decisions', async () => {
    const { lineage } = await bed.begin();
    const decisions = Array.from({ length: 300 }, (_, index) => decide(`a-${index}`, 'x'.repeat(500)));
    await ofRun().postConflicts(openRun(lineage), [{ ...conflict, decisions }]);
    expect(listBodies()).toEqual([expect.stringContaining('- 280 older decisions')]);
  });
});

describe('a run that died before its first line', () => {
  const look = async () => {
    const { comments, reader } = bed.platform.openThread(bed.key);
    return { listing: await comments.listComments({ since: null }), issue: await reader.readThread() };
  };

  it('takes over again what it took over, and nothing else', async () => {
    await bed.addRun();
    const { lineage, inherited } = await bed.begin();
    expect(await ofRun().restore(openRun(lineage), await look())).toEqual(inherited);
    const anew = openRun({ ...lineage, fromUuid: null });
    expect(await ofRun().restore(anew, await look())).toBeNull();
  });

  it('goes on without it where it cannot be had any more, with a warning [CI-69]', async () => {
    await bed.addRun();
    const { lineage } = await bed.begin();
    bed.clock.ms += 91 * 86_400_000;
    expect(await ofRun().restore(openRun(lineage), await look())).toBeNull();
    expect(bed.logged('warn').map(({ msg }) => msg)).toEqual(['found nothing to inherit from earlier run']);
  });
});
