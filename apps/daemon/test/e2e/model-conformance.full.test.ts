import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  assumedAnswers,
  findRefusal,
  type ModelServerRows,
  readServers,
  type SentRequest,
} from '@agent/simulators/model-servers';
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

/** A model server that gives the answers of a row each, and refuses what the real one refuses. */
async function startServer({ rows, rules }: ModelServerRows) {
  // A field that has to come back is in known answers only.
  const usable = rows.filter(({ source }) => rules?.returns === undefined || source !== null);
  const answers = kinds.flatMap((kind) => usable.filter((row) => row.kind === kind));
  const left = [...answers];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    response.setHeader('content-type', 'application/json');
    if (text === '') return response.end(JSON.stringify({ data: [{ id: 'm' }] }));
    const sent = JSON.parse(text) as SentRequest;
    const refusal = answers.map((row) => findRefusal(sent, { row, rules })).find((one) => one !== null);
    const { status = 200, body } = refusal ?? left.shift() ?? assumedAnswers.text;
    response.statusCode = status;
    return response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, left, baseUrl: `http://127.0.0.1:${port}/v1` };
}

it.each(readServers())('the daemon finishes a task with the answers of $name', async (rows) => {
  const { server, left, baseUrl } = await startServer(rows);
  world = await startWorld({
    script: () => ({ text: 'unused' }),
    api: 'chat',
    llm: { base_url: baseUrl, model: 'm' },
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
  server.closeAllConnections();
  server.close();
  expect(left, output).toEqual([]);
  // The answers do no work, which is what the run reports; no other reason ends it.
  expect([code, world.thread(number).labels], output).toEqual([1, ['coding agent failed']]);
  expect(output).toContain('"cause":"no-work"');
});
