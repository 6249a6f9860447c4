import { createInterface } from 'node:readline';
import type { MessageLike } from '@agent/run-store';
import { newRun } from '@agent/run-store/testing';
import { createSqliteStorage } from './create-sqlite-storage.ts';

// A process that appends each line of its input to a run, and prints it once it is stored, or the code of the error.
const [directory = '', uuid = ''] = process.argv.slice(2);
const storage = createSqliteStorage({ directory });
const owner = await storage.members.acquire();
const store = storage.openStore({ owner, parseMessage: (json) => json as MessageLike });
const { journal } = await store.open(newRun(uuid));
console.log('ready');
for await (const content of createInterface({ input: process.stdin })) {
  const message = { role: 'user', content };
  const appended = journal.append({ type: 'message', message, usage: null, delivers: [] });
  console.log(await appended.then(() => content).catch((error: { readonly code: string }) => error.code));
}
await owner.release();
