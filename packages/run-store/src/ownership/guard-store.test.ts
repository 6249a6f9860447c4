import { randomUUID } from 'node:crypto';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { createFileRunStore } from '../file/file-run-store.ts';
import type { Ownership } from '../ports.ts';
import { end, newRun, parseMessage, says } from '../testing/store-setup.ts';
import { acquireOwnership } from './acquire-ownership.ts';

const directory = useDirectory();

const openStore = (owner: Ownership) =>
  createFileRunStore({ baseDirectory: directory.path, parseMessage, owner });

/** Takes the directory from an owner that has been silent for too long. */
async function inherit(): Promise<Ownership> {
  const then = Date.now() / 1000 - 61;
  await utimes(join(directory.path, 'lock.json'), then, then);
  return acquireOwnership({ baseDirectory: directory.path });
}

/** Every file below the directory with its text. */
async function readAll(): Promise<Record<string, string>> {
  const names = await readdir(directory.path, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile() && !entry.name.startsWith('lock.'));
  const read = async ({ parentPath, name }: (typeof files)[number]) =>
    [join(parentPath, name), await readFile(join(parentPath, name), 'utf8')] as const;
  return Object.fromEntries(await Promise.all(files.map(read)));
}

describe('a store whose owner was replaced while it was frozen', () => {
  it('writes not a byte more and moves nothing, whatever it is asked to do [NX-84]', async () => {
    const store = openStore(await acquireOwnership({ baseDirectory: directory.path }));
    const [uuid, other] = [randomUUID(), randomUUID()];
    const run = await store.open(newRun(uuid));
    await run.journal.append(says('user', 'Mend it.'));
    await (await store.open(newRun(other))).journal.append(says('user', 'And this.'));
    const heir = await inherit();
    const before = await readAll();
    const pause = { reason: 'asked', statistics: end.statistics } as never;
    const attempts = [
      () => run.journal.append(says('assistant', 'Done.')),
      () => run.journal.finish(end),
      () => run.journal.replaceContext([], {} as never),
      () => run.state.write('plan.json', { step: 2 }),
      () => run.outbox.open({ id: 'one', kind: 'comment', data: null }),
      () => run.outbox.settle('one', { state: 'done', made: null }),
      () => run.finalSummary.append({} as never, { now: 0 }),
      () => run.leave(),
      () => store.openState(other).write('plan.json', 1),
      () => store.open(newRun(randomUUID())),
      () => store.restore(other),
      () => store.listInterrupted(),
      () => store.commitPause(uuid, pause),
      () => store.pause(uuid, pause),
      () => store.resume(uuid),
      () => store.finish(uuid),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'owned' });
    expect(await readAll()).toEqual(before);
    const inherited = await openStore(heir).restore(uuid);
    await inherited.journal.append(says('assistant', 'Done by the heir.'));
    await heir.release();
  });
});
