import { followSteps, type Script, type ScriptedModel, startScriptedModel } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { createModel } from './create-model.ts';
import { type ExamineModelOptions, examineModel, type ModelFinding } from './examine-model.ts';
import { llmSchema } from './model-settings.ts';

let server: ScriptedModel | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const callsTool = followSteps([{ toolCalls: [{ name: 'report_ready', input: {} }] }]);

async function start(script: Script = callsTool): Promise<ScriptedModel> {
  server = await startScriptedModel({ script });
  return server;
}

async function examine(
  { baseUrl, model = 'scripted-model' }: { readonly baseUrl: string; readonly model?: string },
  { template = 'off', ...options }: ExamineModelOptions & { readonly template?: string } = {},
): Promise<readonly ModelFinding[]> {
  const llm = llmSchema.parse({ base_url: baseUrl, model, text_tool_calls: template });
  const configured = await createModel(llm, { environment: {}, directory: '.' });
  const findings: ModelFinding[] = [];
  for await (const finding of examineModel(configured, options)) findings.push(finding);
  return findings;
}

describe('examineModel', () => {
  it('tells that the endpoint lists the model, and that it calls tools', async () => {
    const times = [1_000, 1_250];
    const findings = await examine(await start(), { now: () => times.shift() ?? 0 });
    expect(findings).toEqual([
      { kind: 'listed', count: 1 },
      { kind: 'works', durationMs: 250 },
    ]);
  });

  it('calls nothing where it may not', async () => {
    const at = await start();
    expect(await examine(at, { mayCall: false })).toEqual([
      { kind: 'listed', count: 1 },
      { kind: 'not-called' },
    ]);
    expect(new Set(at.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('tells which models there are in place of one that is not, and why that one fails', async () => {
    const { baseUrl } = await start();
    expect(await examine({ baseUrl, model: 'another' })).toMatchObject([
      { kind: 'listed' },
      { kind: 'not-listed', others: ['scripted-model'] },
      { kind: 'failed', failure: 'unknown-model' },
    ]);
  });

  it('follows a call that is written as text in the template of the settings', async () => {
    const text = '<tool_call>\n{"name": "report_ready", "arguments": {}}\n</tool_call>';
    for (const [template, kind] of [
      ['off', 'without-tools'],
      ['hermes', 'works'],
    ] as const)
      expect((await examine(await start(() => ({ text })), { template })).at(-1)).toMatchObject({ kind });
  });

  it('tells of a model that answers without its tool', async () => {
    expect((await examine(await start(() => ({ text: 'I am ready.' })))).at(-1)).toEqual({
      kind: 'without-tools',
    });
  });

  it('asks no further where the endpoint is down or refuses the key', async () => {
    const at = await start();
    const fetch: typeof globalThis.fetch = async () => new Response('{}', { status: 401 });
    expect(await examine(at, { fetch })).toEqual([{ kind: 'key-refused', status: 401 }]);
    expect(await examine({ baseUrl: 'http://127.0.0.1:9/v1' })).toMatchObject([{ kind: 'unreachable' }]);
    expect(at.requests).toEqual([]);
  });

  it('goes on to the call where the endpoint has no list', async () => {
    const fetch: typeof globalThis.fetch = async () => new Response('<html>', { status: 404 });
    expect(await examine(await start(), { fetch })).toMatchObject([
      { kind: 'no-list', status: 404, isPage: true, otherBaseUrl: null },
      { kind: 'works' },
    ]);
  });

  it.each(['', '/v1/chat/completions', '/api'])(
    'finds the address of the API on the same server for one that ends in "%s"',
    async (path) => {
      const { baseUrl } = await start();
      const { origin } = new URL(baseUrl);
      expect(await examine({ baseUrl: `${origin}${path}` })).toMatchObject([
        { kind: 'no-list', otherBaseUrl: `${origin}/v1` },
        { kind: 'failed', failure: 'unknown-model' },
      ]);
    },
  );
});
