// @module-tag full
import { hash } from 'node:crypto';
import { appendFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript, fixScript } from '../support/fix-script.ts';
import { listTurns } from '../support/model-requests.ts';
import { type PreparationStory, startPreparationStory } from '../support/preparation-story.ts';
import { itInFullInFiles, sampleOf } from '../support/samples.ts';
import { startWorld, type World, type WorldOptions } from '../support/world.ts';

/** What happens to the files in which runs are kept: of a database, packages/run-store/src/postgres/outage.test.ts tells. */
let world: World | null = null;
let story: PreparationStory | null = null;
/** Chains the lines of a record again, so that what was changed in them is no damage. */
function seal(record: string): string {
  let previous = '';
  const lines = record.split('\n').slice(0, -1);
  const sealed = lines.map((line) => {
    const body = line.replace(/,"check":"[0-9a-f]{32}"\}$/, '}');
    previous = hash('sha256', `${previous}${body}`).slice(0, 32);
    return `${body.slice(0, -1)},"check":"${previous}"}\n`;
  });
  return sealed.join('');
}

afterEach(async () => {
  await world?.close();
  await story?.close();
  [world, story] = [null, null];
});

/** A world with an issue that waits. */
async function open(options: WorldOptions) {
  const at = await startWorld(options);
  world = at;
  const seed = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
  const { reference } = at.forge.openIssue(seed);
  return { at, reference, contexts: join(at.directory, 'contexts') };
}

describe('the index of earlier runs', () => {
  it('that was deleted by hand is built anew: the next run takes over from the last [CI-1, X12]', {
    tags: ['full'],
  }, async () => {
    const { at, reference, contexts } = await open({
      script: answerScript,
      summarize: () => ({ summary: 'It was explained.', key_decisions: [] }),
    });
    expect((await startDaemonProcess(at.configFile).exited).code).toBe(0);
    await rm(join(contexts, 'index'), { recursive: true });
    at.forge.addLabels(reference, ['coding agent']);
    const { code, output } = await startDaemonProcess(at.configFile).exited;
    expect(code).toBe(0);
    expect(output).toContain('built run index');
    expect(listTurns(at.model).at(-1)).toContain('It was explained.');
  });

  itInFullInFiles(
    'that takes no run leaves it for later, its thread taken; what people ask for meanwhile is not lost [CI-52, RL-9]',
    async () => {
      let making = '';
      const block = async (): Promise<void> => {
        if (making !== '') await writeFile(making, '', { flag: 'wx' }).catch(() => undefined);
        making = '';
      };
      const config = { poll_interval_seconds: 0.2 };
      const { at, reference, contexts } = await open({ script: answerScript, config, onModelRequest: block });
      const blocked = join(contexts, 'index', 'making');
      making = blocked;
      const daemon = startDaemonProcess(at.configFile, { flags: [] });
      await daemon.printed(/failed to archive run/);
      expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
      at.forge.addLabels(reference, ['coding agent']);
      await daemon.printed(/failed to archive run[\s\S]*failed to archive run/);
      await rm(blocked);
      await daemon.printed(/finished task[\s\S]*finished task/);
      daemon.child.kill('SIGTERM');
      await daemon.exited;
      expect(daemon.output().match(/started task/g)).toHaveLength(2);
      expect(await at.runs.list('completed')).toHaveLength(2);
      expect(await at.runs.list('running')).toEqual([]);
    },
  );
});

describe('the record of a run', { tags: ['full'] }, () => {
  it('that was damaged while nobody ran is cut there, the rest kept, and the run goes on from what is whole', async () => {
    const { at, reference, contexts } = await open({ script: fixScript });
    const daemon = startDaemonProcess(at.configFile);
    await daemon.printed(/"step":2/);
    daemon.child.kill('SIGKILL');
    await daemon.exited;
    const [uuid = ''] = await at.runs.list('running');
    const rest = '{"no":"message"}\n{"nor":"this"}\n';
    await appendFile(join(contexts, 'running', uuid, 'messages.jsonl'), rest);
    const exit = await startDaemonProcess(at.configFile).exited;
    expect(exit.code, exit.output).toBe(0);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    const kept = join(contexts, 'completed', uuid, 'messages.damaged-1.jsonl');
    expect((await readFile(kept, 'utf8')).startsWith(rest)).toBe(true);
  });

  const ends = [
    { name: 'the living process', once: false },
    { name: 'the next start', once: true },
  ];
  it.for(sampleOf(ends, ({ once }) => !once))(
    'whose disk is full continues in $name once there is room, and no thread shows an end before [NX-93]',
    async ({ once }) => {
      let file = '';
      const fillDisk = async (): Promise<void> => {
        if (file !== '') return;
        const [uuid = ''] = await at.runs.list('running');
        file = join(contexts, 'running', uuid, 'messages.jsonl');
        await rename(file, `${file}.kept`);
        await symlink('/dev/full', file);
      };
      const config = { poll_interval_seconds: 0.2 };
      const { at, reference, contexts } = await open({ script: fixScript, config, onModelRequest: fillDisk });
      const daemon = startDaemonProcess(at.configFile, once ? {} : { flags: [] });
      await daemon.printed(/deferred run: disk is full/);
      if (once) expect((await daemon.exited).code).toBe(1);
      const { labels, comments } = at.forge.thread(reference);
      expect([labels, comments]).toEqual([['coding agent processing'], []]);
      await rename(`${file}.kept`, file);
      const last = once ? startDaemonProcess(at.configFile) : daemon;
      await last.printed(/finished task/);
      if (!once) last.child.kill('SIGTERM');
      await last.exited;
      expect(at.forge.thread(reference).labels, last.output()).toEqual(['coding agent done']);
      expect(await at.runs.list('completed')).toHaveLength(1);
    },
  );

  it('that cannot be restored after a pause has a new task begun, which says so [RL-5]', {
    tags: ['release'],
  }, async () => {
    let asked = 0;
    const { at, reference, contexts } = await open({
      script: fixScript,
      config: { poll_interval_seconds: 0.2 },
      onModelRequest: async () => {
        asked += 1;
        if (asked === 2) await at.runs.pauseAll();
      },
    });
    await startDaemonProcess(at.configFile).exited;
    await at.runs.resumeAll();
    const [uuid = ''] = await at.runs.list('paused');
    const record = join(contexts, 'paused', uuid, 'messages.jsonl');
    const unreadable = seal((await readFile(record, 'utf8')).replaceAll('"role":"user"', '"role":"nobody"'));
    await writeFile(record, unreadable);
    await startDaemonProcess(at.configFile).exited;
    const { labels, comments } = at.forge.thread(reference);
    expect(comments.map(({ body }) => body).join('\n')).toContain('starting it again as a new task');
    expect(labels).toEqual(['coding agent done']);
    expect(await at.runs.list('paused')).toEqual([uuid]);
    expect(await readFile(record, 'utf8')).toBe(unreadable);
    expect(await at.runs.list('completed')).toHaveLength(1);
  });

  itInFullInFiles(
    'that cannot be paused counts as getting further what that life did, and not the one before it, also where that life begins again [RL-4, RL-10]',
    { tags: ['release'], timeout: 90_000 },
    async () => {
      story = await startPreparationStory('github', 'responses');
      const { runs, directory } = story.world;
      await (await story.liveUntil(/^question needs$/)).kill();
      // In this life the run is to be paused, which cannot be saved: it goes on, and gets further than it was.
      const further = await story.liveUntil(/^question assumption rounding$/);
      const [uuid = ''] = await runs.list('running');
      const blocked = join(directory, 'contexts', 'paused', uuid);
      await mkdir(join(blocked, 'in the way'), { recursive: true });
      await runs.pauseAll();
      story.sights.letGo();
      await story.sights.hold(/^question assumption currency$/);
      await runs.resumeAll();
      await rm(blocked, { recursive: true });
      await further.kill();
      // This one gets no further; it is the second in the row, and not the third.
      await (await story.liveUntil(/^question assumption currency$/)).kill();
      await story.liveOn();
      expect(story.world.forge.thread('#1').labels).toEqual(['coding agent done']);
    },
  );
});
