// @module-tag full
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectPostgres } from '@agent/run-store/postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, quickWaits } from '../support/daemon-process.ts';
import { createDaemonsOfWorld } from '../support/daemons-of-world.ts';
import { fixScript } from '../support/fix-script.ts';
import type { ForgeName } from '../support/forge.ts';
import type { GitHubForge } from '../support/github-forge.ts';
import { createModelGate } from '../support/model-gate.ts';
import { forgesToTry } from '../support/samples.ts';
import { createPlaceInDatabase } from '../support/world-runs.ts';

const daemons = createDaemonsOfWorld();
afterEach(daemons.close);

/** A world whose runs are kept in a schema of the server, and a thread in it that waits. */
async function open(forge: ForgeName, config: object = {}) {
  const place = await createPlaceInDatabase();
  const gate = createModelGate();
  const at = await daemons.open({
    script: fixScript,
    forges: [forge],
    onModelRequest: gate.onModelRequest,
    config: { ...place.config, http: { port: 0 }, ...config },
  });
  const labels = ['coding agent'];
  const { reference } = at.forge.openIssue({ title: 'The total is wrong', body: 'Mend it.', labels });
  /** Starts a process as on a host of its own: it has no directory in common with another. */
  const start = async (
    name: string,
    role: string,
    nodeArguments: readonly string[] = [],
  ): Promise<DaemonProcess> => {
    const directory = join(at.directory, name);
    await mkdir(directory);
    const configFile = join(directory, 'agent.config.yaml');
    await writeFile(configFile, await readFile(at.configFile, 'utf8'));
    return daemons.start(configFile, {
      flags: ['--role', role],
      environment: { ...place.environment, WAIT_SPEED: '20' },
      nodeArguments,
    });
  };
  /** Counts what the processes keep for each other of the platform's answers. */
  const countAnswers = async (): Promise<number> => {
    const database = await connectPostgres({ url: place.environment.DATABASE_URL });
    const rows = await database.query(`SELECT key FROM ${place.schema}.answers`);
    await database.close();
    return rows.length;
  };
  return { at, gate, reference, start, countAnswers };
}

/** Reads what a daemon says of itself at `/readyz`. */
async function readReadiness({ output, printed }: DaemonProcess): Promise<string> {
  await printed(/serving HTTP endpoints/);
  const [, port] =
    /http:\/\/127\.0\.0\.1:(\d+)[^\n]*serving|serving[^\n]*127\.0\.0\.1:(\d+)/
      .exec(output())
      ?.filter(Boolean) ?? [];
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return ((await answer.json()) as { status: string }).status;
}

describe('daemons on hosts that share a database', () => {
  it.each(forgesToTry('github'))(
    'carry one task on %s from its label to its report, though the one at work is killed, and what one is answered is kept for the others [NX-138] [NX-168]',
    async (forge) => {
      const { at, gate, reference, start, countAnswers } = await open(forge);
      const looker = await start('looker', 'look');
      const workers = [await start('worker-1', 'work'), await start('worker-2', 'work')] as const;
      await gate.asked(1);
      expect(await Promise.all([looker, ...workers].map(readReadiness))).toEqual(['ready', 'ready', 'ready']);
      const isBusy = ({ output }: DaemonProcess) => output().includes('started task');
      const [first, second] = isBusy(workers[0]) ? workers : [workers[1], workers[0]];
      first.child.kill('SIGKILL');
      await first.exited;
      gate.letThrough({ forEver: true });
      await second.printed(/finished task {2}status=completed|"msg":"finished task"/);
      const thread = at.forge.thread(reference);
      const ends = thread.comments.filter(({ body }) => body.includes('Task completed'));
      expect(ends).toHaveLength(1);
      expect(thread.labels).toEqual(['coding agent done']);
      expect(at.forge.changeRequests()).toHaveLength(1);
      expect(looker.output()).not.toContain('started task');
      expect(second.output()).toMatch(/resuming run|restored|interrupted/);
      if (forge === 'github') expect(await countAnswers()).toBeGreaterThan(2);
    },
  );

  it('hear what is said on the thread of a run that waits for its next attempt, though who has it does not look for tasks [NX-179]', async () => {
    const settings = { poll_interval_seconds: 2, comment_detection: { enabled: true } };
    const { at, gate, reference, start } = await open('github', settings);
    gate.letThrough({ forEver: true });
    const { simulator } = at.forge as GitHubForge;
    simulator.fail({ method: 'POST', path: /\/labels/, kind: 'refused', status: 403, times: 1_000 });
    const looker = await start('looker', 'look');
    const worker = await start('worker', 'work', quickWaits);
    await worker.printed(/failed to run task/);
    at.forge.comment(reference, { author: 'alice', body: '/stop' });
    await worker.printed(/failed to publish run result/);
    const said = at.forge.thread(reference).comments.map(({ body }) => body);
    expect(said.at(-1)).toContain('Task stopped');
    expect(looker.output()).not.toContain('started task');
  });
});
