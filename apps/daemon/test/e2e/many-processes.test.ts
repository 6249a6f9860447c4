import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findSharedPostgres } from '@agent/simulators/postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import type { ForgeName } from '../support/forge.ts';
import { createModelGate } from '../support/model-gate.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
const daemons: DaemonProcess[] = [];
afterEach(async () => {
  for (const { child, exited } of daemons.splice(0)) {
    child.kill('SIGKILL');
    await exited;
  }
  await world?.close();
  world = null;
});

/** A world whose runs are kept in a schema of the server, and a thread in it that waits. */
async function open(forge: ForgeName) {
  const url = await findSharedPostgres();
  const schema = `many_${randomUUID().replaceAll('-', '').slice(0, 20)}`;
  const gate = createModelGate();
  const at = await startWorld({
    script: fixScript,
    forges: [forge],
    onModelRequest: gate.onModelRequest,
    config: { storage: { postgres: { schema } }, http: { port: 0 } },
  });
  world = at;
  const labels = ['coding agent'];
  const { reference } = at.forge.openIssue({ title: 'The total is wrong', body: 'Mend it.', labels });
  /** Starts a process as on a host of its own: it has no directory in common with another. */
  const start = async (name: string, role: string): Promise<DaemonProcess> => {
    const directory = join(at.directory, name);
    await mkdir(directory);
    const configFile = join(directory, 'agent.config.yaml');
    await writeFile(configFile, await readFile(at.configFile, 'utf8'));
    const flags = ['--role', role];
    const daemon = startDaemonProcess(configFile, { flags, alone: true, environment: { DATABASE_URL: url } });
    daemons.push(daemon);
    return daemon;
  };
  return { at, gate, reference, start };
}

/** Reads what a daemon says of itself at `/readyz`. */
async function readReadiness({ output, printed }: DaemonProcess): Promise<string> {
  await printed(/serving \/healthz/);
  const [, port] =
    /http:\/\/127\.0\.0\.1:(\d+)[^\n]*serving|serving[^\n]*127\.0\.0\.1:(\d+)/
      .exec(output())
      ?.filter(Boolean) ?? [];
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  return ((await answer.json()) as { status: string }).status;
}

describe('daemons on hosts that share a database', { timeout: 180_000 }, () => {
  it.each(forgesToTry('github'))(
    'carry one task on %s from its label to its report, though the one at work is killed [NX-138]',
    async (forge) => {
      const { at, gate, reference, start } = await open(forge);
      const looker = await start('looker', 'look');
      const workers = [await start('worker-1', 'work'), await start('worker-2', 'work')] as const;
      await gate.asked(1);
      expect(await Promise.all([looker, ...workers].map(readReadiness))).toEqual(['ready', 'ready', 'ready']);
      const isBusy = ({ output }: DaemonProcess) => output().includes('task begun');
      const [first, second] = isBusy(workers[0]) ? workers : [workers[1], workers[0]];
      first.child.kill('SIGKILL');
      await first.exited;
      gate.letThrough({ forEver: true });
      await second.printed(/task ended {2}status=completed|"msg":"task ended"/);
      const thread = at.forge.thread(reference);
      const ends = thread.comments.filter(({ body }) => body.includes('Task completed'));
      expect(ends).toHaveLength(1);
      expect(thread.labels).toEqual(['coding agent done']);
      expect(at.forge.changeRequests()).toHaveLength(1);
      expect(looker.output()).not.toContain('task begun');
      expect(second.output()).toMatch(/going on|restored|interrupted/);
    },
  );
});
