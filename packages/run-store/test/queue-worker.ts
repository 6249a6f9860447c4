import { connectPostgres, createPostgresQueue } from '../src/postgres/index.ts';

/** A process that works on a queue: it says what it begins, and never ends it. It ends with whoever holds its input. */
process.stdin.once('end', () => process.exit()).resume();
const [url = '', schema = ''] = process.argv.slice(2);
const queue = createPostgresQueue<{ readonly key: string }>({
  database: await connectPostgres({ url }),
  schema,
  parseEntry: (json) => json as { readonly key: string },
  rules: { toGroup: ({ key }) => key },
  concurrency: 1,
});
const workOn = ({ key }: { readonly key: string }) => {
  process.stdout.write(`${key}\n`);
  return new Promise<'done'>(() => {});
};
await queue.work(workOn, { signal: new AbortController().signal });
