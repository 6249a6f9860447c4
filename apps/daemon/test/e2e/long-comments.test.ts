// @module-tag full
import type { ConversationView, Script } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import type { Forge, ForgeThread } from '../support/forge.ts';
import { followPlan } from '../support/planning-script.ts';
import { need, withPreparation } from '../support/pre-planning-script.ts';
import { forgesToTry, sampleOf } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const hearing = { comment_detection: { enabled: true } };
const textOf = (view: ConversationView): string => view.messages.map(({ text }) => text).join('\n');

/** A server that refuses what is longer than its window, four characters a token, as vLLM words it. */
const withWindow =
  (tokens: number, script: Script): Script =>
  (view) => {
    const size = Math.ceil(JSON.stringify([view.instructions, view.messages, view.exchanges]).length / 4);
    if (size > tokens)
      throw new Error(
        `This model's maximum context length is ${tokens} tokens. However, your messages resulted in ${size} tokens.`,
      );
    return script(view);
  };

const openIssue = (forge: Forge, labels: readonly string[] = ['coding agent']): ForgeThread =>
  forge.openIssue({ title: 'The total is wrong', body: 'It forgets the quantity.', labels });

const run = async (at: World): Promise<string> =>
  (await startDaemonProcess(at.configFile, { nodeArguments: quickWaits }).exited).output;

/** A run that looks at no file has done no work, and fails. */
const readFirst =
  (script: Script): Script =>
  (view) =>
    view.exchanges.length === 0
      ? { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] }
      : script(view);

/** Reads the end of a comment that was shortened, then says what stands there. */
const readTheEnd = readFirst((view) => {
  const id = /of 60006 characters\. Read on with `read_comment` \{"id": "(\d+)"/.exec(textOf(view))?.[1];
  if (id === undefined) return { text: 'Nothing was shortened.' };
  const read = view.exchanges.find((exchange) => exchange.name === 'read_comment');
  if (read === undefined) return { toolCalls: [{ name: 'read_comment', input: { id, offset: 59_000 } }] };
  return { text: `The end says ${/PURPLE/.exec(read.output)?.[0] ?? 'nothing'}.` };
});

describe.each(forgesToTry('gitlab'))('a comment that is too long for the model, on %s', (name) => {
  it('is delivered shortened to a running conversation, and read_comment reads the rest [seed 001 §5.3]', async () => {
    let asked = 0;
    const started = await startWorld({
      script: withWindow(16_000, readTheEnd),
      forges: [name],
      llm: { context_length: 16_000 },
      config: hearing,
      onModelRequest: () => {
        asked += 1;
        if (asked !== 1) return;
        started.forge.comment(issue.reference, { author: 'bob', body: 'spam '.repeat(13_000) });
        started.forge.comment(issue.reference, {
          author: 'alice',
          body: `${'word '.repeat(12_000)}PURPLE`,
        });
      },
    });
    world = started;
    const issue = openIssue(started.forge);
    const output = await run(started);
    const { labels, comments } = started.forge.thread(issue.reference);
    expect(labels, output).toEqual(['coding agent done']);
    expect(comments.at(-1)?.body).toContain('The end says PURPLE.');
  });

  it('ends neither the run nor a later one of the issue, however many an untrusted user adds [seed 001 §5.3]', async () => {
    const script = withWindow(
      16_000,
      readFirst(() => ({ text: 'Nothing to change.' })),
    );
    world = await startWorld({ script, forges: [name], llm: { context_length: 16_000 }, config: hearing });
    const { forge } = world;
    const issue = openIssue(forge, []);
    for (let count = 0; count < 10; count += 1)
      forge.comment(issue.reference, { author: 'bob', body: `${count} ${'spam '.repeat(12_990)}` });
    forge.comment(issue.reference, { author: 'alice', body: 'Please count quantities.' });
    for (const label of ['coding agent', 'coding agent']) {
      forge.addLabels(issue.reference, [label]);
      const output = await run(world);
      expect(forge.thread(issue.reference).labels, output).toContain('coding agent done');
    }
    const [first] = world.model.requests.filter(({ method }) => method === 'POST');
    const body = JSON.stringify(first?.body);
    expect(body).toContain('Please count quantities.');
    expect(body).toMatch(/Shortened: the first \d+ of \d+ characters/);
  });
});

describe.each(forgesToTry('gitlab'))('a planned run with long comments, on %s', (name) => {
  it('is not ended by them, and reads a shortened one while it prepares [seed 001 §5.3]', {
    tags: ['release'],
  }, async () => {
    const wanted = need('first', 'read_comment', {
      description: 'The whole first comment',
      parameters: { number: 1 },
    });
    const plan = followPlan({
      plan: () => 'No plan is needed.',
      acts: {},
      loop: readFirst(() => ({ text: 'Nothing to change.' })),
    });
    let asked = 0;
    const started = await startWorld({
      script: withWindow(16_000, withPreparation(plan, [wanted])),
      forges: [name],
      llm: { context_length: 16_000 },
      config: { ...hearing, planning: {} },
      onModelRequest: () => {
        asked += 1;
        for (const author of asked === 2 ? ['bob', 'bob', 'alice'] : [])
          started.forge.comment(issue.reference, { author, body: `${author} ${'word '.repeat(12_000)}` });
      },
    });
    world = started;
    const issue = openIssue(started.forge, []);
    for (let count = 0; count < 10; count += 1)
      started.forge.comment(issue.reference, { author: 'bob', body: `${count} ${'spam '.repeat(12_990)}` });
    started.forge.addLabels(issue.reference, ['coding agent']);
    const output = await run(started);
    expect(started.forge.thread(issue.reference).labels, output).toEqual(['coding agent done']);
    expect(output).toMatch(/"tool":"read_comment".*"msg":"ran tool"/);
  });
});

/** Finds the second of 200 comments by the numbers that the first message names. */
const readTheSecond = readFirst((view) => {
  const read = view.exchanges.find((exchange) => exchange.name === 'read_comment');
  if (read !== undefined) return { text: `It says ${/GREEN/.exec(read.output)?.[0] ?? 'nothing'}.` };
  if (textOf(view).includes('GREEN')) return { text: 'It was shown.' };
  const range = /\{"number": 1, "to": \d+\}/.exec(textOf(view))?.[0];
  return { toolCalls: [{ name: 'read_comment', input: JSON.parse(range ?? '{"number":1}') }] };
});

describe('the second of 200 comments', () => {
  it.each(sampleOf([8_000, 32_000], (tokens) => tokens === 8_000))(
    'can be read with read_comment in a window of %d tokens',
    async (tokens) => {
      const script = withWindow(tokens, readTheSecond);
      world = await startWorld({ script, llm: { context_length: tokens }, config: hearing });
      const { forge } = world;
      const issue = openIssue(forge, []);
      for (let count = 1; count <= 200; count += 1) {
        const filler = 'We talked about the total at length. '.repeat(8);
        const body =
          count === 2 ? `Background.\n\nThe color is GREEN. ${filler}` : `Note ${count}. ${filler}`;
        forge.comment(issue.reference, { author: count % 3 === 0 ? 'bob' : 'alice', body });
      }
      forge.addLabels(issue.reference, ['coding agent']);
      const output = await run(world);
      const { labels, comments } = forge.thread(issue.reference);
      expect(labels, output).toEqual(['coding agent done']);
      expect(comments.at(-1)?.body).toContain('It says GREEN.');
    },
  );
});
