// @module-tag release
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunStorage } from '@agent/run-store';
import { afterEach, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../src/config/load-config.ts';
import { openStorage } from '../../src/config/open-storage.ts';
import { type DaemonProcess, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript } from '../support/fix-script.ts';
import { listTurns } from '../support/model-requests.ts';
import { fixStory, followPlan, type PlanStory, planOf } from '../support/planning-script.ts';
import { startWorld, type World } from '../support/world.ts';
import { createPlaceInDatabase } from '../support/world-runs.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const question = { type: 'unclear_goal', message: '?', clarification_needed: ['Which quantity?'] };
/** True from the second run on a thread on, whose work is on its branch already. */
let isAgain = false;
const story: PlanStory = {
  ...fixStory,
  loop: answerScript,
  plan: (_request, view) => {
    const says = (words: string) => view.messages.some(({ text }) => text.includes(words));
    if (says('Something is unclear') && !says('All quantities.'))
      return { phase: 'planning', error: question };
    return isAgain ? planOf([{ text: 'Look again.', tool: 'read_file' }]) : fixStory.plan();
  },
};

interface Opened {
  readonly at: World;
  readonly inFiles: string;
  readonly inDatabase: string;
  /** Has the forge take no more comments on a thread once the model is asked next. */
  readonly refuse: (reference: string) => void;
  /** Kills the daemon once it asks for the change request of its run. */
  readonly killAtDelivery: (daemon: DaemonProcess) => void;
}

/** A world whose daemon keeps its runs in files, or, by another configuration, in a database. */
async function open(): Promise<Opened> {
  let dying: DaemonProcess | null = null;
  let refusing: string | null = null;
  const at = await startWorld({
    script: followPlan(story),
    config: {
      planning: { pre_planning: { enabled: false }, reflection: { trigger_interval: 0 } },
      comment_detection: { enabled: true },
      storage: { postgres: null },
      concurrency: 1,
    },
    onModelRequest: () => {
      if (refusing === null) return;
      const path = new RegExp(`issues/${refusing.slice(1)}/comments$`);
      at.gitHub.fail({ method: 'POST', path, kind: 'refused', status: 403, times: 5 });
      refusing = null;
    },
    onForgeRequest: (label) => {
      if (/^POST .*\/pulls$/.test(label)) dying?.child.kill('SIGKILL');
    },
  });
  world = at;
  const { config, environment } = await createPlaceInDatabase();
  const inDatabase = join(at.directory, 'database.config.yaml');
  const own = parse(await readFile(at.configFile, 'utf8')) as object;
  await writeFile(inDatabase, stringify({ ...own, ...config }));
  await appendFile(join(at.directory, '.env'), `DATABASE_URL=${environment.DATABASE_URL}\n`);
  return {
    ...{ at, inFiles: at.configFile, inDatabase },
    refuse: (reference) => {
      refusing = reference;
    },
    killAtDelivery: (daemon) => {
      dying = daemon;
    },
  };
}

/** All that a place says of its runs, without where it is. */
async function readAll(configFile: string) {
  const storage: RunStorage = await openStorage(await loadConfig(configFile, {}), {});
  const { transfer, controls, notes, pauseSignal } = storage;
  if (transfer === undefined) throw new Error('this place has no copies');
  const runs: { readonly uuid: string; readonly place: string; readonly [fact: string]: unknown }[] = [];
  for (const [uuid, place] of [...(await transfer.listRuns())].toSorted()) {
    const run = transfer.openRun(uuid, place);
    const lines: string[] = [];
    for await (const some of run.readChain())
      for (const { bytes, check } of some) lines.push(`${check} ${bytes}`);
    runs.push({ uuid, place, lines, states: await run.readStates(), asked: await controls.read(uuid) });
  }
  const names = (await transfer.listNotes())
    .filter((name) => name !== 'moved' && !name.startsWith('audit/'))
    .toSorted();
  const kept = await Promise.all(names.map(async (name) => [name, await notes.read(name)]));
  const found = { runs, notes: kept, isPaused: await pauseSignal.isSet() };
  await storage.close();
  return found;
}

const live = async (configFile: string) => (await startDaemonProcess(configFile).exited).output;

it('runs of every kind move to a database and back: they read the same there, go on, and the next one on a thread inherits [NX-161]', async () => {
  const { at, inFiles, inDatabase, refuse, killAtDelivery } = await open();
  const label = 'coding agent';
  const issue = (title: string) =>
    at.forge.openIssue({ title, body: 'Look at total.', labels: [label] }).reference;
  const labelsOf = (reference: string) => at.forge.thread(reference).labels;
  const ended = issue('The total is wrong');
  await live(inFiles);
  const asks = issue('Something is unclear');
  await live(inFiles);
  const paused = issue('Pause this');
  const first = startDaemonProcess(inFiles, { alone: true });
  killAtDelivery(first);
  await first.exited;
  expect((await runDaemonCommand(inFiles, ['pause', `acme/shop${paused}`])).code).toBe(0);
  const refused = issue('Nobody may comment');
  refuse(refused);
  const cut = issue('The machine dies');
  const second = startDaemonProcess(inFiles, { alone: true });
  await second.printed(/failed to publish run result/);
  killAtDelivery(second);
  await second.exited;
  const threads = [ended, asks, paused, refused, cut];
  expect(threads.map(labelsOf)).toEqual([
    ['coding agent done'],
    ['coding agent paused'],
    ['coding agent paused'],
    ['coding agent done'],
    ['coding agent processing'],
  ]);
  const countReports = (reference: string) =>
    at.forge.thread(reference).comments.filter(({ body }) => body.includes('Task completed')).length;
  expect(threads.map(countReports)).toEqual([1, 0, 0, 0, 0]);

  const before = await readAll(inFiles);
  const places = before.runs.map(({ place }) => place).toSorted();
  expect(places).toEqual(['completed', 'paused', 'paused', 'running', 'running']);
  const migrate = (from: string, to: string) =>
    runDaemonCommand(inDatabase, ['storage', 'migrate', '--from', from, '--to', to]);
  expect(await migrate('files', 'postgres')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Copied 5 runs, .*Already there: 0\. Skipped: 0\./),
  });
  expect(await readAll(inDatabase)).toEqual(before);
  expect(await startDaemonProcess(inFiles).exited).toMatchObject({
    code: 1,
    output: expect.stringMatching(/were copied to .* and continue there/),
  });
  const status = await runDaemonCommand(inDatabase, ['status']);
  for (const reference of threads) expect(status.output).toContain(`acme/shop${reference} `);

  at.forge.comment(asks, { author: 'alice', body: 'All quantities.' });
  expect((await runDaemonCommand(inDatabase, ['resume', `acme/shop${paused}`])).code).toBe(0);
  const isDone = () =>
    threads.every(
      (reference) => labelsOf(reference).join() === 'coding agent done' && countReports(reference) > 0,
    );
  for (let lives = 0; lives < 4 && !isDone(); lives += 1) await live(inDatabase);
  expect(threads.map(labelsOf)).toEqual(threads.map(() => ['coding agent done']));
  expect(threads.map(countReports)).toEqual([1, 1, 1, 1, 1]);
  expect(at.forge.changeRequests()).toHaveLength(threads.length);

  isAgain = true;
  at.forge.addLabels(ended, [label]);
  const asked = listTurns(at.model).length;
  await live(inDatabase);
  expect(labelsOf(ended)).toEqual(['coding agent done']);
  expect(listTurns(at.model)[asked]).toContain('Previous Processing Context');

  const after = await readAll(inDatabase);
  expect(await migrate('postgres', 'files')).toMatchObject({ code: 0 });
  expect(await readAll(inFiles)).toEqual(after);
  expect(await startDaemonProcess(inDatabase).exited).toMatchObject({ code: 1 });
  expect((await startDaemonProcess(inFiles).exited).code).toBe(0);
}, 300_000);
