import { ThreadContextBuilder, type ThreadMessage, TranscriptFormatter } from '@agent/thread-context';
import { expect, test } from 'vitest';

const limits = { maxMessages: 200, maxTranscriptChars: 20_000 };
const formatter = new TranscriptFormatter();

test.for([200, 2_000])('fit a thread of %i messages into a prompt', async (count, { bench }) => {
  const history = Array.from({ length: count }, (_, index) => toMessage(index));
  const build = async (options: typeof limits) =>
    formatter.toTranscript(await new ThreadContextBuilder(options).build(toReader(history), 'bot'));
  const buildAll = async () =>
    (await build({ maxMessages: count, maxTranscriptChars: 10_000_000 })).split('\n');
  expect(dropWhileTooLong(await buildAll())).toBe(await build(limits));
  expect(dropByRunningSum(await buildAll())).toBe(await build(limits));
  await bench.compare(
    bench('ThreadContextBuilder', async () => {
      await build(limits);
    }),
    bench('all messages, dropped while their text is too long', async () => {
      dropWhileTooLong(await buildAll());
    }),
    bench('all messages, dropped by a running sum', async () => {
      dropByRunningSum(await buildAll());
    }),
    { iterations: 3, warmupIterations: 1 },
  );
});

function dropWhileTooLong(lines: string[]): string {
  while (lines.join('\n').length > limits.maxTranscriptChars || lines.length > limits.maxMessages)
    lines.shift();
  return lines.join('\n');
}

function dropByRunningSum(lines: string[]): string {
  let chars = lines.reduce((sum, line) => sum + line.length + 1, -1);
  while (lines.length > limits.maxMessages || chars > limits.maxTranscriptChars)
    chars -= (lines.shift()?.length ?? 0) + 1;
  return lines.join('\n');
}

function toMessage(index: number): ThreadMessage {
  const isOwn = index % 2 === 1;
  const content = 'look at the total '.repeat(1 + ((index * 7_919) % 11)).trim();
  const author = { authorId: isOwn ? 'bot' : '1', authorName: isOwn ? 'robot' : 'alice', authorIsBot: isOwn };
  return { id: String(index), ...author, isSystem: false, content };
}

function toReader(history: readonly ThreadMessage[]) {
  return {
    fetchPage: async ({ before, limit }: { before: string | null; limit: number }) => {
      const end = before === null ? history.length : Number(before);
      return history.slice(Math.max(0, end - limit), end).reverse();
    },
    fetchStarter: async () => null,
  };
}
