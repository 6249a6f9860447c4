import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { startMcpHttpServer } from '@agent/simulators/mcp';
import { followSteps } from '@agent/simulators/model';
import { listCommandLines } from '@agent/workspace/testing';
import { afterEach, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { repository, startWorld, token, type World } from '../support/world.ts';

/** What a server answers, and why a call of it failed. */
const envelope =
  /^(?:The call failed\.\n)?===== BEGIN TEXT \S+ \| output of: \w+ \| authority: untrusted[^\n]*\n(?<text>.*)\n===== END TEXT \S+ =====$/s;

/** A failure is sent to the model as JSON. */
function readEnvelope(output: string): string {
  const said = output.startsWith('{"error":') ? (JSON.parse(output) as { error: string }).error : output;
  return (envelope.exec(said)?.groups?.text ?? 'in no envelope').slice(0, 60);
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function startWorldWith(servers: Record<string, unknown>): Promise<World> {
  const world = await startWorld({
    script: followSteps([
      { toolCalls: [{ name: 'list_files', input: {} }] },
      { toolCalls: [{ name: 'box_add', input: { a: 40, b: 2 } }] },
      { toolCalls: [{ name: 'box_fail', input: {} }] },
      { toolCalls: [{ name: 'box_environment', input: {} }] },
      { toolCalls: [{ name: 'far_add', input: { a: 1, b: 2 } }] },
      ({ exchanges }) => ({
        text: exchanges
          .slice(1)
          .map(({ output }) => readEnvelope(output))
          .join(' | '),
      }),
    ]),
    config: { mcp_servers: servers },
  });
  closing.push(world.close);
  return world;
}

it('uses the tools of MCP servers in envelopes, leaves out one that is broken, and ends them all with itself [NX-57]', async () => {
  const far = await startMcpHttpServer({ token: 'TheTokenOfFarAway0001' });
  closing.push(far.close);
  const file = fileURLToPath(
    new URL('../../../../packages/simulators/src/mcp/stdio-server.ts', import.meta.url),
  );
  const mark = randomUUID();
  const world = await startWorldWith({
    box: { command: process.execPath, args: [file, mark] },
    far: { url: far.url, token_env: 'FAR_TOKEN' },
    broken: { command: 'no-such-program' },
  });
  const { number } = world.gitHub.openIssue({
    repo: repository,
    author: 'alice',
    title: 'What is 40 + 2?',
    labels: ['coding agent'],
  });
  const environment = { FAR_TOKEN: 'TheTokenOfFarAway0001' };
  const exit = await startDaemonProcess(world.configFile, { environment }).exited;

  expect(exit.code).toBe(0);
  const body = world.thread(number).comments.at(-1)?.body ?? '';
  expect(body).toContain('42 | ');
  expect(body).not.toContain('in no envelope');
  expect(body).toContain('The printer is on fire.');
  expect(body).toMatch(/ \| 3$/m);
  expect(exit.output).toContain('"no-such-program\\" could not be started');
  expect(exit.output).not.toContain('TheTokenOfFarAway0001');
  const sent = JSON.stringify(world.model.requests.map((request) => request.body));
  expect(sent).toContain('AGENT_COMMAND_ID');
  expect(sent).not.toMatch(new RegExp(`${token}|TheTokenOfFarAway0001|GITHUB_TOKEN`));
  expect((await listCommandLines()).filter((line) => line.includes(mark))).toEqual([]);
});

it('starts no MCP server while there is nothing to do', async () => {
  const world = await startWorldWith({ broken: { command: 'no-such-program' } });
  const exit = await startDaemonProcess(world.configFile).exited;
  expect(exit.code).toBe(0);
  expect(exit.output).not.toContain('MCP');
});
