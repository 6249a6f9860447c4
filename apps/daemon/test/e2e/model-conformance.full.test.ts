import { type ModelServerRows, readServers, startModelServer } from '@agent/simulators/model-servers';
import { afterEach, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { repository, startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** Kinds of answers that one run gets, one after the other; the last one ends it. */
const kinds = ['malformed', 'tool call', 'parallel calls', 'length limit', 'text'] as const;

function listRows({ rows, rules }: ModelServerRows) {
  // A field that has to come back is in known answers only.
  const usable = rows.filter(({ source }) => rules.returns === undefined || source !== null);
  return kinds.flatMap((kind) => usable.filter((row) => row.kind === kind));
}

it.each(readServers())('the daemon finishes a task with the answers of $name', async (server) => {
  await using model = await startModelServer({ rows: listRows(server), rules: server.rules });
  world = await startWorld({
    script: () => ({ text: 'unused' }),
    api: 'chat',
    llm: { base_url: model.baseUrl, model: 'm' },
    config: { planning: { enabled: false } },
  });
  const { number } = world.gitHub.openIssue({
    repo: repository,
    author: 'alice',
    title: 'The total is wrong',
    body: 'It forgets the quantity.',
    labels: ['coding agent'],
  });
  const { code, output } = await startDaemonProcess(world.configFile).exited;
  expect(model.left(), output).toEqual([]);
  // The answers do no work, which is what the run reports; no other reason ends it.
  expect([code, world.thread(number).labels], output).toEqual([1, ['coding agent failed']]);
  expect(output).toContain('"cause":"no-work"');
});
