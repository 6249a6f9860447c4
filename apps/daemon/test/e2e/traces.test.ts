// @module-tag full
import { fileURLToPath } from 'node:url';
import { parseJson, toRecord } from '@agent/text/json';
import { afterEach, describe, expect, it } from 'vitest';
import { startAgentWorld } from '../support/agent-world.ts';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { createDaemonsOfWorld } from '../support/daemons-of-world.ts';
import { fixScript } from '../support/fix-script.ts';
import { createModelGate } from '../support/model-gate.ts';
import { fixStory, followPlan } from '../support/planning-script.ts';
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from '../support/trace-receiver.ts';
import { token, type World } from '../support/world.ts';

const listModules = fileURLToPath(new URL('../support/list-modules.ts', import.meta.url));
const daemons = createDaemonsOfWorld();
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  await daemons.close();
  for (const end of ends.splice(0)) await end();
});

async function receive(): Promise<TraceReceiver> {
  const receiver = await startTraceReceiver();
  ends.push(receiver.close);
  return receiver;
}

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);

/** Ids of the calls of tools that the record of the one run says were finished, in its order. */
async function readToolCalls({ runs }: Pick<World, 'runs'>): Promise<readonly string[]> {
  const [uuid = ''] = await runs.list('completed');
  const lines = (await runs.readFile(uuid, 'tools.jsonl')).trim().split('\n');
  return lines
    .map((line): { readonly tool_call_id: string; readonly status: string } => JSON.parse(line))
    .flatMap(({ tool_call_id: id, status }) => (status === 'started' ? [] : [id]));
}

/** Ids of the calls of tools that were traced. */
const listTraced = (spans: readonly ReceivedSpan[]) =>
  spans
    .filter(({ attributes }) => attributes['gen_ai.operation.name'] === 'execute_tool')
    .map(({ attributes }) => String(attributes['gen_ai.tool.call.id']));

/** Spans that break the shape of one run: more than one trace or root, and those whose parent did not arrive. */
function findBroken(spans: readonly ReceivedSpan[]): readonly string[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === '');
  return [
    ...(new Set(spans.map(({ traceId }) => traceId)).size === 1 ? [] : ['traces']),
    ...(roots.length === 1 && roots[0]?.name === 'invoke_agent agent'
      ? []
      : roots.map(({ name }) => `root ${name}`)),
    ...(known.size === spans.length ? [] : ['a span twice']),
    ...spans
      .filter(({ parentSpanId }) => parentSpanId !== '' && !known.has(parentSpanId))
      .map(({ name }) => name),
  ];
}

/** Lines of a log that name a span. */
const listTracedLines = (output: string) =>
  output.split('\n').flatMap((line) => {
    const record = toRecord(parseJson(line));
    return typeof record?.span_id === 'string' ? [record] : [];
  });

describe('traces of the daemon', () => {
  it('are those that the log names, with the span under way and the whole id of the run [NX-429]', async () => {
    const receiver = await receive();
    const at = await daemons.open({ script: fixScript });
    at.forge.openIssue(issue);
    const { environment } = receiver;
    const { output } = await daemons.start(at.configFile, { environment }).exited;
    const lines = listTracedLines(output);
    const messages = [
      'calling model',
      'ran tool',
      'pushed changes',
      'opened draft pull request',
      'run ended',
    ];
    expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(messages));
    const spans = new Map(receiver.spans().map((span) => [span.spanId, span]));
    const [root] = named(receiver.spans(), 'invoke_agent agent');
    for (const line of lines) {
      expect(line).toMatchObject({
        trace_id: root?.traceId,
        'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
      });
      expect(spans.get(String(line.span_id))?.traceId).toBe(root?.traceId);
    }
    // What all runs share logs no run of its own: there the trace says which one it was.
    const runs = new Set(lines.flatMap(({ run }) => (run === undefined ? [] : [run])));
    expect([...runs]).toEqual([root?.attributes['agent.run.id']]);
    const pushed = lines.find(({ msg }) => msg === 'pushed changes');
    expect(spans.get(String(pushed?.span_id))?.name).toBe('delivery');
  });

  it('arrive by OTLP with every call once, and without words or secrets [NX-346]', async () => {
    const receiver = await receive();
    const at = await daemons.open({ script: fixScript });
    at.forge.openIssue(issue);
    const { environment } = receiver;
    const exit = await daemons.start(at.configFile, { environment }).exited;
    expect(exit.code, exit.output).toBe(0);
    const spans = receiver.spans();
    expect(findBroken(spans)).toEqual([]);
    expect(named(spans, 'chat scripted-model')).toHaveLength(at.model.requests.length);
    expect(listTraced(spans)).toEqual(await readToolCalls(at));
    for (const word of [issue.title, issue.body, 'total.js', 'line.price', token, 'key-of-the-receiver'])
      expect(receiver.text()).not.toContain(word);
    expect(exit.output).not.toContain('key-of-the-receiver');
  });

  it('are none where the configuration switches them off [NX-347]', { tags: ['full'] }, async () => {
    const receiver = await receive();
    const at = await daemons.open({ script: fixScript, config: { telemetry: { enabled: false } } });
    at.forge.openIssue(issue);
    const { environment } = receiver;
    const nodeArguments = ['--import', listModules];
    const { code, output } = await daemons.start(at.configFile, { environment, nodeArguments }).exited;
    expect({ code, sent: receiver.text() }).toEqual({ code: 0, sent: '' });
    expect(output).toContain('loads file://');
    expect(output.match(/^loads .*(?:opentelemetry|ai-sdk.otel|start-telemetry).*$/gm)).toBe(null);
  });

  it('show the phases of a plan, each call below the one that made it [NX-348]', {
    tags: ['full'],
  }, async () => {
    const receiver = await receive();
    const planning = { pre_planning: { enabled: false } };
    const at = await daemons.open({ script: followPlan(fixStory), config: { planning } });
    at.forge.openIssue(issue);
    const { environment } = receiver;
    const exit = await daemons.start(at.configFile, { environment }).exited;
    expect(exit.code, exit.output).toBe(0);
    const spans = receiver.spans();
    expect(findBroken(spans)).toEqual([]);
    expect(named(spans, 'chat scripted-model')).toHaveLength(at.model.requests.length);
    expect(listTraced(spans)).toEqual(await readToolCalls(at));
    const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
    const asked = named(spans, 'chat scripted-model').map(({ parentSpanId }) => names.get(parentSpanId));
    expect(asked[0]).toBe('planning');
    expect(new Set(asked)).toEqual(
      new Set(['planning', 'execution', 'reflection', 'verification', 'report', 'delivery']),
    );
    const parents = spans.filter(({ name }) => name.startsWith('execute_tool '));
    expect(new Set(parents.map(({ parentSpanId }) => names.get(parentSpanId)))).toEqual(
      new Set(['execution']),
    );
  });

  it('are one over a kill: the process that ends the run makes the root of both [NX-349]', {
    tags: ['full'],
  }, async () => {
    const receiver = await receive();
    const gate = createModelGate();
    const at = await daemons.open({ script: fixScript, onModelRequest: gate.onModelRequest });
    at.forge.openIssue(issue);
    const { environment } = receiver;
    const killed = daemons.start(at.configFile, { environment });
    await gate.asked(1);
    gate.letThrough();
    await gate.asked(2);
    await expect.poll(() => receiver.spans().length, { timeout: 30_000 }).toBeGreaterThan(1);
    killed.child.kill('SIGKILL');
    await killed.exited;
    const before = receiver.spans();
    gate.letThrough({ forEver: true });
    const exit = await daemons.start(at.configFile, { environment }).exited;
    expect(exit.code, exit.output).toBe(0);
    const spans = receiver.spans();
    expect(named(before, 'invoke_agent agent')).toEqual([]);
    expect(named(spans, 'invoke_agent agent')).toHaveLength(1);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(listTraced(spans)).toEqual(await readToolCalls(at));
  });

  it('show the turns of an agent with a loop of its own, and its calls of tools [NX-350]', {
    tags: ['full'],
  }, async () => {
    const receiver = await receive();
    const writes = { path: 'total.js', text: 'export const total = 1;\n' };
    const at = await startAgentWorld({ script: { writes } });
    ends.push(at.close);
    const { environment } = receiver;
    const nodeArguments = quickWaits;
    const exit = await startDaemonProcess(at.configFile, { environment, nodeArguments, alone: true }).exited;
    expect(exit.code, exit.output).toBe(0);
    const spans = receiver.spans();
    expect(findBroken(spans)).toEqual([]);
    const [turn] = named(spans, 'invoke_agent acp');
    expect(turn).toBeDefined();
    expect(listTraced(spans)).toEqual(await readToolCalls(at));
    expect(receiver.text()).not.toContain('export const total');
  });
});
