import { agentLogin } from './thread-forge.ts';
import { createOwnWatcher, type WatchedThread } from './watchers.ts';

/** What our own writes cost those who look, beside the writes themselves. */
export interface OwnWriteCosts {
  readonly what: string;
  readonly writes: number;
  readonly requests: number;
  readonly counted: number;
}

const writes = 40;
/** After each write: the one that meets it, and quiet ones. */
const checksPerWrite = 3;

/** A comment of our own that is edited again and again, as progress is shown, and comments that are written anew. */
export async function measureOwnWrites(thread: WatchedThread): Promise<readonly OwnWriteCosts[]> {
  const { forge, number, clock } = thread;
  const watcher = await createOwnWatcher(thread);
  await watcher.initialize();
  const write = (count = 1) => forge.comment({ number, at: clock.time, author: agentLogin, count });
  const measure = async (what: string, act: () => Promise<unknown>): Promise<OwnWriteCosts> => {
    const before = watcher.read();
    for (let index = 0; index < writes; index += 1) {
      clock.time += 60_000;
      await act();
      for (let check = 0; check < checksPerWrite; check += 1) {
        clock.time += 10_000;
        const { added, edited } = await watcher.check();
        if (added.length + edited > 0) throw new Error('What we wrote ourselves was taken for news.');
      }
    }
    const { requests, counted } = watcher.read();
    return { what, writes, requests: requests - before.requests, counted: counted - before.counted };
  };
  await write();
  clock.time += 10_000;
  await watcher.check();
  const edited = await measure('edits of our own comment', () =>
    forge.edit({ number, at: clock.time, index: -1 }),
  );
  return [edited, await measure('new comments of our own', () => write())];
}
