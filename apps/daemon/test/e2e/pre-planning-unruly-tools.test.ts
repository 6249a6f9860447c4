// @module-tag full
import { fileURLToPath } from 'node:url';
import { createUnrulyMcpServer, startMcpHttpServer } from '@agent/simulators/mcp';
import { afterEach, expect, it } from 'vitest';
import { quickMinutes, startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript } from '../support/fix-script.ts';
import { listTurns } from '../support/model-requests.ts';
import { need, onlyPrePlanning, withPreparation } from '../support/pre-planning-script.ts';
import { readDetails, readState } from '../support/preparation-state.ts';
import { startWorld } from '../support/world.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const noParameters = { parameters: {} };
const needs = [
  need('total', 'read_file', { description: 'The code that sums up' }),
  need('hangs', 'far_hang', { description: 'What never comes', ...noParameters }),
  need('bytes', 'far_bytes', { description: 'What is no text', ...noParameters, can_assume: false }),
  need('flood', 'far_flood', { description: 'What never ends', ...noParameters }),
  need('crash', 'frail_crash', { description: 'What ends its server', ...noParameters, can_assume: false }),
];

it('a run gets ready although tools hang, die, give bytes or megabytes, and says honestly what it did not find out [PP-20, PP-24, PP-54, PP-55]', {
  tags: ['release'],
}, async () => {
  const token = 'TheTokenOfFarAway0001';
  const far = await startMcpHttpServer({ token, createServer: createUnrulyMcpServer });
  closing.push(far.close);
  const file = fileURLToPath(
    new URL('../../../../packages/simulators/src/mcp/unruly-stdio-server.ts', import.meta.url),
  );
  const world = await startWorld({
    script: withPreparation(answerScript, needs),
    config: {
      report: { style: 'seed' },
      planning: onlyPrePlanning({ collection: { max_retries_per_tool: 1 } }),
      mcp_servers: {
        far: { url: far.url, token_env: 'FAR_TOKEN' },
        frail: { command: process.execPath, args: [file] },
      },
    },
  });
  closing.push(world.close);
  const { reference } = world.forge.openIssue({
    title: 'The total is wrong',
    body: '',
    labels: ['coding agent'],
  });
  const environment = { FAR_TOKEN: token };
  const { code, output } = await startDaemonProcess(world.configFile, {
    nodeArguments: quickMinutes,
    environment,
  }).exited;
  expect(code, output).toBe(0);
  const { comments, labels } = world.forge.thread(reference);
  expect(labels).toEqual(['coding agent done']);
  const state = await readState(world);
  const results = state.collection_results.map(
    ({ info_id: id, status, tool_calls_used: calls }) => `${id} ${status}, calls: ${calls}`,
  );
  expect(results.sort()).toMatchInlineSnapshot(`
    [
      "bytes failed, calls: 1",
      "crash failed, calls: 2",
      "flood collected, calls: 1",
      "hangs assumed, calls: 2",
      "total collected, calls: 1",
    ]
  `);
  const failures = state.failures.map(({ info_id: id, reason }) => `${id}: ${reason.split(': ')[0]}`);
  expect(failures.sort()).toMatchInlineSnapshot(`
    [
      "bytes: the output is not text",
      "crash: The MCP server "frail" did not run crash",
      "hangs: timeout",
    ]
  `);

  // Of megabytes, the beginning is kept beside the state, and a little of it in the instructions.
  const flood = await readDetails(world, 'flood');
  expect(flood).toMatch(/The first line\..*bytes left out/s);
  expect(flood.length).toBeLessThan(150_000);
  const lists = comments.flatMap(({ body }) => body.match(/^- (?:✅|⚠️|❌) .*$/gm) ?? []);
  expect(lists).toMatchInlineSnapshot(`
    [
      "- ✅ The code that sums up",
      "- ⚠️ What never comes (assumed)",
      "- ❌ What is no text (not found; I don't make assumptions about it)",
      "- ✅ What never ends",
      "- ❌ What ends its server (not found; I don't make assumptions about it)",
    ]
  `);
  const step = listTurns(world.model).at(-1) ?? '';
  expect(step.length).toBeLessThan(100_000);
  expect(step).toContain('The first line.');
  expect(step).toContain('A1 hangs: to two places');
  for (const unknown of ['What is no text', 'What ends its server'])
    expect(step).toMatch(new RegExp(`${unknown} \\(impact`));
  expect(step).not.toMatch(/\\u0000|\ufffd/);
});
