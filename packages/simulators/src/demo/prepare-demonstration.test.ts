import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { demoAccounts, demoRounding } from './demo-project.ts';
import {
  type Demonstration,
  type DemonstrationOptions,
  prepareDemonstration,
} from './prepare-demonstration.ts';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function prepare(options: DemonstrationOptions = {}): Promise<Demonstration> {
  const demonstration = await prepareDemonstration(options);
  closing.push(demonstration.close);
  return demonstration;
}

/** The answer of the scripted model to a conversation that shows an edit which failed. */
async function askAfterFailure({ configuration }: Demonstration): Promise<number> {
  const { base_url: baseUrl } = (configuration as { llm: { base_url: string } }).llm;
  const input = [
    { role: 'user', content: 'Planning phase: execution (request 1). task_1' },
    ...[
      {
        type: 'function_call',
        call_id: 'c',
        name: 'edit_file',
        arguments: '{"old_text":"  return takeOff(total, percent);"}',
      },
      { type: 'function_call_output', call_id: 'c', output: 'no such line' },
    ],
  ];
  const body = JSON.stringify({ model: 'scripted-model', input });
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${baseUrl}/responses`, { method: 'POST', headers, body });
  return status;
}

/** Takes deliveries as the daemon does, and says where, as its log does. */
async function startReceiver() {
  const deliveries: { path: string; body: string }[] = [];
  const server = createServer(async (incoming, outgoing) => {
    deliveries.push({ path: incoming.url ?? '', body: await text(incoming) });
    outgoing.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { deliveries, line: `INFO listening for webhooks  url=http://127.0.0.1:${port}` };
}

describe('prepareDemonstration', () => {
  it.each(['github', 'gitlab'] as const)(
    'prepares a %s with an issue that waits, and a daemon that may read it [NX-392]',
    async (forge) => {
      const { configuration, environment, result, forge: stage } = await prepare({ forge });
      expect(JSON.parse(JSON.stringify(configuration))).toMatchObject({
        telemetry: { enabled: false },
        platforms: { [forge]: { base_url: stage.url } },
        llm: { model: 'scripted-model', api: 'responses' },
      });
      const token = environment[{ github: 'GITHUB_TOKEN', gitlab: 'GITLAB_TOKEN' }[forge]] ?? '';
      const path = { github: '/user', gitlab: '/api/v4/user' }[forge];
      const answer = await fetch(stage.url + path, { headers: { authorization: `Bearer ${token}` } });
      expect(JSON.stringify(await answer.json())).toContain(demoAccounts.robot);
      expect(result()).toMatchObject({ isFinished: false, changeRequest: null });
      expect(result().issue.labels).toEqual(['bug', 'coding agent']);
    },
  );

  it('has a person object when an action has failed, tells of it and delivers it where the daemon listens [NX-392]', async () => {
    const told: string[] = [];
    const demonstration = await prepare({ tell: (who) => told.push(who) });
    const receiver = await startReceiver();
    demonstration.daemonSays(receiver.line);
    demonstration.forge.comment(
      demoAccounts.robot,
      'If one is wrong, comment `/reject A1 <reason>`.\n\n- [ ] **task_1**: Fix it',
    );
    expect(await askAfterFailure(demonstration)).toBe(200);
    const words = demonstration.result().issue.comments.at(-1);
    expect(words).toMatchObject({
      author: demoAccounts.reporter,
      body: `/reject A1 ${demoRounding.objection}`,
    });
    expect(told).toEqual(['mika', 'model']);
    expect(receiver.deliveries).toMatchObject([{ path: '/webhooks/github' }]);
    expect(receiver.deliveries[0]?.body).toContain('/reject A1');
  });

  it('takes an endpoint of your own in the place of the script [NX-392]', async () => {
    const model = {
      kind: 'endpoint',
      baseUrl: 'http://127.0.0.1:9/v1',
      model: 'own',
      api: null,
      hasKey: true,
    } as const;
    const { configuration, modelDescription } = await prepare({ model });
    expect(configuration).toMatchObject({
      llm: { base_url: model.baseUrl, model: 'own', api_key_env: 'LLM_API_KEY' },
    });
    expect(modelDescription).toBe('The model own at http://127.0.0.1:9/v1.');
  });
});
