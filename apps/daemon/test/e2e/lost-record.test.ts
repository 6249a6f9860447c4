// @module-tag full
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { listTurns } from '../support/model-requests.ts';
import { forgesToTry, sampleOf } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

type Harm = (record: string) => string;

/** Takes the record back to its first lines, as a backup does that was made earlier. */
const restoreBackup: Harm = (record) => `${record.split('\n').slice(0, 4).join('\n')}\n`;

/** Changes a letter in the middle of the record, as a disk may. */
const flipLetter: Harm = (record) => {
  const lines = record.split('\n');
  const middle = lines.findIndex((line, index) => index >= 5 && line.includes('"role"'));
  return lines.map((line, index) => (index === middle ? line.replace('"role"', '"rule"') : line)).join('\n');
};

async function harmRecords({ directory }: World, harm: Harm): Promise<void> {
  const running = join(directory, 'contexts', 'running');
  for (const uuid of await readdir(running)) {
    const file = join(running, uuid, 'messages.jsonl');
    await writeFile(file, harm(await readFile(file, 'utf8')));
  }
}

describe.each(forgesToTry('github'))('a run on %s', (name) => {
  const harms = [
    ['is taken back behind its last push', restoreBackup],
    ['is damaged in the middle', flipLetter],
  ] as const;
  it.each(sampleOf(harms, ([, harm]) => harm === flipLetter))(
    'whose record %s says so to people and model before it goes on [NX-101]',
    async (_what, harm) => {
      let daemon: DaemonProcess | null = null;
      world = await startWorld({
        script: fixScript,
        forges: [name],
        onForgeRequest: (label) => {
          if (/^POST .*\/(?:pulls|merge_requests)$/.test(label)) daemon?.child.kill('SIGKILL');
        },
      });
      const { forge, configFile } = world;
      const issue = { title: 'The total is wrong', body: 'It forgets the quantity.' };
      const { reference } = forge.openIssue({ ...issue, labels: ['coding agent'] });
      daemon = startDaemonProcess(configFile, { alone: true });
      await daemon.exited;
      daemon = null;
      expect(forge.thread(reference).statusComments[0]?.body).toMatch(/ record=\d+:[0-9a-f]{32} -->/);
      const asked = listTurns(world.model).length;
      await harmRecords(world, harm);
      expect((await startDaemonProcess(configFile).exited).code).toBe(0);
      const { comments, labels, statusComments } = forge.thread(reference);
      expect(comments.map(({ body }) => body.includes('Part of my record of this task was lost'))).toEqual([
        true,
        false,
      ]);
      expect(comments[1]?.body).toContain('## ✅ Task completed');
      expect(labels).toEqual(['coding agent done']);
      expect(statusComments).toHaveLength(1);
      const turns = listTurns(world.model).slice(asked);
      expect(turns.length).toBeGreaterThan(0);
      for (const turn of turns)
        expect(turn).toContain('the latest part of the record of this conversation was lost');
    },
  );

  it('that had ended is shown as ended, although its record lost its beginning [NX-101]', async () => {
    let daemon: DaemonProcess | null = null;
    let written = 0;
    world = await startWorld({
      script: fixScript,
      forges: [name],
      onForgeRequest: (label) => {
        if (!/^POST .*\/(?:comments|notes)$/.test(label)) return;
        written += 1;
        // The final comment: the end is in the record, and its label is not on the thread yet.
        if (written === 2) daemon?.child.kill('SIGKILL');
      },
    });
    const { forge, configFile } = world;
    const issue = { title: 'The total is wrong', body: 'It forgets the quantity.' };
    const { reference } = forge.openIssue({ ...issue, labels: ['coding agent'] });
    daemon = startDaemonProcess(configFile, { alone: true });
    await daemon.exited;
    daemon = null;
    expect(forge.thread(reference).labels).toEqual(['coding agent processing']);
    await harmRecords(world, (record) => record.replace('"fact"', '"fakt"'));
    expect((await startDaemonProcess(configFile).exited).code).toBe(0);
    const { comments, labels } = forge.thread(reference);
    expect(labels).toEqual(['coding agent done']);
    expect(comments.filter(({ body }) => body.includes('## ✅ Task completed'))).toHaveLength(1);
  });
});
