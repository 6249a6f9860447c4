// @module-tag full
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { DaemonProcess } from '../support/daemon-process.ts';
import { findProgram } from '../support/daemon-programs.ts';
import { createDaemonsOfWorld } from '../support/daemons-of-world.ts';
import { fixScript } from '../support/fix-script.ts';
import { createModelGate, type ModelGate } from '../support/model-gate.ts';
import { listTurns } from '../support/model-requests.ts';
import { itInFullInFiles, sampleOf } from '../support/samples.ts';
import type { World } from '../support/world.ts';

const daemons = createDaemonsOfWorld();
afterEach(daemons.close);

async function open(): Promise<{ at: World; gate: ModelGate; reference: string }> {
  const gate = createModelGate();
  const at = await daemons.open({ script: fixScript, onModelRequest: gate.onModelRequest });
  const { reference } = at.forge.openIssue({
    title: 'The total is wrong',
    body: 'The quantity is missing.',
    labels: ['coding agent'],
  });
  return { at, gate, reference };
}

const start = (at: World): DaemonProcess => daemons.start(at.configFile);

/** Makes the owner's last sign of life older than a minute. */
async function silence(at: World): Promise<void> {
  const then = Date.now() / 1000 - 61;
  await utimes(join(at.directory, 'contexts', 'lock.json'), then, then);
}

/** Lines of the record of the one run that there is, wherever it lies. */
async function readRecord(at: World): Promise<readonly { seq?: number; owner?: number }[]> {
  for (const place of ['running', 'completed']) {
    const parent = join(at.directory, 'contexts', place);
    for (const uuid of await readdir(parent).catch(() => [])) {
      const text = await readFile(join(parent, uuid, 'messages.jsonl'), 'utf8');
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    }
  }
  return [];
}

const numbersOf = (lines: readonly { seq?: number }[]) => lines.flatMap(({ seq }) => seq ?? []);
const ownersOf = (lines: readonly { owner?: number }[]) => lines.map(({ owner }) => owner ?? 0);
const ascending = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);

/** Freezes a daemon that waits for the model, and has another one take its directory, which waits for it as well. */
async function replaceFrozen() {
  const opened = await open();
  const { at, gate } = opened;
  const frozen = start(at);
  await gate.asked(1);
  frozen.child.kill('SIGSTOP');
  await silence(at);
  const heir = start(at);
  await gate.asked(2);
  return { ...opened, frozen, heir };
}

describe('a daemon that was frozen while it waited for the model, and replaced', () => {
  it('writes not a line more when it wakes, starts no tool, and ends with a code and the reason [NX-84]', async () => {
    const { at, gate, reference, frozen, heir } = await replaceFrozen();
    // Both answers arrive: that of the frozen one asks for the tool that the heir runs.
    gate.letThrough({ forEver: true });
    expect((await heir.exited).code).toBe(0);
    const [before, turns] = [await readRecord(at), listTurns(at.model).length];
    frozen.child.kill('SIGCONT');
    const { code, output } = await frozen.exited;
    expect([code, output]).toEqual([
      75,
      expect.stringMatching(/agent-daemon: Process \d+ on .* has taken over the directory/),
    ]);
    expect(await readRecord(at)).toEqual(before);
    expect(listTurns(at.model)).toHaveLength(turns);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    expect(numbersOf(before)).toEqual(numbersOf(before).map((_, index) => index + 1));
    expect([...new Set(ownersOf(before))]).toEqual([1, 2]);
  });

  itInFullInFiles(
    'leaves a record that the next one goes on with, when its heir is killed later [NX-84]',
    { tags: ['release'] },
    async () => {
      const { at, gate, reference, frozen, heir } = await replaceFrozen();
      frozen.child.kill('SIGCONT');
      gate.letThrough();
      expect((await frozen.exited).code).toBe(75);
      await gate.asked(3);
      heir.child.kill('SIGKILL');
      await heir.exited;
      gate.letThrough({ forEver: true });
      expect((await start(at).exited).code).toBe(0);
      const lines = await readRecord(at);
      expect(numbersOf(lines)).toEqual(numbersOf(lines).map((_, index) => index + 1));
      expect([ownersOf(lines), ownersOf(lines).at(-1)]).toEqual([ascending(ownersOf(lines)), 3]);
      expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    },
  );
});

describe('a daemon whose lock files are deleted', () => {
  it.each(sampleOf(['lock.json', 'lock.held'], (file) => file === 'lock.held'))(
    'ends with its next write when it is %s, and the next start goes on [NX-85]',
    async (name) => {
      const { at, gate, reference } = await open();
      const daemon = start(at);
      await gate.asked(1);
      await rm(join(at.directory, 'contexts', name));
      gate.letThrough();
      const { code, output } = await daemon.exited;
      expect([code, output]).toEqual([75, expect.stringContaining('was deleted or replaced')]);
      gate.letThrough({ forEver: true });
      await silence(at).catch(() => undefined);
      expect((await start(at).exited).code).toBe(0);
      const lines = await readRecord(at);
      expect(ownersOf(lines)).toEqual(ascending(ownersOf(lines)));
      expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    },
  );
});

/** Arguments of `unshare` for a process that sees no other process and no other network than its own. */
const apart = ['--pid', '--fork', '--mount-proc', '--net', '--kill-child'];

function mayUnshare(): boolean {
  try {
    execFileSync('unshare', [...apart, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const title =
  'is refused to a second daemon in namespaces of its own for processes and network, by name [RL-11, NX-86]';

describe('a directory of a daemon at work', () => {
  it('is refused to a second daemon, which names the process that holds it', async () => {
    const { at, gate } = await open();
    const daemon = start(at);
    await gate.asked(1);
    const { code, output } = await start(at).exited;
    expect([code, output]).toEqual([1, expect.stringContaining(`process ${daemon.child.pid}`)]);
  });

  const named = mayUnshare() ? title : `NOT SHOWN HERE, the kernel gives no namespaces: ${title}`;
  it(named, async () => {
    if (named !== title) return;
    const { at, gate, reference } = await open();
    const daemon = start(at);
    await gate.asked(1);
    const main = findProgram('main');
    const commandLine = [process.execPath, ...main.nodeArguments, 'run', '--config', at.configFile, '--once'];
    const second = spawn('unshare', [...apart, ...commandLine], {
      env: { ...main.environment, PATH: process.env.PATH, GITHUB_TOKEN: 'any' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    second.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    expect(await once(second, 'close')).toEqual([1, null]);
    expect(errors).toContain(`is held by process ${daemon.child.pid} on `);
    gate.letThrough({ forEver: true });
    expect((await daemon.exited).code).toBe(0);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
  });
});
