// @module-tag full
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Script } from '@agent/simulators/model';
import { expect, it, onTestFinished } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { listTurns } from '../support/model-requests.ts';
import { quietSpell } from '../support/quiet-spell.ts';
import { startWorld, type World, type WorldOptions } from '../support/world.ts';

const shown = { pictures: { enabled: true }, comment_detection: { enabled: true } };

/** Beginning of a PNG, as far as a model that follows a script minds. */
function pngOf(width: number, height: number): Buffer {
  const png = Buffer.alloc(64, 0xa5);
  png.writeBigUInt64BE(0x89504e470d0a1a0an, 0);
  png.write('IHDR', 12, 'latin1');
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

const ofIssue = pngOf(640, 480);
const ofComment = pngOf(320, 200);
const ofStranger = pngOf(111, 222);

/** Looks at a file twice, then answers. */
const looksTwice: Script = (view) =>
  view.exchanges.length < 2
    ? { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] }
    : { text: 'Seen.' };

/** A world in which alice shows a second picture, and bob, who may not steer, one of his own, while the model is asked for the second time. */
async function startShowing(options: Omit<WorldOptions, 'script'>): Promise<World> {
  let asked = 0;
  const world = await startWorld({
    script: looksTwice,
    onModelRequest: async () => {
      asked += 1;
      if (asked !== 2) return;
      const { forge } = world;
      const [{ reference } = { reference: '' }] = forge.threads();
      forge.comment(reference, { author: 'bob', body: `![mine](${forge.upload(ofStranger)})` });
      const image = `<img width="320" alt="dialog" src="${forge.upload(ofComment)}" />`;
      forge.comment(reference, { author: 'alice', body: `And the dialog: ${image}` });
      await quietSpell();
    },
    ...options,
  });
  onTestFinished(world.close);
  world.forge.openIssue({
    title: 'The total is wrong',
    body: `See ![screen](${world.forge.upload(ofIssue)})`,
    labels: ['coding agent'],
  });
  return world;
}

const count = (text: string, picture: Buffer): number =>
  text.split(`data:image/png;base64,${picture.toString('base64')}`).length - 1;

async function readRecords(directory: string): Promise<string> {
  const names = await readdir(join(directory, 'contexts'), { recursive: true });
  const journals = names.filter((name) => name.endsWith('messages.jsonl'));
  const texts = journals.map((name) => readFile(join(directory, 'contexts', name), 'utf8'));
  return (await Promise.all(texts)).join('');
}

it.each([
  ['github', 'responses', 'input_image'],
  ['gitlab', 'chat', 'image_url'],
] as const)(
  'on %s the model (%s) sees the pictures of those who may steer, in the first prompt and in comments, each fetched once [NX-400, NX-402]',
  async (forge, api, kind) => {
    const world = await startShowing({ forges: [forge], api, config: shown });
    await startDaemonProcess(world.configFile, { nodeArguments: quickWaits }).exited;
    const turns = listTurns(world.model);
    expect(turns.map((turn) => count(turn, ofIssue))).toEqual(turns.map(() => 1));
    expect(turns[0]).toContain(`"type":"${kind}"`);
    expect(turns[0]).toContain('640 x 480 pixels');
    const last = turns.at(-1) ?? '';
    expect(count(last, ofComment)).toBe(1);
    expect(turns.join('')).not.toContain(ofStranger.toString('base64'));
    expect(last).toContain('![mine]');
    expect(world.forge.uploadsRead()).toBe(2);
    const record = await readRecords(world.directory);
    expect(record).toContain('320 x 200 pixels');
    expect(record).not.toContain(ofIssue.toString('base64'));
  },
  120_000,
);

it('a run whose process is killed shows its picture again, and fetches it once [NX-401]', async () => {
  let asked = 0;
  const world = await startWorld({
    script: looksTwice,
    config: { pictures: { enabled: true } },
    onModelRequest: async () => {
      asked += 1;
      if (asked !== 2) return;
      first.child.kill('SIGKILL');
      await first.exited;
    },
  });
  onTestFinished(world.close);
  const body = `![screen](${world.forge.upload(ofIssue)})`;
  world.forge.openIssue({ title: 'The total is wrong', body, labels: ['coding agent'] });
  const first = startDaemonProcess(world.configFile, { nodeArguments: quickWaits, alone: true });
  await first.exited;
  await startDaemonProcess(world.configFile, { nodeArguments: quickWaits, alone: true }).exited;
  const turns = listTurns(world.model);
  expect(turns.length).toBeGreaterThan(2);
  expect(turns.map((turn) => count(turn, ofIssue))).toEqual(turns.map(() => 1));
  expect(world.forge.uploadsRead()).toBe(1);
}, 120_000);

it('pictures of everyone are shown where the configuration says so, as many as it allows [NX-402, NX-403]', async () => {
  const pictures = { enabled: true, from: 'everyone', max_count: 2 };
  const world = await startShowing({ config: { ...shown, pictures } });
  await startDaemonProcess(world.configFile, { nodeArguments: quickWaits }).exited;
  const last = listTurns(world.model).at(-1) ?? '';
  expect([ofIssue, ofStranger, ofComment].map((picture) => count(last, picture))).toEqual([1, 1, 0]);
  expect(last).toContain('not shown: pictures.max_count is 2');
}, 120_000);

it('without `pictures.enabled` nothing is fetched, and the texts are all that the model sees [NX-400]', async () => {
  const world = await startShowing({ config: { comment_detection: { enabled: true } } });
  await startDaemonProcess(world.configFile, { nodeArguments: quickWaits }).exited;
  expect(world.forge.uploadsRead()).toBe(0);
  expect(listTurns(world.model).join('')).not.toMatch(/base64|\[picture/);
}, 120_000);
